"""Scores of families: the compiled kernel against its own source and against a table counted by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.reference import uncompiled

from bayesfold.kernels.structure import families
from bayesfold.networks.learning import scores
from bayesfold.networks.learning.scores import KINDS, LocalScores, score_family


def drawn(draw, rows, cards):
    """Codes [column, row], each column a noisy copy of the one before it."""
    codes = np.empty((len(cards), rows), np.uint16)
    for j, r in enumerate(cards):
        fresh = (draw.random(rows) ** 2 * r).astype(np.uint16)
        codes[j] = np.where(draw.random(rows) < 0.5, fresh, codes[j - 1] % r) if j else fresh
    return codes


def counted(codes, cards, node, parents, weight):
    """The table of a family as [rows of parents, states], by numpy."""
    place = np.zeros(codes.shape[1], np.intp)
    for u in (*parents, node):
        place = place * cards[u] + codes[u]
    cells = int(np.prod([cards[u] for u in (*parents, node)]))
    return np.bincount(place, weight, cells).reshape(-1, cards[node]).astype(float)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), rows=st.sampled_from([1, 40, 700]))
def test_gains_are_differences_of_scores(kind, weighted, seed, rows):
    draw = np.random.default_rng(seed)
    cards = draw.choice([1, 2, 3, 5, 20], 5).tolist()
    codes, size = drawn(draw, rows, cards), float(draw.choice([0.5, 1.0, 7.0]))
    weight = draw.random(rows) * 3 if weighted and kind != "left_out" else None
    found = LocalScores(codes, cards, kind, size, weight)
    for _ in range(6):  # the later ones from memory
        node, *others = draw.permutation(5).tolist()
        parents = others[: draw.integers(0, 4)]
        score, gain = found.around(node, parents)
        expected = score_family(kind, counted(codes, cards, node, parents, weight), found.rows, size)
        assert score == pytest.approx(expected, rel=1e-10, abs=1e-8)
        for u in others:
            other = [p for p in parents if p != u] if u in parents else [*parents, u]
            changed = score_family(kind, counted(codes, cards, node, other, weight), found.rows, size)
            if gain[u] > -1e299:
                assert gain[u] == pytest.approx(changed - expected, rel=1e-9, abs=1e-7)
            else:
                assert changed <= expected + 1e-9  # it could not have paid


@pytest.mark.parametrize(("option", "value"), [("CELLS", 8), ("MOST_BITMAPS", 0), ("BASES", 2)])
def test_no_limit_changes_an_answer(monkeypatch, option, value):
    draw = np.random.default_rng(3)
    cards = [3, 4, 2, 17, 3, 2]
    codes = drawn(draw, 900, cards)
    plain = LocalScores(codes, cards, "bdeu")
    monkeypatch.setattr(scores, option, value)
    small = LocalScores(codes, cards, "bdeu")
    for node in range(6):
        for parents in ([], [5 - node] if 5 - node != node else [], [u for u in range(6) if u != node][:3]):
            one, other = plain.around(node, parents), small.around(node, parents)
            assert one[0] == pytest.approx(other[0], rel=1e-12)
            np.testing.assert_allclose(one[1], other[1], rtol=1e-9, atol=1e-8)


def test_a_full_memory_is_emptied_and_filled_again():
    cards = [3, 4, 2, 17, 3, 2]
    codes = drawn(np.random.default_rng(3), 300, cards)
    plain, small = LocalScores(codes, cards, "bic"), LocalScores(codes, cards, "bic")
    small.kernel.remember_in(np.zeros(16, np.uint64), np.empty(16), np.empty(16))
    for node in [0, 1, 2, 3, 4, 5, 0, 1]:
        one, other = plain.around(node, [u for u in (0, 2) if u != node]), small.around(node, {0, 2} - {node})
        assert one[0] == pytest.approx(other[0], rel=1e-12)
        np.testing.assert_allclose(one[1], other[1], rtol=1e-9, atol=1e-8)
    assert small.kernel.counted > plain.kernel.counted


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_and_plain_agree(monkeypatch, kind):
    draw = np.random.default_rng(5)
    cards = [2, 3, 18, 2]
    codes = drawn(draw, 400, cards)
    compiled = LocalScores(codes, cards, kind)
    monkeypatch.setattr(scores, "families", uncompiled("families"))
    plain = LocalScores(codes, cards, kind)
    assert type(plain.kernel) is not families.Families
    for node, parents in ((0, []), (1, [0, 2]), (3, [0, 1, 2]), (2, [1])):
        one, other = compiled.around(node, parents), plain.around(node, parents)
        assert one[0] == pytest.approx(other[0], rel=1e-13)
        np.testing.assert_allclose(one[1], other[1], rtol=1e-10, atol=1e-9)

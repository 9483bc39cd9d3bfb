"""Scores of families against their formulas, with any number of parents, states and weights."""

from collections import defaultdict
from itertools import combinations, product
from math import lgamma, log, prod

import numpy as np
import pytest

from bayesfold.networks.learning.scores import KINDS, LocalScores, score_family

CARDS = (2, 3, 4, 2, 7)


def by_hand(kind, codes, weight, cards, node, parents, size):
    """The score of a family by the cells that occur, and its counts [rows of parents, states] where these are few."""
    q, r, n = prod(cards[p] for p in parents), cards[node], weight.sum()
    rows = defaultdict(lambda: [0.0] * r)
    for i, w in enumerate(weight.tolist()):
        rows[tuple(int(codes[p, i]) for p in parents)][int(codes[node, i])] += w
    total = -q * (r - 1) * {"bic": log(n) / 2, "aic": 1.0}.get(kind, 0.0)
    a = 1.0 if kind == "k2" else size / (q * r)
    for row in rows.values():
        s = sum(row)
        if kind in ("bic", "aic"):
            total += sum(c * log(c / s) for c in row if c)
        elif kind == "left_out":
            total += sum(c * log((c - 1 + size) / (s - 1 + r * size)) for c in row if c)
        else:
            total += lgamma(r * a) - lgamma(r * a + s) + sum(lgamma(a + c) - lgamma(a) for c in row)
    return total, np.array([rows[at] for at in product(*(range(cards[p]) for p in parents))] if q < 1_000 else ())


def table(seed, many=70):
    draw = np.random.default_rng(seed)
    codes = np.array([draw.integers(0, r, many) for r in CARDS], np.uint16)
    codes[3] = (codes[0] + (draw.random(many) < 0.2)) % 2
    return codes, draw.choice([0.5, 1.0, 2.5], many)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_family_is_scored_by_its_formula(kind, weighted):
    codes, weight = table(KINDS.index(kind))
    if weighted and kind == "left_out":
        with pytest.raises(ValueError, match="it takes no weights"):
            LocalScores(codes, CARDS, kind, 1.5, weight)
        return
    weight = weight if weighted else np.ones(len(weight))
    scores = LocalScores(codes, CARDS, kind, 1.5, weight if weighted else None)
    for node in range(len(CARDS)):
        others = [v for v in range(len(CARDS)) if v != node]
        for parents in [p for many in range(4) for p in combinations(others, many)]:
            expected, counts = by_hand(kind, codes, weight, CARDS, node, parents, 1.5)
            assert scores.of(node, parents) == pytest.approx(expected, rel=1e-9), (node, parents)
            assert score_family(kind, counts, weight.sum(), 1.5) == pytest.approx(expected, rel=1e-9)
        score, gain = scores.around(node, others[:2])
        assert score == pytest.approx(scores.of(node, others[:2]))
        for v in others:
            toggled = sorted({*others[:2]} ^ {v})
            added = scores.of(node, toggled) - score
            if gain[v] < -1e299:  # a bound says that it adds nothing: it was not counted
                assert added < 0
                assert kind in ("bic", "aic")
                assert v not in others[:2]
            else:
                assert gain[v] == pytest.approx(added, abs=1e-8)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 128])
def test_scores_of_any_number_of_rows(rows):
    draw = np.random.default_rng(rows)
    codes = np.array([draw.integers(0, r, rows) for r in CARDS], np.uint16)
    scores = LocalScores(codes, CARDS, "bdeu", 1.0)
    for node, parents in ((1, (2,)), (4, (0, 3)), (2, ())):
        assert scores.of(node, parents) == pytest.approx(
            by_hand("bdeu", codes, np.ones(rows), CARDS, node, parents, 1.0)[0]
        )


def test_what_is_remembered_does_not_change_scores():
    codes, _ = table(9)
    scores, few = (LocalScores(codes, CARDS, "bic") for _ in range(2))
    few.make_room(1)
    for parents in ((0,), (0, 1), (0,), (1, 3), (0, 1)):
        assert few.of(2, parents) == scores.of(2, parents)


@pytest.mark.parametrize(
    ("kind", "size", "said"),
    [
        ("bge", 1.0, "there is no score 'bge'"),
        ("k2", 0.0, "finite number of rows above 0, not 0"),
        ("bdeu", np.inf, "not inf"),
    ],
)
def test_what_is_no_score_is_refused(kind, size, said):
    with pytest.raises(ValueError, match=said):
        LocalScores(table(0)[0], CARDS, kind, size)


@pytest.mark.parametrize("kind", ["bdeu", "bic", "k2", "left_out"])
@pytest.mark.parametrize("rows", [130, 40])
def test_tables_of_more_cells_than_rows_are_scored_by_the_cells_that_occur(rows, kind):
    cards = (9, 8, 7, 6, 5, 70, 3)
    draw = np.random.default_rng(rows)
    codes = np.array([np.minimum(draw.geometric(0.4, rows) - 1, r - 1) for r in cards], np.uint16)
    codes[:, 0] = np.array(cards) - 1  # the last state of each
    scores = LocalScores(codes, cards, kind, 2.0)
    ones = np.ones(rows)
    for node, parents in (
        (0, (1, 2, 3, 4)),
        (5, (0, 1, 2)),
        (6, (5,)),
        (5, (6,)),
        (4, (0, 1, 2, 3, 5, 6)),
        (3, (5, 0)),
    ):
        expected = by_hand(kind, codes, ones, cards, node, parents, 2.0)[0]
        assert scores.of(node, parents) == pytest.approx(expected, rel=1e-9), (node, parents)

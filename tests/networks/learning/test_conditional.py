"""The search for a class: its score is that of refits without each row, and no single change would raise it."""

import numpy as np
import pytest
from tests.kernels.structure.test_families import drawn

import bayesfold as bf
from bayesfold.networks.learning import conditional
from bayesfold.networks.learning.conditional import ClassScorer, find_best_change, list_changes, search_for_class
from bayesfold.networks.learning.summary import to_dag

CARDS = [2, 3, 2, 2, 2]
NAMES = tuple("abcde")


@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_is_that_of_networks_that_never_saw_the_row(weighted):
    draw = np.random.default_rng(3)
    codes = drawn(draw, 40, CARDS)
    weight = draw.random(40) * 3 if weighted else None
    found = search_for_class(codes, CARDS, 4, alpha=0.5, weight=weight)
    table = {v: codes[j].astype(int) for j, v in enumerate(NAMES)}
    states = {v: range(c) for v, c in zip(NAMES, CARDS, strict=True)}
    bare = bf.BayesianNetwork.from_edges(to_dag(NAMES, found.links).edges, NAMES, states=states)
    total = 0.0
    for i in range(40):
        rest = {v: np.delete(x, i) for v, x in table.items()}
        kept = None if weight is None else np.delete(weight, i)
        row = [{v: int(table[v][i]) for v in NAMES[:-1]}]
        p = bare.fit(rest, alpha=0.5, weight=kept).predict_proba(row, "e")[0, table["e"][i]]
        total += np.log(p) * (1.0 if weight is None else weight[i])
    assert found.score == pytest.approx(total, rel=1e-9)


def test_no_change_of_one_columns_parents_gains_enough():
    draw = np.random.default_rng(8)
    codes = drawn(draw, 300, CARDS)
    found = search_for_class(codes, CARDS, 4)
    judge = ClassScorer(codes, CARDS, 4, 1.0, np.ones(300))
    now = {v: conditional.parents_of(found.links, v, 4) if found.links[4, v] else None for v in range(4)}
    joint = judge.prior + sum(judge.term(v, p) for v, p in now.items() if p is not None)
    assert judge.value(joint) == pytest.approx(found.score)
    for v, own in now.items():
        others = joint - (0.0 if own is None else judge.term(v, own))
        for parents in list_changes(found.links, v, 4, 2):
            other = judge.value(others if parents is None else others + judge.term(v, parents))
            assert other <= found.score + conditional.LEAST
            if own is not None and parents is None:
                assert found.gains[4, v] == pytest.approx(other - found.score)
    assert [score for _, score in found.path] == sorted(score for _, score in found.path)
    assert found.links[:, 4].sum() == 0


def test_an_interruption_keeps_what_was_found(monkeypatch):
    calls = []
    real = conditional.find_best_change

    def stopping(*state):
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return real(*state)

    monkeypatch.setattr(conditional, "find_best_change", stopping)
    found = search_for_class(drawn(np.random.default_rng(8), 300, CARDS), CARDS, 4)
    assert found.interrupted
    assert found.links.sum() >= 1


def test_a_columns_parents_may_become_one_more_or_one_fewer_or_none():
    links = np.zeros((5, 5), bool)
    assert list(list_changes(links, 0, 4, 2)) == [frozenset(), {1}, {2}, {3}]
    links[4, 0] = links[1, 0] = True
    assert list(list_changes(links, 0, 4, 2)) == [None, frozenset(), {1, 2}, {1, 3}]
    assert list(list_changes(links, 0, 4, 1)) == [None, frozenset()], "there is no room for another"
    assert list(list_changes(links, 1, 4, 2)) == [frozenset(), {2}, {3}], "its child cannot be its parent"
    links[2, 0] = True
    assert list(list_changes(links, 0, 4, 2)) == [None, {2}, {1}]
    assert list(list_changes(links, 0, 4, 3)) == [None, {2}, {1}, {1, 2, 3}]


@pytest.mark.parametrize("parents", [(), (1,), (3, 1), (0, 1, 2)])
@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_a_term_is_a_share_of_the_other_rows(parents, alpha):
    """Also where the parents could show more combinations than there are rows."""
    draw = np.random.default_rng(1)
    cards = [9, 7, 8, 3, 4, 2]
    codes, weight = np.array([draw.integers(0, c, 30) for c in cards], np.uint16), draw.choice([0.5, 1.0, 2.0], 30)
    judge = ClassScorer(codes, cards, 5, alpha, weight)
    found = judge.term(4, frozenset(parents))
    for i in range(30):
        others = np.arange(30) != i
        same = others & (codes[list(parents)] == codes[list(parents)][:, i : i + 1]).all(0)
        for c in (0, 1):
            here = same & (codes[5] == c)
            mine = weight[here & (codes[4] == codes[4, i])].sum()
            assert found[i, c] == pytest.approx(np.log((mine + alpha) / (weight[here].sum() + 4 * alpha)))
        expected = [np.log(weight[others & (codes[5] == c)].sum() + alpha) for c in (0, 1)]
        np.testing.assert_allclose(judge.prior[i], expected)


@pytest.mark.parametrize(("gains", "chosen"), [((1.0, 0.5), None), ((1.01, 0.5), 0), ((1.5, 2.0), 1), ((2.0, 2.0), 0)])
def test_a_change_must_gain_more_than_chance_and_most(gains, chosen):
    class Judge:
        def term(self, v, parents):
            return np.array([[gains[v]]]) if not parents else np.zeros((1, 1))

        def value(self, joint):
            return float(joint[0, 0])

    nothing = np.zeros((1, 1))
    state = Judge(), np.zeros((3, 3), bool), nothing, {0: nothing, 1: nothing}, 2, 1, 0.0
    hopes = {}
    assert find_best_change(*state, hopes) == (None if chosen is None else (chosen, frozenset()))
    assert hopes[0, frozenset()] == gains[0]
    passed = {(0, frozenset()): 0.5, (1, frozenset()): 0.5, (0, frozenset({1})): 0.5, (1, frozenset({0})): 0.5}
    assert find_best_change(*state, dict(passed)) is None, "what gained too little is not looked at again"

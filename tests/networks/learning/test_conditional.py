"""The search for a class: its score is that of refits without each row, and no single change would raise it."""

import numpy as np
import pytest
from tests.kernels.structure.test_families import drawn

import bayesfold as bf
from bayesfold.networks.learning import conditional
from bayesfold.networks.learning.conditional import ClassScorer, list_changes, search_for_class
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

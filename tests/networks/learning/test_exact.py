"""The best network of all: against every network of up to five nodes, and never below climbing."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from tests.kernels.structure.test_families import drawn
from tests.networks.graphs import times

import bayesfold as bf
from bayesfold.networks.learning import exact
from bayesfold.networks.learning.exact import find_best_network
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.scores import KINDS, LocalScores


def by_brute_force(scores, rules):
    """The best score of all networks: for each order of the nodes, each node's best parents among those before it."""
    n = len(rules.names)

    @cache
    def best_parents(v, before):
        best = -np.inf
        for k in range(1 << n):
            parents = [u for u in range(n) if k >> u & 1]
            allowed = all(u in before and rules.allowed[u, v] for u in parents) and len(parents) <= rules.most
            if allowed and all(u in parents for u in np.flatnonzero(rules.required[:, v])):
                best = max(best, scores.of(v, parents))
        return best

    return max(
        sum(best_parents(v, frozenset(order[:i])) for i, v in enumerate(order)) for order in permutations(range(n))
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nodes", [1, 3, 5])
def test_no_network_scores_higher(kind, nodes):
    for seed in range(times(60)):
        draw = np.random.default_rng(seed)
        cards = draw.choice([2, 3, 4], nodes).tolist()
        scores = LocalScores(drawn(draw, int(draw.choice([20, 200])), cards), cards, kind, 0.5)
        names = "abcde"[:nodes]
        ruled = Rules.of(names, [("b", "a")], [("a", "c")], [["b"], ["c"]], 2) if nodes > 2 else Rules.of(names)
        for rules in (Rules.of(names), ruled):
            links, score = find_best_network(scores, rules)
            assert score == pytest.approx(by_brute_force(scores, rules))
            assert score == pytest.approx(sum(scores.of(v, np.flatnonzero(links[:, v])) for v in range(nodes)))
            assert (links <= rules.allowed).all()
            assert (rules.required <= links).all()
            assert links.sum(0).max() <= rules.most


@pytest.mark.parametrize("kind", ["bic", "bdeu"])
def test_climbing_is_not_above_it(kind):
    draw = np.random.default_rng(1)
    cards = [2, 3, 2, 2, 4, 2, 3, 2, 2]
    table = {f"c{j}": column for j, column in enumerate(drawn(draw, 500, cards))}
    climbed, best = (bf.learn_network(table, score=kind, search=how) for how in ("climb", "exact"))
    assert best.score >= climbed.score - 1e-6
    assert best.optimal
    assert not climbed.optimal
    assert "no network scores higher" in str(best)
    assert [stage for stage, _ in best.path][-1] == "exact"


def test_many_columns_are_refused_before_anything_is_counted():
    rows = {f"c{j}": [0, 1] * 10 for j in range(26)}
    with pytest.raises(ValueError, match="2\\^26 sets of 26 columns: it takes at most 25"):
        bf.learn_network(rows, search="exact")


def test_lists_that_grow_too_long_are_refused(monkeypatch):
    scores = LocalScores(drawn(np.random.default_rng(2), 400, [2] * 5), [2] * 5, "aic")
    assert find_best_network(scores, Rules.of("abcde"))[0].any()
    monkeypatch.setattr(exact, "ROOM", 1)
    with pytest.raises(ValueError, match="more than 1 sets of parents to look at: limit them with max_parents"):
        find_best_network(scores, Rules.of("abcde"))


def test_an_interruption_gives_what_climbing_found(monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    table = {f"c{j}": column for j, column in enumerate(drawn(np.random.default_rng(1), 300, [2, 3, 2, 2]))}
    monkeypatch.setattr("bayesfold.networks.learning.strategies.find_best_network", stopped)
    found = bf.learn_network(table, search="exact")
    assert found.interrupted
    assert found.score == bf.learn_network(table).score


@pytest.mark.parametrize("kind", ["bic", "aic"])
def test_a_column_of_one_value_gets_no_arc(kind):
    draw = np.random.default_rng(3)
    rows = {"a": draw.integers(0, 2, 200), "one": np.zeros(200, int), "many": np.arange(200) % 60}
    assert bf.learn_network(rows, score=kind, search="exact").dag.edges == ()
    assert not [edge for edge in bf.learn_network(rows, search="pc").dag.edges if "one" in edge]


def test_an_interruption_is_seen_while_parent_sets_are_listed(monkeypatch):
    rows = bf.read_network("smoking").sample(300, random_state=1)
    before, calls = bf.learn_network(rows), []

    def press():
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(exact, "pause", press)
    found = bf.learn_network(rows, search="exact")
    assert (found.interrupted, found.dag, len(calls)) == (True, before.dag, 3)

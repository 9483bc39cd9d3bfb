"""Chow and Liu's forest: the best of all forests, and the rules hold in it."""

from itertools import combinations

import numpy as np
import pytest
from tests.kernels.structure.test_families import drawn
from tests.networks.graphs import times

import bayesfold as bf
from bayesfold.networks.dag import Dag


def test_it_is_the_best_of_all_forests():
    for seed in range(times(10)):
        draw = np.random.default_rng(seed)
        table = dict(zip("abcde", drawn(draw, 200, [2, 3, 2, 2, 3]), strict=True))
        found = bf.learn_network(table, search="tree")
        pairs = list(combinations("abcde", 2))
        gain = {}
        for a, b in pairs:
            one = bf.learn_network(table, [a, b], require=[(a, b)]).score
            gain[a, b] = one - bf.learn_network(table, [a, b], forbid=[(a, b), (b, a)]).score
        best = max(
            sum(gain[pair] for pair in some) for k in range(5) for some in combinations(pairs, k) if is_forest(some)
        )
        nothing = bf.learn_network(table, forbid=[(a, b) for a in "abcde" for b in "abcde" if a != b]).score
        assert found.score - nothing == pytest.approx(best)
        assert all(len(found.network.parents(v)) <= 1 for v in "abcde")


def is_forest(edges):
    """Whether some edges have no circle."""
    part = {v: v for v in "abcde"}
    for a, b in edges:
        if part[a] == part[b]:
            return False
        part = {v: part[a] if p == part[b] else p for v, p in part.items()}
    return True


def test_rules_hold():
    table = dict(zip("abcde", drawn(np.random.default_rng(4), 400, [2] * 5), strict=True))
    rules = {"require": [("e", "a")], "forbid": [("a", "b"), ("b", "a")], "tiers": [["d"], ["c"]]}
    edges = bf.learn_network(table, search="tree", **rules).network.edges
    assert ("e", "a") in edges
    assert not {("a", "b"), ("b", "a"), ("c", "d")} & set(edges)
    assert len(Dag.of(edges, "abcde").order) == 5

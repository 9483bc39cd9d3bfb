"""Chow and Liu's forest: the best of all forests, and the rules hold in it."""

from itertools import combinations

import numpy as np
import pytest
from tests.kernels.structure.test_families import drawn
from tests.networks.graphs import times

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.tree import find_parts, find_tree


def test_it_is_the_best_of_all_forests():
    for seed in range(times(60)):
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


def test_parts_are_joined_by_arcs_of_whatever_direction():
    links = np.zeros((6, 6), bool)
    for u, v in ((0, 1), (2, 1), (4, 3)):
        links[u, v] = True
    part = find_parts(links)
    assert part[0] == part[1] == part[2]
    assert part[3] == part[4]
    assert len({part[0], part[3], part[5]}) == 3
    assert find_parts(np.zeros((3, 3), bool)) == [0, 1, 2]


def test_a_forest_is_built_beside_the_arcs_that_are_required():
    names = ("a", "b", "c", "d")
    gain = np.array([[0, 9, 8, 1], [9, 0, 7, 1], [8, 7, 0, 1], [1, 1, 1, 0]], float)
    rules = Rules.of(names, require=[("a", "b"), ("c", "b")])
    links = find_tree(gain, rules)
    assert links[0, 1]
    assert links[2, 1]
    assert links.sum() == 3, "a and c are joined already, by b; d hangs on one of them"
    assert links[3].sum() + links[:, 3].sum() == 1
    few = find_tree(gain, Rules.of(names, require=[("a", "b"), ("c", "b")]), least=1.0)
    assert few.sum() == 2
    narrow = find_tree(gain, Rules.of(names, max_parents=1))
    assert narrow.sum() == 3
    assert narrow.sum(0).max() == 1


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_node_has_more_parents_than_it_may_and_nothing_else_is_left_out(most):
    """Some arcs are required and some ruled out; every pair of the forest is an arc, unless both ends are full."""
    full = 0
    for seed in range(20):
        draw = np.random.default_rng(seed)
        forbid = [(a, b) for a in "abcdefg" for b in "abcdefg" if {a, b} != {"a", "b"} and draw.random() < 0.5]
        rules = Rules.of("abcdefg", [("a", "b")], forbid, (), most)
        gain = draw.random((7, 7))
        gain += gain.T
        links, wide = find_tree(gain, rules), find_tree(gain, Rules.of("abcdefg", [("a", "b")], forbid))
        assert links[0, 1]
        assert not (links & ~rules.allowed).any()
        assert links.sum(0).max() <= most
        assert not (links & links.T).any()
        for u, v in np.argwhere((wide | wide.T) & ~(links | links.T)):
            full += 1
            assert all(links[:, b].sum() == most for a, b in ((u, v), (v, u)) if rules.allowed[a, b])
    assert full > 0 or most > 1

"""PC-stable: with a perfect oracle it finds the class; the order of columns does not matter; rules hold."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.graphs import random_network, times

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning import constraint
from bayesfold.networks.learning.constraint import direct_edges, extend_to_dag, find_skeleton
from bayesfold.networks.learning.equivalence import find_pattern
from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.separation import d_separated


class Oracle:
    """Answers by the graph itself."""

    def __init__(self, dag):
        self.dag, self.tests = dag, 0

    def p_value(self, x, y, given=()):
        self.tests += 1
        name = self.dag.names
        return float(d_separated(self.dag, name[x], name[y], [name[g] for g in given]))


def random_dag(seed, nodes=7, share=0.35):
    """A random graph whose columns do not stand in the order of its arcs."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(nodes)
    links = np.triu(draw.random((nodes, nodes)) < share, 1)[np.ix_(order, order)]
    return Dag(tuple("abcdefgh"[:nodes]), tuple(tuple(np.flatnonzero(links[:, v]).tolist()) for v in range(nodes)))


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 100_000))
def test_a_perfect_oracle_gives_the_class(seed):
    dag = random_dag(seed)
    rules = Rules.of(dag.names)
    found = find_skeleton(Oracle(dag), rules, 0.5)
    arrows = direct_edges(found, rules)
    assert constraint.Tested.of(found, arrows, dag.names).pattern == find_pattern(dag)
    links = extend_to_dag(found.joined, arrows, rules)
    again = Dag(dag.names, tuple(tuple(np.flatnonzero(links[:, v]).tolist()) for v in range(len(dag.names))))
    assert find_pattern(again) == find_pattern(dag)
    for (u, v), given_nodes in found.separators.items():
        name = dag.names
        assert d_separated(dag, name[u], name[v], [name[g] for g in given_nodes])


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 100_000))
def test_what_is_known_of_directions_is_kept_and_followed(seed):
    dag = random_dag(seed)
    draw = np.random.default_rng(seed)
    known = [edge for edge in dag.edges if draw.random() < 0.4]
    rules = Rules.of(dag.names, known)
    arrows = direct_edges(find_skeleton(Oracle(dag), rules, 0.5), rules)
    index = dag.index
    assert all(arrows[index[a], index[b]] for a, b in known)
    assert all((dag.names[u], dag.names[v]) in dag.edges for u, v in np.argwhere(arrows))  # nothing wrong follows


def test_the_order_of_columns_does_not_matter():
    for seed in range(times(20)):
        draw = np.random.default_rng(seed)
        net = random_network(draw, 7)
        table = pd.DataFrame(net.sample(400, draw))
        one = bf.learn_network(table, search="pc", significance=0.05).tested
        other = bf.learn_network(table[draw.permutation(table.columns)], search="pc", significance=0.05).tested
        assert joined(one) == joined(other)


def joined(tested):
    """The pairs that are joined."""
    return {*tested.pattern.lines, *map(frozenset, tested.pattern.arrows)}


@pytest.mark.parametrize("search", ["pc", "hybrid"])
def test_rules_hold_and_tests_are_kept(search):
    for seed in range(times(30)):
        draw = np.random.default_rng(seed)
        net = random_network(draw, 6)
        table = pd.DataFrame(net.sample(300, draw))
        a, b, c, d, e, f = draw.permutation(net.nodes).tolist()
        found = bf.learn_network(
            table, search=search, require=[(a, b)], forbid=[(c, d), (d, c)], tiers=[[a, c], [e, f]], significance=0.05
        )
        edges = set(found.network.edges)
        assert (a, b) in edges
        assert not edges & {(c, d), (d, c), (e, a), (f, a), (e, c), (f, c)}
        apart = {frozenset(pair) for pair in found.tested.separators}
        assert not apart & {frozenset(edge) for edge in edges}
        for pair in apart - {frozenset((c, d))}:
            assert found.tested.p_values[pair] >= 0.05


def test_the_score_is_that_of_the_network():
    draw = np.random.default_rng(3)
    net = random_network(draw, 6)
    table = pd.DataFrame(net.sample(500, draw))
    found = bf.learn_network(table, search="pc", states=net.axes)
    started = bf.learn_network(table, search="climb", states=net.axes, start=found.network)
    assert started.score >= found.score - 1e-6
    assert np.isfinite(found.score)


def test_two_columns_of_very_many_values_are_tested_too():
    draw = np.random.default_rng(3)
    rows = {f"c{k}": [f"v{x}" for x in draw.permutation(2_000)] for k in range(3)}
    assert bf.learn_network(rows, search="pc", max_parents=1).tested.tests >= 3


def test_what_is_required_stays_where_the_rules_leave_no_other_way():
    draw = np.random.default_rng(0)
    same = draw.integers(0, 3, 300)
    table = {v: np.where(draw.random(300) < 0.8, same, draw.integers(0, 3, 300)) for v in "abc"}
    require = [("a", "b"), ("b", "c")]
    for order in permutations("abc"):
        found = bf.learn_network(table, list(order), search="pc", require=require, forbid=[("a", "c")])
        assert set(require) <= set(found.dag.edges)
        assert ("a", "c") not in found.dag.edges


def test_a_pair_is_parted_by_the_columns_that_leave_least_between_them():
    """Of sets of one size that part it, not the first: what stands in between, rather than what they share."""

    class Weighed:
        """The ends of a -> c <- b are about independent given the fork's tip d, and nearly as much given c."""

        tests = 0

        def p_value(self, x, y, given=()):
            if {x, y} != {0, 1} or not given:
                return 0.0
            return {(2,): 0.02, (3,): 0.6}.get(given, 0.0)

    found = find_skeleton(Weighed(), Rules.of("abcd"), 0.01)
    assert found.separators == {(0, 1): (3,)}
    assert found.p_values[0, 1] == 0.6

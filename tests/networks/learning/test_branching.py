"""The best forest under rules is the best network with one parent each that a search of all networks finds."""

from itertools import product

import numpy as np
import pytest
from tests.kernels.structure.test_families import drawn
from tests.networks.graphs import times

import bayesfold as bf
from bayesfold.networks.learning.branching import find_best_forest, find_branching
from bayesfold.networks.learning.rules import Rules

COLUMNS = "abcde"
ARCS = [(u, v) for u in COLUMNS for v in COLUMNS if u != v]


def random_rules(draw):
    """Arcs that are ruled out, tiers of time, and an arc that is required."""
    tier = draw.integers(0, 3, len(COLUMNS))
    order = dict(zip(COLUMNS, tier.tolist(), strict=True))
    tiers = [[v for v in COLUMNS if order[v] == k] for k in range(3)]
    forbid = [ARCS[i] for i in draw.choice(len(ARCS), 4, replace=False)]
    free = [(u, v) for u, v in ARCS if order[u] <= order[v] and (u, v) not in forbid]
    require = [free[draw.integers(len(free))]] if draw.random() < 0.5 else []
    return {"tiers": tiers, "forbid": forbid, "require": require}


@pytest.mark.parametrize("score", ["bic", "k2"])
def test_no_network_of_one_parent_each_is_better(score):
    for seed in range(times(80)):
        draw = np.random.default_rng(seed)
        table = dict(zip(COLUMNS, drawn(draw, 200, [2, 3, 2, 2, 3]), strict=True))
        rules = random_rules(draw)
        found = bf.learn_network(table, search="tree", score=score, **rules)
        best = bf.learn_network(table, search="exact", score=score, max_parents=1, **rules)
        assert all(len(found.network.parents(v)) <= 1 for v in COLUMNS)
        assert set(rules["require"]) <= set(found.dag.edges)
        assert found.score == pytest.approx(best.score)


def test_nodes_with_required_parents_have_no_others():
    draw = np.random.default_rng(3)
    table = dict(zip(COLUMNS, drawn(draw, 300, [2] * 5), strict=True))
    require = [("a", "c"), ("b", "c"), ("d", "a")]
    found = bf.learn_network(table, search="tree", require=require)
    assert found.network.parents("c") == ("a", "b")
    assert found.network.parents("a") == ("d",)
    assert all(len(found.network.parents(v)) <= 1 for v in "bde")


def test_a_branching_weighs_as_much_as_the_best_of_all():
    for seed in range(times(200)):
        draw = np.random.default_rng(seed)
        n = int(draw.integers(2, 6))
        weight = np.where(draw.random((n, n)) < 0.7, draw.integers(1, 9, (n, n)).astype(float), -np.inf)
        np.fill_diagonal(weight, -np.inf)
        parents = find_branching(weight)
        assert not has_circle(parents)
        best = max(weigh(weight, some) for some in product(range(-1, n), repeat=n) if not has_circle(some))
        assert weigh(weight, parents) == best


def weigh(weight, parents):
    """The sum of the arcs."""
    return sum(weight[u, v] for v, u in enumerate(parents) if u >= 0)


def has_circle(parents):
    """Whether some node is its own ancestor."""
    for start in range(len(parents)):
        v = parents[start]
        for _ in parents:
            if v in {start, -1}:
                break
            v = parents[v]
        if v == start:
            return True
    return False


@pytest.mark.parametrize("size", [1.0, 1e6])
@pytest.mark.parametrize("n", [2, 4])
def test_arcs_point_the_better_way_however_little_better_that_is(size, n):
    """Scores of long tables are large: a share of a millionth of them may be a gain of several nats."""
    gain = np.where(np.eye(n, dtype=bool), 0.0, 0.25 * size)
    for v in range(n - 1):
        gain[v + 1, v] = size * (1 + 5e-6)
        gain[v, v + 1] = size
    rules = Rules.of([f"v{v}" for v in range(n)])
    links = find_best_forest(gain, rules)
    assert gain[links].sum() == pytest.approx((n - 1) * size * (1 + 5e-6), rel=1e-9)
    assert np.argwhere(links).tolist() == [[v + 1, v] for v in range(n - 1)]
    even = np.where(gain > size * 0.5, size, gain) * (1 + 1e-10 * np.arange(n)[:, None])
    assert find_best_forest(even, rules).sum() == n - 1, "and rounding is no difference"

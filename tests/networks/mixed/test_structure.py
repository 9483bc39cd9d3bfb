"""Arcs between categories and numbers: scores are those of regressions, and the best network is found."""

from itertools import combinations, product

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.scores import score_family
from bayesfold.networks.learning.structure import learn_network
from bayesfold.networks.mixed.network import MixedNetwork


def family_score(rows, v, above, kind="bic", weight=None):
    """A node's score by counting, or by numpy's least squares in each group of rows."""
    n = len(rows[v])
    w = np.ones(n) if weight is None else weight
    price = np.log(w.sum()) / 2 if kind == "bic" else 1.0
    groups = [u for u in above if u[0] == "c"]
    levels = [sorted(set(rows[u])) for u in groups]
    if v[0] == "c":
        states = sorted(set(rows[v]))
        counts = [
            [
                w[np.all([rows[u] == s for u, s in zip((*groups, v), (*at, x), strict=True)], axis=0)].sum()
                for x in states
            ]
            for at in product(*levels)
        ]
        return score_family(kind, np.array(counts), w.sum())
    numbers = [u for u in above if u[0] == "x"]
    parts = []
    for at in product(*levels):
        some = np.all([rows[u] == s for u, s in zip(groups, at, strict=True)] or [np.ones(n, bool)], axis=0)
        root, y = np.sqrt(w[some]), rows[v][some]
        x = np.column_stack([np.ones(some.sum()), *(rows[u][some] for u in numbers)])
        off = y - x @ np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]
        parts.append((w[some].sum(), w[some] @ off**2))
    total, left = np.array(parts).T
    rich = total > len(numbers) + 1  # the others lie on their lines, and have the variance of the rich
    spread = np.where(rich, left / np.maximum(total, 1), left[rich].sum() / total[rich].sum())
    likelihood = -0.5 * (total * np.log(2 * np.pi * spread) + left / spread).sum()
    return likelihood - price * len(parts) * (len(numbers) + 2)


def all_dags(names):
    """Every network of these nodes in which no category depends on a number."""
    pairs = [(u, v) for u, v in product(names, names) if u != v and not (v[0] == "c" and u[0] == "x")]
    for size in range(len(names) * (len(names) - 1) // 2 + 1):
        for edges in combinations(pairs, size):
            if len({frozenset(edge) for edge in edges}) < size:
                continue
            try:
                yield Dag.of(edges, names)
            except ValueError:
                continue


@pytest.mark.parametrize("kind", ["bic", "aic"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_is_that_of_regressions(kind, weighted):
    net = random_network(7, categories=2, numbers=3)
    rows = net.sample(2_000, 7)
    weight = np.random.default_rng(0).integers(1, 4, 2_000).astype(float) if weighted else None
    found = learn_network(rows, numbers="gaussian", score=kind, weight=weight)
    expected = sum(family_score(rows, v, found.network.parents(v), kind, weight) for v in net.nodes)
    assert found.score == pytest.approx(expected, rel=1e-9)
    for (u, v), gain in found.gains.items():
        above = found.network.parents(v)
        without = family_score(rows, v, [p for p in above if p != u], kind, weight)
        assert gain == pytest.approx(family_score(rows, v, above, kind, weight) - without, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("categories", "numbers"), [(0, 4), (1, 3), (2, 2), (3, 1)])
@pytest.mark.parametrize("seed", range(3))
def test_no_network_of_four_nodes_scores_higher(seed, categories, numbers):
    net = random_network(seed, categories, numbers)
    rows = net.sample(300, seed)
    known = {}

    def score(dag):
        total = 0.0
        for v, parents in zip(dag.names, dag.parents, strict=True):
            key = v, tuple(sorted(dag.names[p] for p in parents))
            if key not in known:
                known[key] = family_score(rows, *key)
            total += known[key]
        return total

    best = max(score(dag) for dag in all_dags(net.nodes))
    chosen = list(net.numbers)
    assert learn_network(rows, numbers=chosen).score == pytest.approx(best, rel=1e-9)
    exact = learn_network(rows, numbers=chosen, search="exact")
    assert exact.score == pytest.approx(best, rel=1e-9)
    assert exact.optimal
    assert score(exact.dag) == pytest.approx(best, rel=1e-9)
    assert learn_network(rows, numbers=chosen, search="tree").score <= best + 1e-6


def test_what_was_learned_is_a_network_like_any_other():
    net = random_network(11, categories=2, numbers=3)
    rows = net.sample(2_000, 1)
    found = learn_network(rows, numbers="gaussian")
    assert isinstance(found.network, MixedNetwork)
    assert set(found.network.numbers) == set(net.numbers)
    assert found.distance(net) <= 3
    late = {v: column[1_500:] for v, column in rows.items()}
    early = {v: column[:1_500] for v, column in rows.items()}
    left = found.network.forget(late)
    again = MixedNetwork.from_edges(
        left.edges, left.nodes, states={v: left.states(v) for v in left.categories}, numbers=left.numbers
    ).fit(early)
    for v in left.numbers:
        np.testing.assert_allclose(left.tables[v].slopes, again.tables[v].slopes, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(left.tables[v].sd, again.tables[v].sd, rtol=1e-8)
    sure = learn_network(rows, numbers="gaussian", bootstrap=5)
    assert sure.averaged is not None
    assert sure.averaged.log_likelihood(rows) > -np.inf


def test_rules_hold():
    net = random_network(11, categories=2, numbers=3)
    rows = net.sample(400, 1)
    require, forbid = [("x2", "x0")], [("c0", "c1"), ("c0", "x1")]
    for search in ("climb", "exact", "tree"):
        found = learn_network(rows, numbers="gaussian", require=require, forbid=forbid, max_parents=2, search=search)
        assert ("x2", "x0") in found.dag.edges
        assert not set(forbid) & set(found.dag.edges)
        assert max(map(len, found.dag.parents)) <= 2
    tiers = learn_network(rows, numbers="gaussian", tiers=[["c0", "x0"], ["c1", "x1", "x2"]], start=net)
    late = {"c1", "x1", "x2"}
    assert not any(u in late and v not in late for u, v in tiers.dag.edges)


def test_what_cannot_be_learned_is_said():
    rows = random_network(11, categories=2, numbers=3).sample(100, 1)
    for options, words in [
        ({"require": [("x0", "c0")]}, "'c0' is a category and cannot depend on the number 'x0'"),
        ({"score": "bdeu"}, "needs counts; with numbers as nodes take one of bic, aic"),
        ({"search": "pc"}, "there is no search 'pc' with numbers as nodes"),
        ({"numbers": "normal"}, 'numbers must be "states", "gaussian" or names'),
        ({"numbers": ["x9"]}, "there is no column 'x9'"),
    ]:
        with pytest.raises(ValueError, match=words):
            learn_network(rows, **{"numbers": "gaussian", **options})
    many = {"name": [f"n{i}" for i in range(5_000)], "x": np.arange(5_000.0)}
    with pytest.raises(ValueError, match="'name' has 5,000 different values, too many"):
        learn_network(many, numbers="gaussian")
    with pytest.raises(ValueError, match="column 'name' is a number, but row 0 has 'n0': make it a category"):
        learn_network(many, numbers=["name"])
    with pytest.raises(ValueError, match="row 3 has no value of 'x1'"):
        learn_network({**rows, "x1": np.where(np.arange(100) == 3, np.nan, rows["x1"])}, numbers="gaussian")
    wide = {f"x{j}": np.random.default_rng(j).normal(size=30) for j in range(20)}
    with pytest.raises(ValueError, match="limit max_parents"):
        learn_network(wide, numbers="gaussian", search="exact")


def test_columns_are_numbers_by_how_many_values_they_show():
    draw = np.random.default_rng(0)
    rows = {"few": draw.integers(0, 5, 200), "many": draw.normal(size=200), "word": ["a", "b"] * 100}
    assert learn_network(rows, numbers="gaussian").network.numbers == ("many",)
    assert learn_network(rows, numbers=["few", "many"]).network.numbers == ("few", "many")
    few = {"few": [0, 1, 2, 3, 4, 5]}
    assert learn_network(rows, numbers="gaussian", states=few).network.states("few") == (0, 1, 2, 3, 4, 5)


def test_degenerate_columns_have_finite_scores():
    draw = np.random.default_rng(0)
    x = draw.normal(size=100)
    rows = {
        "x": x,
        "twice": 2 * x,
        "again": x.copy(),
        "flat": np.full(100, 3.0),
        "rare": ["a"] * 99 + ["b"],
        "many": [f"g{i % 40}" for i in range(100)],
        "free": draw.normal(size=100),
    }
    found = learn_network(rows, numbers=["x", "twice", "again", "flat", "free"])
    assert np.isfinite(found.score)
    assert np.isfinite(found.network.log_likelihood(rows))
    # a group of one row lies on its line: that must not pay
    assert not found.network.parents("free")
    assert not found.network.parents("flat")


def test_an_interruption_gives_the_best_so_far(monkeypatch):
    from bayesfold.networks.mixed import search

    rows = random_network(3, categories=1, numbers=4).sample(300, 0)

    def stop(walk, draw):
        raise KeyboardInterrupt

    monkeypatch.setattr(search.MixedClimber, "shake", stop)
    found = learn_network(rows, numbers="gaussian")
    assert found.interrupted
    assert "the best so far" in str(found)
    assert found.network.log_likelihood(rows) < 0

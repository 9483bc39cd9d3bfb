"""The arcs that are learned depend on what rows hold: not on the order of columns or rows, nor on names of states."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.networks.learning.result import LearnedNetwork

SCORES = ("bic", "aic", "bdeu", "k2", "left_out")
EVERY: dict[str, dict[str, Any]] = {
    **{f"climb {score}": {"score": score} for score in SCORES},
    **{f"{search}": {"search": search} for search in ("tree", "exact", "pc", "hybrid")},
    "exact k2": {"search": "exact", "score": "k2"},
    "few parents": {"max_parents": 2, "score": "aic"},
    "ruled": {"require": [("a", "b")], "forbid": [("c", "d")], "tiers": [["a", "c"], ["b"]]},
    "ruled tree": {"search": "tree", "forbid": [("a", "b"), ("c", "d"), ("d", "a")], "score": "aic"},
    "start": {"start": [("b", "a"), ("c", "a")]},
    "bootstrap": {"bootstrap": 8},
    "posterior": {"posterior": True},
    "orders": {"posterior": 50},
}


def table(seed: int) -> pd.DataFrame:
    """Few rows, and columns that are alike: many networks score the same."""
    draw = np.random.default_rng(seed)
    n = (12, 24, 60, 200)[seed % 4]
    a, b = draw.choice([*"xy"], n), draw.choice([*"uvw"], n)
    c = np.where(draw.random(n) < 0.8, a, draw.choice([*"xy"], n))
    d = np.where(draw.random(n) < 0.7, b, draw.choice([*"uvw"], n))
    e = np.where((a == "x") & (b == "u"), "q", draw.choice([*"pq"], n))
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": d, "e": e, "copy": a, "turned": np.where(a == "x", "p", "o")})


def is_same(one: LearnedNetwork, other: LearnedNetwork) -> None:
    assert one.score == pytest.approx(other.score, rel=1e-9)
    assert sorted(one.dag.edges) == sorted(other.dag.edges)
    assert one.gains == pytest.approx(other.gains, rel=1e-6, abs=1e-6)
    for attribute in ("strengths", "posterior"):
        first, second = getattr(one, attribute), getattr(other, attribute)
        assert (first is None) == (second is None)
        if first is not None:
            place = [second.names.index(v) for v in first.names]
            np.testing.assert_allclose(first.strength, second.strength[np.ix_(place, place)], atol=1e-9)
            np.testing.assert_allclose(first.direction, second.direction[np.ix_(place, place)], atol=1e-9)
    if one.sure is not None:
        assert other.sure is not None
        assert sorted(one.sure.edges) == sorted(other.sure.edges)


def turned(X: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The same rows, in another order of rows and of columns."""
    draw = np.random.default_rng(seed)
    return X.iloc[draw.permutation(len(X)), draw.permutation(X.shape[1])].reset_index(drop=True)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", EVERY)
def test_columns_and_rows_may_stand_in_any_order(name: str, seed: int) -> None:
    X = table(seed)
    expected = bf.learn_network(X, **EVERY[name])
    other = turned(X, seed)
    found = bf.learn_network(other, **EVERY[name])
    is_same(found, expected)
    assert expected.network.nodes == tuple(X.columns)
    assert found.network.nodes == tuple(other.columns)
    assert found.network.log_likelihood(X) == pytest.approx(expected.network.log_likelihood(X), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", [name for name in EVERY if name != "bootstrap"])
def test_states_may_have_any_names(name: str, seed: int) -> None:
    X = table(seed)
    called = dict(zip("opquvwxy", "xvbapzom", strict=True))
    is_same(bf.learn_network(X.replace(called), **EVERY[name]), bf.learn_network(X, **EVERY[name]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("how", [{"em": True}, {"holes": "leave_out"}, {"em": True, "bootstrap": 3}], ids=str)
def test_rows_with_holes(how: dict[str, Any], seed: int) -> None:
    X = table(seed | 2)
    X = X.mask(np.random.default_rng(seed).random(X.shape) < 0.05)
    is_same(bf.learn_network(turned(X, seed), **how), bf.learn_network(X, **how))


@pytest.mark.parametrize("seed", range(4))
def test_weighted_rows(seed: int) -> None:
    X = table(seed)
    X["weight"] = np.random.default_rng(seed).exponential(size=len(X)) + 0.5
    other = turned(X, seed)
    expected, found = (bf.learn_network(t.drop(columns="weight"), weight=t["weight"], bootstrap=4) for t in (X, other))
    is_same(found, expected)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("search", ["climb", "tree", "exact"])
def test_numbers_as_nodes(search: str, seed: int) -> None:
    X = table(seed | 2)[["a", "b", "copy", "e"]]
    draw = np.random.default_rng(seed)
    X["m"] = draw.normal(size=len(X)) + (X["a"] == "x")
    X["n"] = X["m"] + draw.normal(size=len(X))
    X["o"] = X["m"]
    X["r"] = draw.normal(size=len(X))
    how: dict[str, Any] = {"numbers": "gaussian", "search": search, "max_parents": 3}
    is_same(bf.learn_network(turned(X, seed), **how), bf.learn_network(X, **how))


@pytest.mark.parametrize("seed", range(4))
def test_files_and_databases(seed: int, tmp_path: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    X = table(seed)
    expected, other = bf.learn_network(X), turned(X, seed)
    other.to_csv(tmp_path / "rows.csv", index=False)
    is_same(bf.learn_network_from(tmp_path / "rows.csv"), expected)
    is_same(bf.learn_network_from(pa.Table.from_pandas(other)), expected)
    is_same(bf.learn_network_from(duckdb.connect().from_df(other)), expected)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("how", [None, {"search": "conditional"}], ids=str)
def test_classifiers(how: dict[str, Any] | None, seed: int) -> None:
    X = table(seed)
    other = turned(X.assign(mm=np.random.default_rng(seed).normal(size=len(X)).round(1)), seed)
    X = other.loc[:, [*X.columns, "mm"]].iloc[::-1]
    (first, y), (second, z) = ((t.drop(columns="e"), t["e"]) for t in (X, other))
    one, two = bf.NetworkClassifier(learn=how).fit(first, y), bf.NetworkClassifier(learn=how).fit(second, z)
    assert sorted(one.network_.edges) == sorted(two.network_.edges)
    np.testing.assert_allclose(two.predict_proba(second)[::-1], one.predict_proba(first), rtol=1e-9)

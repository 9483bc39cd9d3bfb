"""What is chosen depends on what rows contain: not on the order of columns, nor on what classes are called."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf

from .test_frames import ESTIMATORS

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")

EVERY = {name: make for name, make in ESTIMATORS.items() if name != "text"} | {
    "weighed": lambda: bf.NaiveBayes(weights="auto"),
    "pairs": lambda: bf.AODE(n=2),
    "subsumed": lambda: bf.AODE(subsumption=3),
    "tempered": lambda: bf.NaiveBayes(weights="information", calibration="temperature"),
}
CALLED = {"k0": "m", "k1": "z", "k2": "a"}


def table(seed: int) -> tuple[pd.DataFrame, Any]:
    """A few rows, so that columns often tell the same."""
    draw = np.random.default_rng(seed)
    n = (12, 20, 30)[seed % 3]
    X = pd.DataFrame(
        {
            "a": draw.choice([*"uvw"], n),
            "b": draw.normal(size=n).round(1),
            "c": draw.integers(0, 4, n),
            "d": draw.choice([*"xy"], n),
            "e": draw.choice([*"xy"], n),
            "f": draw.exponential(size=n).round(1),
            "g": draw.choice([0, 1], n),
            "h": draw.choice([*"xy"], n),
        }
    )
    y = np.array(["k0", "k1", "k2"])[(X["b"] > 0).astype(int) + (X["c"] > 2)]
    odd = draw.random(n) < 0.2
    y[odd] = draw.choice(["k0", "k1", "k2"], odd.sum())
    return X, y


@pytest.mark.parametrize("seed", [3, 6, 8, 13, 16, 21])
@pytest.mark.parametrize("name", EVERY)
def test_columns_may_stand_in_any_order_and_classes_have_any_name(name: str, seed: int) -> None:
    make: Any = EVERY[name]
    X, y = table(seed)
    turned = X.iloc[:, np.random.default_rng(seed).permutation(X.shape[1])]
    clf = make().fit(X, y)
    expected = pd.DataFrame(clf.predict_proba(X), columns=clf.classes_)
    np.testing.assert_allclose(make().fit(turned, y).predict_proba(turned), expected, rtol=1e-7, atol=1e-10)
    other = make().fit(X, np.array([CALLED[c] for c in y]))
    renamed = pd.DataFrame(other.predict_proba(X), columns=other.classes_)[[CALLED[c] for c in clf.classes_]]
    np.testing.assert_allclose(renamed, expected, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("name", EVERY)
def test_rows_may_stand_in_any_order(name: str) -> None:
    """Also rows that are copies but for a day or a number that nobody reads; of few rows some model may read it."""
    make: Any = EVERY[name]
    draw = np.random.default_rng(1)
    n = 60
    X = pd.DataFrame({"a": draw.choice([*"uv"], n), "b": draw.choice([*"xyz"], n)})
    X["when"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(draw.integers(0, 700, n), unit="D")
    X["id"] = [f"k{i}" for i in draw.permutation(n)]
    X["number"] = draw.permutation(n) + 1_000
    y = np.where((draw.random(n) < 0.8) & (X["a"] == "v"), "q", "p")
    expected = make().fit(X, y).predict_proba(X)
    order = draw.permutation(n)
    turned = make().fit(X.iloc[order].reset_index(drop=True), y[order])
    np.testing.assert_allclose(turned.predict_proba(X), expected, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("make", [bf.BayesClassifier, EVERY["weighed"], EVERY["tempered"], bf.AODE])
def test_weighted_rows_may_stand_in_any_order_though_few_differ(make: Any) -> None:
    """A column of few values, half of them missing: equal rows differ in their weights alone."""
    draw = np.random.default_rng(2)
    y = draw.integers(0, 2, 300)
    values = np.array([*"uvwxyz"], object)[np.clip(draw.normal(y + 2, 1).astype(int), 0, 5)]
    x, w = np.where(draw.random(300) < 0.5, None, values), draw.uniform(0.1, 4.0, 300)
    order = draw.permutation(300)
    one, other = (
        make().fit({"x": x[rows].tolist()}, y[rows], sample_weight=w[rows]) for rows in (np.arange(300), order)
    )
    asked = {"x": [*"uvwxyz", None]}
    np.testing.assert_allclose(one.predict_proba(asked), other.predict_proba(asked), rtol=0, atol=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_of_values_that_bring_each_other_any_order_leaves_out_the_same(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n = 120
    kind = draw.choice([*"uvw"], n, p=[0.2, 0.4, 0.4])
    X = pd.DataFrame({"z": np.where(kind == "u", "u", draw.choice([*"vw"], n))})
    X["m"] = np.where(kind == "u", "u", draw.choice([*"xy"], n))  # u comes with u, and what comes else differs
    X["a"] = draw.choice([*"st"], n)
    y = np.where(draw.random(n) < 0.7, X["m"] == "u", X["a"] == "s")
    turned = X[[*draw.permutation(X.columns)]]
    for clf in (bf.AODE(subsumption=5), bf.AODE(n=2, subsumption=5)):
        expected = clf.fit(X, y).predict_proba(X)
        np.testing.assert_allclose(clf.fit(turned, y).predict_proba(turned), expected, rtol=1e-7, atol=1e-10)

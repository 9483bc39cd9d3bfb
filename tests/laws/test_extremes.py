"""Never NaN: posteriors of huge numbers, huge and tiny weights, and models that have decayed to nothing are finite."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bayesfold as bf

from .test_frames import ESTIMATORS

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")

ROWS = 120
DRAW = np.random.default_rng(0)
X: dict[str, Any] = {
    "a": DRAW.normal(size=ROWS),
    "b": DRAW.choice([*"uvw"], ROWS),
    "c": DRAW.integers(0, 5, ROWS),
}
Y = np.where(X["a"] + (X["b"] == "u") > 0.3, "p", "q")
FAR = {"a": [1e200, -1e200, 1e308, 1e150, 1e100, -1e-320], "b": [*"uvwuvw"], "c": [0, 1, 2, 3, 4, 10**12]}
MORE: dict[str, Callable[[], Any]] = {
    "normal and weighed": lambda: bf.NaiveBayes(numeric="gaussian", weights="auto"),
    "by information": lambda: bf.NaiveBayes(weights="information"),
    "negative exponents": lambda: bf.NaiveBayes(numeric="gaussian", weights={"a": -3, "c": 1e6}),
    "tempered": lambda: bf.NaiveBayes(numeric="gaussian", calibration="temperature"),
    "kernels": lambda: bf.NaiveBayes(numeric="kde"),
    "proportional": lambda: bf.NaiveBayes(numeric="proportional"),
}
EVERY = {name: make for name, make in ESTIMATORS.items() if name != "text"} | MORE


def assert_posterior(logs: Any) -> None:
    assert not np.isnan(logs).any()
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0, atol=1e-9)


@pytest.mark.parametrize("make", EVERY.values(), ids=EVERY.keys())
def test_huge_numbers_have_a_posterior(make: Callable[[], Any]) -> None:
    clf = make().fit(X, Y)
    assert_posterior(clf.predict_log_proba(FAR))
    assert_posterior(clf.partial_fit(FAR, [*"pqpqpq"]).predict_log_proba(X))
    if not clf.explain(FAR).log_odds.size:
        raise AssertionError("there is nothing to look at")


def test_a_negative_exponent_is_as_finite_in_every_direction() -> None:
    clf = bf.NaiveBayes(numeric="gaussian", weights={"a": -3}).fit(X, Y)
    np.testing.assert_allclose(clf.predict_proba({"a": 1e200, "b": "u", "c": 1}), clf.predict_proba([{**FAR_ROW}]))


FAR_ROW = {"a": 1e200, "b": "u", "c": 1}


@pytest.mark.parametrize("weight", [1e-100, 1e-30, 1e15, 1e100])
@pytest.mark.parametrize("make", EVERY.values(), ids=EVERY.keys())
def test_weights_of_any_size_have_a_posterior(make: Callable[[], Any], weight: float) -> None:
    weights = np.full(ROWS, weight)
    clf = make().fit(X, Y, sample_weight=weights)
    assert_posterior(clf.predict_log_proba(X))
    assert_posterior(clf.leave_one_out(X, Y, weights))
    assert_posterior(clf.decay(1e-10).predict_log_proba(X))


@pytest.mark.parametrize("make", EVERY.values(), ids=EVERY.keys())
def test_a_model_may_decay_to_nothing(make: Callable[[], Any]) -> None:
    clf = make().fit(X, Y)
    for _ in range(40):
        clf.decay(1e-10)
        assert_posterior(clf.predict_log_proba(X))
    assert clf.model_.class_weights().sum() == 0
    assert_posterior(clf.partial_fit(X, Y).predict_log_proba(X))


@pytest.mark.parametrize("weight", [1e300, 1e-320])
def test_weights_beyond_measure_are_refused_by_row(weight: float) -> None:
    weights = np.ones(ROWS)
    weights[7] = weight
    with pytest.raises(ValueError, match=r"row 7 has the weight .*; weights are 0, or from 1e-100 to 1e"):
        bf.NaiveBayes().fit(X, Y, sample_weight=weights)
    with pytest.raises(ValueError, match=r"this row has the weight .*from 1e-100"):
        bf.NaiveBayes().fit(X, Y).partial_fit({"a": 1.0}, "p", sample_weight=weight)


@pytest.mark.parametrize("make", EVERY.values(), ids=EVERY.keys())
def test_a_few_rows_may_outweigh_all_others(make: Callable[[], Any]) -> None:
    weights = np.ones(ROWS)
    weights[:5] = 1e15
    clf = make().fit(X, Y, sample_weight=weights)
    assert_posterior(clf.predict_log_proba(X))


def test_what_columns_tell_is_asked_also_where_none_has_a_table() -> None:
    numbers = {"a": X["a"]}
    clf, plain = (bf.NaiveBayes(numeric="gaussian", weights=w).fit(numbers, Y) for w in ("information", None))
    np.testing.assert_array_equal(clf.predict_proba(numbers), plain.predict_proba(numbers))

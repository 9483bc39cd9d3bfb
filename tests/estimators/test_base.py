"""What the first learning says of numbers whose spread the sums cannot hold."""

import warnings

import numpy as np
import pandas as pd
import pytest

from bayesfold import GaussianNB, NaiveBayes, load
from bayesfold.estimators.base import ColumnWarning

Y = np.arange(200) % 2
Z = np.random.default_rng(0).normal(4.0 * Y, 1.0)
LOST = {
    "an offset": 1e15 + 10 * Z,
    "a unit too large": 1e-140 * Z,
    "squares that underflow": 1e-160 * Z,
    "values beyond the clip": 1e200 + 1e199 * Z,
}
CLASSIFIERS = [NaiveBayes(numeric="gaussian"), GaussianNB()]


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=str)
@pytest.mark.parametrize("why", LOST)
def test_a_spread_that_is_lost_is_said_with_the_column_and_the_remedy(clf, why):
    table = np.column_stack([Z, LOST[why]])
    words = (
        "the spread of column 'x1' cannot be told: .*; subtract what the values have in common, or change their unit"
    )
    for learn in (clf.fit, clf.partial_fit):
        clf.__dict__.pop("_trained", None)
        options = {"classes": [0, 1]} if learn == clf.partial_fit else {}
        with pytest.warns(ColumnWarning, match=words) as said:
            learn(table, Y, **options)
        assert len(said) == 1
        assert np.isfinite(clf.predict_log_proba(table)).all()


def test_the_remedy_helps_and_what_does_not_vary_is_not_said_to():
    weight = np.ones(200)
    weight[0] = 0
    still = np.full(200, 1e15)
    still[0] = 7.0  # in a row without weight
    table = np.column_stack([LOST["an offset"] - 1e15, LOST["a unit too large"] * 1e140, still, 1e12 + Z])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for clf in (NaiveBayes(families=dict.fromkeys(range(4), "gaussian")), GaussianNB()):
            clf.fit(table, Y, sample_weight=weight)
            assert clf.score(table, Y) > 0.95


@pytest.mark.parametrize("scale", [1e-136, 1e-140, 1e-146, 1e-150, 1e-153, 1e-155, 1e-160])
def test_a_class_of_one_row_in_a_tiny_unit_is_not_scored_as_nan(scale):
    table = scale * np.array([[1.0], [2.0], [4.0], [9.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        for clf in (NaiveBayes(numeric="gaussian"), GaussianNB(), GaussianNB(var_smoothing=0.0)):
            clf.fit(table, [0, 0, 0, 1])
            assert np.isfinite(clf.predict_proba(table)).all()


def test_priors_and_weights_as_a_series_go_by_class(tmp_path):
    X, y = pd.DataFrame({"a": list("xyxyxyxxyx")}), list("qpqpqqqqqp")
    shares = pd.Series({"q": 0.9, "p": 0.1})
    for setting in ("priors", "class_weight"):
        expected = NaiveBayes(**{setting: dict(shares)}).fit(X, y).predict_proba(X)
        clf = NaiveBayes(**{setting: shares}).fit(X, y)
        np.testing.assert_array_equal(clf.predict_proba(X), expected)
        clf.save(tmp_path / "m.bayes")
        again = load(tmp_path / "m.bayes")
        np.testing.assert_array_equal(again.predict_proba(X), expected)
        np.testing.assert_array_equal(again.fit(X, y).predict_proba(X), expected)
    told = NaiveBayes().fit(X, y)
    np.testing.assert_array_equal(told.predict_proba(X, priors=shares), told.predict_proba(X, priors=dict(shares)))

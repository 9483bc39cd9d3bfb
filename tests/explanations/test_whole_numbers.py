"""Columns of whole numbers are known by their sums, and nothing else is suggested for them."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.explanations.whole_numbers import whole_numbers

DRAW = np.random.default_rng(5)
Y = np.array(["no", "yes"])[DRAW.integers(0, 2, 300)]
SHIFT = np.where(Y == "yes", 1.0, 0.0)
X = pd.DataFrame(
    {
        "times": DRAW.poisson(2 + 3 * SHIFT),
        "years": DRAW.integers(20, 60, 300) + 15 * SHIFT.astype(int),
        "mass": (60 + 20 * SHIFT + 15 * DRAW.normal(size=300)).round(1),
        "halves": DRAW.integers(0, 40, 300) / 2 + SHIFT,
        "below": DRAW.integers(-30, 10, 300) + 9 * SHIFT,
    }
)
MODELS = [
    bf.NaiveBayes(),
    bf.NaiveBayes(numeric="mdl"),
    bf.KDB(1),
    bf.BayesClassifier(),
    bf.GaussianBayes(numeric="ranks"),
]


@pytest.mark.parametrize("clf", MODELS, ids=str)
def test_whole_columns_are_told_from_others(clf):
    found = whole_numbers(clf.fit(X, Y).model_.tally)
    assert found <= {"times", "years", "below"}
    assert found


def test_five_equal_decimals_do_not_pass_for_whole():
    table = pd.DataFrame({"x": [97.2] * 5 + [36.4] * 5, "n": [97] * 5 + [36] * 5})
    clf = bf.NaiveBayes(numeric="gaussian").fit(table, ["a", "b"] * 5)
    assert whole_numbers(clf.model_.tally) == {"n"}


def test_after_learning_and_forgetting_too():
    clf = bf.NaiveBayes(numeric="gaussian").fit(X, Y)
    clf.partial_fit(X.assign(years=X.years + 0.5), Y)
    assert "years" not in whole_numbers(clf.model_.tally)
    clf.forget(X.assign(years=X.years + 0.5), Y)
    assert "years" in whole_numbers(clf.model_.tally)


@pytest.mark.parametrize("clf", [bf.NaiveBayes(), bf.BayesClassifier()], ids=str)
def test_what_is_suggested_is_whole(clf):
    clf.fit(X, Y)
    known = whole_numbers(clf.model_.tally)
    for row in X[:20].to_dict("records"):
        for column, _, value in clf.what_would_change(row).changes:
            assert column not in known or value == round(value)


def test_weighted_sums_tell_nothing():
    clf = bf.NaiveBayes(numeric="gaussian").fit(X, Y, sample_weight=np.full(300, 0.25))
    assert whole_numbers(clf.model_.tally) == set()

"""class_weight= and priors= act when rows are scored: what is learned does not know of them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes

X = pd.DataFrame({"colour": [*"rggbrgrb"], "mass": [1.5, 2.0, 1.0, 8.5, 3.5, 1.25, 2.0, 5.5]})
Y = [*"ppqqqppr"]
PRIORS = {"p": 0.2, "q": 0.5, "r": 0.3}
WEIGHTS = {"p": 2.0, "r": 0.25}


@pytest.mark.parametrize("options", [{"class_weight": WEIGHTS}, {"class_weight": "balanced"}, {"priors": PRIORS}])
def test_the_statistic_does_not_know_of_them(options):
    plain, told = (NaiveBayes(**o).fit(X, Y).partial_fit(X[:3], Y[:3]) for o in ({}, options))
    assert told.schema_ == plain.schema_
    np.testing.assert_array_equal(told.model_.tally.counts, plain.model_.tally.counts)
    np.testing.assert_array_equal(told.model_.tally.sums, plain.model_.tally.sums)
    assert not told.model_.tally.weighted


@given(weights=st.dictionaries(st.sampled_from("pqr"), st.floats(0.01, 100.0), max_size=3))
def test_a_class_weight_multiplies_the_joint_probability(weights):
    plain, told = (NaiveBayes(class_weight=w).fit(X, Y) for w in (None, weights))
    factor = np.log([weights.get(c, 1.0) for c in "pqr"])
    np.testing.assert_allclose(
        told.predict_joint_log_proba(X), plain.predict_joint_log_proba(X) + factor, rtol=1e-12, atol=1e-12
    )
    row = X.iloc[0].to_dict()
    np.testing.assert_allclose(
        told.predict_joint_log_proba(row), plain.predict_joint_log_proba(row) + factor, rtol=1e-12, atol=1e-12
    )


def test_balanced_makes_every_class_as_likely_as_any_other():
    clf = NaiveBayes(class_weight="balanced", prior_alpha=0).fit(X, Y)
    np.testing.assert_allclose(clf.predict_proba({}), [[1 / 3, 1 / 3, 1 / 3]])


@pytest.mark.parametrize("priors", [PRIORS, [0.2, 0.5, 0.3]])
def test_given_priors_replace_the_learned_ones(priors):
    plain, told = (NaiveBayes(priors=p).fit(X, Y) for p in (None, priors))
    moved = np.log([0.2, 0.5, 0.3]) - plain.model_.log_prior()
    np.testing.assert_allclose(
        told.predict_joint_log_proba(X), plain.predict_joint_log_proba(X) + moved, rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(told.predict_proba({}), [[0.2, 0.5, 0.3]])


def test_given_priors_hold_while_rows_come_and_go():
    clf = NaiveBayes(priors=PRIORS).fit(X, Y)
    clf.partial_fit(X, Y).forget(X[:4], Y[:4]).decay(0.5)
    np.testing.assert_allclose(clf.predict_proba({}), [[0.2, 0.5, 0.3]])


def test_a_class_of_weight_zero_is_never_predicted():
    clf = NaiveBayes(class_weight={"q": 0.0}).fit(X, Y)
    assert "q" not in clf.predict(X)
    assert np.isfinite(clf.predict_log_proba(X)).all()

"""Poisson rates: the formula, and what happens at zero."""

import numpy as np
import pytest
from scipy.special import gammaln

from bayesfold import NaiveBayes
from bayesfold.families.poisson import Poisson

X = np.array([0.0, 1.0, 5.0, 7.0, 9.0])
Y = np.array([*"ppqqq"])


def spoken(family, x, values=X, labels=Y):
    clf = NaiveBayes(families={"x": family}).fit({"x": values}, labels)
    return clf.predict_joint_log_proba({"x": np.atleast_1d(float(x))})[0] - clf.model_.log_prior()


def log_poisson(x, rate):
    return x * np.log(rate) - rate - gammaln(x + 1)


@pytest.mark.parametrize("rows", [0.0, 1.0, 4.0])
def test_rates_are_pulled_to_the_mean_of_the_column(rows):
    rates = [(1.0 + rows * X.mean()) / (2 + rows), (21.0 + rows * X.mean()) / (3 + rows)]
    for x in (0, 3, 12):
        np.testing.assert_allclose(spoken(Poisson(rows), x), [log_poisson(x, r) for r in rates], rtol=1e-12)


def test_a_class_of_zeros_has_a_rate_just_above_zero():
    said = spoken(Poisson(0.0), 2, np.array([0.0, 0.0, 4.0]), np.array([*"ppq"]))
    assert np.isfinite(said).all()
    assert said[0] < -1000
    assert spoken(Poisson(0.0), 0, np.array([0.0, 0.0, 4.0]), np.array([*"ppq"]))[0] == pytest.approx(0.0)


def test_a_column_of_zeros_says_nothing():
    said = spoken(Poisson(), 5, np.zeros(3), np.array([*"ppq"]))
    assert said[0] == said[1]


def test_a_number_below_zero_is_a_zero_factor_in_every_class():
    np.testing.assert_allclose(spoken(Poisson(), -1), -1000 * np.log(2.0))


@pytest.mark.parametrize("x", [-3, -0.5, 0.5, 2.25])
def test_a_number_that_is_no_count_has_a_finite_score_in_a_table_and_in_a_dict(x):
    clf = NaiveBayes(numeric="poisson").fit({"x": X}, Y)
    table, row = clf.predict_joint_log_proba({"x": np.array([float(x)])}), clf.predict_joint_log_proba({"x": x})
    assert np.isfinite(table).all()
    np.testing.assert_allclose(row, table, rtol=1e-12)


def test_a_schema_that_was_handed_over_refuses_to_learn_numbers_below_zero_too():
    schema = NaiveBayes(numeric="poisson").fit({"x": X}, Y).schema_
    with pytest.raises(ValueError, match="column 'x' is -1 in row 1, but poisson needs"):
        NaiveBayes(schema=schema).fit({"x": np.array([2.0, -1.0])}, [*"pq"])

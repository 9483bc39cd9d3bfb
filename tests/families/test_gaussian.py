"""Normal densities: the formula, its options, and no dependence on the unit of measurement."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.families.gaussian import Gaussian
from bayesfold.families.lognormal import Lognormal

X = np.array([1.0, 2.0, 4.0, 8.0, 9.0, 13.0])
Y = np.array([*"pppqqq"])


def log_normal(x, mean, variance):
    return -((x - mean) ** 2) / (2 * variance) - np.log(2 * np.pi * variance) / 2


def spoken(family, x, values=X, labels=Y, name="x"):
    clf = NaiveBayes(families={name: family}).fit({name: values}, labels)
    return clf.predict_joint_log_proba({name: np.atleast_1d(x)}) - clf.model_.log_prior()


def classes(values, labels):
    return [values[labels == c] for c in np.unique(labels)]


def test_maximum_likelihood():
    expected = [log_normal(3.0, v.mean(), v.var()) for v in classes(X, Y)]
    np.testing.assert_allclose(spoken(Gaussian(pseudo_rows=0), 3.0)[0], expected, rtol=1e-12)


def test_the_unbiased_variance():
    expected = [log_normal(3.0, v.mean(), v.var(ddof=1)) for v in classes(X, Y)]
    np.testing.assert_allclose(spoken(Gaussian(pseudo_rows=0, ddof=1), 3.0)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("rows", [0.5, 1.0, 7.0])
def test_pseudo_rows_pull_a_variance_to_the_variance_within_classes(rows):
    within = sum(v.var() * len(v) for v in classes(X, Y)) / len(X)
    expected = [log_normal(3.0, v.mean(), (v.var() * 3 + rows * within) / (3 + rows)) for v in classes(X, Y)]
    np.testing.assert_allclose(spoken(Gaussian(pseudo_rows=rows), 3.0)[0], expected, rtol=1e-12)


def test_a_variance_may_be_added():
    expected = [log_normal(3.0, v.mean(), v.var() + 0.5) for v in classes(X, Y)]
    np.testing.assert_allclose(spoken(Gaussian(pseudo_rows=0, added=0.5), 3.0)[0], expected, rtol=1e-12)


def test_classes_that_do_not_vary_take_a_thousandth_of_the_whole_variance():
    values, labels = np.array([1.0, 1.0, 3.0, 3.0]), np.array([*"ppqq"])
    v = values.var() / 1024
    expected = [log_normal(1.5, mean, v / 3) for mean in (1.0, 3.0)]
    np.testing.assert_allclose(spoken(Gaussian(), 1.5, values, labels)[0], expected, rtol=1e-12)


def test_a_column_that_does_not_vary_says_nothing():
    values, labels = np.full(4, 3.0), np.array([*"pqqq"])
    said = spoken(Gaussian(), [3.0, 99.0], values, labels)
    np.testing.assert_allclose(said[:, 0], said[:, 1], rtol=1e-14)


def test_an_empty_class_has_the_whole_columns_mean_and_the_variance_within():
    values, labels = np.array([1.0, 2.0, 4.0, np.nan]), np.array([*"pppq"])
    known = values[:3]
    expected = log_normal(5.0, known.mean(), known.var())
    np.testing.assert_allclose(spoken(Gaussian(), 5.0, values, labels)[0, 1], expected, rtol=1e-12)


@pytest.mark.parametrize("family", [Gaussian(), Gaussian(pseudo_rows=0), Gaussian(pseudo_rows=0, ddof=1)])
@given(unit=st.sampled_from([1e-100, 1e-9, 1e3, 1e9, 1e100]), offset=st.sampled_from([0.0, 1e3, -1e6]))
def test_the_unit_of_measurement_does_not_matter(family, unit, offset):
    """Posteriors are the same in metres and in light years."""
    plain = NaiveBayes(families={"x": family}).fit({"x": X}, Y)
    other = NaiveBayes(families={"x": family}).fit({"x": (X + offset) * unit}, Y)
    asked = np.linspace(0.0, 14.0, 9)
    np.testing.assert_allclose(
        other.predict_proba({"x": (asked + offset) * unit}), plain.predict_proba({"x": asked}), rtol=1e-6, atol=1e-12
    )


def test_a_lognormal_is_a_normal_of_the_logarithm():
    asked = np.array([0.5, 3.0, 20.0])
    plain = spoken(Gaussian(), np.log(asked), np.log(X), Y)
    np.testing.assert_allclose(spoken(Lognormal(), asked), plain - np.log(asked)[:, None], rtol=1e-12)


def test_a_number_that_has_no_logarithm_says_nothing_when_asked():
    np.testing.assert_array_equal(spoken(Lognormal(), [0.0, -3.0]), 0.0)

"""From cells to log densities: the compiled loops against their own source, and against the formulas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln
from tests.kernels.reference import assert_same

ZERO = -1000 * np.log(2)
WEIGHTS = st.integers(0, 5) | st.sampled_from([0.5, 0.1])


def cells(data, shape, kind):
    size = int(np.prod(shape))
    values = data.draw(st.lists(st.integers(0, 5) if kind is np.int64 else WEIGHTS, min_size=size, max_size=size))
    return np.array(values, kind).reshape(shape)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@given(data=st.data(), alpha=st.sampled_from([0.0, 0.5, 1.0]))
def test_tables_of_categories_are_smoothed(data, kind, alpha):
    starts = np.array([0, 4, 6], np.intp)  # three levels, and one
    weight = cells(data, (6, 3), kind)
    out = np.empty(3), np.empty((8, 3))
    *_, table, _ = assert_same("densities", "smooth", weight, starts, np.array([alpha, 2.0]), *out)
    np.testing.assert_array_equal(table[[0, 4, 5, 7]], 0.0)  # missing and unseen say nothing
    n = weight[1:4].astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.log((n + alpha) / (n.sum(0) + 3 * alpha))
    p = np.where(n.sum(0) + 3 * alpha > 0, np.maximum(p, ZERO), -np.log(3))
    np.testing.assert_allclose(table[1:4], p, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(table[6], 0.0, atol=1e-15)  # one level alone is certain


@given(
    share=st.floats(-1e-9, 1), total=st.floats(0, 20), levels=st.integers(1, 5), alpha=st.sampled_from([0.0, 1e-9, 1.0])
)
def test_a_ratio_is_never_less_than_a_zero_factor(share, total, levels, alpha):
    """Also when rounding has left a little less than nothing in a cell."""
    parts = [np.array([float(v)]) for v in (share * total, total, levels, alpha)]
    *_, out, _ = assert_same("densities", "ratios", *parts, np.empty(1))
    assert np.isfinite(out).all()
    assert ZERO * (1 + 1e-15) <= out[0] <= 1e-7


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@given(
    data=st.data(),
    pseudo_rows=st.sampled_from([0.0, 1.0, 2.5]),
    ddof=st.integers(0, 1),
    added=st.sampled_from([0.0, 0.3]),
)
def test_normal_densities_have_the_variance_of_the_formula(data, kind, pseudo_rows, ddof, added):
    weight = cells(data, (2, 3), kind)
    numbers = st.floats(0.0, 9.0)
    spread = np.array(data.draw(st.lists(numbers, min_size=6, max_size=6))).reshape(2, 3)
    within = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 3.0]), min_size=2, max_size=2)))
    options = np.array([7.0, -7.0]), within, pseudo_rows, float(ddof), added
    found = assert_same("densities", "normal", weight, np.ones((2, 3)), spread, *options, np.empty((2, 3)))
    _, mean, precision, *_, constant, _ = found
    np.testing.assert_array_equal(mean, np.where(weight > 0, 1.0, np.array([[7.0], [-7.0]])))
    w, v = weight.astype(float), within[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (spread + pseudo_rows * v) / (w - ddof + pseudo_rows) + added
    variance = np.where((w > 0) & (w - ddof + pseudo_rows > 0), variance, v + added)
    variance = np.where(v + added > 0, np.maximum(variance, 2.0**-60 * (v + added)), 1.0)
    np.testing.assert_allclose(precision, 0.5 / variance, rtol=1e-12)
    np.testing.assert_allclose(constant, -0.5 * np.log(2 * np.pi * variance), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@given(data=st.data(), pseudo_rows=st.sampled_from([0.0, 1.0]), mean=st.sampled_from([0.0, 2.5]))
def test_rates_are_pulled_to_the_mean_and_never_zero(data, kind, pseudo_rows, mean):
    weight = cells(data, (1, 3), kind)
    total = np.array(data.draw(st.lists(st.integers(0, 9).map(float), min_size=3, max_size=3))).reshape(1, 3, 1)
    *_, rate, _ = assert_same("densities", "rates", total, weight, pseudo_rows, np.array([mean]), np.empty((1, 3)))
    assert (rate > 0).all()
    if mean and pseudo_rows:
        np.testing.assert_allclose(rate, (total[..., 0] + pseudo_rows * mean) / (weight + pseudo_rows), rtol=1e-12)
    if not mean:
        np.testing.assert_array_equal(rate, 1.0)


@given(rate=st.floats(1e-3, 1e3), x=st.integers(0, 200) | st.floats(-3, 50))
def test_poisson_densities(rate, x):
    *_, out, _ = assert_same(
        "densities", "log_poissons", np.array([rate]), np.array([float(x)]), np.empty(1), rtol=1e-11
    )
    expected = ZERO if x < 0 else x * np.log(rate) - rate - gammaln(x + 1)
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-9)

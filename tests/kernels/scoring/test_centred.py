"""Means and spreads from sums in pairs of doubles: the compiled loops against their own source, and exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same


def test_a_large_offset_costs_no_digits_of_the_spread():
    """Sums of x^2 near 1e18 hold a variance of 1/12 to nine digits."""
    x = (1e9 + np.arange(1000) / 1000).reshape(-1, 1)
    zeros = np.zeros(1, np.int64), *np.zeros((3, 1, 1))
    group = np.zeros(1000, np.int32)
    *_, rows, shift, s1, s2, _ = assert_same("moments", "dense", x, group, 0, 1000, *zeros)
    place = np.zeros(1, np.intp), np.zeros(1, np.intp), np.array([2], np.uint8)
    tally = np.zeros(1, np.int64), np.zeros((2, 0)), np.zeros(2), np.zeros(2)
    out = assert_same("moments", "settle", rows[:, None], rows[:, None].astype(float), shift, s1, s2, *place, *tally)
    _, _, high, low, _ = out[8:]
    cells = rows[:, None], np.empty((1, 0)), high.reshape(1, 1, 2), low.reshape(1, 1, 2)
    *_, mean, spread, _ = assert_same("centred", "centre", *cells, np.empty((1, 1)), np.empty((1, 1)))
    np.testing.assert_allclose(mean[0, 0], x.mean(), rtol=1e-15)
    np.testing.assert_allclose(spread[0, 0] / 1000, np.var(x - 1e9), rtol=1e-9)


@pytest.mark.parametrize(
    ("unit", "weight", "spread"), [(1.0, 2.0**-960, 14 / 3), (2.0**-449, 1.0, 14 / 3), (2.0**-452, 1.0, 0.0)]
)
def test_a_spread_that_underflows_is_none_whatever_the_rows_weigh(unit, weight, spread):
    """Rows -1, 0 and 2 (mean 1/3, squares about it 14/3) in a unit, each with a weight that decay may have left."""
    sums = weight * np.array([[[1.0 * unit, 5.0 * unit**2]]])
    cells = np.array([[3.0 * weight]]), np.zeros((1, 1)), sums, np.zeros((1, 1, 2))
    *_, found, _ = assert_same("centred", "centre", *cells, np.empty((1, 1)), np.empty((1, 1)))
    np.testing.assert_allclose(found[0, 0] / weight / unit**2, spread, rtol=1e-12)


@given(data=st.data(), weighted=st.booleans())
def test_a_summary_is_the_mean_the_variance_and_the_variance_within(data, weighted):
    values = st.integers(-(10**6), 10**6).map(lambda i: i / 7)
    rows = data.draw(st.lists(st.tuples(values, st.integers(0, 2)), min_size=1, max_size=10))
    x = np.array([[v] for v, _ in rows]) + data.draw(st.sampled_from([0.0, 1e9, -1e6]))
    group = np.array([g for _, g in rows], np.int32)
    weight = np.array(data.draw(st.lists(st.sampled_from([1.0, 2.0, 0.1]), min_size=len(x), max_size=len(x))))
    weight = weight if weighted else np.ones(len(x))
    counts, weights, high, low = np.zeros(3, np.int64), np.zeros((2, 3)), np.zeros(6), np.zeros(6)
    place = np.zeros(1, np.intp), np.zeros(1, np.intp), np.array([2], np.uint8)
    out = assert_same("moments", "exact", x, group, weight, 2.0**500, *place, counts, weights, high, low)
    _, weights, high, low, _ = out[7:]
    cells = weights[:1], weights[1:], high.reshape(1, 3, 2), low.reshape(1, 3, 2)
    *_, mean, variance, within, _ = assert_same("centred", "summary", *cells, *np.empty((3, 1)))
    exact_mean, exact_variance, exact_within = exactly(x[:, 0], group, weight)
    resolution = 1e-12 * max(1.0, float(np.abs(x).max()) ** 2 * 1e-10)
    np.testing.assert_allclose(mean[0], float(exact_mean), rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(variance[0], float(exact_variance), rtol=1e-9, atol=resolution)
    np.testing.assert_allclose(within[0], float(exact_within), rtol=1e-9, atol=resolution)


def exactly(x, group, weight):
    """Mean, variance and variance within groups, in fractions."""
    values, w = [Fraction(float(v)) for v in x], [Fraction(float(v)) for v in weight]
    total = sum(w)
    mean = sum(a * b for a, b in zip(w, values, strict=True)) / total
    squares, inside = (sum((a * (b - mean) ** 2 for a, b in zip(w, values, strict=True)), Fraction(0)), Fraction(0))
    for g in set(group.tolist()):
        own = [i for i in range(len(x)) if group[i] == g]
        centre = sum(w[i] * values[i] for i in own) / sum(w[i] for i in own)
        inside += sum(w[i] * (values[i] - centre) ** 2 for i in own)
    return mean, squares / total, inside / total

"""Sums in pairs of doubles: the compiled loops against their own source, and against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

NUMBERS = st.integers(-(10**6), 10**6).map(lambda i: i / 7)
MOST = 2.0**500


def matrix(data, kind=float, holes=False):
    rows = data.draw(st.integers(0, 10))
    cell = (NUMBERS | st.just(float("nan"))) if holes else NUMBERS
    x = np.array(data.draw(st.lists(st.lists(cell, min_size=2, max_size=2), min_size=rows, max_size=rows)), kind)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)), np.int32)
    offset = data.draw(st.sampled_from([0.0, 1e9, -1e6])) if kind is float else 0.0
    return x.reshape(rows, 2) + kind(offset), group


def flat(high, low, at):
    """A pair of doubles as the number it stands for."""
    return Fraction(float(high[at])) + Fraction(float(low[at]))


def summed(x, group, weight, g, j, power):
    """The sum of w x^power in a group, exactly."""
    inside = [i for i in range(len(x)) if group[i] == g and not np.isnan(x[i, j])]
    return sum((Fraction(float(weight[i])) * Fraction(float(x[i, j])) ** power for i in inside), Fraction(0))


def close(found, exact, scale, digits):
    return abs(found - exact) <= Fraction(10) ** -digits * max(scale, Fraction(1, 10**300))


PLACES = np.array([0, 3], np.intp), np.array([0, 6], np.intp), np.array([2, 1], np.uint8)
"""Column 0 has its cells from 0 and two sums a cell from 0 on, column 1 its cells from 3 and one sum from 6 on."""


def empty(weighted):
    return np.zeros(6, np.int64), np.zeros((2, 6 if weighted else 0)), np.zeros(9), np.zeros(9)


@pytest.mark.parametrize("kind", [float, np.float32])
@given(data=st.data())
def test_blocks_without_holes_settle_to_the_sums(data, kind):
    x, group = matrix(data, kind)
    zeros = np.zeros(3, np.int64), *np.zeros((3, 3, 2))
    *_, rows, shift, s1, s2, _ = assert_same("moments", "dense", x, group, 0, len(x), *zeros)
    every = np.repeat(rows[:, None], 2, axis=1)
    out = assert_same("moments", "settle", every, every.astype(float), shift, s1, s2, *PLACES, *empty(False))
    counts, _, high, low, _ = out[8:]
    check(x, group, np.ones(len(x)), counts, high, low, digits=14)


@given(data=st.data(), weighted=st.booleans())
def test_blocks_with_holes_and_weights_settle_to_the_sums(data, weighted):
    x, group = matrix(data, holes=True)
    weight = np.array(data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0, 0.1]), min_size=len(x), max_size=len(x))))
    given_weight = weight if weighted else np.empty(0)
    zeros = np.zeros((3, 2), np.int64), *np.zeros((4, 3, 2))
    found = assert_same("moments", "holes", x, group, given_weight, 0, len(x), MOST, *zeros)
    *_, rows, total, shift, s1, s2, bad = found
    assert bad == -1
    out = assert_same("moments", "settle", rows, total, shift, s1, s2, *PLACES, *empty(weighted))
    counts, weights, high, low, _ = out[8:]
    check(x, group, weight if weighted else np.ones(len(x)), counts, high, low, digits=14)
    if weighted:
        np.testing.assert_allclose(weights[0, :3], [weight[(group == g) & ~np.isnan(x[:, 0])].sum() for g in range(3)])


@pytest.mark.parametrize("kind", [float, np.float32])
@given(data=st.data())
def test_one_column_by_groups_gives_the_bits_of_row_after_row(data, kind):
    x, group = matrix(data, kind, holes=kind is float)
    one = x[:, :1].copy()
    order, starts = np.argsort(group, kind="stable").astype(np.int32), np.searchsorted(np.sort(group), np.arange(4))
    zeros = np.zeros((3, 1), np.int64), *np.zeros((3, 3, 1))
    *_, rows, shift, s1, s2, largest = assert_same("moments", "column", one, order, starts.astype(np.intp), *zeros)
    zeros = np.zeros((3, 1), np.int64), *np.zeros((4, 3, 1))
    *_, expected, _, a, t1, t2, bad = assert_same("moments", "holes", one, group, np.empty(0), 0, len(x), MOST, *zeros)
    assert bad == -1
    assert largest == np.nanmax(np.abs(one), initial=0.0, where=~np.isnan(one))
    for ours, theirs in ((rows, expected), (shift, a), (s1, t1), (s2, t2)):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200])
def test_one_column_by_groups_tells_of_its_largest_number(value):
    x = np.array([[1.0], [np.nan], [value]])
    zeros = np.zeros((1, 1), np.int64), *np.zeros((3, 1, 1))
    *_, largest = assert_same("moments", "column", x, np.arange(3, dtype=np.int32), np.array([0, 3]), *zeros)
    assert largest == abs(value)


@given(data=st.data(), weighted=st.booleans())
def test_a_few_rows_are_summed_to_thirty_digits(data, weighted):
    x, group = matrix(data, holes=True)
    weight = np.array(data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0, 0.1]), min_size=len(x), max_size=len(x))))
    given_weight = weight if weighted else np.empty(0)
    out = assert_same("moments", "exact", x, group, given_weight, MOST, *PLACES, *empty(weighted))
    counts, _, high, low, bad = out[7:]
    assert bad == -1
    check(x, group, weight if weighted else np.ones(len(x)), counts, high, low, digits=29)


def check(x, group, weight, counts, high, low, digits):
    """Counts exact; sums to so many digits of the sum of the absolute values."""
    for g in range(3):
        for j, (cell, sums) in enumerate([(g, 2 * g), (3 + g, 6 + g)]):
            assert counts[cell] == ((group == g) & ~np.isnan(x[:, j])).sum()
            scale = summed(np.abs(x), group, weight, g, j, 1)
            assert close(flat(high, low, sums), summed(x, group, weight, g, j, 1), scale, digits)
        scale = summed(x, group, weight, g, 0, 2)
        assert close(flat(high, low, 2 * g + 1), scale, scale, digits)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("function", ["holes", "exact"])
def test_an_infinity_is_reported_by_position(function, value):
    x, group = np.ones((4, 2)), np.zeros(4, np.int32)
    x[2, 1] = value
    if function == "holes":
        zeros = np.zeros((3, 2), np.int64), *np.zeros((4, 3, 2))
        *_, bad = assert_same("moments", "holes", x, group, np.empty(0), 0, 4, MOST, *zeros)
    else:
        *_, bad = assert_same("moments", "exact", x, group, np.empty(0), MOST, *PLACES, *empty(False))
    assert bad == 2 * 2 + 1


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_a_block_that_is_not_finite_shows_in_the_squares(value):
    x = np.ones((4, 2))
    x[3, 1] = value
    zeros = np.zeros(1, np.int64), *np.zeros((3, 1, 2))
    *_, s2, _ = assert_same("moments", "dense", x, np.zeros(4, np.int32), 0, 4, *zeros)
    assert np.isfinite(s2[0, 0])
    assert not np.isfinite(s2[0, 1])


@pytest.mark.parametrize("huge", [1e300, -1.7e308])
def test_a_number_too_large_to_square_is_clipped(huge):
    x, group = np.array([[huge, 1.0], [0.0, huge]]), np.zeros(2, np.int32)
    out = assert_same("moments", "exact", x, group, np.empty(0), MOST, *PLACES, *empty(False))
    _, _, high, _, bad = out[7:]
    assert bad == -1
    assert np.isfinite(high).all()
    assert high[0] == np.copysign(MOST, huge)


def pair(a, b):
    """a + b as the rounded sum and what is left of it."""
    s = a + b
    return s, float(Fraction(a) + Fraction(b) - Fraction(s))


def normal(v):
    """Far from where doubles run out of digits."""
    return v == 0 or abs(v) > 1e-200


PAIRS = st.builds(pair, st.floats(-1e12, 1e12).filter(normal), st.floats(-1e-6, 1e-6).filter(normal))


@given(a=PAIRS, b=PAIRS, sign=st.sampled_from([1.0, -1.0]))
def test_pairs_are_added_to_thirty_digits(a, b, sign):
    high, low, other_high, other_low = (np.array([v]) for v in (*a, *b))
    high, low, *_ = assert_same("moments", "add", high, low, other_high, other_low, sign)
    exact = sum(map(Fraction, a)) + Fraction(sign) * sum(map(Fraction, b))
    scale = sum(abs(Fraction(v)) for v in (*a, *b))
    assert close(flat(high, low, 0), exact, scale, 30)
    assert high[0] == high[0] + low[0]


@given(a=PAIRS, factor=st.floats(1e-6, 1.0))
def test_pairs_are_scaled_to_thirty_digits(a, factor):
    high, low, *_ = assert_same("moments", "scale", *(np.array([v]) for v in a), factor)
    assert close(flat(high, low, 0), Fraction(factor) * sum(map(Fraction, a)), abs(Fraction(a[0])), 28)


@given(x=st.lists(NUMBERS | st.just(float("nan")), min_size=1, max_size=6), weight=st.sampled_from([1.0, 0.1, 3.0]))
def test_what_one_row_adds_is_exact(x, weight):
    values, w = np.array(x), np.full(len(x), weight)
    *_, high, low, _ = assert_same("moments", "powers", values, w, MOST, *np.empty((2, len(x), 2)))
    for i, v in enumerate(x):
        for power in (1, 2):
            exact = Fraction(0) if v != v else Fraction(weight) * Fraction(v) ** power
            assert close(flat(high[i], low[i], power - 1), exact, abs(exact), 30)

"""Cut points: the slow textbook algorithm in plain Python, and what every way to cut must keep."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.kernels.counting.cuts import paying_split
from bayesfold.learning.discretize import (
    METHODS,
    Histogram,
    equal_frequency,
    equal_width,
    histogram,
    mdl,
    proportional,
    quintiles,
)


def hist(x, y, weight=None, groups=None, **options):
    x, y = np.asarray(x, float), np.asarray(y, np.intp)
    weight = np.ones(len(x)) if weight is None else np.asarray(weight, float)
    return histogram(x, y, weight, groups or int(y.max(initial=0)) + 1, **options)


# Fayyad and Irani, literally -------------------------------------------------------------------------------------


def entropy(labels):
    n = len(labels)
    return -sum(c / n * math.log2(c / n) for c in Counter(labels).values())


def described(k):
    """log2(3^k - 2), exactly for any k."""
    return math.log2(3**k - 2) if k < 600 else float(k * math.log2(3))


def slow_mdl(rows, slack):
    """Cut points of (value, label) rows; None where a decision hangs on less than `slack` bits."""
    rows = sorted(rows)
    labels = [y for _, y in rows]
    values = [x for x, _ in rows]
    whole, n = entropy(labels), len(rows)
    tried = []
    for t in range(1, n):
        if values[t] > values[t - 1]:
            inside = t / n * entropy(labels[:t]) + (n - t) / n * entropy(labels[t:])
            tried.append((inside, t))
    if not tried:
        return []
    tried.sort()
    best, t = tried[0]
    left, right = labels[:t], labels[t:]
    k, k_left, k_right = (len(set(part)) for part in (labels, left, right))
    delta = described(k) - (k * whole - k_left * entropy(left) - k_right * entropy(right))
    margin = (whole - best) - (math.log2(n - 1) + delta) / n
    if abs(margin) < slack:
        return None
    if margin < 0:
        return []
    if len(tried) > 1 and tried[1][0] - best < slack:
        return None
    below, above = slow_mdl(rows[:t], slack), slow_mdl(rows[t:], slack)
    if below is None or above is None:
        return None
    return [*below, (values[t - 1] + values[t]) / 2, *above]


def drawn(seed, rows, classes, decimals):
    """Numbers whose class changes along the line, with noise and ties."""
    draw = np.random.default_rng(seed)
    x = np.round(draw.normal(size=rows) * 3, decimals)
    y = (np.searchsorted([-2.0, -0.5, 0.7, 2.5], x) + (draw.random(rows) < 0.15) * draw.integers(0, 5, rows)) % classes
    return x, y


@pytest.mark.parametrize("decimals", [0, 1, 6])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_mdl_is_the_textbooks_algorithm(classes, decimals):
    compared = cuts = 0
    for seed in range(12):
        x, y = drawn(seed, 30 + 25 * seed, classes, decimals)
        expected = slow_mdl(list(zip(x.tolist(), y.tolist(), strict=True)), 1e-9)
        if expected is not None:
            assert mdl(hist(x, y)) == pytest.approx(tuple(expected), rel=1e-14)
            compared, cuts = compared + 1, cuts + len(expected)
    assert compared >= 6
    assert cuts >= 5


@given(
    rows=st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 2)), max_size=40),
)
def test_mdl_of_few_values(rows):
    expected = slow_mdl(rows, 1e-9)
    if expected is not None:
        assert mdl(hist([x for x, _ in rows], [y for _, y in rows])) == pytest.approx(tuple(expected), rel=1e-14)


@pytest.mark.parametrize("seed", range(6))
def test_mdl_reads_a_weight_as_copies(seed):
    x, y = drawn(seed, 90, 3, 1)
    copies = np.random.default_rng(seed).integers(1, 5, len(x))
    assert mdl(hist(x, y, copies)) == mdl(hist(x.repeat(copies), y.repeat(copies)))


def test_mdl_of_more_classes_than_3_to_the_k_can_count():
    """700 classes, two blocks: what is described is 700 log2 3 bits, and the two halves are told apart."""
    y = np.arange(700).repeat(40)
    x = np.where(y < 350, 0.0, 1.0) + np.random.default_rng(1).random(len(y)) * 0.5
    with np.errstate(over="raise", invalid="raise"):
        cuts = mdl(hist(x, y))
    assert any(0.4 < c < 1.0 for c in cuts)
    left, right = np.bincount(y[y < 350], minlength=700), np.bincount(y[y >= 350], minlength=700)
    n, k = float(len(y)), 700
    halves = sum(float(s) * math.log2(350) for s in (left.sum(), right.sum()))
    gain = math.log2(700) - halves / n
    needed = (math.log2(n - 1) + described(k) - (k * math.log2(700) - 2 * 350 * math.log2(350))) / n
    cumulated = np.array([np.zeros(len(left)), left, left + right], float)
    assert (paying_split(cumulated, 0, 2, np.empty(0)) == 1) == (gain > needed)


def test_no_cut_where_classes_do_not_differ():
    draw = np.random.default_rng(2)
    assert mdl(hist(draw.normal(size=500), draw.integers(0, 2, 500))) == ()
    assert mdl(hist(draw.normal(size=50), np.zeros(50))) == ()
    assert mdl(hist(np.ones(50), draw.integers(0, 2, 50))) == ()


# all ways -----------------------------------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.integers(-5, 5).map(float),
    st.sampled_from([np.nan, 1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 5e-324, -5e-324, 0.0]),
)
COLUMNS = st.lists(st.tuples(NUMBERS, st.integers(0, 2)), max_size=60)


@pytest.mark.parametrize("name", METHODS)
@given(rows=COLUMNS)
def test_cuts_ascend_and_leave_something_on_both_sides(name, rows):
    x = np.array([v for v, _ in rows], float)
    cuts = METHODS[name](hist(x, [y for _, y in rows], groups=3))
    known = x[~np.isnan(x)]
    assert np.isfinite(cuts).all()
    assert list(cuts) == sorted(set(cuts))
    for cut in cuts:
        assert (known < cut).any()
        assert (known >= cut).any()


@pytest.mark.parametrize("name", METHODS)
def test_an_empty_column_and_a_constant_one_have_no_cut(name):
    assert METHODS[name](hist([], [], groups=2)) == ()
    assert METHODS[name](hist([np.nan] * 3, [0, 1, 1])) == ()
    assert METHODS[name](hist([4.0] * 9, [0, 1, 1] * 3)) == ()


def test_neighbouring_floats_are_told_apart():
    """Half way between two neighbours is the lower one: the cut is then the upper one, since x >= cut is above."""
    low, high = 1.0, np.nextafter(1.0, 2.0)
    for name in ("mdl", "equal_frequency", "quintiles", "proportional"):
        (cut,) = METHODS[name](hist([low] * 20 + [high] * 20, [0] * 20 + [1] * 20))
        assert low < cut <= high


@pytest.mark.parametrize("bins", [2, 3, 5, 10, 17])
def test_equal_frequency_of_distinct_numbers_is_even(bins):
    draw = np.random.default_rng(3)
    for rows in (17, 50, 100, 333):
        x = draw.normal(size=rows)
        cuts = equal_frequency(hist(x, np.zeros(rows)), bins)
        assert len(cuts) == min(bins, rows) - 1
        sizes = np.bincount(np.searchsorted(cuts, x, side="right"), minlength=len(cuts) + 1)
        assert sizes.max() - sizes.min() <= 1
        np.testing.assert_array_equal(
            np.cumsum(sizes)[:-1], [math.ceil(Fraction(rows * b, bins)) for b in range(1, bins)]
        )


def test_equal_frequency_keeps_ties_together():
    cuts = equal_frequency(hist([1.0] * 50 + [2.0] * 3 + [3.0] * 47, np.zeros(100)), 10)
    assert cuts == (1.5,)  # 50 rows, then 50: no tenth falls on the three in between


def test_quintiles_are_five_bins():
    h = hist(np.arange(100.0), np.zeros(100))
    assert quintiles(h) == equal_frequency(h, 5) == (19.5, 39.5, 59.5, 79.5)


@pytest.mark.parametrize("rows", [1, 3, 4, 24, 25, 400])
def test_proportional_is_the_root_of_the_rows(rows):
    cuts = proportional(hist(np.arange(float(rows)), np.zeros(rows)))
    assert len(cuts) == math.isqrt(rows) - 1


def test_equal_width_is():
    draw = np.random.default_rng(4)
    x = draw.exponential(size=200)
    cuts = equal_width(hist(x, np.zeros(200)), 7)
    np.testing.assert_allclose(cuts, x.min() + (x.max() - x.min()) * np.arange(1, 7) / 7, rtol=1e-13)


@pytest.mark.filterwarnings("error")
def test_from_end_to_end_of_the_floats():
    """max - min overflows; the cuts may not."""
    biggest = np.finfo(float).max
    assert equal_width(hist([-biggest, 0.0, biggest], [0, 1, 0]), 4) == pytest.approx((-biggest / 2, 0.0, biggest / 2))
    assert mdl(hist([-biggest] * 20 + [biggest] * 20, [0] * 20 + [1] * 20)) == (0.0,)


@pytest.mark.parametrize("name", METHODS)
def test_weights_are_copies_and_the_order_of_rows_does_not_matter(name):
    x, y = drawn(5, 120, 3, 1)
    draw = np.random.default_rng(5)
    copies, order = draw.integers(1, 4, 120), draw.permutation(120)
    whole = METHODS[name](hist(x, y, copies))
    assert METHODS[name](hist(x.repeat(copies), y.repeat(copies))) == whole
    assert METHODS[name](hist(x[order], y[order], copies[order])) == whole


# the fold -----------------------------------------------------------------------------------------------------------


def same(a: Histogram, b: Histogram):
    for part in ("low", "high", "table"):
        np.testing.assert_array_equal(getattr(a, part), getattr(b, part))


@given(first=COLUMNS, second=COLUMNS)
def test_histograms_add(first, second):
    a, b, both = (
        hist([x for x, _ in rows], [y for _, y in rows], groups=3) for rows in (first, second, first + second)
    )
    same(a + b, both)
    same(b + a, both)


@pytest.mark.parametrize("finest", [8, 64])
def test_a_histogram_of_many_values_shares_cells_and_loses_no_row(finest):
    x, y = drawn(6, 2_000, 3, 9)
    weight = np.random.default_rng(6).integers(1, 4, 2_000).astype(float)
    h = hist(x, y, weight, finest=finest)
    assert finest // 2 <= len(h.low) <= finest
    np.testing.assert_array_equal(h.table.sum(0), np.bincount(y, weight))
    assert (h.low <= h.high).all()
    assert (h.high[:-1] < h.low[1:]).all()
    for low, high, row in zip(h.low, h.high, h.table, strict=True):
        inside = (x >= low) & (x <= high)
        np.testing.assert_array_equal(row, np.bincount(y[inside], weight[inside], 3))


def test_coarse_histograms_add_to_nearly_what_all_rows_give():
    x, y = drawn(7, 3_000, 3, 9)
    parts = [hist(x[i::3], y[i::3], groups=3, finest=50) for i in range(3)]
    h = parts[0] + parts[1] + parts[2]
    np.testing.assert_allclose(h.table.sum(0), np.bincount(y, minlength=3), rtol=1e-12)
    assert (h.high[:-1] <= h.low[1:]).all()
    assert (h.low[0], h.high[-1]) == (x.min(), x.max())
    assert len(h.low) > 100
    whole = hist(x, y, groups=3)
    ranks = np.searchsorted(np.sort(x), equal_frequency(h, 5)) / len(x)
    np.testing.assert_allclose(ranks, [0.2, 0.4, 0.6, 0.8], atol=0.01)
    assert len(mdl(h)) >= len(mdl(whole)) - 1
    for cut in mdl(whole):
        assert min(abs(np.array(mdl(h)) - cut)) < 0.3


@pytest.mark.parametrize(
    ("groups", "rows", "cells"), [(1_024, 2_100, 2_048), (3, 8_300, 8_192), (4_096, 520, 512), (8_000, 520, 512)]
)
def test_a_histogram_of_many_classes_is_coarser(groups, rows, cells):
    """A column by thousands of classes is a table of at most two million entries, but for the least."""
    h = histogram(np.arange(rows * 1.0), np.arange(rows) % groups, np.ones(rows), groups)
    assert len(h.low) == cells
    assert h.table.sum() == rows
    assert (h.low[0], h.high[-1]) == (0.0, rows - 1.0)
    assert (h.low[1:] > h.high[:-1]).all()
    assert np.ptp(h.table.sum(1)) <= 1


def test_a_histogram_of_few_values_has_a_cell_for_each():
    h = histogram(np.array([2.0, np.nan, 1.0, 2.0]), np.array([0, 0, 1, 1]), np.array([1.0, 9.0, 3.0, 0.5]), 2)
    assert (h.low.tolist(), h.high.tolist()) == ([1.0, 2.0], [1.0, 2.0])
    assert h.table.tolist() == [[0.0, 3.0], [1.0, 0.5]]
    assert len(histogram(np.arange(9.0), np.zeros(9, int), np.ones(9), 1, finest=4).low) == 4

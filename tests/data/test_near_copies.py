"""Rows that are copies but for rounding share a fold, and rows that are near by chance are few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import BayesClassifier, evaluate
from bayesfold.data.batch import Batch, Panel
from bayesfold.data.folds import deal, number_copies


def reals(x, **more):
    return Batch(len(x), reals=(Panel(tuple("abcdefgh"[: x.shape[1]]), x),), **more)


@given(
    seed=st.integers(0, 1_000),
    unit=st.sampled_from([1e-300, 1e-9, 1.0, 1e12, 1e300]),
    part=st.sampled_from([1e-15, 1e-9, 1e-6]),
)
def test_copies_but_for_rounding_are_one_in_any_unit_and_order(seed, unit, part):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(100, 4))
    x[::7, 1] = np.nan
    twice = np.vstack([x, x + part * draw.uniform(-1, 1, x.shape)]) * unit
    copy = number_copies(reals(twice))
    np.testing.assert_array_equal(copy[:100], copy[100:])
    assert len(set(copy)) == 100
    order = draw.permutation(200)
    np.testing.assert_array_equal(deal(reals(twice[order]), 5), deal(reals(twice), 5)[order])


@pytest.mark.parametrize("rows", [10, 100, 30_000])
@pytest.mark.parametrize("tail", [1, 3])
def test_few_rows_are_near_by_chance(rows, tail):
    x = np.exp(np.random.default_rng(rows).normal(size=(rows, 2)) ** tail)
    assert len(set(number_copies(reals(x[:, :1])))) >= 0.9 * rows
    assert len(set(number_copies(reals(x)))) >= 0.99 * rows


@pytest.mark.parametrize("step", [1.0, 0.1, 60.0])
def test_values_a_step_apart_are_never_one(step):
    x = 1_700_000_000 + step * np.arange(500.0)[:, None]
    assert len(set(number_copies(reals(x)))) == 500


def test_numbers_that_arithmetic_rounded_are_one():
    x = np.random.default_rng(0).integers(1, 9, (40, 3)) * 0.1
    noisy = ((x + 1e3) - 1e3) * (1 + 1e-15)
    assert (noisy != x).any()
    x = np.hstack([x, np.arange(40.0)[:, None]])
    noisy = np.hstack([noisy, x[:, 3:]])
    copy = number_copies(reals(np.vstack([x, noisy])))
    np.testing.assert_array_equal(copy[:40], copy[40:])


def test_codes_are_no_numbers_that_could_be_near():
    codes = np.array([[1], [2], [50_000], [90_000], [140_000]])
    assert len(set(number_copies(Batch(5, codes=(Panel(("a",), codes),))))) == 5


@pytest.mark.slow
def test_scores_of_noise_do_not_flatter_where_rows_are_there_twice_but_for_a_digit():
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(200, 5)), draw.integers(0, 2, 200)
    x, y = np.vstack([x, x * (1 + 1e-9 * draw.normal(size=x.shape))]), np.tile(y, 2)
    assert evaluate(BayesClassifier(), x, y).scores["BayesClassifier"]["AUC"].value < 0.6


def test_levels_of_a_column_are_not_one_however_near():
    x = np.tile([[1.0], [1.001], [1.002], [5_000.0]], (20, 1))
    assert len({*deal(reals(x, labels=np.tile([1, 2], 40).astype(np.int32)), 4)}) == 4


def test_rows_that_are_near_in_one_panel_and_far_in_the_next_are_two():
    draw = np.random.default_rng(0)
    x = draw.normal(size=50)
    x = np.append(x, x[0] + 1e-9)
    one, other = (Panel((name,), values[:, None]) for name, values in (("a", x), ("b", draw.normal(size=51))))
    assert len(set(number_copies(Batch(51, reals=(one, other))))) == 51


def test_copies_of_rows_change_nothing_of_what_is_near():
    draw = np.random.default_rng(1)
    x = draw.normal(size=(150, 1))
    x = np.vstack([x, x + 1e-7])
    often = np.repeat(np.arange(300), draw.integers(1, 40, 300))
    assert len(set(number_copies(reals(x)))) < 300
    np.testing.assert_array_equal(deal(reals(x[often]), 5), deal(reals(x), 5)[often])

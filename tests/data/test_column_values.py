"""Cells of one column, read without losing what they are."""

import numpy as np

from bayesfold.data.column_values import fill_masked


def test_masked_integers_are_floats_only_where_floats_hold_them() -> None:
    small = fill_masked(np.ma.masked_array([2**53, 3, 4], [False, True, False]))
    assert small.dtype == np.float64
    np.testing.assert_array_equal(small, [2.0**53, np.nan, 4.0])
    for edge in (2**53 + 1, -(2**53) - 1):
        large = fill_masked(np.ma.masked_array([edge, 3, 4], [False, True, False]))
        assert large.tolist() == [edge, None, 4]
    least = fill_masked(np.ma.masked_array([-(2**53), 3], [False, True]))
    assert least.dtype == np.float64


def test_an_integer_that_is_masked_does_not_matter() -> None:
    assert fill_masked(np.ma.masked_array([1, 2**60], [False, True])).dtype == np.float64
    assert fill_masked(np.ma.masked_array([2**60], [True])).dtype == np.float64


def test_masked_words_are_missing() -> None:
    assert fill_masked(np.ma.masked_array(["a", "b"], [False, True])).tolist() == ["a", None]

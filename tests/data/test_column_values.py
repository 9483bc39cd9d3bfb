"""Cells of one column, read without losing what they are."""

from datetime import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bayesfold.data.column_values import fill_masked, read_arrow, read_column


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


def test_cells_of_numpy_are_read_as_columns_of_them_are() -> None:
    longs = read_column("x", [np.longdouble(0.5), np.longdouble(2)])
    assert longs.dtype == np.float64, "numbers, not values of several kinds"
    np.testing.assert_array_equal(longs, [0.5, 2.0])
    np.testing.assert_array_equal(read_column("x", [np.timedelta64(1, "h"), np.timedelta64(2, "m")]), [3600.0, 120.0])
    days = read_column("x", [np.datetime64("2024-01-31"), np.datetime64("NaT")])
    assert days.to_pylist() == [datetime(2024, 1, 31), None]
    assert read_column("x", [np.ma.masked, 1.5]).to_pylist() == [None, 1.5]
    assert read_column("x", [np.int8(3), "b"]).tolist() == [3, "b"]


@pytest.mark.parametrize("index", [False, True])
def test_arrays_and_indexes_of_pandas_are_read_as_its_series(index: bool) -> None:
    for values in (
        pd.Categorical(["u", "v", "u"], categories=["w", "v", "u"]),
        pd.cut([1.0, 2.0, 9.0], 2),
        pd.period_range("2024-01", periods=3, freq="M").array,
        pd.array([1, None, 3], dtype="Int64"),
        pd.arrays.SparseArray([0, 1, 0]),
    ):
        plain = read_column("x", pd.Series(values))
        found = read_column("x", pd.Index(values) if index else values)
        assert list(found) == list(plain)


def test_a_column_that_is_no_list_of_rows_is_refused() -> None:
    assert list(read_column("x", {"a": 1, "b": 2}.values())) == [1, 2]
    assert list(read_column("x", (i for i in range(2)))) == [0, 1]
    for values in ("ab", b"ab", {1, 2}, None, 3):
        with pytest.raises(TypeError, match=r"column 'x' is .*; give a list, one value for each"):
            read_column("x", values)
    for array in (np.zeros((2, 1)), np.array(1.0)):
        with pytest.raises(ValueError, match=r"column 'x' is an array of . dimensions; give one value for each row"):
            read_column("x", array)


@pytest.mark.parametrize("make", [list, np.array, lambda v: np.array(v, object), lambda v: pd.Series(v, dtype=object)])
def test_half_a_character_is_refused_by_row(make) -> None:
    with pytest.raises(ValueError, match=r"column 'x' has '\\ud83d' in row 1, which holds half of a character"):
        read_column("x", make(["whole \U0001f43e", "\ud83d"]))


class Colour(pa.ExtensionType):
    """An extension of Arrow's types, stored as categories."""

    def __init__(self) -> None:
        super().__init__(pa.dictionary(pa.int8(), pa.string()), "tests.colour")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: pa.DataType, serialized: bytes) -> "Colour":
        return cls()


def test_an_extension_of_arrow_is_read_as_what_it_is_stored_as() -> None:
    stored = pa.array(["red", "blue", None, "red"]).cast(pa.dictionary(pa.int8(), pa.string()))
    assert read_arrow("x", pa.ExtensionArray.from_storage(Colour(), stored)).equals(stored)
    flags = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None], pa.int8()))
    assert read_arrow("x", flags).to_pylist() == [True, False, None]

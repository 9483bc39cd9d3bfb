"""Tables in memory: what is read, under which names, and what is refused with advice."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import coo_array

from bayesfold.data.tables import frame


def test_an_array_has_columns_by_number_and_stays_whole():
    X = np.arange(6.0).reshape(3, 2)
    read = frame(X)
    assert read.names == ("x0", "x1")
    assert read.rows == 3
    assert read.matrix is X


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64, np.float16, np.float32, bool])
def test_numbers_of_every_width_are_read(kind):
    values = np.array([[0, 1], [1, 1], [1, 0]], kind)
    read = frame(values)
    for j in range(2):
        np.testing.assert_array_equal(read.numbers(f"x{j}"), values[:, j].astype(float))
        assert sorted(read.coded(f"x{j}").levels) == [0, 1]


def test_a_sparse_matrix_is_read_by_rows():
    read = frame(coo_array(np.array([[0, 2], [3, 0]])))
    assert read.names == ("x0", "x1")
    assert read.matrix.format == "csr"
    assert read.numbers("x1").tolist() == [2.0, 0.0]


def test_text_and_objects_in_an_array_are_read_column_by_column():
    read = frame(np.array([["a", "1"], ["b", "2"]]))
    assert read.coded("x0").levels == ["a", "b"]
    assert read.numbers("x1").tolist() == [1.0, 2.0]
    mixed = frame(np.array([["a", 1.5], [None, 2.5]], object))
    assert mixed.coded("x0").levels == ["a"]
    assert mixed.numbers("x1").tolist() == [1.5, 2.5]


def test_dicts_may_lack_keys_and_mix_kinds():
    read = frame([{"a": 1, "b": "x"}, {"a": "y"}, {"c": 2.5, "a": None}])
    assert read.names == ("a", "b", "c")
    assert read.coded("a").levels == [1, "y"]
    assert read.coded("b").index.tolist() == [0, -1, -1]
    np.testing.assert_array_equal(read.numbers("c"), [np.nan, np.nan, 2.5])


def test_columns_may_be_lists_arrays_and_series_of_any_library():
    read = frame(
        {"a": ["u", None], "b": np.array([1.0, 2.0]), "c": pl.Series(["x", "y"]), "d": pd.Series([True, None])}
    )
    assert read.names == ("a", "b", "c", "d")
    assert read.coded("c").levels == ["x", "y"]
    assert read.coded("d").index.tolist() == [0, -1]
    assert frame({1: [1, 2]}).names == ("1",)


def test_decimals_are_numbers():
    table = pa.table({"price": pa.array([Decimal("1.50"), None, Decimal("2.25")])})
    np.testing.assert_array_equal(frame(table).numbers("price"), [1.5, np.nan, 2.25])


def test_dictionaries_that_differ_from_chunk_to_chunk_are_one_column():
    chunks = [pa.array(part).dictionary_encode() for part in (["b", "a"], ["a", "c"])]
    coded = frame(pa.table({"c": pa.chunked_array(chunks)})).coded("c")
    assert [coded.levels[i] for i in coded.index] == ["b", "a", "a", "c"]


DATES = [dt.date(2024, 1, 1), dt.date(2024, 1, 2)]
WRONG = {
    "dates in pandas": (lambda: pd.DataFrame({"when": pd.to_datetime(DATES)}), TypeError, "column 'when' holds dates"),
    "dates in Arrow": (lambda: pa.table({"when": DATES}), TypeError, "column 'when' holds dates"),
    "dates in polars": (lambda: pl.DataFrame({"when": DATES}), TypeError, "column 'when' holds dates"),
    "dates in a list": (lambda: {"when": DATES}, TypeError, "column 'when' holds dates or times; say what about them"),
    "durations": (lambda: np.array([[1], [2]], "m8[s]"), TypeError, "column 'x0' holds dates or times"),
    "lists": (
        lambda: pa.table({"tags": [["a"], ["b"]]}),
        TypeError,
        "column 'tags' holds list.*Spread it over several",
    ),
    "columns of two lengths": (
        lambda: {"a": [1, 2], "b": [1]},
        ValueError,
        "column 'b' has 1 rows, but column 'a' has 2",
    ),
    "one dimension": (lambda: np.arange(3.0), ValueError, r"two dimensions, got 1; use X\.reshape\(-1, 1\)"),
    "two columns of one name": (
        lambda: pd.DataFrame([[1, 2]], columns=["a", "a"]),
        ValueError,
        "two columns named 'a'; rename one",
    ),
    "two names that read alike": (
        lambda: pd.DataFrame([[1, 2]], columns=[1, "1"]),
        ValueError,
        "two columns named '1'; rename one",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_has_no_meaning_is_refused_with_advice(wrong):
    table, error, words = WRONG[wrong]
    with pytest.raises(error, match=words):
        frame(table())


def test_a_frame_is_a_frame():
    read = frame({"a": [1]})
    assert frame(read) is read

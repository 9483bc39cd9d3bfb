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


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [1, "u", None]}),
        pd.DataFrame({"a": pd.cut([1.0, 2.0, 3.0], 2)}),
        pd.DataFrame({"a": ["u", float("nan"), "v"]}, dtype=object),
        pl.DataFrame({"a": pl.Series(["u", None, "v"], dtype=pl.Categorical)}),
        pl.DataFrame({"a": [1.5, float("nan"), None]}),
    ],
    ids=["several kinds", "intervals", "holes in text", "categories", "two sorts of holes"],
)
def test_a_column_of_a_frame_is_read_alone_as_it_is_in_the_frame(table):
    of_frame, alone = frame(table).coded("a"), frame({"a": table["a"]}).coded("a")
    assert alone.levels == of_frame.levels
    assert alone.index.tolist() == of_frame.index.tolist()


def test_decimals_are_numbers():
    table = pa.table({"price": pa.array([Decimal("1.50"), None, Decimal("2.25")])})
    np.testing.assert_array_equal(frame(table).numbers("price"), [1.5, np.nan, 2.25])


def test_dictionaries_that_differ_from_chunk_to_chunk_are_one_column():
    chunks = [pa.array(part).dictionary_encode() for part in (["b", "a"], ["a", "c"])]
    coded = frame(pa.table({"c": pa.chunked_array(chunks)})).coded("c")
    assert [coded.levels[i] for i in coded.index] == ["b", "a", "a", "c"]


def test_integers_of_64_bits_are_told_apart_and_measured():
    values = [0, 2**63 - 1, 2**63, 2**64 - 1]
    unsigned = np.array(values, np.uint64)
    for table in (unsigned.reshape(-1, 1), {"x0": unsigned}, pa.table({"x0": pa.array(values, pa.uint64())})):
        assert sorted(frame(table).coded("x0").levels) == values
        np.testing.assert_array_equal(frame(table).numbers("x0"), np.array(values, float))


@pytest.mark.parametrize("large", [2**53 + 1, -(2**62), 2**64 - 1])
def test_large_integers_beside_a_hole_are_measured(large):
    table = pa.table({"x": pa.array([large, None], pa.uint64() if large >= 2**63 else pa.int64())})
    np.testing.assert_array_equal(frame(table).numbers("x"), [float(large), np.nan])
    assert frame(table).coded("x").levels == [large]


def test_integers_of_both_signs_and_64_bits_are_measured():
    np.testing.assert_array_equal(frame({"x": [-1, 2**64 - 1]}).numbers("x"), [-1.0, 2.0**64])


def test_masked_cells_are_missing():
    masked = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], [[False, True], [False, False]])
    np.testing.assert_array_equal(frame(masked).numbers("x1"), [np.nan, 4.0])
    np.testing.assert_array_equal(frame({"a": np.ma.masked_array([1, 2], [True, False])}).numbers("a"), [np.nan, 2.0])
    words = np.ma.masked_array(["u", "v"], [True, False])
    assert frame({"a": words}).coded("a").index.tolist() == [-1, 0]
    large = np.ma.masked_array([2**60 + 1, 2**60], [False, True])
    assert frame({"a": large}).coded("a").levels == [2**60 + 1]


def test_fields_of_records_are_columns():
    records = np.array([("a", 1), ("b", 2)], [("letter", "U1"), ("number", "i4")])
    assert frame(records).names == ("letter", "number")
    assert frame(records).numbers("number").tolist() == [1.0, 2.0]


def test_intervals_are_categories_by_their_text():
    cut = pd.DataFrame({"age": pd.cut(pd.Series([3, 40, None]), [0, 18, 65])})
    assert frame(cut).coded("age").levels == ["(0, 18]", "(18, 65]"]
    assert frame(cut).coded("age").index.tolist() == [0, 1, -1]


def test_missing_values_of_pandas_among_several_kinds_are_missing():
    mixed = pd.DataFrame({"a": np.array(["u", 1, pd.NA, np.float64("nan"), np.int8(1)], object)})
    assert frame(mixed).coded("a").levels == ["u", 1]
    assert frame(mixed).coded("a").index.tolist() == [0, 1, -1, -1, 1]


DATES = [dt.date(2024, 1, 1), dt.date(2024, 1, 2)]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"when": pd.to_datetime(DATES)}),
        pd.DataFrame({"when": pd.Categorical(DATES)}),
        pd.DataFrame({"when": pd.period_range("2024-01-01", periods=2, freq="D")}),
        pl.DataFrame({"when": DATES}),
        pa.table({"when": DATES}),
        {"when": DATES},
        {"when": ["2024-01-01", "2.1.2024"]},
        {"when": np.array(DATES, "M8[D]")},
    ],
    ids=lambda table: type(table).__module__,
)
def test_dates_of_every_library_have_parts(table):
    read = frame(table)
    assert read.numbers("when (days)").tolist() == [19723.0, 19724.0]
    assert read.coded("when (weekday)").levels == ["Monday", "Tuesday"]
    read.require(["when (month)"])
    with pytest.raises(ValueError, match=r"no column 'when \(minute\)'"):
        read.require(["when (minute)"])


def test_dates_themselves_are_refused_where_a_value_is_asked_for():
    for ask in (frame({"when": DATES}).coded, frame({"when": DATES}).numbers):
        with pytest.raises(TypeError, match="column 'when' holds dates or times; say what about them matters"):
            ask("when")


def test_durations_are_seconds():
    assert frame({"x": np.array([1500, 2000], "m8[ms]")}).numbers("x").tolist() == [1.5, 2.0]
    assert frame(pd.DataFrame({"x": pd.to_timedelta([1, None], unit="h")})).numbers("x")[0] == 3600.0


WRONG = {
    "lists": (
        lambda: pa.table({"tags": [["a"], ["b"]]}),
        TypeError,
        "column 'tags' holds list.*Spread it over several",
    ),
    "complex numbers": (
        lambda: pd.DataFrame({"z": [1 + 2j]}),
        ValueError,
        "Complex data not supported: column 'z'.*as two columns",
    ),
    "complex objects": (lambda: {"z": [1 + 2j, "a"]}, TypeError, r"column 'z' holds \(1\+2j\); a cell must be text"),
    "periods in Arrow": (
        lambda: pa.table({"when": pa.array(pd.period_range("2024", periods=2, freq="M"))}),
        TypeError,
        "column 'when' holds periods of pandas; make them dates",
    ),
    "lists among text": (lambda: {"tags": ["a", ["b"]]}, TypeError, r"column 'tags' holds \['b'\]; a cell"),
    "wide integers": (lambda: {"id": [1, 2**64]}, ValueError, "column 'id' holds 18446744073709551616 in row 1"),
    "two columns of one name in Arrow": (
        lambda: pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]),
        ValueError,
        "two columns named 'a'; rename one",
    ),
    "two keys that read alike": (lambda: {1: [1], "1": [2]}, ValueError, "two columns named '1'; rename one"),
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


def test_rows_with_nothing_in_them_are_rows():
    assert frame([{}, {}]).rows == 2
    known = frame([{"b": 1}, {"b": 2}], only={"a"})
    assert (known.rows, known.names, known.unread) == (2, (), ["b"])

"""Raw columns: which values a column shows, its numbers, and errors that say which row and column."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.frame import Frame, code

MANY = 100_000  # further apart than a table of codes may be long


def shown(coded):
    """The value of each row, None where it shows none."""
    return [None if i < 0 else coded.levels[i] for i in coded.index]


VALUES = {
    "text": ["b", None, "a", "b"],
    "whole numbers": np.array([3, -7, 3, 0]),
    "small whole numbers": np.array([3, 0, 255], np.uint8),
    "whole numbers far apart": np.array([0, MANY, -MANY, MANY]),
    "whole numbers of other widths": np.array([3, -7, 3], np.int16),
    "truth values": np.array([True, False, True]),
    "truth values, strided": np.array([True, False, True, False])[::2],
    "text of a fixed width": np.array(["bb", "a", "", "bb"]),
    "objects of several kinds": np.array([1, "a", None, 2.5, "a"], object),
    "arrow": pa.array(["b", None, "a"]),
    "arrow in chunks": pa.chunked_array([["b", None], ["a", "b"]]),
    "arrow, a slice": pa.array(["z", "b", None, "a", "z"])[1:4],
    "arrow views": pa.array(["b", None, "a"], pa.string_view()),
    "arrow dictionaries": pa.array(["b", None, "a", "b"]).dictionary_encode(),
    "arrow dictionaries, a slice": pa.array(["z", "b", None, "a", "z"]).dictionary_encode()[1:4],
    "arrow dictionaries in chunks": pa.chunked_array(
        [pa.array(["b", None]).dictionary_encode(), pa.array(["a", "b"]).dictionary_encode()]
    ),
    "arrow whole numbers": pa.array([3, None, 4]),
    "nothing": pa.nulls(3),
    "no rows": np.array([], np.int64),
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_a_column_is_told_apart_into_its_values(values):
    expected = values.to_pylist() if isinstance(values, pa.Array | pa.ChunkedArray) else list(values)
    assert shown(code(values)) == expected
    assert len(set(code(values).levels)) == len(code(values).levels)


def test_numbers_that_are_missing_show_no_value():
    assert shown(code(np.array([1.5, np.nan, -0.0, 0.0]))) == [1.5, None, 0.0, 0.0]
    assert code(np.array([1.5, np.nan, -0.0, 0.0])).levels == [1.5, 0.0]


@pytest.mark.parametrize(
    "dictionary", [["a", "never shown", "b"], ["a", "a", "b"], ["a", None, "b"]], ids=["unused", "twice", "null"]
)
def test_a_dictionary_may_hold_levels_that_are_none(dictionary):
    values = pa.DictionaryArray.from_arrays(pa.array([0, 2, 0], pa.int8()), pa.array(dictionary))
    assert shown(code(values)) == ["a", "b", "a"]
    assert code(values).levels == ["a", "b"]


def test_values_that_cannot_be_told_apart_are_refused_with_advice():
    with pytest.raises(TypeError, match=r"cannot be compared .*use text, numbers or truth values"):
        code(np.array([[1], {2: 3}, "a"], object))


@given(st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12), st.data())
def test_rows_chosen_by_a_mask_keep_the_levels_they_show(values, data):
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))), bool)
    kept = [v for v, m in zip(values, mask, strict=True) if m]
    some = code(pa.array(values, pa.string())).take(mask)
    assert shown(some) == kept
    assert set(some.levels) == set(kept)


def test_an_empty_field_is_missing_in_a_frame():
    coded = Frame.of({"c": ["", "a", None]}).coded("c")
    assert shown(coded) == [None, "a", None]
    assert coded.levels == ["a"]


NUMBERS = {
    "floats": np.array([1.5, np.nan]),
    "single floats": np.array([1.5, np.nan], np.float32),
    "text": ["1.5", ""],
    "text with spaces": [" 1.5 ", None],
    "arrow": pa.array([1.5, None]),
    "arrow dictionaries of text": pa.array(["1.5", None]).dictionary_encode(),
    "arrow dictionaries of numbers": pa.array([1.5, None]).dictionary_encode(),
}


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
def test_a_column_is_read_as_numbers(values):
    np.testing.assert_array_equal(Frame.of({"x": values}).numbers("x"), [1.5, np.nan])


@pytest.mark.parametrize("values", [np.array([True, False]), pa.array([True, False]), np.array([1, 0], np.int8)])
def test_whole_numbers_and_truth_values_are_numbers_too(values):
    np.testing.assert_array_equal(Frame.of({"x": values}).numbers("x"), [1.0, 0.0])


def test_a_column_of_nothing_is_missing_numbers():
    assert np.isnan(Frame.of({"x": [None, None]}).numbers("x")).all()


def test_text_that_is_no_number_is_refused_by_row_and_column_with_advice():
    with pytest.raises(
        ValueError, match=r"column 'x' is a number, but row 2 has 'heavy'; name it in missing= .*declare"
    ):
        Frame.of({"x": ["1", "2", "heavy", "3"]}).numbers("x")


def test_a_column_that_is_not_there_is_named_with_the_nearest_one():
    frame = Frame.of({"Glucose": [1], "Age": [2]})
    with pytest.raises(ValueError, match="the table has no column 'Glucos'; did you mean 'Glucose'"):
        frame.require(["Age", "Glucos"])
    with pytest.raises(ValueError, match="the table has no column 'mass'; it has 'Glucose', 'Age'"):
        frame.require(["mass"])


def test_a_matrix_stays_whole_when_all_its_columns_are_asked_for_in_order():
    X = np.arange(6.0).reshape(2, 3)
    frame = Frame(["x0", "x1", "x2"], 2, {}, X)
    assert frame.matrix_of(["x0", "x1", "x2"]) is X
    np.testing.assert_array_equal(frame.matrix_of(["x2", "x0"]), X[:, [2, 0]])
    np.testing.assert_array_equal(frame.column("x1"), X[:, 1])


def test_rows_are_taken_from_every_kind_of_column():
    mask = np.array([True, False, True])
    frame = Frame.of({"a": ["u", "v", "w"], "b": np.array([1.0, 2.0, 3.0])}).take(mask)
    assert frame.rows == 2
    assert shown(frame.coded("a")) == ["u", "w"]
    assert frame.numbers("b").tolist() == [1.0, 3.0]
    assert Frame(["x0"], 3, {}, np.array([[1.0], [2.0], [3.0]])).take(mask).numbers("x0").tolist() == [1.0, 3.0]

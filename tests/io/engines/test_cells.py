"""Cells of Python's types as columns: a type that holds all of them, and numbers that are written as text."""

import datetime as dt

import pyarrow as pa
import pytest

from bayesfold.io.engines._cells import as_array, as_text, common_type, settled, type_of_cells

DAY, MOMENT = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12, 5)
COLUMNS = [
    ([1, 2, None], pa.int64(), [1, 2, None]),
    ([1, 2.5, None], pa.float64(), [1.0, 2.5, None]),
    ([True, None, False], pa.bool_(), [True, None, False]),
    ([True, 1], pa.string(), ["true", "1"]),
    (["a", 1, None], pa.string(), ["a", "1", None]),
    (["1", 2, " "], pa.float64(), [1.0, 2.0, None]),
    (["1", "2"], pa.string(), ["1", "2"]),
    (["1.5e3", 2.5, "-.5"], pa.float64(), [1500.0, 2.5, -0.5]),
    (["1", True], pa.string(), ["1", "true"]),
    ([2**63, 1], pa.string(), [str(2**63), "1"]),
    ([2**63 - 1, -(2**63)], pa.int64(), [2**63 - 1, -(2**63)]),
    ([-(2**63) - 1], pa.string(), [str(-(2**63) - 1)]),
    ([DAY, MOMENT], pa.timestamp("us"), [dt.datetime(2024, 2, 29), MOMENT]),
    ([DAY, DAY], pa.date32(), [DAY, DAY]),
    ([DAY, 1], pa.string(), ["2024-02-29", "1"]),
    ([dt.time(7, 5)], pa.time64("us"), [dt.time(7, 5)]),
    ([[1, "é"], {"a": None}], pa.string(), ['[1, "é"]', '{"a": null}']),
    ([None, " "], None, [None, " "]),
    ([" ", 1], pa.int64(), [None, 1]),
    ([" ", "a"], pa.string(), [" ", "a"]),
]


def test_a_column_has_a_type_that_holds_its_cells():
    for cells, kind, expected in COLUMNS:
        found = type_of_cells(cells)
        assert settled(found) == (pa.string() if kind is None else kind), cells
        assert as_array(cells, settled(found)).to_pylist() == expected
        halves = common_type(type_of_cells(cells[:1]), type_of_cells(cells[1:]))
        assert settled(halves) == settled(found), cells


def test_types_of_parts_have_one_in_common():
    assert common_type(None, None) is None
    assert common_type(pa.int64(), None) == common_type(None, pa.int64()) == pa.int64()
    assert common_type(pa.int64(), pa.float64()) == pa.float64()
    assert common_type(pa.bool_(), pa.int64()) == pa.string()
    assert common_type(pa.date32(), pa.time64("us")) == pa.string()


@pytest.mark.parametrize(
    ("cell", "text"), [("a", "a"), (True, "true"), (1.5, "1.5"), ({"é": 1}, '{"é": 1}'), (DAY, "2024-02-29")]
)
def test_a_cell_as_it_is_written(cell, text):
    assert as_text(cell) == text

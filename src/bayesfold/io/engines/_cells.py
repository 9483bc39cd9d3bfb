"""Cells of Python's own types as Arrow columns, for formats whose cells have types and whose columns have none.

>>> kind = None
>>> for cells in ([1, None, 2], [2.5]):
...     kind = common_type(kind, type_of_cells(cells))
>>> as_array([1, None], kind).to_pylist(), common_type(kind, type_of_cells(["a"]))
([1.0, None], DataType(string))
>>> as_array([1, True, "a"], pa.string()).to_pylist()
['1', 'true', 'a']

Numbers that are written as text are numbers where others are (a sheet's "number stored as text"), and a blank among
numbers is missing; a column of nothing else, such as postal codes, stays text.

>>> cells = [12, "13.5", " ", None]
>>> as_array(cells, settled(type_of_cells(cells))).to_pylist(), settled(type_of_cells(["01234", "98765"]))
([12.0, 13.5, None, None], DataType(string))
"""

import datetime as dt
import json
import re
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa

from bayesfold.runtime.arrow_buffers import arrow_array

LARGEST = 1 << 63
"""Integers from here on do not fit; they are names rather than quantities, and are kept as text."""
KINDS = {bool: pa.bool_(), float: pa.float64(), str: pa.string()}
NUMERIC_TEXT = pa.large_string()
"""What stands for text of which every cell is a number, until it is known whether other cells are numbers."""
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$")
TIMES = {dt.datetime: pa.timestamp("us"), dt.date: pa.date32(), dt.time: pa.time64("us")}


def type_of_cells(cells: Iterable[Any]) -> pa.DataType | None:
    """The type that holds all of these cells, None if all are missing."""
    known = [cell for cell in cells if cell is not None and not is_blank(cell)]
    kinds = {type(cell) for cell in known if not is_long(cell)} - {str}
    words = [cell for cell in known if isinstance(cell, str)]
    first = pa.string() if any(is_long(cell) for cell in known) else None
    if words:
        first = common_type(first, NUMERIC_TEXT if all(map(NUMBER.match, words)) else pa.string())
    return reduce(common_type, map(arrow_type, kinds), first)


def is_blank(cell: Any) -> bool:
    """Whether a cell is a text without letters."""
    return isinstance(cell, str) and not cell.strip()


def settled(kind: pa.DataType | None) -> pa.DataType:
    """The type of a column of which all cells were seen: text, if it has no other."""
    return pa.string() if kind is None or kind == NUMERIC_TEXT else kind


def is_long(cell: Any) -> bool:
    """Whether a cell is an integer of more than 64 bits."""
    return type(cell) is int and not -LARGEST <= cell < LARGEST


def arrow_type(kind: type) -> pa.DataType:
    """The Arrow type of cells of a Python type; what is nested is the text that it is written as."""
    return pa.int64() if kind is int else KINDS.get(kind, TIMES.get(kind, pa.string()))


def common_type(a: pa.DataType | None, b: pa.DataType | None) -> pa.DataType | None:
    """A type for the cells of both: numbers are numbers, dates have times, and what differs otherwise is text."""
    if a is None or b is None or a == b:
        return b if a is None else a
    if {a, b} <= {pa.int64(), pa.float64(), NUMERIC_TEXT}:
        return pa.float64()
    if {a, b} == {TIMES[dt.datetime], TIMES[dt.date]}:
        return TIMES[dt.datetime]
    return pa.string()


def as_array(cells: Sequence[Any], kind: pa.DataType | None) -> pa.Array:
    """Cells as a column of a type that holds them; a column without any value is one of text."""
    if kind is None or pa.types.is_string(kind):
        return arrow_array([None if cell is None else as_text(cell) for cell in cells]).cast(pa.string())
    known = [None if is_blank(cell) else cell for cell in cells]
    if pa.types.is_floating(kind):
        return arrow_array([None if cell is None else float(cell) for cell in known]).cast(kind)
    if pa.types.is_timestamp(kind):  # Arrow takes no date for the beginning of its day
        known = [dt.datetime.combine(c, dt.time()) if type(c) is dt.date else c for c in known]
    return arrow_array(known).cast(kind)


def as_text(cell: Any) -> str:
    """A cell as it is written."""
    if isinstance(cell, str):
        return cell
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, bool | int | float | list | dict) else str(cell)

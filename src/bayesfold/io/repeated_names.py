"""Rows that are the names of the columns again, as files were put together with their first lines; and names that are a
row, as a file has none."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.frame import is_text
from bayesfold.io.rows import Rows
from bayesfold.io.selection import is_numeral

MARK = "\ufeff"
"""A byte order mark: what the first line of a file may begin with."""


def describe_repeated_names(rows: Rows, target: str) -> str:
    """What to say of rows that are the names of the columns again, as in files that were put together; "": of none."""
    if target not in rows.classes:
        return ""
    same = np.asarray(rows.labels.index == rows.classes.index(target))
    for name in rows.frame.names:
        if not is_text_column(rows.frame.column(name)):
            return ""  # one that repeats the names would have made text of it
        coded = rows.frame.coded(name)
        shown = [coded.levels.index(text) for text in (name, MARK + name) if text in coded.levels]
        same &= np.isin(coded.index, shown or [-2])
    many = int(same.sum())
    if not many:
        return ""
    where, them = ("is a row that has", "it") if many == 1 else (f"are {many:,} rows that have", "them")
    return f"there {where} the names of the columns as values, and so a class {target!r}; remove {them}"


def describe_lost_row(rows: Rows, target: str) -> str:
    """What to say of names of columns that look like a row, as in a file without names; "" where they do not.

    All of them do: the target's is a class, a number stands over numbers, and a known value over text.
    """
    if not is_value(target, rows.classes):
        return ""
    for name in rows.frame.names:
        column = rows.frame.column(name)
        if not (is_value(name, rows.frame.coded(name).levels) if is_text_column(column) else is_numeral(name)):
            return ""
    shown = ",".join((*rows.frame.names, target))
    return f"the names of the columns look like a row ({shown}), which is not learned; put a line of names above it"


def is_value(name: str, values: Sequence[Any]) -> bool:
    """Whether a name is one of these values.

    >>> is_value("1.0", [0, 1]), is_value("yes", ["yes", "no"]), is_value("y", [0, 1])
    (True, True, False)
    """
    number = float(name) if is_numeral(name) else None
    return any(name == value or (number is not None and number == value) for value in values)


def is_text_column(values: Any) -> bool:
    """Whether a column holds text, in a dictionary or not."""
    if isinstance(values, np.ndarray):
        return bool(values.dtype.kind == "O")
    return bool(is_text(values.type.value_type if pa.types.is_dictionary(values.type) else values.type))

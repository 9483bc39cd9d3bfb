"""Rows that are the names of the columns again: files were put together with their first lines."""

from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.frame import is_text
from bayesfold.io.rows import Rows


def describe_repeated_names(rows: Rows, target: str) -> str:
    """What to say of rows that are the names of the columns again, as in files that were put together; "": of none."""
    if target not in rows.classes:
        return ""
    same = np.asarray(rows.labels.index == rows.classes.index(target))
    for name in rows.frame.names:
        if not is_text_column(rows.frame.column(name)):
            return ""  # one that repeats the names would have made text of it
        coded = rows.frame.coded(name)
        same &= coded.index == (coded.levels.index(name) if name in coded.levels else -2)
    many = int(same.sum())
    if not many:
        return ""
    where, them = ("is a row that has", "it") if many == 1 else (f"are {many:,} rows that have", "them")
    return f"there {where} the names of the columns as values, and so a class {target!r}; remove {them}"


def is_text_column(values: Any) -> bool:
    """Whether a column holds text, in a dictionary or not."""
    if isinstance(values, np.ndarray):
        return bool(values.dtype.kind == "O")
    return bool(is_text(values.type.value_type if pa.types.is_dictionary(values.type) else values.type))

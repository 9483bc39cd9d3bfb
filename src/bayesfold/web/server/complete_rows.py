"""A table as a search for a network wants it: every column a few values, every cell there.

Numbers with many values are cut at their quartiles; columns with too many values, with dates or mostly empty are left
out, and then the rows that still lack a value.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.tables import frame as frame_of
from bayesfold.learning.intervals import in_bins
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.tables import Kept, open_kept

MOST_ROWS = 10_000
MOST_COLUMNS = 40
MOST_VALUES = 12
MOST_MISSING = 0.3
QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Complete:
    """Columns by name, each a value for every row, and why columns were left out."""

    columns: dict[str, list[str]]
    left_out: dict[str, str]
    rows: int


def complete_rows(kept: Kept, drop: list[str]) -> Complete:
    """The columns that a network can be learned from, of rows that are spread over the table."""
    with open_kept(kept) as source:
        source.require(*drop)
        names = [name for name in source.names if name not in drop]
        look = source.look(names, MOST_ROWS, {}, {})
        table = look.table
    columns: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name in names:
        values = read_few_values(table, name)
        if isinstance(values, str):
            left_out[name] = values
        elif len(columns) == MOST_COLUMNS:
            left_out[name] = f"the first {MOST_COLUMNS} are taken"
        else:
            columns[name] = values
    if len(columns) < 2:
        raise Problem("not-possible", f"{kept.name} has fewer than two columns of a few values each")
    there = np.all([[value is not None for value in column] for column in columns.values()], axis=0)
    if there.sum() < 2:
        raise Problem("not-possible", f"{kept.name} has no rows in which every column has a value")
    chosen = {name: [v for v, keep in zip(column, there, strict=True) if keep] for name, column in columns.items()}
    constant = [name for name, column in chosen.items() if len(set(column)) == 1]
    left_out |= dict.fromkeys(constant, "one value in every whole row")
    return Complete({n: c for n, c in chosen.items() if n not in constant}, left_out, int(there.sum()))


def read_few_values(table: pa.Table, name: str) -> list[str | None] | str:
    """A column in a few values, None where one is missing; or why it is left out."""
    column = table.column(name)
    if pa.types.is_temporal(column.type):
        return "dates or times"
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type):
        x = frame_of(table.select([name])).numbers(name)
        values = np.unique(x[~np.isnan(x)])
        if len(values) <= MOST_VALUES:
            cells = column.to_pylist() if pa.types.is_integer(column.type) else x.tolist()  # of integers every digit
            words: list[str | None] = [None if v is None or v != v else name_number(v) for v in cells]
        else:
            words = in_bins(x, tuple(np.unique(np.nanquantile(x, QUARTERS)).tolist()))
    else:
        words = [None if v is None or not str(v).strip() else str(v) for v in column.to_pylist()]
    distinct = len({w for w in words if w is not None})
    if distinct > MOST_VALUES:
        return f"{distinct:,} different values"
    if words.count(None) > MOST_MISSING * len(words):
        return f"{words.count(None) / len(words):.0%} of it is missing"
    return words if distinct > 1 else "one value in every row"


def name_number(value: float) -> str:
    """A number as a state: no two have one name.

    >>> name_number(2.0), name_number(10_000_001), name_number(0.1234567), name_number(-0.0)
    ('2', '10000001', '0.1234567', '0')
    """
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)

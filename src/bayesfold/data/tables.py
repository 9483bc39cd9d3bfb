"""Tables already in memory, as frames: arrays, sparse matrices, data frames of any library, lists of dicts.

>>> frame([{"a": 1, "b": "x"}, {"a": 2}]).names
('a', 'b')
"""

import os
from collections.abc import Container, Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.column_values import (
    COUNTABLE,
    fill_masked,
    is_masked,
    read_array,
    read_arrow,
    read_column,
    read_series,
    to_native,
)
from bayesfold.data.frame import Frame
from bayesfold.data.own_names import own_name

WIDE = ("Int128", "UInt128")
"""polars' integers that Arrow has no kind for."""


def frame(table: Any, only: Container[str] | None = None) -> Frame:
    """Any table as a frame, of named columns those in `only`; one of nested values is refused with advice."""
    if isinstance(table, Frame):
        return table
    if type(table).__module__.startswith("pyspark."):
        raise TypeError(
            "rows of a DataFrame of Spark stay in its executors: fit_from, predict_from, fit_network_from and "
            "learn_network_from go there; what passes over rows again and again is done in memory, on a table that "
            "fits here: df.limit(50_000).toArrow()"
        )
    if isinstance(table, str | os.PathLike):
        raise TypeError(
            f"{str(table)!r} is a path, and this takes rows in memory: fit_from, predict_from, fit_network_from and "
            "learn_network_from read files"
        )
    table = materialise(table)
    if isinstance(table, np.ndarray):
        return from_array(table)
    if type(table).__module__.partition(".")[0] == "pandas":  # asking it for what it lacks is slow
        return from_pandas(table, only)
    if hasattr(table, "tocsr"):
        matrix = table.tocsr()
        return Frame([f"x{j}" for j in range(matrix.shape[1])], matrix.shape[0], {}, matrix)
    if isinstance(table, Mapping):
        return from_columns(table, only)
    if isinstance(table, pa.Table):
        return from_arrow(table, only)
    if hasattr(table, "__arrow_c_stream__"):  # pa.table would import pandas
        return from_arrow(pa.RecordBatchReader.from_stream(table).read_all(), only)
    if hasattr(table, "to_arrow_table"):  # a DuckDB relation
        return from_arrow(table.to_arrow_table(), only)
    if isinstance(table, list | tuple) and table and isinstance(table[0], Mapping):
        return from_dicts(table, only)
    return from_array(np.asarray(table))


def materialise(table: Any) -> Any:
    """A table whose cells are there to be read: a lazy one computed, masked cells missing, fields of records by name.

    >>> materialise(np.array([("a", 1), ("b", 2)], [("letter", "U1"), ("number", int)]))["number"].tolist()
    [1, 2]
    """
    if is_masked(table) and table.dtype.names is None:
        return fill_masked(table)
    if isinstance(table, np.ndarray) and table.dtype.names is not None and table.ndim == 1:
        return {name: table[name] for name in table.dtype.names}
    if type(table).__module__.partition(".")[0] == "polars":
        table = table.collect() if hasattr(table, "collect") else table
        wide = [name for name, kind in getattr(table, "schema", {}).items() if str(kind) in WIDE]
        return table.cast(dict.fromkeys(wide, float)) if wide else table
    return table


def from_columns(table: Mapping[Any, Any], only: Container[str] | None = None) -> Frame:
    """A dict of columns, each a list or an array of any library."""
    places, unread = locate_columns(table, only)
    values = list(table.values())
    columns = {name: read_column(name, values[j]) for name, j in places.items()}
    sizes = {name: len(values) for name, values in columns.items()}
    first = next(iter(sizes), "")
    for name, size in sizes.items():
        if size != sizes[first]:
            raise ValueError(f"column {name!r} has {size} rows, but column {first!r} has {sizes[first]}")
    return Frame(tuple(columns), sizes.get(first, 0), columns, unread=unread)


def from_dicts(rows: Any, only: Container[str] | None = None) -> Frame:
    """Rows as dicts; a key that a row lacks is a missing cell.

    >>> frame([{}, {}]).rows
    2
    """
    names = dict.fromkeys(key for row in rows for key in row)
    found = from_columns({name: [row.get(name) for row in rows] for name in names}, only)
    return found if found.names else Frame((), len(rows), {}, unread=found.unread)


def with_absent(table: Frame, names: Iterable[str]) -> Frame:
    """The frame with these columns too; one that it lacks is missing in every row.

    >>> with_absent(frame([{"a": 1}, {"a": 2}]), ["a", "b"]).names
    ('a', 'b')
    """
    absent = {name: pa.nulls(table.rows) for name in names if not table.has(name)}
    return Frame((*table.names, *absent), table.rows, {**table.columns, **absent}) if absent else table


def from_array(values: np.ndarray[Any, Any]) -> Frame:
    """A two-dimensional array; columns are called x0, x1, ..."""
    if values.ndim != 2:
        raise ValueError(f"expected a table of two dimensions, got {values.ndim}; use X.reshape(-1, 1) for one column")
    names = [f"x{j}" for j in range(values.shape[1])]
    if values.dtype.kind in "iuf" and not exceeds_int64(values):
        values = to_native(values)
        if values.dtype.type not in COUNTABLE:
            values = values.astype(np.int64 if values.dtype.kind in "iu" else np.float64)
        return Frame(names, len(values), {}, values)
    return Frame(names, len(values), {name: read_array(name, values[:, j]) for j, name in enumerate(names)})


def exceeds_int64(values: np.ndarray[Any, Any]) -> bool:
    """Whether some are integers that only an unsigned 64-bit number can hold: columns then stand by themselves."""
    return values.dtype.kind == "u" and values.dtype.itemsize == 8 and bool(values.size) and bool(values.max() >= 2**63)


def from_pandas(table: Any, only: Container[str] | None = None) -> Frame:
    """A pandas frame: numpy columns as they are, the rest through Arrow."""
    if table.ndim == 1:
        table = table.to_frame()
    places, unread = locate_columns(table.columns, only)
    if unread:
        columns = {name: read_series(name, table.iloc[:, j]) for name, j in places.items()}
    else:  # one after the other costs a third of looking each up
        columns = {name: read_series(name, one) for name, (_, one) in zip(places, table.items(), strict=True)}
    return Frame(tuple(columns), len(table), columns, unread=unread)


def from_arrow(table: pa.Table, only: Container[str] | None = None) -> Frame:
    """An Arrow table."""
    places, unread = locate_columns(table.column_names, only)
    columns = {name: read_arrow(name, table.column(j)) for name, j in places.items()}
    return Frame(tuple(columns), table.num_rows, columns, unread=unread)


def column_names(names: Iterable[Any]) -> list[str]:
    """Names as text; a column without one is called by its place, as in files.

    >>> column_names(["", "age", 7])
    ['column 1', 'age', '7']
    """
    as_text = [str(name) for name in names]
    return [name or own_name(as_text, f"column {place + 1}") for place, name in enumerate(as_text)]


def locate_columns(names: Iterable[Any], only: Container[str] | None) -> tuple[dict[str, int], list[str]]:
    """Where each name in `only` (None: all) stands, and the other names; two that are alike are refused."""
    places: dict[str, int] = {}
    for place, name in enumerate(column_names(names)):
        if name in places:
            raise ValueError(f"the table has two columns named {name!r}; rename one")
        places[name] = place
    if only is None:
        return places, []
    return {n: place for n, place in places.items() if n in only}, [n for n in places if n not in only]


def is_row(X: Any) -> bool:
    """Whether X is one row as a dict (its values are scalars) rather than a table of columns."""
    if type(X) is not dict and (isinstance(X, np.ndarray) or not is_mapping(X)):  # (what is asked most comes first)
        return False
    value = next(iter(X.values()), None)
    return type(value) in (str, float) or isinstance(value, str) or not hasattr(value, "__len__")


def is_mapping(X: Any) -> bool:
    """Whether X is a dict or its like (scipy's DOK matrix is one too, but it is a matrix first)."""
    return type(X) is dict or (isinstance(X, Mapping) and not hasattr(X, "tocsr"))


def is_dicts(X: Any) -> bool:
    """Whether X is a list of rows as dicts."""
    return isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], Mapping)

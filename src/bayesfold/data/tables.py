"""Tables already in memory, as frames: arrays, sparse matrices, data frames of any library, lists of dicts.

>>> frame([{"a": 1, "b": "x"}, {"a": 2}]).names
('a', 'b')
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.frame import Frame, is_text
from bayesfold.runtime.arrow_buffers import array, to_numpy

COUNTABLE = frozenset({np.float32, np.float64, np.uint8, np.uint16, np.int32, np.int64})
"""Kinds of number that the loops read."""


def frame(table: Any) -> Frame:
    """Any table as a frame; a column of dates or of nested values is refused with advice."""
    if isinstance(table, Frame):
        return table
    if isinstance(table, np.ndarray):
        return from_array(table)
    if hasattr(table, "tocsr"):
        matrix = table.tocsr()
        return Frame([f"x{j}" for j in range(matrix.shape[1])], matrix.shape[0], {}, matrix)
    if isinstance(table, Mapping):
        return from_columns(table)
    if type(table).__module__.partition(".")[0] == "pandas":
        return from_pandas(table)
    if isinstance(table, pa.Table):
        return from_arrow(table)
    if hasattr(table, "__arrow_c_stream__"):  # pa.table would import pandas
        return from_arrow(pa.RecordBatchReader.from_stream(table).read_all())
    if hasattr(table, "to_arrow_table"):  # a DuckDB relation
        return from_arrow(table.to_arrow_table())
    if isinstance(table, list | tuple) and table and isinstance(table[0], Mapping):
        return from_dicts(table)
    return from_array(np.asarray(table))


def from_columns(table: Mapping[Any, Any]) -> Frame:
    """A dict of columns, each a list or an array of any library."""
    columns = {str(name): column(str(name), values) for name, values in table.items()}
    sizes = {name: len(values) for name, values in columns.items()}
    first = next(iter(sizes), "")
    for name, size in sizes.items():
        if size != sizes[first]:
            raise ValueError(f"column {name!r} has {size} rows, but column {first!r} has {sizes[first]}")
    return Frame(tuple(columns), sizes.get(first, 0), columns)


def column(name: str, values: Any) -> Any:
    """One column given by itself."""
    if isinstance(values, np.ndarray):
        return values if values.dtype.kind in "biuf" else plain(name, values)
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return checked(name, whole(pa.array(values, from_pandas=True)))
    mixed = np.empty(len(values), object)
    mixed[:] = values
    return plain(name, mixed)


def from_dicts(rows: Any) -> Frame:
    """Rows as dicts; a key that a row lacks is a missing cell."""
    names = dict.fromkeys(key for row in rows for key in row)
    return from_columns({name: [row.get(name) for row in rows] for name in names})


def completed(table: Frame, names: Iterable[str]) -> Frame:
    """The frame with these columns too; one that it lacks is missing in every row.

    >>> completed(frame([{"a": 1}, {"a": 2}]), ["a", "b"]).names
    ('a', 'b')
    """
    absent = {name: pa.nulls(table.rows) for name in names if name not in table.position}
    return Frame((*table.names, *absent), table.rows, {**table.columns, **absent}) if absent else table


def from_array(values: np.ndarray[Any, Any]) -> Frame:
    """A two-dimensional array; columns are called x0, x1, ..."""
    if values.ndim != 2:
        raise ValueError(f"expected a table of two dimensions, got {values.ndim}; use X.reshape(-1, 1) for one column")
    names = [f"x{j}" for j in range(values.shape[1])]
    if values.dtype.kind in "iuf":
        if values.dtype.type not in COUNTABLE:
            whole_numbers = values.dtype.kind in "iu" and values.dtype != np.uint64
            values = values.astype(np.int64 if whole_numbers else np.float64)
        return Frame(names, len(values), {}, values)
    if values.dtype.kind == "b":
        return Frame(names, len(values), {n: np.ascontiguousarray(values[:, j]) for j, n in enumerate(names)})
    columns = {name: plain(name, values[:, j]) for j, name in enumerate(names)}
    return Frame(names, len(values), columns)


def plain(name: str, values: Any) -> Any:
    """A column of Python objects or of text, as an Arrow array where its values are of one kind."""
    if values.dtype.kind in "mM":
        refuse_dates(name)
    try:
        held = array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return values
    return checked(name, held)


def from_pandas(table: Any) -> Frame:
    """A pandas frame: numpy columns as they are, the rest through Arrow."""
    if table.ndim == 1:
        table = table.to_frame()
    names = [str(name) for name in table.columns]
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(f"the table has two columns named {twice!r}; rename one")
    columns: dict[str, Any] = {}
    for j, name in enumerate(names):
        series = table.iloc[:, j]
        kind = series.dtype
        if isinstance(kind, np.dtype) and kind.kind in "biuf":
            columns[name] = series.to_numpy()
        elif isinstance(kind, np.dtype):
            columns[name] = plain(name, series.to_numpy())
        else:
            columns[name] = checked(name, whole(pa.array(series, from_pandas=True)))
    return Frame(names, len(table), columns)


def from_arrow(table: pa.Table) -> Frame:
    """An Arrow table."""
    names = [str(name) for name in table.column_names]
    columns = {name: checked(name, whole(table.column(j))) for j, name in enumerate(names)}
    return Frame(names, table.num_rows, columns)


def whole(column: Any) -> pa.Array:
    """A column in one piece; dictionaries may differ from chunk to chunk."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    return column.unify_dictionaries().combine_chunks()


def checked(name: str, array: pa.Array) -> Any:
    """Numbers without holes as numpy, text and categories as Arrow; other kinds are refused."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return array
    if pa.types.is_temporal(kind):
        refuse_dates(name)
    if pa.types.is_decimal(kind):
        array = array.cast(pa.float64())
        kind = array.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return array if array.null_count else to_numpy(array)
    if pa.types.is_boolean(kind) or pa.types.is_null(kind) or is_text(kind):
        return array
    raise TypeError(
        f"column {name!r} holds {kind}; a column must be text, categories, truth values or numbers. Spread it over "
        "several columns, or leave it out"
    )


def refuse_dates(name: str) -> None:
    """Dates have no one meaning for a classifier."""
    raise TypeError(
        f"column {name!r} holds dates or times; say what about them matters: a number (days since ...), "
        "or a category (weekday, month, hour)"
    )


def is_row(X: Any) -> bool:
    """Whether X is one row as a dict (its values are scalars) rather than a table of columns."""
    if not is_mapping(X):
        return False
    value = next(iter(X.values()), None)
    return isinstance(value, str) or not hasattr(value, "__len__")


def is_mapping(X: Any) -> bool:
    """Whether X is a dict or its like (scipy's DOK matrix is one too, but it is a matrix first)."""
    return isinstance(X, Mapping) and not hasattr(X, "tocsr")


def is_dicts(X: Any) -> bool:
    """Whether X is a list of rows as dicts."""
    return isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], Mapping)

"""Raw rows in columns, whatever library they came from: numbers, or values to be told apart.

>>> f = Frame.of({"city": ["Rome", "", "Bern", "Rome"], "age": [31, None, 4, 8]})
>>> f.coded("city")                     # which level each row shows; -1 is missing
(array([ 0, -1,  1,  0], dtype=int32), ['Rome', 'Bern'])
>>> f.numbers("age")
array([31., nan,  4.,  8.])
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bayesfold.kernels import codes

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Level: TypeAlias = str | int | float | bool
SMALL_RANGE = 65_536


class Frame:
    """Columns by name; `matrix` is set when they all stand side by side in one array (dense or CSR)."""

    def __init__(self, names: Sequence[str], rows: int, columns: Mapping[str, Any], matrix: Any = None) -> None:
        self.names = tuple(names)
        self.rows = rows
        self.columns = columns
        self.matrix = matrix
        self._coded: dict[str, tuple[NDArray[np.int32], list[Level]]] = {}

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[Any]]) -> "Frame":
        """A frame of lists or arrays."""
        arrays = {
            name: v if isinstance(v, np.ndarray) else pa.array(v, from_pandas=True) for name, v in columns.items()
        }
        return cls(tuple(arrays), len(next(iter(arrays.values()), ())), arrays)

    @property
    def integers(self) -> bool:
        """Whether all columns stand in one array of integers."""
        return isinstance(self.matrix, np.ndarray) and self.matrix.dtype.kind in "iu"

    def column(self, name: str) -> Any:
        """One column as it was given: a numpy or an Arrow array."""
        if self.matrix is None:
            return self.columns[name]
        values = self.matrix[:, self.names.index(name)]
        return values if isinstance(values, np.ndarray) else np.asarray(values.todense()).ravel()

    def matrix_of(self, names: Sequence[str], kind: type | None = None) -> Any:
        """Several columns side by side, row-major; the whole matrix itself when that is what is asked."""
        if self.matrix is None:
            return np.column_stack([self.numbers(name) for name in names])
        matrix = self.matrix if tuple(names) == self.names else self.matrix[:, [self.names.index(n) for n in names]]
        if not isinstance(matrix, np.ndarray):
            return matrix
        if kind is float and matrix.dtype not in (np.float64, np.float32):
            matrix = matrix.astype(np.float64)
        return np.ascontiguousarray(matrix)

    def coded(self, name: str) -> tuple[NDArray[np.int32], list[Level]]:
        """For each row which of the distinct values it shows (-1: missing), and those values."""
        found = self._coded.get(name)
        if found is None:
            found = code(self.column(name))
            if "" in found[1]:  # an empty field is a missing one
                found = renumber(*found, [level if level != "" else None for level in found[1]])
            self._coded[name] = found
        return found

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column as floats, NaN where missing."""
        values = self.column(name)
        if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
            return np.ascontiguousarray(values, np.float64)
        array = values if isinstance(values, pa.Array) else pa.array(values, from_pandas=True)
        if pa.types.is_null(array.type):
            return np.full(len(array), np.nan)
        if is_text(array.type) or pa.types.is_dictionary(array.type):
            return self._parsed(name)
        return np.asarray(pc.fill_null(pc.cast(array, pa.float64()), np.nan).to_numpy(zero_copy_only=False))

    def _parsed(self, name: str) -> NDArray[np.float64]:
        """Numbers written as text; each distinct value is read once."""
        indices, levels = self.coded(name)
        values = np.full(len(levels) + 1, np.nan)
        for i, level in enumerate(levels):
            try:
                values[i] = float(level)
            except ValueError:
                row = int(np.flatnonzero(indices == i)[0])
                raise ValueError(
                    f"column {name!r} is a number, but row {row} has {level!r}; name it in missing= if it marks a "
                    "missing value, or declare the column: families={...: 'categorical'}"
                ) from None
        return values[indices]

    def take(self, rows: Array) -> "Frame":
        """The rows chosen by a mask."""
        if self.matrix is not None:
            return Frame(self.names, int(rows.sum()), {}, self.matrix[np.flatnonzero(rows)])
        columns = {
            name: v[rows] if isinstance(v, np.ndarray) else v.filter(pa.array(rows)) for name, v in self.columns.items()
        }
        return Frame(self.names, int(rows.sum()), columns)

    def require(self, names: Iterable[str]) -> None:
        """Refuse a frame that lacks one of these columns, with the nearest name there is."""
        known = frozenset(self.names)
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(str(name), [str(n) for n in self.names], 1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(map(repr, self.names[:8]))}"
                raise ValueError(f"the table has no column {name!r}{hint}")


def code(values: Any) -> tuple[NDArray[np.int32], list[Level]]:
    """Any one-dimensional values as (index of the distinct value or -1, distinct values).

    >>> code(np.array([7, 3, 7]))
    (array([1, 0, 1], dtype=int32), [3, 7])
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
        return code_integers(values)
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            values = np.ascontiguousarray(values)
        try:
            values = pa.array(values, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            return code_objects(values)
    if isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries().combine_chunks() if values.num_chunks != 1 else values.chunk(0)
    if pa.types.is_null(values.type):
        return np.full(len(values), -1, np.int32), []
    if not pa.types.is_dictionary(values.type):
        if pa.types.is_floating(values.type):
            values = pc.if_else(pc.is_nan(values), None, values)
        values = pc.dictionary_encode(values.cast(pa.large_string()) if is_view(values.type) else values)
    indices = pc.fill_null(values.indices.cast(pa.int32()), -1).to_numpy()
    return clean(indices, values.dictionary.to_pylist())


def clean(indices: NDArray[np.int32], levels: list[Any]) -> tuple[NDArray[np.int32], list[Level]]:
    """Without levels that are null, repeated or shown by no row (a shared dictionary may hold all of those)."""
    shown = np.zeros(len(levels) + 1, bool)
    shown[indices] = True
    if shown[:-1].all() and len(set(levels)) == len(levels) and None not in levels:
        return indices, levels
    return renumber(indices, levels, [v if s else None for v, s in zip(levels, shown, strict=False)])


def renumber(
    indices: NDArray[np.int32], levels: list[Level], kept: Sequence[Level | None]
) -> tuple[NDArray[np.int32], list[Level]]:
    """Indices into the levels that are kept; None drops a level, its rows become missing."""
    fresh: dict[Level, int] = {}
    for level in kept:
        if level is not None and level == level:
            fresh.setdefault(level, len(fresh))
    moved = [fresh.get(level, -1) if level is not None else -1 for level in kept]
    return np.asarray([*moved, -1], np.int32)[indices], list(fresh)


def code_integers(values: Array) -> tuple[NDArray[np.int32], list[Level]]:
    """Integers and truth values; a small range is coded by a table, without hashing."""
    flags = values.dtype == bool
    x = np.ascontiguousarray(values.view(np.uint8) if flags and values.flags.c_contiguous else values)
    x = x if x.dtype in (np.uint8, np.int32, np.int64) else x.astype(np.uint8 if flags else np.int64)
    if not len(x):
        return np.empty(0, np.int32), []
    low, high = codes.bounds(x)
    if high - low >= SMALL_RANGE:
        distinct, indices = np.unique(x, return_inverse=True)
        return indices.astype(np.int32), distinct.tolist()
    seen = np.zeros(high - low + 1, np.uint8)
    codes.present(x, low, seen)
    found = np.flatnonzero(seen)
    slots = np.zeros(len(seen), np.int32)
    slots[found] = np.arange(len(found), dtype=np.int32)
    out = np.empty(len(x), np.int32)
    codes.translate(x, low, slots, out)
    levels = (found + low).tolist()
    return out, [bool(v) for v in levels] if flags else levels


def code_objects(values: Iterable[Any]) -> tuple[NDArray[np.int32], list[Level]]:
    """Python objects of several types in one column, told apart by equality."""
    seen: dict[Level, int] = {}
    try:
        indices = [-1 if v is None or v != v else seen.setdefault(v, len(seen)) for v in values]
    except TypeError as error:
        raise TypeError(
            f"a column holds values that cannot be compared ({error}); use text, numbers or truth values"
        ) from None
    return np.asarray(indices, np.int32), list(seen)


def is_text(kind: pa.DataType) -> bool:
    """Whether an Arrow type is one of its three kinds of text."""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or is_view(kind)


def is_view(kind: pa.DataType) -> bool:
    """polars' kind of text."""
    return bool(pa.types.is_string_view(kind))

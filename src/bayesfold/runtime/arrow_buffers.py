"""Arrow arrays from numpy and back, by their buffers: pyarrow's own doors import pandas wherever it is installed.

>>> arrow_numbers(np.array([4, 5, 6])).slice(1).to_pylist(), arrow_texts(["é", "", "b"]).to_pylist()
([5, 6], ['é', '', 'b'])
>>> to_numpy(arrow_numbers(np.array([1.5, 2.5])))
array([1.5, 2.5])
>>> arrow_array(["a", None]).to_pylist(), arrow_array([1, 2.5, float("nan")]).to_pylist()
(['a', None], [1.0, 2.5, None])
"""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.kernels.counting import codes

EXACT = 2**53
"""Integers up to here are exact as floats."""


def arrow_numbers(values: NDArray[Any]) -> pa.Array:
    """An Arrow array of numbers of a fixed width, not copied."""
    held = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(held.dtype), len(held), [None, pa.py_buffer(held)])


def arrow_texts(values: Sequence[str]) -> pa.Array:
    """An Arrow array of text."""
    encoded = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    joined = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.large_string(), len(encoded), [None, pa.py_buffer(ends), joined]).cast(pa.string())


def arrow_array(values: Any) -> pa.Array:
    """An Arrow array, None and NaN missing: as pa.array(values, from_pandas=True) reads and refuses the values."""
    if "pandas" in sys.modules or not isinstance(values, list | np.ndarray) or np.ndim(values) != 1:
        return pa.array(values, from_pandas=True)
    is_known = [v is not None and v == v for v in values]
    known = [v for v, is_there in zip(values, is_known, strict=True) if is_there]
    kinds = set(map(type, known))
    if not kinds:
        return pa.nulls(len(is_known))
    if kinds == {str}:
        whole = arrow_texts([v if is_there else "" for v, is_there in zip(values, is_known, strict=True)])
    elif kinds == {bool}:
        bits = np.packbits([v is True for v in values], bitorder="little")
        whole = pa.Array.from_buffers(pa.bool_(), len(is_known), [None, pa.py_buffer(bits)])
    elif kinds == {datetime} and all(v.tzinfo is None for v in known):
        when = np.array([v if is_there else 0 for v, is_there in zip(values, is_known, strict=True)], "M8[us]")
        whole = arrow_numbers(when.view(np.int64)).view(pa.timestamp("us"))
    elif kinds == {float} or (kinds <= {int, float} and all(-EXACT <= v <= EXACT for v in known)):
        held = np.zeros(len(is_known), np.float64 if float in kinds else np.int64)
        held[is_known] = known
        whole = arrow_numbers(held)
    else:
        return pa.array(values, from_pandas=True)
    if all(is_known):
        return whole
    holes = pa.py_buffer(np.packbits(is_known, bitorder="little"))
    return pa.Array.from_buffers(whole.type, len(whole), [holes, *whole.buffers()[1:]])


def to_numpy(array: pa.Array, spare: "Spare | None" = None) -> NDArray[Any]:
    """A numpy array of numbers; where there are nulls, they become NaN and integers floats, in `spare` if given."""
    kind = np.dtype(array.type.to_pandas_dtype())
    valid, data = array.buffers()
    size = len(array)
    if not size:  # it may come without a buffer
        return np.zeros(0, kind)
    values: NDArray[Any] = np.frombuffer(data, kind, size + array.offset)[array.offset :]
    if valid is None or not array.null_count:
        return values
    kind = np.dtype(np.float32 if kind == np.float32 else np.float64)
    out = np.empty(size, kind) if spare is None else spare.array((size,), kind)
    bits = np.int32 if kind == np.float32 else np.int64
    given, hole = values.astype(kind, copy=False).view(bits), int(np.array(np.nan, kind).view(bits))
    codes.punch(given, np.frombuffer(valid, np.uint8), array.offset, hole, out.view(bits))
    return out


def to_integers(array: pa.Array, hole: int) -> NDArray[np.int64]:
    """A numpy array of whole numbers of up to 2^53, with `hole` where there are nulls."""
    held = to_numpy(array)
    if held.dtype.kind != "f":
        return held.astype(np.int64, copy=False)
    return np.where(np.isnan(held), hole, held).astype(np.int64)


def references(held: list[NDArray[Any]]) -> list[int]:
    """How many references there are to each array of a list: of the list, of this question, and of whoever holds it."""
    return [sys.getrefcount(array) for array in held]


UNHELD = references([np.empty(0)])[0]
"""The references to an array that only the list holds; it depends on Python's version."""


class Spare:
    """Arrays that are given out again when nobody else holds them: fresh memory has to be cleared by the system.

    >>> spare = Spare()
    >>> first, second = spare.array((2,), np.int32), spare.array((2,), np.int32)
    >>> place = second.ctypes.data
    >>> del second
    >>> spare.array((2,), np.int32).ctypes.data == place, spare.array((2,), np.int32) is first
    (True, False)
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: list[NDArray[Any]] = []

    def array(self, shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
        """An array of that shape, not initialised."""
        with self._lock:
            free = [a for a, times in zip(self._held, references(self._held), strict=True) if times <= UNHELD]
            for array in free:
                if array.shape == shape and array.dtype == kind:
                    return array
            fresh = np.empty(shape, kind)
            self._held = [array for array in self._held if not any(array is other for other in free)] + [fresh]
            return fresh


def replace_columns(table: pa.Table, columns: Mapping[str, Any]) -> pa.Table:
    """The table with these columns instead of its own of the same names, put together once however many they are.

    >>> replace_columns(pa.table({"a": [1], "b": [2]}), {"b": pa.chunked_array([[3]])}).to_pylist()
    [{'a': 1, 'b': 3}]
    """
    if not columns:
        return table  # of no columns it still has rows
    every = [columns.get(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]
    return pa.Table.from_arrays(every, table.column_names)


def empty_table(types: Mapping[str, pa.DataType]) -> pa.Table:
    """A table of these columns without rows."""
    return pa.Table.from_arrays([pa.nulls(0, kind) for kind in types.values()], list(types))

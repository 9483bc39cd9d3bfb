"""Arrow arrays from numpy and back, by their buffers: pyarrow's own doors import pandas wherever it is installed.

>>> numbers(np.array([4, 5, 6])).slice(1).to_pylist(), texts(["é", "", "b"]).to_pylist()
([5, 6], ['é', '', 'b'])
>>> to_numpy(numbers(np.array([1.5, 2.5])))
array([1.5, 2.5])
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def numbers(values: NDArray[Any]) -> pa.Array:
    """Numbers of a fixed width, not copied."""
    held = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(held.dtype), len(held), [None, pa.py_buffer(held)])


def texts(values: Sequence[str]) -> pa.Array:
    """Text."""
    encoded = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    joined = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.large_string(), len(encoded), [None, pa.py_buffer(ends), joined]).cast(pa.string())


def to_numpy(array: pa.Array) -> NDArray[Any]:
    """Numbers of a fixed width; nulls become NaN, and so integers floats."""
    kind = np.dtype(array.type.to_pandas_dtype())
    valid, data = array.buffers()
    size = len(array)
    if data is None or not size:
        return np.zeros(size, kind)
    values: NDArray[Any] = np.frombuffer(data, kind, size + array.offset)[array.offset :]
    if valid is None or not array.null_count:
        return values
    bits = np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little", count=size + array.offset)[array.offset :]
    out = values.astype(np.float32 if kind == np.float32 else np.float64)
    out[bits == 0] = np.nan
    return out


def empty_table(types: Mapping[str, pa.DataType]) -> pa.Table:
    """No rows."""
    return pa.Table.from_arrays([pa.nulls(0, kind) for kind in types.values()], list(types))

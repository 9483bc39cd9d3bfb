"""One column of any library as one of few kinds: numpy numbers, or Arrow text, categories, truth values, nulls.

>>> read_column("dose", ["", 2.5, None]).to_pylist()             # an empty field among numbers is a missing one
[None, 2.5, None]
>>> read_column("city", pa.array(["Rome", "Bern"], pa.string_view())).type
DataType(large_string)
"""

import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.coded import is_view, refuse_large
from bayesfold.runtime.arrow_buffers import arrow_array, arrow_numbers, to_numpy

COUNTABLE = frozenset({np.float32, np.float64, np.uint8, np.uint16, np.int32, np.int64})
"""Kinds of number that the loops read from a matrix."""

TICKS = {"s": 1e0, "ms": 1e3, "us": 1e6, "ns": 1e9}
"""Ticks of a duration in a second."""

AS_IT_IS = frozenset({pa.StringArray, pa.LargeStringArray, pa.BooleanArray, pa.NullArray})
"""Arrow arrays that are kept as they are."""

PLAIN = str | bool | int | float | Decimal | np.generic
"""Types that a cell of a column of Python objects may have."""


def read_column(name: str, values: Any) -> Any:
    """A column from a list, or from an array or a series of any library."""
    if is_masked(values):
        values = fill_masked(values)
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise ValueError(f"column {name!r} is an array of {values.ndim} dimensions; give one value for each row")
        return read_array(name, values)
    if isinstance(values, str | bytes | set | frozenset) or not hasattr(values, "__iter__"):  # letters are no rows
        raise TypeError(f"column {name!r} is {values!r}, and other columns have rows; give a list, one value for each")
    if type(values).__module__.partition(".")[0] == "pandas":  # its own way into Arrow refuses columns of several kinds
        return read_series(name, values)
    if hasattr(values, "__arrow_c_stream__"):
        return read_arrow(name, pa.chunked_array(values))
    if hasattr(values, "__arrow_c_array__"):
        return read_arrow(name, pa.array(values))
    values = values if isinstance(values, list | tuple) else list(values)
    objects = np.empty(len(values), object)
    objects[:] = values
    return read_objects(name, objects)


def read_array(name: str, values: NDArray[Any]) -> Any:
    """A column of a numpy array."""
    kind = values.dtype.kind
    if kind in "iuf":
        return to_native(values)
    if kind == "b":
        return np.ascontiguousarray(values)
    if kind == "c":
        raise ValueError(
            f"Complex data not supported: column {name!r} holds complex numbers; give their real and imaginary parts, "
            "or their size and angle, as two columns"
        )
    if kind in "mM":
        return read_arrow(name, pa.array(values.astype(f"{kind}8[us]")))
    return read_objects(name, values)


def read_series(name: str, series: Any) -> Any:
    """A column of a pandas frame, or an index or an array of pandas' own."""
    kind = series.dtype
    if isinstance(kind, np.dtype) or (word := str(kind)).startswith("Sparse"):
        return read_array(name, np.asarray(series))
    values = getattr(series, "array", series)  # of a series or an index; a series is asked for much that it lacks
    if word.startswith("period"):
        values = values.to_timestamp()
    if word.startswith("interval"):
        return read_objects(name, np.asarray(values, object))
    if word == "category" and not is_plain_index(values.categories):
        values = values.rename_categories(str)  # intervals, as pandas.cut makes them
    try:
        return read_arrow(name, pa.array(values, from_pandas=True))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        if word != "category":
            raise
        return read_objects(name, np.asarray(values, object))  # categories of several kinds


def is_plain_index(categories: Any) -> bool:
    """Whether the categories of pandas are text, numbers or truth values, or dates, which are refused elsewhere."""
    return "interval" not in str(categories.dtype) and "period" not in str(categories.dtype)


def read_arrow(name: str, column: Any) -> Any:
    """A column of an Arrow table: numbers without holes as numpy, text and categories as Arrow; others are refused."""
    held = combine_chunks(column)
    if type(held) is pa.DictionaryArray:  # what is read most comes first: a question of Arrow's types takes a while
        return read_categories(name, held)
    if type(held) in AS_IT_IS:
        return held
    if isinstance(held, pa.ExtensionArray):
        refuse_periods(name, held.type)
        return read_arrow(name, held.storage.cast(pa.bool_()) if held.type == pa.bool8() else held.storage)
    kind = held.type
    if pa.types.is_run_end_encoded(kind):
        import pyarrow.compute as pc  # it takes as long to load as pyarrow itself

        return read_arrow(name, pc.run_end_decode(held))
    if pa.types.is_duration(kind):
        held = durations_in_seconds(held)
    elif pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        return held
    if pa.types.is_decimal(kind):
        held = held.cast(pa.string()).cast(pa.float64())  # a direct cast is often off by the last bit
    elif kind == pa.float16():
        held = held.cast(pa.float32())
    elif is_view(kind):
        held = held.cast(pa.large_string())  # Arrow cannot choose rows of a view
    if pa.types.is_integer(held.type) or pa.types.is_floating(held.type):
        return held if held.null_count else to_numpy(held)
    if type(held) in AS_IT_IS:
        return held
    raise TypeError(
        f"column {name!r} holds {kind}; a column must be text, categories, truth values or numbers. Spread it over "
        "several columns, or leave it out"
    )


def read_categories(name: str, held: pa.DictionaryArray) -> pa.Array:
    """A dictionary array whose values may be categories; where they are dates, the dates themselves."""
    if type(held.dictionary) is pa.StringArray:
        return held
    values = read_arrow(name, held.dictionary)
    if isinstance(values, pa.Array) and pa.types.is_temporal(values.type):
        return held.cast(values.type)
    if is_view(held.type.value_type) or pa.types.is_decimal(held.type.value_type):
        plain = arrow_numbers(values) if isinstance(values, np.ndarray) else values
        return pa.DictionaryArray.from_arrays(held.indices, plain)
    return held


def durations_in_seconds(held: pa.Array) -> pa.Array:
    """Durations as numbers of seconds."""
    import pyarrow.compute as pc  # it takes as long to load as pyarrow itself

    return pc.divide(held.cast(pa.int64()).cast(pa.float64(), safe=False), TICKS[held.type.unit])


def combine_chunks(column: Any) -> pa.Array:
    """A chunked column as one array; dictionaries may differ from chunk to chunk."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    return column.unify_dictionaries().combine_chunks()


def read_objects(name: str, values: NDArray[Any]) -> Any:
    """A column of Python objects or of text, as an Arrow array where its values are of one kind."""
    try:
        return read_arrow(name, arrow_array(values))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        refuse_large(f"column {name!r}", values)
    except UnicodeError:
        refuse_half_characters(name, values)
    except TypeError:
        if not any(isinstance(value, np.generic) for value in values):
            raise
    own = np.empty(len(values), object)
    own[:] = [python_cell(value) for value in values]
    if any(cell is not value for cell, value in zip(own, values, strict=True)):
        return read_objects(name, own)
    cells = [plain_cell(name, value) for value in values]
    if any(isinstance(cell, str) and not cell.strip() for cell in cells):  # an empty field beside numbers
        without_empty = np.empty(len(cells), object)
        without_empty[:] = [None if isinstance(cell, str) and not cell.strip() else cell for cell in cells]
        return read_objects(name, without_empty)
    mixed = np.empty(len(cells), object)
    mixed[:] = cells
    return mixed


def refuse_half_characters(name: str, values: NDArray[Any]) -> None:
    """Refuse the first text that holds half of a character, as programs leave it that cut texts by length."""
    for row, value in enumerate(values):
        if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ValueError(
                f"column {name!r} has {str(value)!r} in row {row}, which holds half of a character and is no text; "
                "mend it: value.encode('utf-8', 'replace').decode()"
            )


def python_cell(value: Any) -> Any:
    """A cell of numpy's, Arrow's or pandas' as Python's own: what Arrow does not know it would otherwise be told apart
    by, not read. Periods are the moments that they begin at, intervals are text, as in columns of them.

    >>> python_cell(np.longdouble(0.5)), python_cell(np.timedelta64(90, "m")), python_cell(np.datetime64("NaT"))
    (0.5, datetime.timedelta(seconds=5400), None)
    """
    if isinstance(value, np.datetime64 | np.timedelta64):
        return value.astype(f"{value.dtype.kind}8[us]").item()
    if isinstance(value, np.floating):
        return float(value)
    if is_masked(value):
        return None
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    if isinstance(value, pa.Scalar):
        return value.as_py()
    if type(value).__module__.partition(".")[0] == "pandas":
        word = type(value).__name__
        return value.to_timestamp() if word == "Period" else str(value) if word == "Interval" else value
    return value


def plain_cell(name: str, value: Any) -> Any:
    """A cell of a column of several kinds, as Python's own; what cannot be told apart or written down is refused."""
    if isinstance(value, Decimal):
        return float(value)
    if value is None or isinstance(value, PLAIN) or type(value).__name__ in ("NAType", "NaTType"):
        return value
    raise TypeError(
        f"column {name!r} holds {value!r}; a cell must be text, a number, a truth value or missing. Spread it over "
        "several columns, or leave it out"
    )


def to_native(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers in this machine's byte order and of a width that the loops and Arrow read."""
    kind = values.dtype
    if kind.kind == "f" and kind.itemsize not in (4, 8):
        return values.astype(np.float32 if kind.itemsize < 4 else np.float64)
    return values if kind.isnative else values.astype(kind.newbyteorder("="))


def is_masked(values: Any) -> bool:
    """Whether these are a masked array of numpy's, whose module takes as long to load as a small file to answer: where
    there is such an array, it is loaded."""
    return "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)


def fill_masked(values: Any) -> NDArray[Any]:
    """A masked array with its masked cells missing."""
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return np.asarray(values.data)
    exact = values.dtype.kind == "f" or (values.dtype.kind in "iu" and fits_floats(values))
    plain = np.array(values.data, np.float64 if exact else object)
    plain[mask] = np.nan if exact else None
    return plain


def float_per_row(weight: Any) -> NDArray[np.float64]:
    """Weights as floats; one that is masked is none.

    >>> float_per_row(np.ma.masked_array([1, 2], [False, True]))
    array([ 1., nan])
    """
    return np.ascontiguousarray(fill_masked(weight) if is_masked(weight) else weight, np.float64)


def fits_floats(values: Any) -> bool:
    """Whether the integers of a masked array are exact as floats."""
    shown = values.compressed()
    return not len(shown) or -(2**53) <= int(shown.min()) <= int(shown.max()) <= 2**53


def refuse_periods(name: str, kind: Any) -> None:
    """Refuse pandas' periods, which are bare numbers in an Arrow table."""
    if "period" in str(kind):
        raise TypeError(f"column {name!r} holds periods of pandas; make them dates")

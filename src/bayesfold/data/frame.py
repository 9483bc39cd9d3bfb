"""Raw rows in columns, whatever library they came from: numbers, or values to be told apart.

>>> f = Frame.of({"city": ["Rome", "", "Bern", "Rome"], "age": [31, None, 4, 8]})
>>> f.coded("city").levels, f.coded("city").index          # which level each row shows; -1 is missing
(['Rome', 'Bern'], array([ 0, -1,  1,  0], dtype=int32))
>>> f.numbers("age")
array([31., nan,  4.,  8.])
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.dates import part_of, source_of
from bayesfold.kernels.counting import codes, strings
from bayesfold.kernels.counting.records import absent
from bayesfold.runtime.arrow_buffers import Spare, array, numbers, to_numpy
from bayesfold.runtime.messages import suggest

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Level: TypeAlias = str | int | float | bool | None
SMALL_RANGE = 65_536
FEW_TEXTS = 4_096  # distinct values up to which a table of them stays in the fastest cache
ALL_VALID = np.empty(0, np.uint8)
EMPTY = np.empty(0, np.int32)
NARROW: dict[pa.DataType, type] = {pa.int8(): np.int8, pa.int16(): np.int16, pa.int32(): np.int32}


class Coded:
    """A column as its distinct values and, for each row, which of them it shows.

    `raw` and `valid` may be Arrow's own buffers: the validity bitmap and narrow indices are read where they stand.
    """

    def __init__(
        self,
        raw: Array,
        levels: list[Level],
        valid: NDArray[np.uint8] = ALL_VALID,
        offset: int = 0,
        whole: bool = False,
    ) -> None:
        self.raw = raw
        self.levels = levels
        self.valid = valid
        self.offset = offset
        self.whole = whole  # no row can be missing

    def __len__(self) -> int:
        return len(self.raw)

    def places(self, slots: Sequence[int], missing: int, kind: Any = np.int32) -> Array:
        """slots[i] for the rows that show level i, `missing` for those that show none."""
        out = np.empty(len(self.raw), kind)
        codes.place(self.raw, self.valid, self.offset, np.asarray([missing, *slots], kind), out)
        return out

    def misses(self, markers: frozenset[Level]) -> bool:
        """Whether some row shows no level, or one of these."""
        holes = len(self.valid) > 0 or bool(self.raw.min(initial=0) < 0)
        return (not self.whole and holes) or not markers.isdisjoint(self.levels)

    def first_missing(self) -> int | None:
        """The first row that shows no level."""
        if self.whole:
            return None
        missing = self.places([0] * len(self.levels), 1, np.uint8)
        return int(missing.argmax()) if missing.any() else None

    @property
    def index(self) -> NDArray[np.int32]:
        """The level of each row, -1 where it is missing."""
        return self.places(range(len(self.levels)), -1)

    def shown(self) -> NDArray[np.bool_]:
        """Which levels some row shows."""
        seen = np.zeros(len(self.levels) + 1, np.uint8)
        codes.shown(self.raw, self.valid, self.offset, seen)
        return seen[:-1].astype(bool)

    def kept(self, levels: Sequence[Level]) -> "Coded":
        """The same rows under other levels: equal ones become one, None drops a level and its rows become missing."""
        fresh: dict[Level, int] = {}
        for level in levels:
            if level is not None and level == level:
                fresh.setdefault(level, len(fresh))
        moved = [-1 if level is None else fresh.get(level, -1) for level in levels]
        return Coded(self.places(moved, -1), list(fresh))

    def take(self, rows: Array) -> "Coded":
        """The rows chosen by a mask or an index, with the levels they show."""
        some = Coded(self.index[rows], self.levels)
        return some.kept([v if s else None for v, s in zip(self.levels, some.shown(), strict=True)])


class Frame:
    """Columns by name; `matrix` is set when they all stand side by side in one array (dense or CSR)."""

    def __init__(
        self,
        names: Sequence[str],
        rows: int,
        columns: Mapping[str, Any],
        matrix: Any = None,
        unread: Sequence[str] = (),
    ) -> None:
        self.names = tuple(names)
        self.unread = unread  # the table's other columns
        self.rows = rows
        self.columns = columns
        self.matrix = matrix
        self.kept: dict[Any, Any] = {}  # what a column that is read in another way was read as
        self.spare: Spare | None = None  # memory for columns, where tables come one after the other
        self._coded: dict[str, Coded] = {}
        self._numbers: dict[tuple[str, frozenset[Level]], Floats] = {}

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[Any]]) -> "Frame":
        """A frame of lists or arrays."""
        arrays = {name: v if isinstance(v, np.ndarray) else array(v) for name, v in columns.items()}
        return cls(tuple(arrays), len(next(iter(arrays.values()), ())), arrays)

    @cached_property
    def position(self) -> dict[str, int]:
        """Where each column stands."""
        return {name: j for j, name in enumerate(self.names)}

    @property
    def integers(self) -> bool:
        """Whether all columns stand in one array of integers."""
        return isinstance(self.matrix, np.ndarray) and self.matrix.dtype.kind in "iu"

    def column(self, name: str) -> Any:
        """One column as it was given: a numpy or an Arrow array."""
        if self.matrix is None:
            return self.columns[name] if name in self.columns else self._part(name)
        values = self.matrix[:, self.position[name]]
        return values if isinstance(values, np.ndarray) else np.asarray(values.todense()).ravel()

    def _part(self, name: str) -> Any:
        """What is asked of a column of dates, by the name of the part."""
        found = self.kept.get(("part", name))
        if found is None:
            source = source_of(name, self.columns)
            if source is None:
                raise KeyError(name)
            found = self.kept["part", name] = part_of(name, self.columns[source])
        return found

    def has(self, name: str) -> bool:
        """Whether there is such a column, or dates of which it is a part."""
        return name in self.position or source_of(name, self.columns) is not None

    def matrix_of(self, names: Sequence[str], kind: type | None = None) -> Any:
        """Several columns side by side, row-major; the whole matrix itself when that is what is asked."""
        if self.matrix is None:
            return np.column_stack([self.numbers(name) for name in names])
        matrix = self.matrix if tuple(names) == self.names else self.matrix[:, [self.position[n] for n in names]]
        if not isinstance(matrix, np.ndarray):
            return matrix
        if kind is float and matrix.dtype not in (np.float64, np.float32):
            matrix = matrix.astype(np.float64)
        return np.ascontiguousarray(matrix)

    def coded(self, name: str) -> Coded:
        """The distinct values of a column and which of them each row shows."""
        found = self._coded.get(name)
        if found is None:
            found = code(undated(name, self.column(name)))
            if "" in found.levels:  # an empty field is a missing one
                found = found.kept([level if level != "" else None for level in found.levels])
            self._coded[name] = found
        return found

    def numbers(self, name: str, missing: frozenset[Level] = frozenset()) -> Floats:
        """A column as floats, NaN where it is missing or shows one of the markers `missing`."""
        values = undated(name, self.column(name))
        if isinstance(values, np.ndarray) and values.dtype == np.float64 and not missing:
            return np.ascontiguousarray(values)
        found = self._numbers.get((name, missing))
        if found is None:
            found = self._numbers[name, missing] = self._converted(name, values, missing)
        return found

    def _converted(self, name: str, values: Any, missing: frozenset[Level]) -> Floats:
        if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
            x = np.ascontiguousarray(values, np.float64)
        else:
            if isinstance(values, np.ndarray) or is_text(values.type) or pa.types.is_dictionary(values.type):
                return self._parsed(name, missing)
            if pa.types.is_null(values.type):
                return np.full(len(values), np.nan)
            whole = values.cast(pa.uint8()) if pa.types.is_boolean(values.type) else values
            x = np.ascontiguousarray(to_numpy(whole, self.spare), np.float64)  # Arrow refuses integers beyond 2^53
        marks = numbers_of(missing)
        return np.where(np.isin(x, marks), np.nan, x) if marks else x

    def _parsed(self, name: str, missing: frozenset[Level]) -> Floats:
        """Numbers written as text; each distinct value is read once."""
        coded = self.coded(name)
        values = np.full(len(coded.levels) + 1, np.nan)
        for i, level in enumerate(coded.levels):
            if level in missing or (isinstance(level, str) and level.isspace()):
                continue
            try:
                values[i] = float(level)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                row = int(np.flatnonzero(coded.index == i)[0])
                raise ValueError(
                    f"column {name!r} is a number, but row {row} has {level!r}; name it in missing= if it marks a "
                    "missing value, or declare the column: families={...: 'categorical'}"
                ) from None
        values[np.isin(values, numbers_of(missing))] = np.nan
        return values[coded.index]

    def take(self, rows: Array) -> "Frame":
        """The rows chosen by a mask."""
        if self.matrix is not None:
            return Frame(self.names, int(rows.sum()), {}, self.matrix[np.flatnonzero(rows)])
        bits = pa.py_buffer(np.packbits(rows, bitorder="little"))  # pa.array would import pandas
        mask = pa.Array.from_buffers(pa.bool_(), len(rows), [None, bits])
        columns = {name: v[rows] if isinstance(v, np.ndarray) else v.filter(mask) for name, v in self.columns.items()}
        return Frame(self.names, int(rows.sum()), columns)

    def require(self, names: Iterable[str]) -> None:
        """Refuse a frame that lacks one of these columns, with the nearest name there is."""
        for name in names:
            if not self.has(name):
                every = (*self.names, *self.unread)
                raise ValueError(f"the table has no column {name!r}; {suggest(name, every, 'it has')}")


def undated(name: str, values: Any) -> Any:
    """Values that mean something by themselves; dates are refused, because only parts of them do."""
    if isinstance(values, pa.Array) and pa.types.is_temporal(values.type):
        raise TypeError(
            f"column {name!r} holds dates or times; say what about them matters: a number (days since ...), "
            "or a category (weekday, month, hour)"
        )
    return values


def code(values: Any) -> Coded:
    """Any one-dimensional values by their distinct values.

    >>> code(np.array([7, 3, 7])).index
    array([1, 0, 1], dtype=int32)
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
        return code_integers(values)
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        return code_fixed_text(values)
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        try:
            is_float = isinstance(values, np.ndarray) and values.dtype in (np.float32, np.float64)
            values = numbers(values) if is_float else array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            return code_objects(values)
    if isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries().combine_chunks() if values.num_chunks != 1 else values.chunk(0)
    if pa.types.is_null(values.type):
        return Coded(np.full(len(values), -1, np.int32), [])
    if not pa.types.is_dictionary(values.type):
        if is_text(values.type):
            values = values.cast(pa.large_string()) if is_view(values.type) else values
            told_apart = code_text(values)
            if told_apart is not None:
                return told_apart
        import pyarrow.compute as pc  # it takes as long to load as pyarrow itself, and networks and models do without

        if pa.types.is_floating(values.type):
            values = pc.if_else(pc.is_nan(values), pa.nulls(1, values.type)[0], values)
        values = pc.dictionary_encode(values)
    return code_dictionary(values)


def code_text(values: pa.Array) -> Coded | None:
    """Arrow text of few distinct values, read where it stands; None when they are too many for that."""
    rows = len(values)
    bitmap, offsets, data = values.buffers()
    if not rows or offsets is None or data is None:
        return None
    wide = np.int64 if pa.types.is_large_string(values.type) else np.int32
    ends = np.frombuffer(offsets, wide)[values.offset : values.offset + rows + 1]
    text = np.frombuffer(data, np.uint8)
    valid = np.frombuffer(bitmap, np.uint8) if bitmap is not None and values.null_count else ALL_VALID
    index = np.empty(rows, np.int32)
    firsts = np.empty(min(rows, FEW_TEXTS), np.int64)
    scratch = np.full(4 << len(firsts).bit_length(), -1, np.int32)
    found = strings.tell_apart(ends, text, valid, values.offset, index, firsts, scratch)
    if found < 0:
        return None
    levels: list[Level] = [bytes(text[ends[i] : ends[i + 1]]).decode() for i in firsts[:found].tolist()]
    return Coded(index, levels, whole=not len(valid))


def code_dictionary(values: pa.DictionaryArray) -> Coded:
    """An Arrow dictionary column, without levels that are null, repeated or shown by no row."""
    indices, levels = values.indices, values.dictionary.to_pylist()
    if indices.type not in NARROW:
        indices = indices.cast(pa.int32())
    bitmap, data = indices.buffers()
    kind = NARROW[indices.type]
    raw = np.frombuffer(data, kind, len(indices) + indices.offset)[indices.offset :] if data else EMPTY
    valid = np.frombuffer(bitmap, np.uint8) if bitmap is not None and indices.null_count else ALL_VALID
    coded = Coded(raw, levels, valid, indices.offset)
    seen = coded.shown()
    if seen.all() and len(set(levels)) == len(levels) and None not in levels:
        return coded
    return coded.kept([level if s else None for level, s in zip(levels, seen, strict=True)])


def code_fixed_text(values: Array) -> Coded:
    """numpy's text of a fixed width, told apart by its bytes; only the distinct values are decoded."""
    text = np.ascontiguousarray(values)
    if text.dtype.itemsize == 0:
        return Coded(np.zeros(len(text), np.int32), [""] if len(text) else [])
    rows = pa.Array.from_buffers(pa.binary(text.dtype.itemsize), len(text), [None, pa.py_buffer(text)])
    coded = code_dictionary(rows.dictionary_encode())
    kind: Any = text.dtype
    levels: list[Any] = coded.levels
    return Coded(coded.raw, [str(np.frombuffer(level, kind)[0]) for level in levels])


def code_integers(values: Array) -> Coded:
    """Integers and truth values; a small range is coded by a table, without hashing."""
    flags = values.dtype == bool
    x = np.ascontiguousarray(values.view(np.uint8) if flags and values.flags.c_contiguous else values)
    if not len(x):
        return Coded(EMPTY, [])
    if x.dtype.kind == "u" and x.max() >= 2**63:
        return code_wide_range(x)
    x = x if x.dtype in (np.uint8, np.int32, np.int64) else x.astype(np.uint8 if flags else np.int64)
    low, high = codes.bounds(x)
    if high - low >= SMALL_RANGE:
        return code_wide_range(x)
    seen = np.zeros(high - low + 1, np.uint8)
    codes.present(x, low, seen)
    found = np.flatnonzero(seen)
    slots = np.zeros(len(seen), np.int32)
    slots[found] = np.arange(len(found), dtype=np.int32)
    out = np.empty(len(x), np.int32)
    codes.translate(x, low, slots, out)
    levels = (found + low).tolist()
    return Coded(out, [bool(v) for v in levels] if flags else levels, whole=True)


def code_wide_range(values: Array) -> Coded:
    """Integers that lie far apart, told apart by sorting."""
    distinct, indices = np.unique(values, return_inverse=True)
    return Coded(indices.astype(np.int32), distinct.tolist())


def code_objects(values: Iterable[Any]) -> Coded:
    """Python objects of several types in one column, told apart by equality."""
    refuse_large("a column", values)
    seen: dict[Level, int] = {}
    try:
        indices = [-1 if v is None or absent(v) else seen.setdefault(v, len(seen)) for v in values]
    except TypeError as error:
        advice = "use text, numbers or truth values"
        raise TypeError(f"a column holds values that cannot be compared ({error}); {advice}") from None
    return Coded(np.asarray(indices, np.int32), list(seen))


def refuse_large(where: str, values: Iterable[Any]) -> None:
    """Refuse integers beyond 64 bits, which neither arrays nor files hold."""
    for row, value in enumerate(values):
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            raise ValueError(
                f"{where} holds {value} in row {row}, an integer of more than 64 bits; make it text if it is a name "
                "(str(value)), or a float if it is a quantity"
            )


def numbers_of(missing: frozenset[Level]) -> list[float]:
    """The markers that are numbers."""
    return [m for m in missing if isinstance(m, int | float)]


def is_text(kind: pa.DataType) -> bool:
    """Whether an Arrow type is one of its three kinds of text."""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or is_view(kind)


def is_view(kind: pa.DataType) -> bool:
    """polars' kind of text."""
    return bool(pa.types.is_string_view(kind))

"""Values by their distinct values: the levels of a column, and which of them each row shows."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.kernels.counting import codes, strings
from bayesfold.kernels.counting.records import absent
from bayesfold.runtime.arrow_buffers import arrow_array, arrow_numbers

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
        """The first row that shows no level, None where every row shows one."""
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
        taken = Coded(self.index[rows], self.levels)
        return taken.kept([v if s else None for v, s in zip(self.levels, taken.shown(), strict=True)])


def code(values: Any) -> Coded:
    """Any one-dimensional values by their distinct values.

    >>> code(np.array([7, 3, 7])).index
    array([1, 0, 1], dtype=int32)
    """
    if isinstance(values, Coded):
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
        return code_integers(values)
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        return code_fixed_text(values)
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        try:
            is_float = isinstance(values, np.ndarray) and values.dtype in (np.float32, np.float64)
            values = arrow_numbers(values) if is_float else arrow_array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            return code_objects(values)
    if isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries().combine_chunks() if values.num_chunks != 1 else values.chunk(0)
    if type(values) is pa.DictionaryArray:
        return code_dictionary(values)
    if pa.types.is_null(values.type):
        return Coded(np.full(len(values), -1, np.int32), [])
    if pa.types.is_nested(values.type):
        raise TypeError(
            f"values that are lists ({values.type}) cannot be told apart; use text, numbers or truth values"
        )
    if is_text(values.type):
        values = values.cast(pa.large_string()) if is_view(values.type) else values
        told_apart = code_text(values)
        if told_apart is not None:
            return told_apart
    import pyarrow.compute as pc  # it takes as long to load as pyarrow itself, and networks and models do without

    if pa.types.is_floating(values.type):
        values = pc.if_else(pc.is_nan(values), pa.nulls(1, values.type)[0], values)
    return code_dictionary(pc.dictionary_encode(values))


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
    count = strings.tell_apart(ends, text, valid, values.offset, index, firsts, scratch)
    if count < 0:
        return None
    levels: list[Level] = [bytes(text[ends[i] : ends[i + 1]]).decode() for i in firsts[:count].tolist()]
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
    offsets = np.flatnonzero(seen)
    slots = np.zeros(len(seen), np.int32)
    slots[offsets] = np.arange(len(offsets), dtype=np.int32)
    out = np.empty(len(x), np.int32)
    codes.translate(x, low, slots, out)
    levels = (offsets + low).tolist()
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


def is_text(kind: pa.DataType) -> bool:
    """Whether an Arrow type is one of its three kinds of text."""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or is_view(kind)


def is_view(kind: pa.DataType) -> bool:
    """Whether an Arrow type is a view of text, as polars writes it."""
    return bool(pa.types.is_string_view(kind))

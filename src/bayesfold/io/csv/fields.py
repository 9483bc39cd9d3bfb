"""Whole rows of a text table as columns: by a compiled loop, or by pyarrow where a row or a number is unusual.

Both give the same columns. The loop knows words, whole numbers and numbers in their usual spellings; numbers that it
leaves over (1e400, inf, a marker of a missing value) are read by pyarrow alone, and so is a piece with a row in which
it finds something else: text behind a closing quote, a carriage return by itself, a field too many.

>>> some = CsvColumns(("city", "age"), ",", {"city": TEXT, "age": pa.float64()}, {})
>>> parse_columns(Piece.of(b"Rome,31\\nBern,\\nRome,4e1\\n"), some).to_pydict()
{'city': ['Rome', 'Bern', 'Rome'], 'age': [31.0, nan, 40.0]}
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from threading import local
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from bayesfold.io.csv.column_types import TEXT, is_words, text_to_numbers
from bayesfold.io.csv.row_index import Bytes, Piece
from bayesfold.kernels.csv import fields
from bayesfold.runtime.arrow_buffers import Spare, arrow_numbers, replace_columns

SKIPPED, WORDS, WHOLE, REAL = range(4)
QUOTE = ord('"')

_own = local()

ODD = 8
"""Of so many cells that are numbers one may be odd; of a piece with more, pyarrow reads all."""
POWERS = range(-342, 309)
"""The powers of ten that a number of 19 digits may be multiplied by without being 0 or infinite."""


@dataclass(frozen=True)
class CsvColumns:
    """The columns of a text table: their names, what separates them, and what those that are wanted are read as."""

    names: tuple[str, ...]
    separator: str
    types: Mapping[str, pa.DataType]
    markers: Mapping[str, frozenset[str]]

    @cached_property
    def spare(self) -> Spare:
        """Memory for the columns of one piece after another."""
        return Spare()

    @cached_property
    def plain(self) -> bool:
        """Whether the compiled loop knows all types."""
        return all(kind in (TEXT, pa.int64(), pa.float64()) for kind in self.types.values())

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """What each column is read as."""
        known = {TEXT: WORDS, pa.int64(): WHOLE, pa.float64(): REAL}
        return np.array([known[self.types[n]] if n in self.types else SKIPPED for n in self.names], np.uint8)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Where each column stands among those of its kind."""
        places = np.zeros(len(self.names), np.intp)
        for kind in (WORDS, WHOLE, REAL):
            places[self.kinds == kind] = np.arange(np.count_nonzero(self.kinds == kind))
        return places


def parse_columns(piece: Piece, columns: CsvColumns) -> pa.Table:
    """The wanted columns of some rows."""
    table = parse_compiled(piece, columns) if columns.plain else None
    if table is not None:
        return table
    if find_swallowed_rows(piece, columns.separator) is not None:
        raise pa.ArrowInvalid("a quote is opened, and closed lines later in the middle of a field")
    return read_by_arrow(piece.view, columns)


def find_swallowed_rows(piece: Piece, separator: str) -> int | None:
    """Where a quoted field begins that goes over lines and ends in the middle of a field, so that it has, most likely,
    swallowed rows; None: no such field is there.

    >>> find_swallowed_rows(Piece.of(b'a,1\\n"b,2\\nc,3\\n"d,4\\n'), ",")
    4
    >>> find_swallowed_rows(Piece.of(b'"a"x,1\\n"b\\nc",2\\n'), ",") is None
    True
    """
    if QUOTE not in piece.buffer[: piece.size]:
        return None
    ends = re.escape(separator.encode()) + rb"\r\n"
    fields = re.compile(rb'(?:\A|(?<=[%s]))"[^"]*(?:""[^"]*)*"(?P<more>[^%s])?' % (ends, ends))
    suspects = (field for field in fields.finditer(piece.view) if field["more"] and b"\n" in field[0])
    return next((field.start() for field in suspects), None)


# by the compiled loop


def parse_compiled(piece: Piece, columns: CsvColumns) -> pa.Table | None:
    """By the compiled loop; None where a row or a word is not what it knows."""
    n, kinds = piece.rows, columns.kinds
    words, wholes, reals = (int(np.count_nonzero(kinds == kind)) for kind in (WORDS, WHOLE, REAL))
    codes, odd_fields = columns.spare.array((words, n), np.int32), np.zeros(1, np.intp)
    used, room = np.zeros(words, np.intp), np.zeros(words, np.intp)
    integers, there = columns.spare.array((wholes, n), np.int64), np.empty((wholes, n), np.uint8)
    floats = columns.spare.array((reals, n), np.float64)
    table, keys, starts, sizes, odd = scratch_memory(words, wholes + reals, n)
    rows = fields.parse(
        piece.buffer, 0, piece.size, ord(columns.separator), kinds, columns.places, codes, table, keys, starts, sizes,
        used, room, integers, there, floats, *powers_of_ten(), odd, odd_fields,
    )  # fmt: skip
    if rows < 0:
        return None
    try:
        settle_odd_fields(piece.buffer, columns, odd[: odd_fields[0]], integers, there, floats)
        arrays = []
        for name in columns.types:
            j = columns.names.index(name)
            s = columns.places[j]
            if kinds[j] == WORDS:
                levels = slice(0, int(used[s]))
                arrays.append(dictionary_of_words(piece.buffer, codes[s, :rows], starts[s, levels], sizes[s, levels]))
            elif kinds[j] == WHOLE:
                arrays.append(integers_with_nulls(integers[s, :rows], there[s, :rows]))
            else:
                arrays.append(arrow_numbers(floats[s, :rows]))
    except pa.ArrowInvalid:
        return None
    return pa.Table.from_arrays(arrays, list(columns.types))


def scratch_memory(words: int, counted: int, rows: int) -> tuple[Any, ...]:
    """What the loop needs while it runs: tables of words, keys, starts and sizes of words, odd fields.

    A thread uses it again for its next piece: fresh memory would have to be cleared each time, though little of it is
    ever touched.
    """
    held = getattr(_own, "scratch", None)
    if held is None or _own.words != words or _own.counted < counted * rows or _own.rows < rows:
        _own.words, _own.counted, _own.rows = words, counted * rows, rows
        held = _own.scratch = (
            np.empty((words, 2 << rows.bit_length()), np.int32),
            np.empty((words, rows), np.uint64),
            np.empty((words, rows), np.int64),
            np.empty((words, rows), np.int32),
            np.empty((8 + counted * rows // ODD, 4), np.int64),
        )
    return held


@cache
def powers_of_ten() -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
    """10^0 to 10^22, which are exact, and the upper 128 bits of the powers of 5 (Lemire 2021, section 5)."""
    halves = []
    for power in POWERS:
        if power < 0:
            five = 5**-power
            bits = five.bit_length()
            value = (1 << (bits + 127 if power >= -27 else 2 * bits + 128)) // five + 1
        else:
            value = 5**power << 128
        value >>= value.bit_length() - 128
        halves.append((value >> 64, value & (1 << 64) - 1))
    return np.array([10.0**k for k in range(23)]), np.array(halves, np.uint64)


def settle_odd_fields(
    buffer: Bytes, columns: CsvColumns, odd: NDArray[np.int64], integers: Any, there: Any, floats: NDArray[np.float64]
) -> None:
    """Have pyarrow read the fields that are not plainly numbers."""
    for j in dict.fromkeys(odd[:, 1].tolist()):
        of_column, name = odd[odd[:, 1] == j], columns.names[j]
        lines = b"\n".join(buffer[begin:end].tobytes() for begin, end in of_column[:, 2:].tolist())
        one = CsvColumns((name,), columns.separator, {name: columns.types[name]}, columns.markers)
        values = read_by_arrow(lines, one).column(0).combine_chunks()
        if len(values) != len(of_column):
            raise pa.ArrowInvalid("a field holds a line break")
        rows, s = of_column[:, 0], columns.places[j]
        if columns.kinds[j] == WHOLE:
            there[s, rows] = [value is not None for value in values.to_pylist()]
            integers[s, rows] = [value or 0 for value in values.to_pylist()]
        else:
            floats[s, rows] = [np.nan if value is None else value for value in values.to_pylist()]


def dictionary_of_words(
    buffer: Bytes, codes: NDArray[np.int32], starts: NDArray[np.int64], sizes: NDArray[np.int32]
) -> pa.DictionaryArray:
    """Words in a dictionary; one that stands there with its quotes is freed of them."""
    raw = np.flatnonzero((sizes > 0) & (buffer[starts] == ord('"')))
    if len(raw):
        words = [buffer[at : at + size].tobytes() for at, size in zip(starts.tolist(), sizes.tolist(), strict=True)]
        for i in raw.tolist():
            words[i] = words[i][1:-1].replace(b'""', b'"')
        place = {word: i for i, word in enumerate(dict.fromkeys(words))}
        codes = np.array([place[word] for word in words], np.int32)[codes]  # two spellings may be one word
        ends, data = np.cumsum([0, *map(len, place)], dtype=np.int32), np.frombuffer(b"".join(place), np.uint8)
    else:
        ends = np.zeros(len(sizes) + 1, np.int32)
        np.cumsum(sizes, out=ends[1:])
        data = np.empty(int(ends[-1]), np.uint8)
        fields.gather(buffer, starts, ends, data)
    levels = pa.Array.from_buffers(pa.string(), len(ends) - 1, [None, pa.py_buffer(ends), pa.py_buffer(data)])
    levels.validate(full=True)  # that it is UTF-8
    return pa.DictionaryArray.from_arrays(arrow_numbers(codes), levels, safe=False)


def integers_with_nulls(values: NDArray[np.int64], there: NDArray[np.uint8]) -> pa.Array:
    """Whole numbers, null where there is none."""
    if there.all():
        return arrow_numbers(values)
    bits = pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(pa.int64(), len(values), [bits, pa.py_buffer(values)])


# by pyarrow


def read_by_arrow(data: bytes | memoryview, columns: CsvColumns) -> pa.Table:
    """By pyarrow, all at once and by this thread."""
    types, markers = columns.types, columns.markers
    counted = [name for name, kind in types.items() if not is_words(kind)]
    sets = [markers.get(name, frozenset()) for name in counted]
    common = frozenset.intersection(*sets) if sets else frozenset()
    apart = [name for name, own in zip(counted, sets, strict=True) if own - common]
    try:
        return numbers_from_text(parse_by_arrow(data, columns, apart, common), columns, apart)
    except pa.ArrowInvalid:  # of cells that are blank pyarrow makes no numbers
        return numbers_from_text(parse_by_arrow(data, columns, counted, frozenset()), columns, counted)


def parse_by_arrow(
    data: bytes | memoryview, columns: CsvColumns, as_text: Sequence[str], markers: frozenset[str]
) -> pa.Table:
    """Columns by pyarrow, some of them as text; `markers` mean missing in all columns of numbers."""
    types = columns.types
    try:
        return arrow_csv.read_csv(
            pa.BufferReader(pa.py_buffer(data)),
            arrow_csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=columns.names),
            arrow_csv.ParseOptions(delimiter=columns.separator, newlines_in_values=True),
            arrow_csv.ConvertOptions(
                column_types={name: TEXT if name in as_text else kind for name, kind in types.items()},
                include_columns=list(types),
                null_values=["", *sorted(markers)],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        if "Empty CSV file" in str(error):
            kinds = [TEXT if name in as_text else kind for name, kind in types.items()]
            return pa.Table.from_arrays([pa.nulls(0, kind) for kind in kinds], list(types))
        raise


def numbers_from_text(table: pa.Table, columns: CsvColumns, as_text: Sequence[str]) -> pa.Table:
    """Columns of text as the numbers that they hold."""
    numbers = {
        name: text_to_numbers(table.column(name), columns.markers.get(name, frozenset()), columns.types[name])
        for name in as_text
    }
    return replace_columns(table, numbers)

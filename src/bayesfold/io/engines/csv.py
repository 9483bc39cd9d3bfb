"""Text tables: CSV and TSV, plain or compressed, by pyarrow's streaming reader; what a column holds is our decision.

A file is looked at once before it is read: how many rows it has, and some of them from everywhere in it.
"""

import csv
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.io.csv.charset import (
    LEGACY,
    OLD_MAC,
    UTF8,
    as_utf8,
    find_undecodable,
    guess_by_all_bytes,
    guess_encoding,
    in_pairs,
    name_encoding,
    read_fully,
)
from bayesfold.io.csv.column_types import TEXT, is_words
from bayesfold.io.csv.diagnosis import diagnose_row, lines_before, refuse_open_quote, text_lines
from bayesfold.io.csv.fields import CsvColumns, find_swallowed_rows, parse_columns
from bayesfold.io.csv.header import Header, header_of, long_fields
from bayesfold.io.csv.row_index import (
    PIECE,
    CannotCutRows,
    Marks,
    Piece,
    Seen,
    count_and_sample,
    cut_into_pieces,
    plan_blocks,
    read_rows_at,
    scan_file,
    scan_stream,
)
from bayesfold.io.engines import Passing, Survey, Types, spread_sample, survey_tables
from bayesfold.io.signatures import codec_of
from bayesfold.runtime.arrow_buffers import empty_table
from bayesfold.runtime.threads import BLOCK, pool, workers

SUFFIXES = (".csv", ".tsv", ".txt", ".gz")
SUSPECT = re.compile(rb"[\"%$\x80-\xff]|\d[' ]\d{3}|[A-Z]{3} ?-?\d|\d ?[A-Z]{3}|\d\)|\d-[ ,\r\n]")
"""Bytes without which the numbers between commas are plain."""
FIRST_ROWS = 1_000
"""Rows by which it is known how numbers are written."""


@dataclass(frozen=True)
class Csv:
    """A text table in a file; `given_encoding` is how its letters are written, if that is known."""

    path: Path
    label: str
    given_encoding: str | None = None
    is_text = True

    @cached_property
    def _signs(self) -> tuple[str | None, bool, bool]:
        """By the beginning of the file its encoding (None: it is ASCII so far), whether lines end in a carriage return
        alone, and whether letters take two bytes each."""
        with self._decoded(), stream_of(self.path) as stream:
            head = read_fully(stream, PIECE)
        encoding, old = guess_encoding(head, len(head) < PIECE), b"\r" in head and b"\n" not in head
        return self.given_encoding or (OLD_MAC if encoding == LEGACY and old else encoding), old, in_pairs(head)

    @cached_property
    def _late(self) -> str:
        """The encoding, by all of the file."""
        with self._decoded(), stream_of(self.path) as stream:
            return guess_by_all_bytes(stream)

    @property
    def encoding(self) -> str:
        """How the letters are written, as far as that is known by now."""
        return self._signs[0] or self.__dict__.get("_late", UTF8)

    @property
    def hint(self) -> str:
        """How else the letters may be written, if a guess was made."""
        legacy = self.given_encoding is None and self.encoding == LEGACY and self._signs[2]
        return ", for example encoding='gbk' if it is Chinese" if legacy else ""

    @cached_property
    def _header(self) -> Header:
        with self._decoded():
            return header_of(self._stream, self.label)

    @property
    def separator(self) -> str:
        """What stands between fields."""
        return self._header.separator

    @property
    def title(self) -> str:
        """What stands above the names of the columns."""
        return self._header.title

    @cached_property
    def may_format_numbers(self) -> bool:
        """Whether a number may be written in another way than plainly: a look at the first bytes."""
        with self._decoded(), self._rows() as stream:
            return self.separator != "," or SUSPECT.search(stream.read(PIECE)) is not None

    @cached_property
    def beginning(self) -> pa.Table:
        """The first rows as text; none where they cannot be read."""
        text = dict.fromkeys(self.types, TEXT)
        with self._decoded(), self._rows() as stream:
            first = next(cut_into_pieces(stream, self.separator, FIRST_ROWS), None)
        try:
            return empty_table(text) if first is None else parse_columns(first, self._columns(text, {}))
        except pa.ArrowInvalid:
            return empty_table(text)

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns, all of them text."""
        return dict.fromkeys(self._header.names, TEXT)

    # a look

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """Rows at the beginnings of pieces that are spread evenly over the file."""
        seen = self._seen(most)
        text = dict.fromkeys(columns, TEXT)
        if seen.rows > 2 * most and seen.reliable:  # of fewer lines, some may be no rows
            try:
                sample = parse_columns(Piece.of(seen.bytes), self._columns(text, {}))
                return Survey(seen.rows, spread_sample(sample, most), self._known(seen))
            except pa.ArrowInvalid:  # a row is not what it should be
                pass
        return replace(survey_tables(self.scan(text, {}, known=self._known(seen)), text, most), known=self._known(seen))

    def _known(self, seen: Seen) -> Marks | None:
        """Where rows begin, if one can go there."""
        return seen.marks if seen.reliable and self._can_be_entered else None

    @property
    def _can_be_entered(self) -> bool:
        """Whether the bytes of the file are those of its rows, so that one can go to any of them."""
        return codec_of(self.path) is None and self.encoding == UTF8 and not self._signs[1]

    # reading

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """Block after block, one thread per block."""
        columns = self._columns(types, markers)
        under_way: deque[Future[pa.Table]] = deque()
        done = 0

        def finished(most: int) -> Iterator[pa.Table]:
            nonlocal done, skip
            while len(under_way) > most:
                table = under_way.popleft().result()
                done += table.num_rows
                if done > skip:
                    yield table.slice(max(0, table.num_rows - (done - skip)))
                    skip = done

        try:
            with self._decoded():
                for task in self._tasks(columns, known):
                    under_way.append(pool().submit(task))
                    yield from finished(workers())
                yield from finished(0)
        except (pa.ArrowInvalid, CannotCutRows) as error:
            if self._signs[0] is None and self._late != UTF8:  # the first letters beyond ASCII have come
                yield from replace(self, given_encoding=self._late).scan(types, markers, skip)
            else:
                raise ValueError(self._diagnosis(types, markers, done, str(error))) from None

    def _tasks(self, columns: CsvColumns, known: Marks | None) -> Iterator[Callable[[], pa.Table]]:
        """What is to be done for each block: to read its bytes, if one can go there, and to split them."""
        if known is None:
            with self._rows() as stream:
                for piece in cut_into_pieces(stream, columns.separator, BLOCK):
                    yield partial(parse_columns, piece, columns)
        else:
            for begin, end in plan_blocks(known, BLOCK):
                yield partial(self._block, columns, known, begin, end)

    def _block(self, columns: CsvColumns, known: Marks, begin: int, end: int) -> pa.Table:
        return parse_columns(read_rows_at(self.path, self._header.begin, known, begin, end, columns.separator), columns)

    def _columns(self, types: Types, markers: Mapping[str, frozenset[str]]) -> CsvColumns:
        return CsvColumns(self._header.names, self._header.separator, types, markers)

    def _rows(self) -> pa.NativeFile:
        """The file from its first row on."""
        return self._stream(self._header.begin)

    def _stream(self, begin: int = 0) -> pa.NativeFile:
        """The file in UTF-8 from some byte on."""
        stream = as_utf8(stream_of(self.path), self.encoding, self._signs[1])
        while begin:
            begin -= len(stream.read(min(begin, PIECE)))
        return stream

    # errors

    @contextmanager
    def _decoded(self) -> Iterator[None]:
        """Bytes that are not of the file's encoding are told by line, and what cannot be unpacked by file."""
        try:
            yield
        except OSError as error:
            if error.errno is not None or codec_of(self.path) is None:
                raise
            raise ValueError(
                f"{self.label} cannot be unpacked ({error}): it is cut off or damaged; take another copy"
            ) from None
        except UnicodeDecodeError:
            with stream_of(self.path) as stream:
                line, byte = find_undecodable(stream, self.encoding)
            raise ValueError(
                f"{self.label}, line {line}: byte 0x{byte:02x} is not {name_encoding(self.encoding)} text; say how the "
                "file is written with encoding='...', for example 'cp850' for a DOS file"
            ) from None
        except UnicodeError as error:
            raise ValueError(f"{self.label} is not {name_encoding(self.encoding)} text: {error}") from None

    def _diagnosis(self, types: Types, markers: Mapping[str, frozenset[str]], skip: int, error: str) -> str:
        """Which line is wrong, and what to do: the rows that were not read yet are read once more, one by one."""
        names, line = self._header.names, self._header.line
        counted = [(names.index(name), name) for name, kind in types.items() if not is_words(kind)]
        with self._rows() as stream, long_fields():
            reader = csv.reader(text_lines(stream), delimiter=self.separator)
            before, rows = line, 0
            try:
                for row in reader:
                    if row and rows >= skip:
                        wrong = diagnose_row(row, len(names), counted, types, markers)
                        if wrong:
                            return f"{self.label}, line {line}: {wrong}"
                    rows += bool(row)
                    line = reader.line_num + before
            except csv.Error as other:
                return f"{self.label}, line {line}: {other}"
        line = self._header.line
        with self._rows() as stream:
            for piece in cut_into_pieces(stream, self.separator, BLOCK):
                at = find_swallowed_rows(piece, self.separator)
                if at is not None:
                    line += bytes(piece.view[:at]).count(b"\n")
                    said = "a quote is opened here and closed lines later, in the middle of a field, so that it would"
                    return f"{self.label}, line {line}: {said} swallow rows; close it, or double it if it is text"
                line += bytes(piece.view).count(b"\n")
        return f"{self.label}: {error}"

    def count(self) -> int:
        """Rows, by their line breaks."""
        return self._seen(0).rows

    def _seen(self, most: int) -> Seen:
        """A look at the bytes; a quote that is never closed would swallow all rows behind it."""
        begin = self._header.begin
        if self._can_be_entered:
            seen = count_and_sample(scan_file(self.path, begin), most, self.separator, self.path.stat().st_size)
        else:
            with self._decoded(), self._rows() as stream:
                seen = count_and_sample(scan_stream(stream), most, self.separator)
        if not seen.reliable:
            with self._rows() as stream, long_fields():
                refuse_open_quote(self.label, stream, self.separator, self._header.line)
        return seen

    def place(self, row: int) -> str:
        """The line on which a row stands: lines are counted anew, as blank ones and those in quotes are no rows."""
        line = self._header.line
        with suppress(csv.Error, UnicodeError, CannotCutRows), self._rows() as stream, long_fields():
            for piece in cut_into_pieces(stream, self.separator, BLOCK):
                if row < piece.rows:
                    return f"{self.label}, line {line + lines_before(row, piece, self.separator):,}"
                row, line = row - piece.rows, line + bytes(piece.view).count(b"\n")
        return f"{self.label}, line {line + row:,}"

    def identity(self) -> Any:
        """Name, size, the last change, and how it was said to be written."""
        stat = self.path.stat()
        given = [] if self.given_encoding is None else [self.given_encoding]
        return [str(self.path.resolve()), stat.st_size, stat.st_mtime_ns, *given]


def stream_of(path: Path) -> pa.NativeFile:
    """The bytes of a file, unpacked if it is compressed."""
    return pa.input_stream(str(path), compression=codec_of(path), buffer_size=1 << 20)

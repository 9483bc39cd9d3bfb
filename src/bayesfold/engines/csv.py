"""Text tables: CSV and TSV, plain or compressed, by pyarrow's streaming reader; what a column holds is our decision.

The first line names the columns. The separator is the first of comma, semicolon, tab and bar that it has. A file is
looked at once before it is read: how many rows it has, and some of them from everywhere in it.
"""

import csv
import io
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.engines import Passing, Survey, Types, spread, survey_of
from bayesfold.lines import (
    LONGEST,
    PIECE,
    Marks,
    Piece,
    Seen,
    Unreadable,
    first_line,
    look,
    pieces,
    rows_at,
    scanned,
    scanned_at,
    shares,
)
from bayesfold.split import Columns, columns_of
from bayesfold.threads import BLOCK, pool, workers
from bayesfold.written import TEXT, is_number, is_words

SEPARATORS = ",;\t|"


@dataclass(frozen=True)
class Csv:
    """A text table in a file."""

    path: Path
    label: str
    is_text = True

    @cached_property
    def _header(self) -> tuple[tuple[str, ...], str, int]:
        """The columns, the separator, and where the rows begin."""
        with stream_of(self.path) as stream:
            line = first_line(stream)
        if not line.strip():
            raise ValueError(f"{self.label} is empty: its first line is to name the columns")
        try:
            text = line.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.label}, line 1: {not_utf8(line[error.start])}") from None
        separator = next((s for s in SEPARATORS if s in text), ",")
        named = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        names = tuple(name or f"column {i + 1}" for i, name in enumerate(named))
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            at = [str(i + 1) for i, name in enumerate(names) if name == twice[0]]
            raise ValueError(
                f"{self.label} has several columns named {twice[0]!r} (columns {', '.join(at)}); rename them"
            )
        return names, separator, len(line)

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns, all of them text."""
        return dict.fromkeys(self._header[0], TEXT)

    # a look

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """Rows at the beginnings of pieces that are spread evenly over the file."""
        seen = self._seen(most)
        text = dict.fromkeys(columns, TEXT)
        if seen.rows > 2 * most and seen.reliable:  # of fewer lines, some may be no rows
            try:
                sample = columns_of(Piece.of(seen.bytes), self._columns(text, {}))
                return Survey(seen.rows, spread(sample, most), self._known(seen))
            except pa.ArrowInvalid:  # a row is not what it should be
                pass
        return replace(survey_of(self.scan(text, {}, known=self._known(seen)), text, most), known=self._known(seen))

    def _known(self, seen: Seen) -> Marks | None:
        """Where rows begin, if one can go there."""
        return seen.marks if seen.reliable and codec_of(self.path) is None else None

    # reading

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """Block after block, a thread a block."""
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
            for task in self._tasks(columns, known):
                under_way.append(pool().submit(task))
                yield from finished(workers())
            yield from finished(0)
        except (pa.ArrowInvalid, Unreadable) as error:
            raise ValueError(self._diagnosis(types, markers, done, str(error))) from None

    def _tasks(self, columns: Columns, known: Marks | None) -> Iterator[Callable[[], pa.Table]]:
        """What is to be done for each block: to read its bytes, if one can go there, and to split them."""
        if known is None:
            with self._rows() as stream:
                for piece in pieces(stream, columns.separator, BLOCK):
                    yield partial(columns_of, piece, columns)
        else:
            for begin, end in shares(known, BLOCK):
                yield partial(self._block, columns, known, begin, end)

    def _block(self, columns: Columns, known: Marks, begin: int, end: int) -> pa.Table:
        return columns_of(rows_at(self.path, self._header[2], known, begin, end, columns.separator), columns)

    def _columns(self, types: Types, markers: Mapping[str, frozenset[str]]) -> Columns:
        names, separator, _ = self._header
        return Columns(names, separator, types, markers)

    def _rows(self) -> pa.NativeFile:
        """The file from its first row on."""
        stream = stream_of(self.path)
        begin = self._header[2]
        while begin:
            begin -= len(stream.read(min(begin, PIECE)))
        return stream

    # errors

    def _diagnosis(self, types: Types, markers: Mapping[str, frozenset[str]], skip: int, error: str) -> str:
        """Which line is wrong, and what to do: the rows that were not read yet are read once more, one by one."""
        names, separator, _ = self._header
        counted = [(names.index(name), name) for name, kind in types.items() if not is_words(kind)]
        with self._rows() as stream, long_fields():
            reader = csv.reader(lines_of(stream), delimiter=separator)
            line, rows = 2, 0
            try:
                for row in reader:
                    if row and rows >= skip:
                        wrong = self._wrong(row, len(names), counted, types, markers)
                        if wrong:
                            return f"{self.label}, line {line}: {wrong}"
                    rows += bool(row)
                    line = reader.line_num + 2
            except csv.Error as other:
                return f"{self.label}, line {line}: {other}"
        return f"{self.label}: {error}"

    def _wrong(
        self,
        row: list[str],
        width: int,
        counted: list[tuple[int, str]],
        types: Types,
        markers: Mapping[str, frozenset[str]],
    ) -> str:
        """What is wrong with a row; empty if nothing is."""
        if len(row) != width:
            quoted = " (a quoted field that holds a line break is one field)" if any("\n" in v for v in row) else ""
            return f"the row has {len(row)} fields, but the first line names {width} columns{quoted}"
        for value in row:
            odd = next((c for c in value if "\udc80" <= c <= "\udcff"), "")
            if odd:
                return not_utf8(ord(odd) - 0xDC00)
        for i, name in counted:
            value = row[i]
            if value and value not in markers.get(name, frozenset()) and not is_number(value, types[name]):
                what = "whole numbers" if pa.types.is_integer(types[name]) else "numbers"
                return (
                    f"column {name!r} holds {what}, but here it is {value!r}; if that marks a missing value, name it "
                    f"in missing=, else read the column as text: columns={{{name!r}: 'text'}}"
                )
        return ""

    def count(self) -> int:
        """Rows, by their line breaks."""
        return self._seen(0).rows

    def _seen(self, most: int) -> Seen:
        """A look at the bytes; a quote that is never closed would swallow all rows behind it."""
        _, separator, begin = self._header
        if codec_of(self.path) is None:
            seen = look(scanned_at(self.path, begin), most, separator, self.path.stat().st_size)
        else:
            with self._rows() as stream:
                seen = look(scanned(stream), most, separator)
        if not seen.reliable:
            line = 2
            with self._rows() as stream, long_fields():
                reader = csv.reader(lines_of(stream), delimiter=self._header[1], strict=True)
                try:
                    for _ in reader:
                        line = reader.line_num + 2
                except csv.Error as error:
                    if "unexpected end" in str(error):
                        raise ValueError(
                            f"{self.label}, line {line}: a quote is opened and never closed, so that the rest of the "
                            "file would be one field; close it, or double it if it is part of the text"
                        ) from None
        return seen

    def place(self, row: int) -> str:
        """The line on which a row stands, if no field before it holds a line break."""
        return f"{self.label}, line {row + 2:,}"

    def identity(self) -> Any:
        """Name, size and the last change."""
        stat = self.path.stat()
        return [str(self.path.resolve()), stat.st_size, stat.st_mtime_ns]


@contextmanager
def long_fields() -> Iterator[None]:
    """Python's csv module refuses fields that it finds too long."""
    limit = csv.field_size_limit(LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def lines_of(stream: pa.NativeFile) -> io.TextIOWrapper:
    """Bytes as lines of text, whatever they are."""
    return io.TextIOWrapper(stream, "utf-8", "surrogateescape", newline="")


def not_utf8(byte: int) -> str:
    """What to do with a byte that is not text."""
    return f"byte 0x{byte:02x} is not UTF-8 text; save the file as UTF-8 (iconv -f latin1 -t utf-8 converts Latin-1)"


def stream_of(path: Path) -> pa.NativeFile:
    """The bytes of a file, unpacked if it is compressed."""
    return pa.input_stream(str(path), compression=codec_of(path), buffer_size=1 << 20)


def codec_of(path: Path) -> str | None:
    """How a file is compressed, if it is."""
    packed = {b"\x1f\x8b": "gzip", b"BZ": "bz2", b"\x28\xb5": "zstd"}
    with path.open("rb") as file:
        return packed.get(file.read(2))

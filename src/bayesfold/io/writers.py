"""Where tables go, block by block: CSV, TSV (both also gzipped), Parquet, Arrow IPC, or standard output as CSV.

A file appears under its name only when all of it has been written: until then it is one of another name beside it.
"""

import gzip
import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc as ipc

from bayesfold.runtime.arrow_buffers import arrow_texts
from bayesfold.runtime.atomic_file import replacing
from bayesfold.runtime.threads import each

FORMATS = {
    ".csv": "csv", ".tsv": "tsv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet",
    ".arrow": "arrow", ".ipc": "arrow", ".feather": "arrow",
}  # fmt: skip
SEPARATORS = {"csv": ",", "tsv": "\t"}
AT_ONCE = 1 << 28
"""Bytes of text made at once."""


class Sink:
    """Takes tables of one schema; used in a `with` statement, at whose end the file is there, or nothing is."""

    def __init__(self, out: Any) -> None:
        self.name = "standard output" if out == "-" else str(out)
        self.path: Path | None = None
        self.packed = False
        self._writer: Any = None
        self._open = ExitStack()
        if hasattr(out, "write"):
            self.format, self._file = "csv", out
        elif out == "-":
            self.format, self._file = "csv", sys.stdout.buffer
        else:
            self.path = Path(os.fspath(out)).expanduser()
            self.format, self.packed = format_of(self.path)

    def write(self, table: pa.Table) -> None:
        """Add rows."""
        if self.format in SEPARATORS:
            if self._writer is None:
                self._writer = SEPARATORS[self.format]
                self._file.write(header_of(table.column_names, self._writer))
            step = max(1, table.num_rows * AT_ONCE // max(1, 4 * table.nbytes))
            for begin in range(0, table.num_rows, step):
                self._file.write(rows_to_text(table.slice(begin, step), self._writer))
            return
        if self._writer is None:
            self._writer = writer_of(self.format)(self._file, table.schema)
        self._writer.write_table(table.cast(self._writer.schema) if self.format == "parquet" else table)

    def __enter__(self) -> Self:
        if self.path is not None:
            self._file = self._open.enter_context(replacing(self.path))
        if self.packed:
            self._file = self._open.enter_context(
                gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=self._file, mtime=0)
            )
        self._open.push(self._finish)  # first of all that is done at the end
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def _finish(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close what writes into the file; after an error too, since it would try later, when the file is closed."""
        if self.format not in SEPARATORS and self._writer is not None:
            with suppress(*(() if kind is None else (pa.ArrowException, OSError, ValueError))):
                self._writer.close()
        if kind is None and self.path is None:
            self._file.flush()


def format_of(path: Path) -> tuple[str, bool]:
    """The format to write, by a file's name, and whether it is gzipped.

    >>> format_of(Path("out.tsv.gz"))
    ('tsv', True)
    """
    packed = path.suffix == ".gz"
    form = FORMATS.get((path.with_suffix("") if packed else path).suffix.lower())
    if form is None or (packed and form not in SEPARATORS):
        known = "*.csv, *.tsv, *.csv.gz, *.parquet, *.arrow"
        raise ValueError(f"{path.name!r} does not say what kind of file to write; let its name end like one of {known}")
    return form, packed


def writer_of(form: str) -> Any:
    """The writer of one of Arrow's formats."""
    if form != "parquet":
        return ipc.new_file
    from pyarrow.parquet import ParquetWriter  # it takes a while to load

    return ParquetWriter


def header_of(names: list[str], separator: str) -> bytes:
    """The line that names the columns."""
    return separator.join(quoted_text(name, separator) for name in names).encode() + b"\n"


def quoted_text(value: str, separator: str) -> str:
    """A field as it stands in a text table."""
    return f'"{value.replace(chr(34), chr(34) * 2)}"' if any(c in value for c in f'"\r\n{separator}') else value


def rows_to_text(table: pa.Table, separator: str) -> memoryview:
    """Rows as lines of text.

    >>> rows = pa.table({"a": ["x", "y;z", None], "b": [0.5, 2.0, None]})
    >>> bytes(rows_to_text(rows, ";")).decode().splitlines()
    ['x;0.5', '"y;z";2', ';']
    """
    columns = each(lambda column: column_to_text(column, separator), table.columns)
    empty, between, end = (arrow_texts([text])[0].cast(pa.large_string()) for text in ("", separator, "\n"))
    options = {"null_handling": "replace", "null_replacement": ""}
    columns[-1] = pc.binary_join_element_wise(columns[-1], empty, end, **options)
    return text_bytes(pc.binary_join_element_wise(*columns, between, **options))


def text_bytes(lines: pa.Array) -> memoryview:
    """The bytes of all texts of an array, one after another."""
    _, ends, data = lines.buffers()
    if data is None:
        return memoryview(b"")
    at = np.frombuffer(ends, np.int64, len(lines) + 1 + lines.offset)[lines.offset :]
    return memoryview(data)[int(at[0]) : int(at[-1])]


def column_to_text(column: pa.ChunkedArray, separator: str) -> Any:
    """A column as fields, quoted where they have to be."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.unify_dictionaries()
        chunks = [to_fields(c.dictionary, separator).take(c.indices) for c in column.chunks]
        return pa.chunked_array(chunks, pa.large_string()).combine_chunks()
    return to_fields(column.combine_chunks(), separator)


def to_fields(values: pa.Array, separator: str) -> pa.Array:
    """Values as fields."""
    is_words = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    text = values.cast(pa.large_string())
    data = np.frombuffer(text_bytes(text), np.uint8) if is_words and len(text) else np.empty(0, np.uint8)
    if not any((data == ord(mark)).any() for mark in f'"\r\n{separator}'):
        return text
    special = f'["\r\n{separator}]'
    quote = arrow_texts(['"'])[0].cast(pa.large_string())
    doubled = pc.replace_substring(text, '"', '""')
    inside = pc.binary_join_element_wise(quote, doubled, quote, arrow_texts([""])[0].cast(pa.large_string()))
    return pc.if_else(pc.match_substring_regex(text, special), inside, text)

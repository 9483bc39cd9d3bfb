"""The front door of tables of any size: paths, globs, "-", lists of them, relations, queries and streams.

A source has one or several parts, read in order by the engine that says that it opens them (`engines`).
"""

import glob
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc as ipc

from bayesfold.data.tables import materialise
from bayesfold.io.csv.charset import resolve_encoding
from bayesfold.io.engines import SourcePart, first_engine
from bayesfold.io.engines._batches import Batches
from bayesfold.io.engines.csv import Csv
from bayesfold.io.signatures import HEAD, codec_of, ends_of, refuse_others
from bayesfold.io.source import Source
from bayesfold.runtime.atomic_file import naming

IN_MEMORY = 1 << 26
"""Most bytes of a stream that are kept in memory; a longer one goes to a temporary file."""


def open_source(what: Any, encoding: str | None = None, decimal: str | None = None) -> Source:
    """The source that a path, a glob, "-" (standard input), a list, a relation, a query or a stream stands for.

    `encoding` and `decimal` say how text files are written, where that is not to be seen from themselves.

    >>> import pyarrow as pa
    >>> open_source(pa.table({"a": [1, 2]})).names
    ('a',)
    """
    source = make_source(what)
    return source if encoding is None and decimal is None else with_encoding(source, encoding, decimal)


def with_encoding(source: Source, encoding: str | None, decimal: str | None) -> Source:
    """A source of text files that are known to be written so."""
    if not source.is_text:
        source.close()
        said = "encoding" if encoding is not None else "decimal"
        raise ValueError(f"{source.name} is not a text file, so {said}= has no meaning for it; leave it out")
    if decimal not in (None, ",", "."):
        raise ValueError(f"decimal={decimal!r} is not ',' or '.'")
    codec = None if encoding is None else resolve_encoding(encoding)
    parts = tuple(replace(part, given_encoding=codec) if isinstance(part, Csv) else part for part in source.parts)
    return replace(source, parts=parts, decimal=decimal)


def make_source(what: Any) -> Source:
    """The source that something stands for."""
    if isinstance(what, Source):
        return what
    if isinstance(what, str | os.PathLike):
        return source_of_text(os.fspath(what))
    if engine := first_engine("takes", what):
        taken = engine.take(what)
        return (
            source_of_batches(taken, "the query") if isinstance(taken, pa.RecordBatchReader) else source_of_part(taken)
        )
    if isinstance(what, list | tuple) and what and all(isinstance(w, str | os.PathLike) for w in what):
        if len(what) == 1 and is_pipe(Path(what[0])):
            return source_of_text(os.fspath(what[0]))
        return source_of_paths([path for w in what for path in expand_paths(os.fspath(w))], ", ".join(map(str, what)))
    if hasattr(what, "read") and not hasattr(what, "schema"):
        return source_of_stream(what, getattr(what, "name", "the stream"))
    if isinstance(what, pa.RecordBatchReader):
        return source_of_batches(what, "the stream")
    what = materialise(what)
    if hasattr(what, "__arrow_c_stream__"):
        table = as_table(what)
        return source_of_part(Batches(table.to_reader, "the table"))
    if isinstance(what, Iterable):
        return source_of_batches(reader_of(iter(what)), "the stream")
    raise TypeError(
        f"{type(what).__name__} is not a source of rows; give a path, a glob, '-' for standard input, a list of paths, "
        "a DuckDB relation or query, (connection, query), a DataFrame of Spark, or anything that gives Arrow record "
        "batches"
    )


def source_of_text(text: str) -> Source:
    """A path, a glob, "-", or a query."""
    if text == "-":
        return source_of_stream(sys.stdin.buffer, "standard input")
    if engine := first_engine("takes", text):
        return source_of_part(engine.take(text))
    if is_pipe(Path(text)):
        with open(text, "rb") as stream:
            return source_of_stream(stream, text)
    return source_of_paths(expand_paths(text), text)


def is_pipe(path: Path) -> bool:
    """Whether a path names what can be read once: a pipe, as in `fit <(zcat t.csv.gz)`, or a device as /dev/stdin."""
    return path.is_fifo() or path.is_char_device()


def source_of_part(part: SourcePart) -> Source:
    """A source of one part."""
    return Source((part,), part.label)


def expand_paths(text: str) -> list[Path]:
    """The files, and folders that an engine reads, that a path or a glob names, in the order of their names."""
    path = Path(text).expanduser()
    if is_readable_folder(path):
        return [path]
    if path.is_dir():
        raise ValueError(f"{text} is a folder; name its files with a glob, for example {os.path.join(text, '*.csv')!r}")
    if path.exists():
        return [path]
    every = [Path(f) for f in sorted(glob.glob(str(path), recursive=True))]
    readable = [f for f in every if not f.is_dir() or is_readable_folder(f)]
    if not readable:
        wild = any(c in text for c in "*?[")
        raise FileNotFoundError(f"no file matches {text!r}" if wild else f"there is no file {text!r}")
    return readable


def source_of_paths(paths: Sequence[Path], name: str) -> Source:
    """The source of several files of one kind."""
    parts = tuple(part_of(path, str(path)) for path in paths)
    kinds = {type(part): part for part in parts}
    if len(kinds) > 1:
        a, b = list(kinds.values())[:2]
        raise ValueError(f"{a.label} and {b.label} are files of different kinds; give files of one kind")
    return Source(parts, name)


def part_of(path: Path, label: str) -> SourcePart:
    """A file or a folder, by the engine that says that it opens it; what none does is text, or no table."""
    if shown(label) != label:  # Arrow opens no such file
        raise ValueError(f"{shown(label)}: {why_no_name(label)}")
    if is_pipe(path):
        raise ValueError(f"{label} is a pipe, which can be read once: give it alone, or write it into a file first")
    ends = None if path.is_dir() else ends_of(path, label)
    engine = first_engine("opens_folder", path) if ends is None else first_engine("opens", ends)
    if engine is not None:
        part: SourcePart = engine.part(path, label)
        return part
    if ends is not None:
        refuse_others(replace(ends, head=unpacked_head(path, ends.head)))
    return Csv(path, label)


def shown(label: str) -> str:
    """A name as it can be printed: of bytes that are not UTF-8, question marks."""
    return label.encode(errors="replace").decode()


def why_no_name(label: str) -> str:
    """Why the name of a file is no text: of its own, or because this process reads names of files as ASCII.

    >>> why_no_name("gr\\udcfcn.csv")
    'the name of this file is not UTF-8; rename it'
    """
    try:
        os.fsencode(label).decode()
    except UnicodeDecodeError:
        return "the name of this file is not UTF-8; rename it"
    locale = sys.getfilesystemencoding()
    return f"names of files are {locale} to this process; set PYTHONUTF8=1 or LC_ALL=C.UTF-8, or rename it"


def unpacked_head(path: Path, head: bytes) -> bytes:
    """The first bytes of what a file holds; of one that cannot be unpacked those of the file, whose reader says so."""
    codec = codec_of(path)
    if codec is None:
        return head
    try:
        with pa.input_stream(str(path), compression=codec) as file:
            return bytes(file.read(HEAD))
    except OSError:
        return head


def is_readable_folder(path: Path) -> bool:
    """Whether a path is a folder that an engine reads as a table."""
    return path.is_dir() and first_engine("opens_folder", path) is not None


def source_of_stream(stream: Any, name: str) -> Source:
    """Bytes that can be read once: kept in a temporary file, because choices come before counting."""
    path = temporary_file()
    try:
        with naming(path), path.open("wb") as file:
            while piece := stream.read(1 << 20):
                file.write(piece)
        return Source((part_of(path, name),), name, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def source_of_batches(reader: pa.RecordBatchReader, name: str) -> Source:
    """Record batches that come once: kept in memory if they are few, else in a temporary file."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in reader:
        held.append(batch)
        size += batch.nbytes
        if size > IN_MEMORY:
            break
    else:
        table = pa.Table.from_batches(held, reader.schema)
        return source_of_part(Batches(table.to_reader, name))
    path = temporary_file()
    try:
        with naming(path), path.open("wb") as kept, ipc.new_stream(kept, reader.schema) as file:
            for batch in held:
                file.write_batch(batch)
            held.clear()
            for batch in reader:
                file.write_batch(batch)
        return Source((part_of(path, name),), name, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def reader_of(items: Iterator[Any]) -> pa.RecordBatchReader:
    """Record batches, tables or lists of dicts, one after another, as a stream."""
    first = next(items, None)
    if first is None:
        raise ValueError("the stream is empty")

    def tables() -> Iterator[pa.Table]:
        yield as_table(first)
        yield from map(as_table, items)

    schema = as_table(first).schema
    return pa.RecordBatchReader.from_batches(schema, (batch for table in tables() for batch in table.to_batches()))


def as_table(table: Any) -> pa.Table:
    """A table or a record batch of any library that speaks Arrow."""
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if isinstance(table, pa.Table):
        return table
    if not hasattr(table, "__arrow_c_stream__"):
        raise TypeError(
            f"a stream of {type(table).__name__} cannot be read; it must give Arrow record batches or tables"
        )
    return pa.RecordBatchReader.from_stream(table).read_all()


def temporary_file() -> Path:
    """The path of a new, empty temporary file."""
    handle, path = tempfile.mkstemp(prefix="bayesfold-")
    os.close(handle)
    return Path(path)

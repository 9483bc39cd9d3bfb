"""The front door of tables of any size: paths, globs, "-", lists of them, relations, queries and streams.

A source has one or several parts, read in order by the engine that their content asks for. Its rows come in blocks of
65,536, whatever the pieces in which an engine delivers them, so that no bit of a sum depends on engines or threads.
"""

import difflib
import glob
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.ipc as ipc

from bayesfold.engines import Part, Survey, Types, mail
from bayesfold.engines.arrow import Batches, Parquet, ipc_file
from bayesfold.engines.csv import Csv
from bayesfold.frame import is_text
from bayesfold.threads import BLOCK
from bayesfold.written import kind_of, typed

IN_MEMORY = 1 << 26
"""Bytes of a stream that are kept in memory; a longer one goes to a temporary file."""

NUMBER = "number"
KINDS = ("text", NUMBER)
"""What a column of a text file can be declared to hold."""


@dataclass(frozen=True)
class Look:
    """What a first look has found: the rows of the source, a sample of them as a table, and how to read the columns."""

    rows: int
    table: pa.Table  # of no rows where an earlier look is remembered
    types: dict[str, pa.DataType]
    markers: Mapping[str, frozenset[str]]
    found_out: frozenset[str] = frozenset()  # columns whose type was read off the sample
    sampled: int = 0

    @property
    def whole(self) -> bool:
        """Whether the sample is all there is."""
        return self.sampled == self.rows

    def wider(self, name: str) -> pa.DataType:
        """The type of a column with room for rows beyond the sample: whole numbers may become broken ones."""
        return pa.float64() if name in self.found_out and pa.types.is_integer(self.types[name]) else self.types[name]


@dataclass
class Source:
    """Parts in their order. `name` is what messages call the whole."""

    parts: tuple[Part, ...]
    name: str
    spool: Path | None = None
    rows_of: list[int] = field(default_factory=list)
    known: list[Any] = field(default_factory=list)  # what looks have shown that scans can use

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the temporary file of a stream."""
        if self.spool is not None:
            self.spool.unlink(missing_ok=True)

    @property
    def engine(self) -> str:
        """The name of the engine that reads it."""
        return type(self.parts[0]).__module__.rpartition(".")[2]

    @property
    def is_text(self) -> bool:
        """Whether columns have no types of their own."""
        return self.parts[0].is_text

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order of the first part."""
        return tuple(self.parts[0].types)

    def require(self, *names: str) -> None:
        """Refuse a column that there is not, with the nearest name that there is."""
        known = self.parts[0].types
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(str(name), known, 1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(map(repr, self.names[:8]))}"
                raise ValueError(f"{self.name} has no column {name!r}{hint}")

    def types(self, columns: Sequence[str]) -> dict[str, pa.DataType]:
        """Columns that every part has, with a type that holds what they have in any of them."""
        first = self.parts[0].types
        found = {name: first[name] for name in columns}
        for part in self.parts[1:]:
            for name in columns:
                if name not in part.types:
                    raise ValueError(
                        f"{part.label} has no column {name!r}, which {self.parts[0].label} has; name the columns that "
                        "all files have in columns=, or leave the file out"
                    )
                found[name] = common(name, found[name], part, self.parts[0])
        return found

    def check_columns(self) -> None:
        """Refuse parts that do not all have the same columns, in whatever order."""
        first = self.parts[0]
        for part in self.parts[1:]:
            more = [name for name in part.types if name not in first.types]
            if more:
                raise ValueError(
                    f"{part.label} has the column {more[0]!r}, which {first.label} lacks; name the columns that all "
                    "files have in columns=, or leave the file out"
                )
        self.types(self.names)

    # a look, and all rows

    def count(self) -> int:
        """The number of rows."""
        if not self.rows_of:
            self.rows_of = [part.count() for part in self.parts]
        return sum(self.rows_of)

    def look(
        self, columns: Sequence[str], most: int, declared: Mapping[str, str], markers: Mapping[str, frozenset[str]]
    ) -> Look:
        """Count the rows, take at most about `most` of them from everywhere, and decide what columns of text hold."""
        types = self.types(columns)
        share = [size_of(part) for part in self.parts]
        surveys = [
            part.survey(columns, max(1, most * size // max(1, sum(share))) if len(share) > 1 else most)
            for part, size in zip(self.parts, share, strict=True)
        ]
        self.rows_of = [survey.rows for survey in surveys]
        if sum(self.rows_of) <= most and sum(s.sample.num_rows for s in surveys) < sum(self.rows_of):
            surveys = [part.survey(columns, most) for part in self.parts]
        self.known = [survey.known for survey in surveys]
        return self._decided(surveys, types, declared, markers)

    def _decided(
        self,
        surveys: list[Survey],
        types: dict[str, pa.DataType],
        declared: Mapping[str, str],
        markers: Mapping[str, frozenset[str]],
    ) -> Look:
        table = pa.concat_tables([s.sample.cast(pa.schema(list(types.items()))) for s in surveys]).unify_dictionaries()
        found_out = frozenset(name for name in types if self.is_text and name not in declared)
        if self.is_text:
            for name in types:
                kind = declared.get(name)
                if kind is None:
                    types[name] = kind_of(distinct(table.column(name)), markers.get(name, frozenset()))
                elif kind == NUMBER:
                    types[name] = pa.float64()
            table = typed(table, types, markers)
        return Look(sum(s.rows for s in surveys), table, types, markers, found_out, table.num_rows)

    def blocks(
        self, types: Types, markers: Mapping[str, frozenset[str]], begin: int = 0
    ) -> Iterator[tuple[int, pa.Table]]:
        """(number of the first row, rows) of each block from row `begin` on, which is the first of a block."""
        held: list[pa.Table] = []
        size, at = 0, begin
        for piece in self._pieces(types, markers, begin):
            while size + piece.num_rows >= BLOCK:
                room = BLOCK - size
                yield at, joined([*held, piece.slice(0, room)])
                at, held, size, piece = at + BLOCK, [], 0, piece.slice(room)
            if piece.num_rows:
                held.append(piece)
                size += piece.num_rows
        if held:
            yield at, joined(held)

    def _pieces(self, types: Types, markers: Mapping[str, frozenset[str]], skip: int) -> Iterator[pa.Table]:
        for i, part in enumerate(self.parts):
            if skip and skip >= self.rows_of[i]:
                skip -= self.rows_of[i]
                continue
            done = skip
            for piece in part.scan(types, markers, skip, self.known[i] if self.known else None):
                done += piece.num_rows
                yield piece
            self.rows_of[i:] = [done] if i == len(self.rows_of) else self.rows_of[i:]
            skip = 0

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        for part, rows in zip(self.parts, self.rows_of, strict=False):
            if row < rows:
                return part.place(row)
            row -= rows
        return self.parts[min(len(self.rows_of), len(self.parts) - 1)].place(row)

    def identity(self) -> Any:
        """What tells this source from others, and from itself after a change."""
        return [part.identity() for part in self.parts]


def joined(pieces: list[pa.Table]) -> pa.Table:
    """Pieces as one table."""
    return pieces[0] if len(pieces) == 1 else pa.concat_tables(pieces, promote_options="permissive")


def distinct(column: pa.ChunkedArray) -> pa.Array:
    """The distinct values of a column of text."""
    chunk = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    return chunk.dictionary.take(chunk.indices.unique()) if pa.types.is_dictionary(chunk.type) else chunk.unique()


def common(name: str, kind: pa.DataType, part: Part, first: Part) -> pa.DataType:
    """A type that holds what a column holds in two parts."""
    other = part.types[name]
    if kind == other or (is_words(kind) and is_words(other)):
        return kind
    if all(pa.types.is_integer(t) or pa.types.is_floating(t) or pa.types.is_decimal(t) for t in (kind, other)):
        return pa.float64()
    raise ValueError(f"column {name!r} holds {kind} in {first.label} and {other} in {part.label}; make them alike")


def is_words(kind: pa.DataType) -> bool:
    """Whether a type is text, plain or in a dictionary."""
    return is_text(kind) or (pa.types.is_dictionary(kind) and is_text(kind.value_type))


def size_of(part: Part) -> int:
    """How large a part is, to share a sample among files."""
    path = getattr(part, "path", None)
    return 1 if path is None else max(1, Path(path).stat().st_size)


# opening


def open_source(what: Any) -> Source:
    """The source that a path, a glob, "-" (standard input), a list, a relation, a query or a stream stands for.

    >>> import pyarrow as pa
    >>> open_source(pa.table({"a": [1, 2]})).names
    ('a',)
    """
    if isinstance(what, Source):
        return what
    if isinstance(what, str | os.PathLike):
        return of_text(os.fspath(what))
    if isinstance(what, list | tuple) and what and all(isinstance(w, str | os.PathLike) for w in what):
        return of_paths([path for w in what for path in expanded(os.fspath(w))], ", ".join(map(str, what)))
    if type(what).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        from bayesfold.engines.duckdb import Relation  # duckdb is optional

        return Source((Relation(what, "the relation"),), "the relation")
    if hasattr(what, "read") and not hasattr(what, "schema"):
        return of_stream(what, getattr(what, "name", "the stream"))
    if isinstance(what, pa.RecordBatchReader):
        return of_batches(what, "the stream")
    if hasattr(what, "__arrow_c_stream__"):
        table = as_table(what)
        return Source((Batches(table.to_reader, "the table"),), "the table")
    if isinstance(what, Iterable):
        return of_batches(reader_of(iter(what)), "the stream")
    raise TypeError(
        f"{type(what).__name__} is no source of rows; give a path, a glob, '-' for standard input, a list of paths, a "
        "DuckDB relation or query, or anything that gives Arrow record batches"
    )


def of_text(text: str) -> Source:
    """A path, a glob, "-", or a query."""
    if text == "-":
        return of_stream(sys.stdin.buffer, "standard input")
    if text.lstrip().lower().startswith(("select ", "from ", "with ")) and not os.path.exists(text):
        from bayesfold.engines.duckdb import query

        return Source((query(text),), "the query")
    return of_paths(expanded(text), text)


def expanded(text: str) -> list[Path]:
    """The files and maildirs that a path or a glob names, in the order of their names."""
    path = Path(text).expanduser()
    if mail.is_maildir(path):
        return [path]
    if path.is_dir():
        raise ValueError(f"{text} is a folder; name its files with a glob, for example {os.path.join(text, '*.csv')!r}")
    if path.exists():
        return [path]
    every = [Path(f) for f in sorted(glob.glob(str(path), recursive=True))]
    found = [f for f in every if not f.is_dir() or mail.is_maildir(f)]
    if not found:
        wild = any(c in text for c in "*?[")
        raise FileNotFoundError(f"no file matches {text!r}" if wild else f"there is no file {text!r}")
    return found


def of_paths(paths: Sequence[Path], name: str) -> Source:
    """Files of one kind."""
    parts = tuple(part_of(path, str(path)) for path in paths)
    kinds = {type(part): part for part in parts}
    if len(kinds) > 1:
        a, b = list(kinds.values())[:2]
        raise ValueError(f"{a.label} and {b.label} are files of different kinds; give files of one kind")
    return Source(parts, name)


def part_of(path: Path, label: str) -> Part:
    """A file, by the engine that its first bytes ask for."""
    if path.is_dir():
        return Batches(partial(mail.reader, path), label, path, partial(mail.identity, path))
    with path.open("rb") as file:
        magic = file.read(6)
    if magic.startswith(b"PAR1"):
        return Parquet(path, label)
    if magic == b"ARROW1" or magic.startswith(b"\xff\xff\xff\xff"):
        return ipc_file(path, label)
    if magic.startswith(b"From "):
        return Batches(partial(mail.reader, path), label, path)
    return Csv(path, label)


def of_stream(stream: Any, name: str) -> Source:
    """Bytes that can be read once: kept in a temporary file, because choices come before counting."""
    path = temporary()
    try:
        with path.open("wb") as file:
            while piece := stream.read(1 << 20):
                file.write(piece)
        return Source((part_of(path, name),), name, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def of_batches(reader: pa.RecordBatchReader, name: str) -> Source:
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
        return Source((Batches(table.to_reader, name),), name)
    path = temporary()
    try:
        with ipc.new_stream(str(path), reader.schema) as file:
            for batch in held:
                file.write_batch(batch)
            held.clear()
            for batch in reader:
                file.write_batch(batch)
        return Source((ipc_file(path, name),), name, path)
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
            f"a stream of {type(table).__name__} cannot be read; it is to give Arrow record batches or tables"
        )
    return pa.RecordBatchReader.from_stream(table).read_all()


def temporary() -> Path:
    """An empty file that nobody else has."""
    handle, path = tempfile.mkstemp(prefix="bayesfold-")
    os.close(handle)
    return Path(path)

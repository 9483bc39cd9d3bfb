"""Record batches that can be had again and again: a part of a source for every engine that can give them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from bayesfold.data.coded import is_view
from bayesfold.data.frame import is_text
from bayesfold.io.engines import Passing, Survey, Types, survey_tables


@dataclass(frozen=True)
class Batches:
    """Record batches that can be had again: an IPC file, a table in memory, a stream kept in a temporary file."""

    open: Callable[[], pa.RecordBatchReader]
    label: str
    path: Path | None = None
    content: Callable[[], Any] | None = None  # what tells it from others, where its size and date do not
    engine: str = "arrow"
    notes: Callable[[], Sequence[str]] = tuple  # what a person should know of how it was read
    is_text = False

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns and what they hold."""
        with self.open() as reader:
            return types_of(reader.schema, self.label)

    def count(self) -> int:
        """Rows in all batches."""
        return sum(batch.num_rows for batch in self._batches())

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """One of each k rows."""
        types = {name: self.types[name] for name in columns}
        return survey_tables(batches_as_tables(self._batches(), types, 0), types, most, passing=passing)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        with self.open() as reader:
            yield from reader

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """Batch after batch."""
        yield from batches_as_tables(self._batches(), types, skip)

    def place(self, row: int) -> str:
        """The row's number, from 1."""
        return f"{self.label}, row {row + 1:,}"

    def identity(self) -> Any:
        """Of a file name, size and the last change; what is in memory has no name of its own."""
        if self.content is not None:
            return self.content()
        return None if self.path is None else file_identity(self.path)


def batches_as_tables(batches: Iterator[pa.RecordBatch], types: Types, skip: int) -> Iterator[pa.Table]:
    """Batches as tables of these columns and types, without the first `skip` rows."""
    for batch in batches:
        if skip >= batch.num_rows:
            skip -= batch.num_rows
            continue
        columns = [plain_column(batch.column(name)) for name in types]
        cast = [c if c.type == kind else as_type(c, kind) for c, kind in zip(columns, types.values(), strict=True)]
        yield pa.Table.from_arrays(cast, list(types)).slice(skip)
        skip = 0


def plain_column(column: pa.Array) -> pa.Array:
    """A column without what Arrow cannot join or choose rows of: runs, and dictionaries in which a value is missing."""
    if pa.types.is_run_end_encoded(column.type):
        import pyarrow.compute as pc  # it takes as long to load as pyarrow itself

        return pc.run_end_decode(column)
    if pa.types.is_dictionary(column.type) and column.dictionary.null_count:
        return column.dictionary_decode().dictionary_encode().cast(column.type)
    return column


def as_type(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """A column as another type; text is as good in a dictionary, and is left there."""
    if pa.types.is_dictionary(column.type) and (is_text(kind) or pa.types.is_dictionary(kind)):
        return column
    if pa.types.is_dictionary(kind):
        return column.cast(pa.large_string()).dictionary_encode()
    return column.cast(kind)


def types_of(schema: pa.Schema, label: str) -> dict[str, pa.DataType]:
    """The columns by name; a name that appears twice is refused."""
    twice = [name for name, times in Counter(schema.names).items() if times > 1]
    if twice:
        raise ValueError(f"{label} has two columns named {twice[0]!r}; rename one")
    return {name: plain_type(kind) for name, kind in zip(schema.names, schema.types, strict=True)}


def plain_type(kind: pa.DataType) -> pa.DataType:
    """What a column of this type is read as: text in views as text, runs as what they are of."""
    kind = kind.value_type if pa.types.is_run_end_encoded(kind) else kind
    return pa.large_string() if is_view(kind) else kind


def file_identity(path: Path) -> Any:
    """What tells a file from others, and from itself after a change."""
    stat = path.stat()
    return [str(path.resolve()), stat.st_size, stat.st_mtime_ns]

"""Arrow's own files and streams: Parquet, IPC (Feather), and whatever can be read as record batches again and again.

Parquet is decoded batch by batch with one thread per column; text stays in the dictionaries in which it is stored.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc

from bayesfold.data.coded import is_view
from bayesfold.data.frame import is_text
from bayesfold.io.engines import Passing, Survey, Types, survey_tables
from bayesfold.io.engines._batches import Batches, batches_as_tables, file_identity, types_of
from bayesfold.io.signatures import Ends, ends_of
from bayesfold.runtime.prefetch import Prefetcher
from bayesfold.runtime.threads import BLOCK

TEXT = pa.dictionary(pa.int32(), pa.string())
SUFFIXES = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
BUFFER = 1 << 18
"""Bytes of a column that are read at once."""
LOOKED_AT = 8
"""Row groups of a Parquet file that are decoded for a sample: evenly spread, the first and the last among them."""


def opens(ends: Ends) -> bool:
    """Whether a file is one of Arrow's."""
    return is_parquet(ends) or is_ipc(ends)


def part(path: Path, label: str) -> "Parquet | Batches":
    """A Parquet or an IPC file."""
    return Parquet(path, label) if is_parquet(ends_of(path, label)) else ipc_file(path, label)


def is_parquet(ends: Ends) -> bool:
    """Whether a file begins as Parquet does, and ends so: with the length of its footer, which fits in, and its name.

    >>> is_parquet(Ends(b"PAR1,y\\n1,p\\n", b"1,p\\n", 11, "t.csv"))
    False
    """
    if not ends.head.startswith(b"PAR1"):
        return False
    footer = int.from_bytes(ends.tail[-8:-4], "little")
    return ends.suffix in (".parquet", ".pq") or (ends.tail.endswith(b"PAR1") and 0 < footer <= ends.size - 12)


def is_ipc(ends: Ends) -> bool:
    """Whether a file is in one of Arrow's two formats of record batches."""
    if ends.head.startswith(b"ARROW1"):
        whole = ends.head[6:8] == b"\0\0" and ends.tail.endswith(b"ARROW1")
        return whole or ends.suffix in (".arrow", ".feather", ".ipc")
    return ends.head.startswith(b"\xff\xff\xff\xff")


@dataclass(frozen=True)
class Parquet:
    """A Parquet file."""

    path: Path
    label: str
    is_text = False

    @cached_property
    def _file(self) -> Any:
        with naming_file(self.label, "Parquet"):
            return parquet_file(self.path)

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns and what they hold."""
        return types_of(self._file.schema_arrow, self.label)

    def count(self) -> int:
        """Rows in the file."""
        return int(self._file.metadata.num_rows)

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """Rows of row groups that are spread over the file, evenly many from each."""
        rows, groups = self.count(), self._file.num_row_groups
        chosen_groups = np.unique(
            np.linspace(0, groups - 1, groups if rows <= most else min(groups, LOOKED_AT)).round().astype(int)
        )
        kinds = {name: TEXT if is_text(self.types[name]) else self.types[name] for name in columns}
        decoded = sum(self._file.metadata.row_group(group).num_rows for group in chosen_groups.tolist())
        seen_by = passing if most < rows == decoded else None
        tables = batches_as_tables(self._batches(columns, chosen_groups.tolist()), kinds, 0)
        with Prefetcher(
            tables, size=lambda table: 1, room=0
        ) as prefetched:  # what waits for long is fresh memory, to be cleared
            return replace(survey_tables(prefetched, kinds, most, max(1, decoded // most), seen_by), rows=rows)

    def _batches(self, columns: Sequence[str], groups: list[int] | None = None) -> Iterator[pa.RecordBatch]:
        text = [name for name in columns if is_text(self.types[name])]
        # to buffer beforehand would be to hold the whole file, and without a size each column of a row group
        file = parquet_file(self.path, read_dictionary=text, pre_buffer=False, buffer_size=BUFFER)
        with naming_file(self.label, "Parquet"):
            for batch in file.iter_batches(BLOCK, groups, list(columns)):
                batch.validate(full=True)
                yield batch

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """Batch after batch; row groups that are to be left out are not read."""
        first = 0
        while first < self._file.num_row_groups and skip >= (size := self._file.metadata.row_group(first).num_rows):
            skip, first = skip - size, first + 1
        yield from batches_as_tables(
            self._batches(list(types), list(range(first, self._file.num_row_groups))), types, skip
        )

    def place(self, row: int) -> str:
        """The row's number, from 1."""
        return f"{self.label}, row {row + 1:,}"

    def identity(self) -> Any:
        """Name, size and the last change."""
        return file_identity(self.path)


def ipc_file(path: Path, label: str) -> Batches:
    """An IPC file in either of Arrow's two formats.

    It is read, not mapped into memory: a mapped file that becomes shorter meanwhile would end the process.
    """

    def batches(reader: Any) -> Iterator[pa.RecordBatch]:
        many = isinstance(reader, ipc.RecordBatchFileReader)
        with naming_file(label, "Arrow IPC"):
            for batch in (reader.get_batch(i) for i in range(reader.num_record_batches)) if many else reader:
                batch.validate(full=True)  # what says where a text begins is as likely damaged as the text
                yield pa.RecordBatch.from_arrays(
                    [empty_missing_views(column) for column in batch.columns], schema=batch.schema
                )

    def read() -> pa.RecordBatchReader:
        with naming_file(label, "Arrow IPC"):
            file = pa.OSFile(str(path))
            of_file = file.read(6) == b"ARROW1"
            file.seek(0)
            reader = ipc.open_file(file) if of_file else ipc.open_stream(file)
            return pa.RecordBatchReader.from_batches(reader.schema, batches(reader))

    return Batches(read, label, path)


def empty_missing_views(column: pa.Array) -> pa.Array:
    """A column of a file; of views of text those of missing cells are emptied: they are not validated, but looked at
    when the column is cast."""
    if not is_view(column.type) or not column.null_count:
        return column
    valid, views, *texts = column.buffers()
    places = np.frombuffer(views, np.int32).reshape(-1, 4)[: column.offset + len(column)].copy()
    bits = np.unpackbits(np.frombuffer(valid, np.uint8), count=len(places), bitorder="little")
    places[bits == 0] = 0
    buffers = [valid, pa.py_buffer(places), *texts]
    return pa.Array.from_buffers(column.type, len(column), buffers, offset=column.offset)


@contextmanager
def naming_file(label: str, form: str) -> Iterator[None]:
    """What is wrong with the bytes of a file is said with its name."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError) as error:
        raise ValueError(f"{label} cannot be read as {form}: {error}") from None


def parquet_file(path: Path, **options: Any) -> Any:
    """A Parquet file, opened; what does that takes a while to load, and most files are text."""
    from pyarrow.parquet import ParquetFile

    return ParquetFile(path, **options)

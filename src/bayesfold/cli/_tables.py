"""Tables in files and pipes: the one door through which commands read and write rows."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
from numpy.typing import NDArray

from bayesfold.buffers import numbers
from bayesfold.cli._files import replacing
from bayesfold.cli._names import existing

ENDINGS = (".csv", ".tsv", ".txt", ".gz", ".parquet", ".pq", ".arrow", ".feather", ".ipc")
NULLS = ["", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"]


@dataclass(frozen=True)
class Table:
    """Rows as they were read, and what messages call them."""

    arrow: pa.Table
    label: str

    @cached_property
    def names(self) -> dict[str, int]:
        """Where each column stands."""
        return {name: j for j, name in enumerate(self.arrow.column_names)}

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.arrow.num_rows)

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        return f"{self.label}, row {row + 1:,}"

    def taken(self, rows: NDArray[Any]) -> pa.Table:
        """Some of the rows."""
        return self.arrow.take(numbers(rows.astype(np.int64)))


def read(paths: Sequence[str], text: Sequence[str] = (), markers: Sequence[str] = ()) -> Table:
    """The rows of files, one after another; columns named in `text` are text, `markers` mean missing."""
    tables = [one(path, text, markers) for path in paths]
    label = ", ".join("standard input" if p == "-" else p for p in paths)
    whole = pa.concat_tables(tables, promote_options="permissive") if len(tables) > 1 else tables[0]
    twice = [name for name, times in Counter(whole.column_names).items() if times > 1]
    if twice:
        raise ValueError(f"{label} has two columns named {twice[0]!r}; rename one")
    return Table(whole, label)


def one(path: str, text: Sequence[str], markers: Sequence[str]) -> pa.Table:
    """The rows of one file."""
    if path == "-":
        data = sys.stdin.buffer.read()
        return of_bytes(BytesIO(data), data[:6], "standard input", "", text, markers)
    found = existing(path, ENDINGS)
    with found.open("rb") as file:
        magic = file.read(6)
    return of_bytes(str(found), magic, path, found.name, text, markers)


def of_bytes(source: Any, magic: bytes, label: str, name: str, text: Sequence[str], markers: Sequence[str]) -> pa.Table:
    """A table by what its first bytes are."""
    if magic.startswith(b"PAR1"):
        import pyarrow.parquet as pq

        return pq.read_table(source)
    if magic == b"ARROW1":
        import pyarrow.feather as feather

        return feather.read_table(source)
    if not magic:
        raise ValueError(f"{label} is empty; a table begins with a line of column names")
    stream: Any = source
    if magic.startswith(b"\x1f\x8b"):
        stream = pa.CompressedInputStream(pa.OSFile(source) if isinstance(source, str) else source, "gzip")
    delimiter = "\t" if Path(name.removesuffix(".gz")).suffix in (".tsv", ".tab") else ","
    try:
        return csv.read_csv(
            stream,
            parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                null_values=[*NULLS, *markers], column_types=dict.fromkeys(text, pa.string())
            ),
        )
    except pa.ArrowInvalid as error:
        raise ValueError(f"{label} cannot be read as a table: {error}") from None


def write(table: pa.Table, out: str | None, like: str = "") -> None:
    """Rows into a file by its ending, or to standard output as CSV."""
    if out is None or out == "-":
        csv.write_csv(table, sys.stdout.buffer)
        return
    with replacing(out) as fresh:
        name = out.removesuffix(".gz")
        if name.endswith((".parquet", ".pq")):
            import pyarrow.parquet as pq

            pq.write_table(table, fresh)
        elif name.endswith((".arrow", ".feather", ".ipc")):
            import pyarrow.feather as feather

            feather.write_feather(table, str(fresh))
        else:
            options = csv.WriteOptions(delimiter="\t" if name.endswith((".tsv", ".tab")) else ",")
            stream: Any = pa.OSFile(str(fresh), "wb")
            if out.endswith(".gz"):
                stream = pa.CompressedOutputStream(stream, "gzip")
            with stream:
                csv.write_csv(table, stream, options)


def with_columns(table: pa.Table, more: Mapping[str, pa.Array]) -> tuple[pa.Table, dict[str, str]]:
    """A table with columns behind its own; a name that is taken is changed, and the changes are told."""
    renamed: dict[str, str] = {}
    for name, values in more.items():
        free, n = name, 2
        while free in table.column_names:
            free, n = f"{name} {n}", n + 1
        if free != name:
            renamed[name] = free
        table = table.append_column(free, values)
    return table, renamed

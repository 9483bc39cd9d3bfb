"""Tables in files and pipes, for a model that knows its columns: the one door through which commands read rows."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.cli._names import find_file
from bayesfold.cli._words import warn
from bayesfold.data.dates import columns_for
from bayesfold.data.frame import Frame
from bayesfold.io.blocks import joined
from bayesfold.io.engines import endings
from bayesfold.io.open import is_readable_folder, open_source
from bayesfold.io.predict import frame_of, kinds_of, types_of
from bayesfold.io.source import Source
from bayesfold.learning.trained import Trained
from bayesfold.runtime.arrow_buffers import arrow_numbers
from bayesfold.runtime.progress import Watcher, watch

Kinds = Mapping[str, tuple[str, frozenset[str]]]


@contextmanager
def open_tables(
    paths: Sequence[str], encoding: str | None, decimal: str | None, allow_missing: bool | None = None
) -> Iterator[Source]:
    """The source that paths, maildirs, globs or - stand for; at the end it is told how odd files were read.

    allow_missing: what --allow-missing says, where a command has it.
    """
    with find_source(paths, encoding, decimal) as source:
        source.allow_missing = bool(allow_missing)
        source.advice = "" if allow_missing is None else " (--allow-missing treats it as missing in every row)"
        try:
            yield source
        except ValueError:  # a name that is not there may be there in another encoding
            with suppress(ValueError, OSError):  # what cannot be read has been said
                tell_how_read(source)
            raise
        tell_how_read(source)


def tell_how_read(source: Source) -> None:
    """Say once how files were read that are not written as most are."""
    for said in source.notes():
        if said not in source.notes_shown:
            source.notes_shown.append(said)
            warn(said)


def find_source(paths: Sequence[str], encoding: str | None, decimal: str | None) -> Source:
    """The source; a misspelt path is answered with the nearest."""
    if "-" in paths:
        if len(paths) > 1:
            raise ValueError("- is all of standard input; it cannot be read together with files")
        return open_source("-", encoding, decimal)
    for path in paths:
        if path.lower().endswith(".numbers"):
            raise ValueError(f"{path} is a spreadsheet of Numbers; save it as an Excel or a CSV file there")
        if not any(c in path for c in "*?[") and not is_readable_folder(Path(path).expanduser()):
            find_file(path, endings())
    source = open_source(list(paths), encoding, decimal)
    source.check_columns()
    return source


@dataclass(frozen=True)
class SourceTable:
    """Rows of a source; columns of a text file are text, each as its model wants it read."""

    arrow: pa.Table
    source: Source
    kinds: Kinds
    begin: int = 0
    chosen: NDArray[np.int64] | None = None  # the rows, where they do not stand one after the other

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.source.name

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
        return self.source.place(self.begin + row if self.chosen is None else int(self.chosen[row]))

    def taken(self, rows: NDArray[Any]) -> "SourceTable":
        """Some of the rows."""
        chosen = rows.astype(np.int64)
        return SourceTable(self.arrow.take(arrow_numbers(chosen)), self.source, self.kinds, 0, self.begin + chosen)

    def frame(self, trained: Trained) -> Frame:
        """The columns that the model reads."""
        return frame_of(self.source, self.arrow, trained.model_.schema, self.kinds, self.begin)


def read_blocks(
    trained: Trained, source: Source, columns: Sequence[str] = (), watcher: Watcher | None = None
) -> Iterator[SourceTable]:
    """The rows of a source for a model, block by block, with these columns besides its own; none where it is empty."""
    schema = trained.model_.schema
    source.require_features(schema.sources, trained.target)
    source.require(*columns)
    kinds = kinds_of(schema) if source.is_text else {}
    needed = {*columns_for(schema.sources, source.names), *columns} or set(source.names[:1])  # no columns have no rows
    types = {name: kind for name, kind in types_of(source, kinds).items() if name in needed}
    for begin, table in watch(source.blocks(types, {}), source.count() if watcher else 0, watcher):
        yield SourceTable(table, source, kinds, begin)


def read_all(trained: Trained, source: Source, columns: Sequence[str] = ()) -> SourceTable:
    """All rows of a source at once."""
    every = list(read_blocks(trained, source, columns))
    if not every:
        raise ValueError(f"{source.name} has column names and no rows")
    return SourceTable(joined([block.arrow for block in every]), source, every[0].kinds)

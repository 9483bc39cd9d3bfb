"""Where rows come from: one file per engine.

An engine reads a `SourcePart`: one file, relation or stream, too large to be looked at as a whole, whose rows come in
a fixed order. It says itself what it reads; all of this is optional:

SUFFIXES            how names of its files end
opens(ends)         whether it reads the file that has these `Ends`; what nobody reads is read as text
opens_folder(path)  whether it reads that folder
part(path, label)   the part in a file or a folder, which messages call `label`
takes(what)         whether it reads this object, or what this text says
take(what)          the part that this stands for, or a reader of record batches that come once

A part may also be able to count what it holds: `grouped(columns, times, most)` gives each combination of values with
the number of rows that show it, `class_tables(...)` those of each of several columns with the class; and of a part
whose rows stay where they are (`Remote`) nothing else is asked.

Every engine is asked, so what is slow to load or optional it imports when it reads. `_batches` makes a part of whatever
can give Arrow's record batches again and again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.runtime.arrow_buffers import arrow_numbers, empty_table
from bayesfold.runtime.registry import Plugs

PLUGS = Plugs(__name__, "engine")
MIXER = 2_654_435_769
"""2^32 over the golden ratio."""

Types = Mapping[str, pa.DataType]
"""The type that each column is to be read as."""
Passing = Callable[[pa.Table], None]
"""Called with each table as it passes."""


@dataclass(frozen=True)
class Survey:
    """What a look at a part has found: how many rows it has, and some of them, spread over all of it, in their order.

    Columns of a text file are text here: what they hold is decided when all parts have been looked at.
    """

    rows: int
    sample: pa.Table
    known: Any = None  # what the part's next scan need not find out again; nobody else looks into it


Sampling = Callable[[Survey], Any]
"""Work on a sample, done wherever it is."""
Folding = Callable[[Iterator[pa.Table], str], Any]
"""Work on some of the rows; the text says which they are."""
Merging = Callable[[Sequence[Any]], Any]
"""Merges several results into one."""


@dataclass(frozen=True)
class Fold:
    """What is found in all rows: in some of them, and then of what was found in several."""

    work: Folding
    merge: Merging


Scoring = Callable[[pa.Table], list[pa.Array]]
"""Makes new columns from rows."""


class SourcePart(Protocol):
    """One file, relation or stream."""

    @property
    def label(self) -> str:
        """What messages call it."""
        ...

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The columns in their order, each with the type that it has by itself."""
        ...

    @property
    def is_text(self) -> bool:
        """Whether the columns have no types of their own."""
        ...

    def count(self) -> int:
        """The number of rows."""
        ...

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """The number of rows, and about `most` of them; all of them where there are no more.

        Where a look has to pass over all rows, `passing` sees every one of them, in their order.
        """
        ...

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """The columns named in `types` as those types, in pieces of any size; the first `skip` rows are left out.

        `markers` are the texts that mean "missing" in a column of numbers; `known` is what a survey has found out.
        """
        ...

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        ...

    def identity(self) -> Any:
        """What tells this part from others, and from itself after a change."""
        ...


class Remote(SourcePart, Protocol):
    """A part whose rows stay where they are: work is sent to them, and what it finds comes back, or what it raises."""

    def sampled(self, columns: Sequence[str], most: int, work: Sampling, passing: Fold | None = None) -> Any:
        """What is found on at most about `most` rows, always the same ones, and what is found in all rows on the way;
        that is None where there is no way, because all rows are in the sample."""
        ...

    def folded(self, columns: Sequence[str], fold: Fold) -> Any:
        """What is found in all rows, some by some, and merged."""
        ...

    def mapped(self, added: Types, work: Scoring, out: Any = None) -> Any:
        """The rows with new columns, wherever they are; or how many there are, once they are written to `out`."""
        ...


def first_engine(question: str, what: Any) -> Any:
    """The first engine that says yes to a question about something, if one does."""
    for name in PLUGS.names():
        engine = PLUGS.load(name)
        if hasattr(engine, question) and getattr(engine, question)(what):
            return engine
    return None


def endings() -> tuple[str, ...]:
    """How names of files end that some engine reads.

    >>> ".parquet" in endings()
    True
    """
    return tuple(ending for name in PLUGS.names() for ending in getattr(PLUGS.load(name), "SUFFIXES", ()))


def survey_tables(
    tables: Iterable[pa.Table], types: Types, most: int, step: int = 1, passing: Passing | None = None
) -> Survey:
    """A look at tables as they pass: one of each `step` rows is held, fewer whenever too many are; then `most`."""
    held = [empty_table(types)]
    rows, kept = 0, 0
    for table in tables:
        if passing is not None:
            passing(table)
        piece = table.take(arrow_numbers(pick_one_of_each(rows, rows + table.num_rows, step)))
        rows, kept = rows + table.num_rows, kept + piece.num_rows
        held.append(piece)
        if kept > 2 * most:
            step *= 2
            held = [pa.concat_tables(held).unify_dictionaries().take(arrow_numbers(pick_one_of_each(0, kept, 2)))]
            kept = held[0].num_rows
    return Survey(rows, spread_sample(pa.concat_tables(held, promote_options="permissive"), most))


def spread_sample(table: pa.Table, most: int) -> pa.Table:
    """At most `most` rows of a table, evenly spread."""
    rows = table.num_rows
    if rows <= most:
        return table
    ends = np.arange(most + 1) * rows // most
    return table.take(arrow_numbers(ends[:-1] + scatter(np.arange(most)) % np.diff(ends)))


def pick_one_of_each(begin: int, end: int, step: int) -> NDArray[np.int64]:
    """Which of rows begin ... end - 1 to take, counted from `begin`: one of each `step` rows, now this one, now that.

    Every step-th row would be always of the same class where rows of two classes take turns.
    """
    groups = np.arange(begin // step, -(-end // step))
    rows = groups * step + scatter(groups) % step
    chosen: NDArray[np.int64] = rows[(rows >= begin) & (rows < end)] - begin
    return chosen


def scatter(numbers_: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers that look as if they had been drawn, the same for the same numbers.

    A product alone (Knuth's multiplicative hash) makes the choice in one half of the rows that of the next halving too,
    and of classes that take turns by fours most rows would be of two; so high bits are mixed into low ones, twice.
    """
    hashes: NDArray[np.int64] = numbers_ * MIXER % (1 << 32)
    hashes = (hashes ^ hashes >> 15) * MIXER % (1 << 32)
    return hashes ^ hashes >> 16

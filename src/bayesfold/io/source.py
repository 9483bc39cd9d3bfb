"""The rows of a source: its parts in their order, what they have in common, a look at them, and all of them in blocks.

Rows come in blocks of 65,536, whatever the pieces in which an engine delivers them, so that no bit of a sum depends on
engines or threads.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from bayesfold.data.dates import absent_in_words, columns_for
from bayesfold.data.number_format import USUAL
from bayesfold.io.blocks import Cut
from bayesfold.io.column_formats import NumberFormats, distinct_texts, read_formatted
from bayesfold.io.csv.charset import UTF8, name_encoding
from bayesfold.io.csv.column_types import TEXT, has_long_digits, to_types
from bayesfold.io.engines import Passing, Remote, SourcePart, Survey, Types
from bayesfold.io.engines.csv import Csv
from bayesfold.io.look import LEAST_NUMBERS, Look
from bayesfold.io.part_types import common_part_type, size_of
from bayesfold.runtime.arrow_buffers import Spare
from bayesfold.runtime.messages import listed, suggest
from bayesfold.runtime.prefetch import Prefetcher
from bayesfold.runtime.threads import each

AHEAD = 1 << 26
"""Most bytes of blocks that have been read and wait."""
NUMBER = "number"
KINDS = ("text", NUMBER)
"""What a column of a text file can be declared to hold."""


@dataclass
class Source:
    """Parts in their order. `name` is what messages call the whole."""

    parts: tuple[SourcePart, ...]
    name: str
    spool: Path | None = None
    rows_of: list[int] = field(default_factory=list)  # of each part, as a look has found
    delivered: list[int] = field(default_factory=list)  # of each part that was read to its end
    known: list[Any] = field(default_factory=list)  # what looks have shown that scans can use
    decimal: str | None = None  # the mark before the decimals, where it was said
    allow_missing: bool = False  # whether a column that the source lacks is one of unknown values
    advice: str = ""  # what to do about a column that is not there, beside a better name
    absent: list[str] = field(default_factory=list)  # columns that were wanted and taken for unknown
    notes_shown: list[str] = field(default_factory=list)  # notes that a person has seen
    spare: Spare = field(default_factory=Spare)  # memory for the columns of one block after the other

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
        first = self.parts[0]
        return getattr(first, "engine", type(first).__module__.rpartition(".")[2])

    @property
    def is_text(self) -> bool:
        """Whether columns have no types of their own."""
        return self.parts[0].is_text

    @property
    def remote(self) -> Remote | None:
        """The part whose rows stay where they are, if this is one."""
        first: Any = self.parts[0]
        return first if hasattr(first, "folded") else None

    @property
    def groups(self) -> bool:
        """Whether rows are in a database that counts groups of equal ones itself."""
        return len(self.parts) == 1 and hasattr(self.parts[0], "grouped")

    def grouped(self, columns: Sequence[str], times: str, most: int) -> pa.Table | None:
        """Each combination of values of these columns and, as a column `times`, how many rows show it; None where there
        are more than `most`."""
        part: Any = self.parts[0]
        groups: pa.Table | None = part.grouped(columns, times, most)
        return groups

    def class_tables(
        self, columns: Sequence[str], by: str, classes: Sequence[Any], rows: int, times: str, most: int
    ) -> list[pa.Table] | None:
        """The same of each of these columns with the class, all at once, where the database is quick at that; of
        `classes` there may be more."""
        part: Any = self.parts[0]
        if not hasattr(part, "class_tables"):
            return None
        tables: list[pa.Table] | None = part.class_tables(columns, by, classes, rows, times, most)
        return tables

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order of the first part."""
        return tuple(self.parts[0].types)

    @property
    def files(self) -> list[Path]:
        """The files and folders that people named; what is kept of a stream is not theirs."""
        paths = (getattr(part, "path", None) for part in self.parts)
        return [path for path in paths if path is not None and path != self.spool]

    def require(self, *names: str, target: str | None = None, advice: str = "") -> None:
        """Refuse a column that there is not, with the nearest name that there is (never a target) and advice."""
        known = self.parts[0].types
        for name in names:
            if name not in known:
                others = [other for other in self.names if other != target]
                raise ValueError(
                    f"{self.name} has no column {absent_in_words(name)}; {suggest(name, others, 'it has')}{advice}"
                )

    def require_features(self, names: Sequence[str], target: str | None) -> None:
        """Refuse a source that lacks one of these columns; where that is allowed, one that lacks all of them."""
        names = columns_for(names, self.names)
        self.absent = [name for name in names if name not in self.names] if self.allow_missing else []
        if self.absent and len(self.absent) == len(names):
            raise ValueError(f"{self.name} has none of the columns of the model: {listed(names)}")
        self.require(*(name for name in names if name not in self.absent), target=target, advice=self.advice)

    def types(self, columns: Sequence[str]) -> dict[str, pa.DataType]:
        """Columns that every part has, with a type that holds what they have in any of them."""
        first = self.parts[0].types
        types = {name: first[name] for name in columns}
        for part in self.parts[1:]:
            for name in columns:
                if name not in part.types:
                    raise ValueError(
                        f"{part.label} has no column {name!r}, which {self.parts[0].label} has; name the columns that "
                        "all files have in columns=, or leave the file out"
                    )
                types[name] = common_part_type(name, types[name], part, self.parts[0])
        return types

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
        self,
        columns: Sequence[str],
        most: int,
        declared: Mapping[str, str],
        markers: Mapping[str, frozenset[str]],
        passing: Passing | None = None,
    ) -> Look:
        """Count the rows, take at most about `most` of them from everywhere, and decide what columns of text hold.

        `passing` sees the rows that are passed over on the way, if the columns are of one type in all parts.
        """
        types = self.types(columns)
        if any(part.types[name] != types[name] for part in self.parts for name in columns):
            passing = None
        share = [size_of(part) for part in self.parts]
        surveys = [
            part.survey(columns, max(1, most * size // max(1, sum(share))) if len(share) > 1 else most, passing)
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
        usual: dict[str, list[str]] = {}
        if self.is_text:
            asked = [name for name in types if name not in declared]
            kinds = each(
                lambda name: self._kind(name, distinct_texts(table.column(name)), markers.get(name)),
                asked,
                table.num_rows,
            )
            types |= {name: kind for name, (kind, _) in zip(asked, kinds, strict=True)}
            types |= {name: pa.float64() for name in types if declared.get(name) == NUMBER}
            usual = {name: marks for name, (_, marks) in zip(asked, kinds, strict=True) if marks}
            markers = {**markers, **{name: markers[name].union(marks) for name, marks in usual.items()}}
            table = to_types(table, types, markers, self.number_formats.use_for(types))
        return Look(sum(s.rows for s in surveys), table, types, markers, found_out, table.num_rows, usual)

    def _kind(self, name: str, values: pa.Array, markers: frozenset[str] | None) -> tuple[pa.DataType, list[str]]:
        """What a column of text holds, and what in it is taken to mean missing though nobody said so.

        That are the usual marks among numbers, in a column that may have markers: one of classes has none.
        """
        kind = self.number_formats.kind_of(name, values, markers or frozenset())
        if markers is None and pa.types.is_floating(kind) and has_long_digits(values):
            return TEXT, []  # as numbers, two classes might become one
        if kind != TEXT or markers is None:
            return kind, []
        marks = [v for v in values.to_pylist() if v.strip() in USUAL and v not in markers]
        if not marks or len(values) - len(marks) < LEAST_NUMBERS:
            return kind, []
        kind = self.number_formats.kind_of(name, values, markers.union(marks))
        return kind, [] if kind == TEXT else marks

    def blocks(
        self, types: Types, markers: Mapping[str, frozenset[str]], begin: int = 0
    ) -> Iterator[tuple[int, pa.Table]]:
        """(number of the first row, rows) of each block from row `begin` on, which is the first of a block."""
        cut = Cut(begin)
        for piece in self._pieces(types, markers, begin):
            yield from cut.blocks(piece)
        yield from cut.rest()

    def ahead(
        self, types: Types, markers: Mapping[str, frozenset[str]], begin: int = 0
    ) -> Prefetcher[tuple[int, pa.Table]]:
        """The same blocks, read from now on by a thread of its own."""
        return Prefetcher(self.blocks(types, markers, begin), lambda block: int(block[1].nbytes), AHEAD)

    def _pieces(self, types: Types, markers: Mapping[str, frozenset[str]], skip: int) -> Iterator[pa.Table]:
        for i, part in enumerate(self.parts):
            if skip and i < len(self.delivered) and skip >= self.delivered[i]:
                skip -= self.delivered[i]
                continue
            done = skip
            formats = self.number_formats.use_for(types)
            read = {name: TEXT if name in formats else kind for name, kind in types.items()}
            for piece in part.scan(read, markers, skip, self.known[i] if self.known else None):
                yield read_formatted(piece, formats, markers, part, done) if formats else piece
                done += piece.num_rows
            self.delivered[i : i + 1] = [done]
            skip = 0

    @cached_property
    def number_formats(self) -> NumberFormats:
        """How numbers are written in the text files."""
        return NumberFormats([part for part in self.parts if isinstance(part, Csv)], self.decimal)

    def notes(self) -> list[str]:
        """What a person should know of how the files were read."""
        guessed = [part for part in self.number_formats.parts if part.given_encoding is None and part.encoding != UTF8]
        letters = [
            f"{part.label} is read as {name_encoding(part.encoding)} text; encoding= says otherwise{part.hint}"
            for part in guessed
        ]
        titles = [
            f"{part.label}: what stands above the names of the columns ({part.title!r}) is taken for a title"
            for part in self.number_formats.parts
            if part.title
        ]
        unknown = [f"{self.name} has no column {name!r}; its values are taken for unknown" for name in self.absent]
        paths = Counter(path.resolve() for part in self.parts if (path := getattr(part, "path", None)) is not None)
        twice = [f"{path.name} is read {n} times, and its rows count as often" for path, n in paths.items() if n > 1]
        own = [said for part in self.parts for said in getattr(part, "notes", tuple)()]
        return letters + titles + twice + own + unknown + self.number_formats.notes()

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        known = [*self.delivered, *self.rows_of[len(self.delivered) :]]
        for part, rows in zip(self.parts, known, strict=False):
            if row < rows:
                return part.place(row)
            row -= rows
        return self.parts[min(len(known), len(self.parts) - 1)].place(row)

    def identity(self) -> Any:
        """What tells this source from others, and from itself after a change."""
        written = [] if self.decimal is None else [self.decimal]
        return [*(part.identity() for part in self.parts), *written]

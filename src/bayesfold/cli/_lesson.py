"""A look at a table before it is learned: what its columns hold, which rows have a class, what is left out."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.cli import _rows
from bayesfold.cli._doubts import Doubt, alike, doubt
from bayesfold.cli._names import known
from bayesfold.cli._rows import Rows
from bayesfold.cli._tables import tell
from bayesfold.cli._words import counted, say, warn
from bayesfold.data.tables import frame as frame_of
from bayesfold.io.column_formats import distinct
from bayesfold.io.csv.column_types import TEXT, words
from bayesfold.io.csv.number_format import USUAL, undressed
from bayesfold.io.sample import LEAST_ROWS, MOST_CELLS, MOST_ROWS
from bayesfold.io.selection import Wanted
from bayesfold.io.source import Look, Source
from bayesfold.learning.discover import ColumnReport, ColumnTable, markers
from bayesfold.runtime.messages import listed

DATES = "left out: dates or times; add a column that says what matters about them (weekday, hour, days since ...)"
MOST_CLASSES = 8
MOST_DOUBTS = 8
MOST_VALUES = 2_000
"""Values of a column that are looked at."""
MANY = 20
"""From so many rows on, a target in which more than half of them differ is no class."""


@dataclass(frozen=True)
class Lesson:
    """What is to be learned: a look at the source, and the rows that were looked at, which may be all of them."""

    source: Source
    wanted: Wanted
    look: Look
    rows: Rows
    left_out: dict[str, str]
    missing: dict[str, list[Any]]  # what means missing, by column ("*": in all)

    @classmethod
    def of(
        cls,
        source: Source,
        target: str,
        weight: str | None,
        drop: Sequence[str],
        text: Sequence[str],
        missing: Mapping[str, list[Any]],
    ) -> "Lesson":
        """All columns but the target, the weight and those to drop; those of `text` are prose."""
        (target,), drop = named(source, (target,)), named(source, drop)
        weight = named(source, (weight,))[0] if weight else None
        types = source.types(source.names)
        aside = {target, weight, *drop}
        left_out = {n: DATES for n in source.names if n not in aside and pa.types.is_temporal(types[n])}
        features = tuple(n for n in source.names if n not in aside and n not in left_out)
        if not features:
            raise ValueError(f"{source.name} has no column to learn from besides {target!r}")
        wanted = Wanted(features, target, weight)
        most = int(max(LEAST_ROWS, min(MOST_ROWS, MOST_CELLS // len(wanted.all))))
        marks = dict(missing)
        prose = dict.fromkeys(text, "text") | source.dresses.as_written(target)
        look = source.look(wanted.all, most, prose, {name: words(markers(marks, name)) for name in features})
        if not look.rows or look.table is None:
            raise ValueError(f"{source.name} has column names and no rows")
        if usual := usual_marks(source, look.table, [n for n in features if n not in prose]) if source.is_text else {}:
            marks |= {name: [*marks.get(name, []), *some] for name, some in usual.items()}
            look = source.look(wanted.all, most, prose, {name: words(markers(marks, name)) for name in features})
        assert look.table is not None
        labels = _rows.coded(look.table.column(target), target)
        own = None if weight is None else _rows.weights(look.table, weight, source.name)
        rows = _rows.kept(frame_of(look.table.select(list(features))), labels, own)
        check_target(rows, target, source.name)
        return cls(source, wanted, look, rows, left_out, marks)

    def place(self, row: int) -> str:
        """Where a row stands that was looked at, for a person."""
        return self.source.place(row) if self.look.whole else f"{self.source.name}, a row of the sample"

    @cached_property
    def doubts(self) -> dict[str, Doubt]:
        """What to look at in columns of text that may not be what they seem."""
        table, found = self.look.table, {}
        for name in self.wanted.features if table is not None and self.source.is_text else ():
            column = table.column(name)
            if pa.types.is_dictionary(column.type):
                values = undressed(distinct(column)[:MOST_VALUES].drop_null(), self.source.dresses.of(name))
                found[name] = doubt(name, values.to_pylist())
        return {name: why for name, why in found.items() if why is not None}

    def told(self, columns: ColumnTable) -> ColumnTable:
        """The column table in the words of the file: what is read from it in dictionaries is text there."""
        plain = self.source.is_text
        lines = [replace(c, why=re.sub("^categories", "text", c.why)) if plain else c for c in columns]
        rather = {name: one.rather for name, one in self.doubts.items() if one.rather}
        lines = [
            replace(c, why=f"left out: {rather[c.name]}") if not c.family and c.name in rather else c for c in lines
        ]
        return ColumnTable((*lines, *(ColumnReport(name, "", why) for name, why in self.left_out.items())))

    def greet(self) -> None:
        """What was read."""
        classes = self.rows.labels.levels
        counts = np.bincount(self.rows.labels.index, minlength=len(classes))
        order = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
        many = self.rows.frame.rows if self.look.whole else self.look.rows
        shown = ", ".join(f"{classes[k]} {counts[k]:,}" if self.look.whole else str(classes[k]) for k in order)
        more = f" and {len(classes) - MOST_CLASSES} more" if len(classes) > MOST_CLASSES else ""
        gone = self.rows.unlabelled
        aside = f" ({counted(gone, 'row')} without a class put aside)" if gone else ""
        columns = counted(len(self.wanted.features), "column")
        say(f"{self.source.name}: {counted(many, 'row')}{aside}, {columns}; classes: {shown}{more}\n")

    def remarks(self, missing: Mapping[str, list[Any]], declared: Collection[str]) -> None:
        """What was taken to mean missing though nobody said so, and what to look at in columns that nobody declared."""
        if pairs := alike(map(str, self.rows.classes)):
            warn(f"classes differ in case or spaces only: {pairs}; write them alike, or they are told apart")
        tell(self.source)
        doubts = [one.said for name, one in self.doubts.items() if name not in declared]
        for why in doubts[:MOST_DOUBTS]:
            warn(why)
        if len(doubts) > MOST_DOUBTS:
            warn(f"and {counted(len(doubts) - MOST_DOUBTS, 'more column')} like these")
        for name, every in self.missing.items():
            if fresh := [m for m in every if m not in missing.get(name, [])]:
                said = " and ".join(map(repr, fresh))
                warn(f"{said} in column {name!r} is taken to mean missing: the rest are numbers")


def named(source: Source, names: Sequence[str]) -> tuple[str, ...]:
    """Columns as the source calls them."""
    return tuple(known("column", name, source.names, f"{source.name}: ") for name in names)


def which_target(source: Source) -> str:
    """What to say where nobody said which column is to be predicted."""
    return f"say which column to predict, with --target NAME; {source.name} has {listed(source.names, 12)}"


def usual_marks(source: Source, table_: pa.Table, features: Sequence[str]) -> dict[str, list[str]]:
    """Columns of text that are numbers but for what people often write for a missing one, and that.

    >>> from bayesfold.runtime.arrow_buffers import texts
    >>> from bayesfold.io.open import open_source
    >>> columns = [texts(["1", "2", "NA", "3"]).dictionary_encode(), texts(["a", "NA", "b", "c"]).dictionary_encode()]
    >>> pets = pa.Table.from_arrays(columns, ["x", "y"])
    >>> usual_marks(open_source(pets), pets, ["x", "y"])
    {'x': ['NA']}
    """
    found: dict[str, list[str]] = {}
    for name in features:
        column = table_.column(name)
        if pa.types.is_dictionary(column.type):
            values = distinct(column)
            told = [v for v in values.to_pylist() if v in USUAL]
            if told and len(values) - len(told) > 1 and source.dresses.kind_of(name, values, frozenset(told)) != TEXT:
                found[name] = told
    return found


def check_target(rows: Rows, target: str, label: str) -> None:
    """Refuse a target that says nothing, or that is not a class."""
    classes, n = rows.classes, rows.frame.rows
    if len(classes) == 1:
        raise ValueError(
            f"{label}: the target {target!r} is {classes[0]!r} in every row; there is nothing to tell apart. Give rows "
            "of at least two classes"
        )
    if n >= MANY and len(classes) > n / 2:
        number = all(isinstance(c, int | float) for c in classes)
        what = "a quantity; cut it into a few ranges first" if number else "an identifier; choose another column"
        raise ValueError(f"{label}: the target {target!r} has {len(classes):,} values in {n:,} rows: that is {what}")

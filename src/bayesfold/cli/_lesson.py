"""A look at a table before it is learned: what its columns hold, which rows have a class, what is left out."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bayesfold.cli._names import resolve_name
from bayesfold.cli._rows import check_group
from bayesfold.cli._tables import tell_how_read
from bayesfold.cli._words import count_things, say, warn
from bayesfold.io.doubts import Doubt
from bayesfold.io.fit import taken_for_missing
from bayesfold.io.look import Look
from bayesfold.io.remarks import find_doubts, remarks_on_columns, remarks_on_rows
from bayesfold.io.rows import Rows
from bayesfold.io.sample import Sample, look_at, with_marks
from bayesfold.io.selection import Selection, unknown_labels
from bayesfold.io.source import Source
from bayesfold.io.speculative import Early
from bayesfold.learning.column_table import ColumnTable
from bayesfold.runtime.messages import listed

MOST_CLASSES = 8
MANY = 20
"""From this many rows on, a target in which more than half of them differ is not a class."""


@dataclass(frozen=True)
class Lesson:
    """What is to be learned: a look at the source, and the rows that were looked at, which may be all of them."""

    sample: Sample
    declared: dict[str, str]  # what columns of a text file hold, where that was said
    missing: dict[str, list[Any]]  # what means missing, by column ("*": in all)

    @classmethod
    def of(
        cls,
        source: Source,
        target: str,
        weight: str | None,
        drop: Sequence[str],
        declared: Mapping[str, str],
        missing: Mapping[str, list[Any]],
        guess: Callable[[Selection], Early | None],
        groups: str | None = None,
    ) -> "Lesson":
        """All columns but the target, the weight, the rows' groups and those to drop; `guess` gives what counts rows on
        the way."""
        (target,) = resolve_columns(source, (target,))
        drop = resolve_columns(source, drop, target)
        weight = resolve_columns(source, (weight,), target)[0] if weight else None
        refuse_left_out(target, drop)
        if weight == target:
            raise ValueError(f"{target!r} cannot be the target and the weight of rows; name another column")
        group = resolve_columns(source, (groups,), target)[0] if groups else None
        check_group(group, target, weight)
        aside = {target, weight, group, *drop}
        features = tuple(n for n in source.names if n not in aside)
        if not features:
            raise ValueError(f"{source.name} has no column to learn from besides {target!r}")
        selection = Selection(features, target, weight, unknown_labels(missing, target), group)
        sample = look_at(source, selection, declared, missing, guess(selection))
        check_target(sample, target)
        return cls(sample, dict(declared), with_marks(missing, sample.look.usual))

    @property
    def source(self) -> Source:
        """Where the rows are."""
        return self.sample.source

    @property
    def selection(self) -> Selection:
        """The columns to be learned."""
        return self.sample.selection

    @property
    def look(self) -> Look:
        """What a look has shown."""
        return self.sample.look

    @property
    def rows(self) -> Rows:
        """The rows that were looked at and have a class."""
        return self.sample.rows

    @cached_property
    def doubts(self) -> dict[str, Doubt]:
        """What to look at in columns of text that may not be what they seem."""
        return find_doubts(self.sample, self.missing)

    def in_words_of_file(self, columns: ColumnTable) -> ColumnTable:
        """The column table in the words of the file: what is read from it in dictionaries is text there."""
        plain = self.source.is_text
        lines = [replace(c, why=re.sub("^categories", "text", c.why)) if plain else c for c in columns]
        rather = {name: one.rather for name, one in self.doubts.items() if one.rather}
        lines = [
            replace(c, why=f"left out: {rather[c.name]}") if not c.family and c.name in rather else c for c in lines
        ]
        return ColumnTable(lines)

    def greet(self) -> None:
        """Print what was read."""
        classes = self.rows.labels.levels
        counts = np.bincount(self.rows.labels.index, minlength=len(classes))
        order = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
        many = self.rows.frame.rows if self.look.whole else self.look.rows
        shown = ", ".join(f"{classes[k]} {counts[k]:,}" if self.look.whole else str(classes[k]) for k in order)
        more = f" and {len(classes) - MOST_CLASSES} more" if len(classes) > MOST_CLASSES else ""
        gone = self.rows.unlabelled
        aside = f" ({count_things(gone, 'row')} without a class put aside)" if gone else ""
        if gone and not self.look.whole:  # how many there are in all is said when all are read
            aside = " (those without a class are put aside)"
        columns = count_things(len(self.selection.features), "column")
        say(f"{self.source.name}: {count_things(many, 'row')}{aside}, {columns}; classes: {shown}{more}\n")

    def remarks(self, declared: Collection[str]) -> None:
        """What was taken to mean missing though nobody said so, and what to look at in columns that nobody declared."""
        for said in remarks_on_rows(self.sample):
            warn(said)
        tell_how_read(self.source)
        for said in remarks_on_columns(self.doubts, declared):
            warn(said)
        for name, marks in self.look.usual.items():
            warn(taken_for_missing(name, marks))


def resolve_columns(source: Source, names: Sequence[str], target: str | None = None) -> tuple[str, ...]:
    """Columns as the source calls them; who misspells one does not mean the target."""
    others = [name for name in source.names if name != target or name in names]
    return tuple(resolve_name("column", name, others, f"{source.name}: ") for name in names)


def refuse_left_out(target: str, drop: Sequence[str]) -> None:
    """Refuse a target that is to be left out."""
    if target in drop:
        raise ValueError(f"{target!r} cannot be the target and a column to leave out; name another column with --drop")


def ask_for_target(source: Source) -> str:
    """The message for a missing --target, with the columns there are."""
    return f"say which column to predict, with --target NAME; {source.name} has {listed(source.names, 12)}"


def check_target(sample: Sample, target: str) -> None:
    """Refuse a target that says nothing, or that is not a class."""
    classes, n, label = sample.rows.classes, sample.rows.frame.rows, sample.source.name
    if sample.look.whole:
        check_classes(classes, target, label)
    if n >= MANY and len(classes) > n / 2:
        number = all(isinstance(c, int | float) for c in classes)
        what = "a quantity; cut it into a few ranges first" if number else "an identifier; choose another column"
        raise ValueError(f"{label}: the target {target!r} has {len(classes):,} values in {n:,} rows: that is {what}")


def check_classes(classes: Sequence[Any], target: str, label: str) -> None:
    """Refuse a target with a single value."""
    if len(classes) == 1:
        raise ValueError(
            f"{label}: the target {target!r} is {classes[0]!r} in every row; there is nothing to tell apart. Give rows "
            "of at least two classes"
        )

"""Columns counted while rows are looked at, on a guess of how they will be read: text as categories, numbers as normal.

Where a look at a source has to pass over all its rows, what a model of columns side by side will most likely need is
counted on the way. When the choices are made, what was guessed right is taken, and only the rest is counted in a pass
of its own. The counts and the bits are the same: rows come in the same blocks, into the same tables.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Column, Schema
from bayesfold.io.blocks import Cut
from bayesfold.io.selection import Selection, read_rows
from bayesfold.io.source import Source
from bayesfold.learning.more_rows import added
from bayesfold.learning.one_column import kind_of, markers
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally

TARGET = "class"
"""The name of the target in a discovered schema, unless a column has that name."""
FEW_LEVELS = 4_096
"""A column with more levels may be an identifier: it is left to a pass that knows."""


@dataclass
class Early:
    """What was counted so far; `tally` is None before the first block, and for good once something was odd."""

    source: Source
    selection: Selection
    missing: Any
    declared: Collection[str]  # columns of which nothing is to be guessed
    cut: Cut = field(default_factory=Cut)
    tally: Tally | None = None
    given_up: bool = False
    unlabelled: int = 0  # rows without a class, which were put aside

    @property
    def rows(self) -> int:
        """How many rows are counted."""
        return 0 if self.given_up else self.cut.at

    def see(self, piece: pa.Table) -> None:
        """Count the blocks that a piece more makes whole."""
        if not self.given_up:
            for at, table in self.cut.blocks(piece):
                self._count(at, table)

    def rest(self) -> None:
        """Count the rows behind the last whole block."""
        if not self.given_up:
            for at, table in self.cut.rest():
                self._count(at, table)

    def _count(self, at: int, table: pa.Table) -> None:
        """Count a block; what is wrong with its rows, the pass that follows will say."""
        try:
            rows = read_rows(self.source, table, self.selection, at)
            if self.tally is None:
                self.tally = empty_guess(self.missing, self.declared, rows.frame, rows.weight is not None)
            self.tally = added(drop_many_levels(self.tally, rows.frame), rows.frame, rows.labels, rows.weight)
            self.unlabelled += rows.unlabelled
        except (TypeError, ValueError):
            self.given_up, self.tally = True, None

    def known(self, model: Any, rows: int) -> tuple[Clique, ...]:
        """Of the tables that a model of so many rows needs, those that were counted as it needs them."""
        if self.tally is None or self.rows != rows or model.schema.target.name != TARGET:
            return ()
        if self.tally.schema.target.levels != model.schema.target.levels:  # a class that the choices do not know
            return ()
        mine, theirs = self.tally.schema.columns, model.schema.columns
        alike = {name for name in mine if name in theirs and mine[name].blank() == theirs[name].blank()}
        counted = self.tally.layout.offsets
        return tuple(
            c for c in model.tally.layout.cliques if c in counted and alike.issuperset({*c.keys, *c.terms} - {TARGET})
        )

    def joined(self, model: Any, known: Sequence[Clique], rest: Tally) -> Tally:
        """The tables of a model: those that were known, and the rest, which was counted since."""
        assert self.tally is not None
        mine = self.tally.schema
        ours = {name for clique in known for name in (*clique.keys, *clique.terms)} - {TARGET}
        columns = {c.name: grow_levels(c, mine.columns[c.name]) for c in model.schema.features if c.name in ours}
        features = tuple(columns.get(c.name) or rest.schema.columns[c.name] for c in model.schema.features)
        schema = replace(model.schema, features=features)
        alone = replace(schema, features=tuple(columns[c.name] for c in mine.features if c.name in ours))
        layout = Layout(schema, model.tally.layout.cliques)
        return Tally.side_by_side(layout, [self.tally.on(alone, tuple(known)), rest])


def grow_levels(column: Column, other: Column) -> Column:
    """A column with the levels that it did not know."""
    return column.united(other) if type(column) is type(other) else column


def empty_guess(missing: Any, declared: Collection[str], frame: Frame, weighted: bool) -> Tally:
    """A tally of no rows for every column whose reading can be guessed."""
    if TARGET in frame.names:
        raise ValueError("the target will have another name")
    features: list[Column] = []
    for name in frame.names:
        if name in declared:
            continue
        if kind_of(frame.column(name)) == "number":
            features.append(Real(name, missing=markers(missing, name)))
        else:
            levels = frame.coded(name).levels
            features.append(Categories(name, missing=markers(missing, name, levels)))
    return Tally.zero(Schema(Categories(TARGET), tuple(features)), class_cliques(features), weighted)


def class_cliques(features: Sequence[Column]) -> tuple[Clique, ...]:
    """The table of each column with the class, and the class by itself."""
    alone = (Clique((c.name, TARGET)) if c.slots else Clique((TARGET,), (c.name,), 2) for c in features)
    return (Clique((TARGET,)), *alone)


def drop_many_levels(tally: Tally, frame: Frame) -> Tally:
    """The tally without the columns that show too many levels."""
    many = {c.name for c in tally.schema.categories if max(len(c.levels), len(frame.coded(c.name).levels)) > FEW_LEVELS}
    if not many:
        return tally
    features = tuple(c for c in tally.schema.features if c.name not in many)
    return tally.on(replace(tally.schema, features=features), class_cliques(features))

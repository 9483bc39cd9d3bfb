"""Tables of categories counted by a database: what comes out of it is groups of equal values, each with its size.

Where an engine can group (`Part.grouped`), the table of a column of categories with the class is one GROUP BY, and the
column never leaves the database; some do all columns at once (`Part.class_tables`). The groups are then read as rows
are, each as many rows as it has, so that what a level, a missing value or an unknown class is, is decided in one place.
Numbers are summed here as ever: to the bit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

import pyarrow as pa
import pyarrow.compute as pc

from bayesfold.data.dates import columns_for
from bayesfold.data.own_names import own_name
from bayesfold.data.schema import Schema
from bayesfold.io.order import sort_new_levels
from bayesfold.io.rows import Rows
from bayesfold.io.selection import Selection, read_rows
from bayesfold.io.source import Source
from bayesfold.learning.more_rows import added
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally

MOST_GROUPS = 1 << 20
"""A column with more groups is read row by row: it may name rows."""


@dataclass
class Grouped:
    """What a database has counted: the tally of each column, once it was asked for."""

    source: Source
    selection: Selection
    sample: pa.Table  # rows that were looked at
    tallies: dict[Clique, Tally] = field(default_factory=dict)
    rows: int = 0
    unlabelled: int = 0  # rows without a class, which were put aside

    def known(self, model: Model | Pool, rows: int) -> tuple[Clique, ...]:
        """Of the tables that a model of so many rows needs, those that the database counts; they are counted now."""
        schema, self.rows = model.schema, rows
        target = schema.target.name
        name_of_clique = dict(class_tables_of(model, self.selection.features))
        groups = self._groups(tuple(dict.fromkeys(name_of_clique.values())))
        self.tallies = {}
        for clique, name in name_of_clique.items():
            if name in groups:
                alone = replace(schema, features=(schema.columns[clique.keys[0]],))
                self.tallies[clique] = sort_new_levels(count_weighted(groups[name], alone, clique), alone)
                self.unlabelled = groups[name].unlabelled
        classes = Clique((target,))
        if self.tallies and classes in model.tally.layout.offsets:
            self.tallies[classes] = sum_over_column(next(iter(self.tallies.values())), classes)
        return tuple(self.tallies)

    def _groups(self, names: Sequence[str]) -> dict[str, Rows]:
        """The values of columns with the classes, as rows weighted by how many of them there are."""
        target = self.selection.target
        times = own_name((*names, target), "times")
        classes = [one for one in pc.unique(self.sample.column(target)).to_pylist() if one is not None]
        at_once = self.source.class_tables(names, target, classes, self.rows, times, MOST_GROUPS) if names else None
        by_name = {}
        for place, name in enumerate(names):
            table = self.source.grouped([name, target], times, MOST_GROUPS) if at_once is None else at_once[place]
            if table is not None:
                rows = read_rows(self.source, table, Selection((name,), target, times, self.selection.unknown), 0)
                assert rows.weight is not None
                by_name[name] = replace(rows, unlabelled=self.rows - int(rows.weight.sum()))
        return by_name

    def joined(self, model: Model | Pool, known: Sequence[Clique], rest: Tally) -> Tally:
        """The tables of a model: those that the database has counted, and the rest, which was counted since."""
        every = [*self.tallies.values(), rest]
        target = reduce(or_, (Schema(tally.schema.target) for tally in every)).target
        columns = {c.name: c for tally in every for c in tally.schema.features}
        schema = replace(model.schema, target=target, features=tuple(columns[c.name] for c in model.schema.features))
        alike = [tally.on(replace(tally.schema, target=target)) for tally in every]
        return Tally.side_by_side(Layout(schema, model.tally.layout.cliques), alike)


def class_tables_of(model: Model | Pool, features: Sequence[str]) -> Iterator[tuple[Clique, str]]:
    """The tables of a column of categories with the class, and the source's column that each is of."""
    categories = {c.name: c for c in model.schema.categories}
    for clique in model.tally.layout.cliques:
        column = categories.get(clique.keys[0])
        if column is not None and not clique.terms and clique.keys == (column.name, model.schema.target.name):
            (name,) = columns_for([column.origin], features)
            yield clique, name


def count_weighted(rows: Rows, schema: Schema, clique: Clique) -> Tally:
    """Rows that each stand for several equal ones, counted as those."""
    tally = Tally.zero(schema, (clique,), weighted=True)
    if rows.frame.rows:
        tally = added(tally, rows.frame, rows.labels, rows.weight)
    plain = Tally.zero(tally.schema, (clique,))
    plain.counts[:] = tally.weights[0]  # whole numbers, far below 2^53
    return plain


def sum_over_column(tally: Tally, classes: Clique) -> Tally:
    """The rows of each class, of the table of a column: every row has one of its values, or none."""
    total = Tally.zero(Schema(tally.schema.target), (classes,))
    total.counts[:] = tally.counts.reshape(-1, tally.schema.target.slots).sum(0)
    return total

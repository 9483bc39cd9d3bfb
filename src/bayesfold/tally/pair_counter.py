"""Tables over several columns and the class: pairs of few slots counted in bitmaps, others each by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.column_major import codes_by_column
from bayesfold.kernels.counting import joints
from bayesfold.runtime.threads import BLOCK, each
from bayesfold.tally import bitmaps
from bayesfold.tally.bitmaps import BitmapColumn, PairTables
from bayesfold.tally.clique_index import index_cliques
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class CrossTables:
    """The tables of a layout over several columns and the class, by how they are counted."""

    cliques: tuple[Clique, ...]
    every: NDArray[np.intp]  # places of these tables among the cliques
    pairs: PairTables  # in bitmaps
    others: tuple[Clique, ...]  # each by itself
    axes: Mapping[str, int]  # the slots of the columns in `pairs` ...
    alone: Mapping[str, int]  # ... and where their own tables begin
    rest: Sequence[int]  # places of cliques that are no such tables

    @classmethod
    def of(cls, layout: Layout) -> "CrossTables":
        """Sorted out once for a layout."""
        known = layout.plans.get("cross tables")
        if known is None:
            target, cliques, index = layout.schema.target.name, layout.cliques, index_cliques(layout.cliques)
            tables = index.tables_over(target)
            if not tables.any():
                none = PairTables((), *np.empty((3, 0), np.intp))
                rest: Sequence[int] = range(len(cliques))
                known = layout.plans["cross tables"] = cls(cliques, np.empty(0, np.intp), none, (), {}, {}, rest)
                return known
            slots, firsts = index.slots(layout.schema.axis), layout.firsts
            two = np.flatnonzero(tables & (index.many == 3))
            a, b = index.columns[two, :2].T if len(two) else np.empty((2, 0), np.intp)
            suits = bitmaps.suits(slots[a], slots[b])
            pairs = PairTables(index.names, a[suits], b[suits], np.array(layout.starts[0])[two[suits]].astype(np.intp))
            axes = {name: layout.schema.axis(name) for name in pairs.columns}
            alone = {name: firsts[name, target] for name in axes if (name, target) in firsts}
            single, every = tables.copy(), np.flatnonzero(tables)
            single[two[suits]] = False
            others, rest = tuple(cliques[i] for i in np.flatnonzero(single).tolist()), np.flatnonzero(~tables).tolist()
            known = layout.plans["cross tables"] = cls(cliques, every, pairs, others, axes, alone, rest)
        return cast(CrossTables, known)

    def columns(self, batch: Batch) -> dict[str, BitmapColumn]:
        """The columns that are counted in bitmaps."""
        return {name: BitmapColumn.of(batch, name, slots) for name, slots in self.axes.items()} if batch.rows else {}

    def count(self, tally: Tally, batch: Batch, columns: Mapping[str, BitmapColumn], alone: Mapping[str, int]) -> None:
        """Add a batch's rows; of the columns in `alone` also to the tables, with the class alone, that begin there."""
        layout, group = tally.layout, batch.labels
        assert group is not None
        if columns:
            bitmaps.count_in_bitmaps(group, tally.schema.target.slots, columns, self.pairs, alone, tally.counts)
        single = tuple(self.cliques[i] for i in self.every.tolist()) if tally.weighted else self.others
        if not single:
            return
        names = tuple(dict.fromkeys(key for clique in single for key in clique.keys[:-1]))
        codes_of, at, uncounted = (
            codes_by_column(batch, tally.schema, names),
            {n: i for i, n in enumerate(names)},
            set(self.others),
        )

        def one(clique: Clique) -> None:
            shape = layout.shape(clique)
            places = np.array([at[key] for key in clique.keys[:-1]], np.intp)
            strides = np.cumprod((1, *shape[:0:-1]), dtype=np.intp)[:0:-1].copy()
            cells = slice(layout.offsets[clique][0], layout.offsets[clique][0] + prod(shape))
            if clique in uncounted:
                joints.counts(codes_of, places, strides, group, 0, batch.rows, tally.counts[cells])
            if tally.weighted:
                for begin in range(0, batch.rows, BLOCK):
                    sums, end = np.zeros(prod(shape)), min(begin + BLOCK, batch.rows)
                    joints.weights(codes_of, places, strides, group, batch.weights, begin, end, sums)
                    tally.add_weights(cells, sums)

        each(one, single, batch.rows)

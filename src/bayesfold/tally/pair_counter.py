"""Tables over several columns and the class: pairs of few slots counted in bitmaps, others each by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import cast

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.column_major import codes_by_column
from bayesfold.kernels.counting import joints
from bayesfold.runtime.threads import BLOCK, each
from bayesfold.tally import bitmaps
from bayesfold.tally.bitmaps import BitmapColumn
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class CrossTables:
    """The tables of a layout over several columns and the class, by how they are counted."""

    every: tuple[Clique, ...]
    pairs: tuple[tuple[str, str, int], ...]  # in bitmaps: the columns, and where the table begins
    others: tuple[Clique, ...]  # each by itself
    axes: Mapping[str, int]  # the slots of the columns in `pairs` ...
    alone: Mapping[str, int]  # ... and where their own tables begin
    rest: tuple[Clique, ...]  # cliques that are no such tables

    @classmethod
    def of(cls, layout: Layout) -> "CrossTables":
        """Sorted out once for a layout."""
        known = layout.plans.get("cross tables")
        if known is None:
            target, axis = layout.schema.target.name, layout.schema.axes
            axes: dict[str, int] = {}
            firsts = layout.firsts
            pairs, every, others, rest = [], [], [], []
            suits = cache(bitmaps.suits)
            for clique in layout.cliques:
                keys = clique.keys
                if clique.terms or len(keys) < 3 or keys[-1] != target:
                    rest.append(clique)
                    continue
                every.append(clique)
                a, b = keys[:2]
                if len(keys) == 3 and suits(axis[a], axis[b]):
                    axes[a], axes[b] = axis[a], axis[b]
                    pairs.append((a, b, firsts[keys]))
                else:
                    others.append(clique)
            alone = {name: firsts[name, target] for name in axes if (name, target) in firsts}
            sorted_out = cls(tuple(every), tuple(pairs), tuple(others), axes, alone, tuple(rest))
            known = layout.plans["cross tables"] = sorted_out
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
        single = self.every if tally.weighted else self.others
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

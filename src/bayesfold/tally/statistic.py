"""The statistic: SELECT keys, COUNT(*), SUM(terms) GROUP BY keys, for several sets of keys at once.

A tally is a group: tallies add, subtract, scale and project. Counts are exact integers; sums of floats are pairs of
doubles (hi, lo), so that taking rows out leaves what a fresh count of the others would give.

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Schema
>>> s = Schema(Categories("y", ("no", "yes")), (Categories("x", ("a", "b")),))
>>> t = Tally.zero(s, (Clique(("x", "y")),))
>>> t.counts[:] = [0, 0, 0, 0, 2, 1, 0, 0, 4]
>>> (t + t - t).table("x", "y").tolist()            # slot 0 of each axis is "missing"
[[0, 0, 0], [0, 2, 1], [0, 0, 4]]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.data.united import say_the_same
from bayesfold.kernels.counting import moments
from bayesfold.tally.layout import Clique, Layout, Span

LARGEST = 2.0**500
"""|x| is clipped here before it is summed, so that its square is finite."""

VANISHED = 1e-150
"""A cell that has decayed to less than this weighs nothing: squares of smaller numbers would be no numbers."""


@dataclass(frozen=True)
class Cells:
    """What a family reads: stacked cells of several columns, one row per slot (or real column), one column per group.

    `starts[j]` is the first row of column j. `high + low` are the sums of order 1..order, innermost.
    """

    starts: NDArray[np.intp]
    count: NDArray[np.int64]
    mass: Any  # the sums of row weights; the counts themselves where every row weighs 1 ...
    rest: Floats  # ... and their low parts; no columns for counts
    high: Floats
    low: Floats
    column: Any = None  # the column that the sums are of

    @property
    def weight(self) -> Floats:
        """The weight in each cell."""
        return np.asarray(self.mass, np.float64)


class Tally:
    """Counts and sums of every clique in flat arrays; `weights` has no columns while every row weighs 1."""

    def __init__(self, layout: Layout, counts: NDArray[np.int64], weights: Floats, sums: Floats) -> None:
        self.layout = layout
        self.counts = counts
        self.weights = weights
        self.sums = sums
        self.inserted: NDArray[np.intp] | None = None  # where cells were inserted to make this of a shorter tally
        self.views: dict[Any, Any] = {}  # what looks into the arrays above; emptied when one of them is replaced

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "views": {}}  # a view of a copy would no longer look into its arrays

    @classmethod
    def zero(cls, schema: Schema, cliques: Sequence[Clique], weighted: bool = False) -> "Tally":
        """An empty tally over these cliques."""
        layout = Layout(schema, tuple(cliques))
        layout.check()
        return cls.empty(layout, weighted)

    @classmethod
    def empty(cls, layout: Layout, weighted: bool = False) -> "Tally":
        """An empty tally of this layout."""
        cells, sums = layout.size
        return cls(layout, np.zeros(cells, np.int64), np.zeros((2, cells if weighted else 0)), np.zeros((2, sums)))

    @classmethod
    def side_by_side(cls, layout: Layout, parts: Sequence["Tally"]) -> "Tally":
        """A tally of this layout, whose cliques are in tallies of the same rows, each from the first that has it.

        All are on the layout's schema, or each on some columns of it.
        """
        layout.check()
        both = cls.empty(layout, parts[0].weighted)
        for i, clique in enumerate(layout.cliques):
            part = next(p for p in parts if clique in p.layout.places)
            (to, add), (cells, sums) = layout.runs(i), part.layout.runs(part.layout.places[clique])
            both.counts[to] = part.counts[cells]
            if both.weighted:
                both.weights[:, to] = part.weights[:, cells]
            if add.start < add.stop:
                both.sums[:, add] = part.sums[:, sums]
        return both

    @property
    def schema(self) -> Schema:
        """What the axes mean."""
        return self.layout.schema

    @property
    def weighted(self) -> bool:
        """Whether cells carry float weights beside their row counts."""
        return bool(self.weights.shape[1])

    def table(self, *keys: str) -> NDArray[np.int64]:
        """Row counts over these keys, as an array with one axis per key."""
        clique = next(c for c in self.layout.cliques if c.keys == keys and not c.terms)
        table: NDArray[np.int64] = cut(self.counts, self.layout.offsets[clique][0], self.layout.shape(clique))
        return table

    def cells(self, span: Span) -> Cells:
        """The cells of a span, as views."""
        view = self.views.get(id(span))
        if view is None:
            rows, groups, _ = span.shape
            count = self.counts[span.cells].reshape(rows, groups)
            mass, rest = count, np.empty((rows, 0))
            if self.weighted:
                mass, rest = (half[span.cells].reshape(rows, groups) for half in self.weights)
            high, low = (half[span.sums].reshape(span.shape) for half in self.sums)
            view = self.views[id(span)] = span, Cells(span.starts, count, mass, rest, high, low, span.column)
        return cast(Cells, view[1])

    def add_weights(self, cells: slice, sums: Any) -> None:
        """Add weights to a run of cells."""
        moments.add(self.weights[0, cells], self.weights[1, cells], sums, np.zeros_like(sums), 1.0)

    def add(self, other: "Tally", sign: int = 1) -> None:
        """self += sign * other, in place; both have the same layout."""
        if other.weighted and not self.weighted:
            self.weights = unit_weights(self.counts)
            self.views.clear()
        if self.weighted:
            theirs = other.weights if other.weighted else unit_weights(other.counts)
            moments.add(self.weights[0], self.weights[1], theirs[0], theirs[1], float(sign))
        np.add(self.counts, sign * other.counts if sign < 0 else other.counts, out=self.counts)
        moments.add(self.sums[0], self.sums[1], other.sums[0], other.sums[1], float(sign))
        if sign < 0:
            self._clear(self.counts == 0)

    def _clear(self, empty: NDArray[np.bool_]) -> None:
        """Cells that weigh nothing sum to exactly 0."""
        if self.weighted:
            self.weights[:, empty] = 0.0
        if self.sums.shape[1] and empty.any():
            self.sums[:, np.repeat(empty, self._sums_per_cell)] = 0.0

    @property
    def _sums_per_cell(self) -> NDArray[np.intp]:
        layout = self.layout
        kept = layout.plans.get("sums per cell")
        if kept is None:
            sizes = [prod(layout.shape(c)) for c in layout.cliques]
            kept = np.repeat(np.array([layout.sums_in_cell(c) for c in layout.cliques], np.intp), sizes)
            layout.plans["sums per cell"] = kept
        return cast(NDArray[np.intp], kept)

    def scaled(self, factor: float) -> "Tally":
        """Every row's weight times `factor`; row counts stay."""
        weights = self.weights.copy() if self.weighted else unit_weights(self.counts)
        fresh = Tally(self.layout, self.counts.copy(), weights, self.sums.copy())
        moments.scale(fresh.weights[0], fresh.weights[1], factor)
        moments.scale(fresh.sums[0], fresh.sums[1], factor)
        fresh._clear(fresh.weights[0] < VANISHED)
        return fresh

    def copy(self) -> "Tally":
        """The same numbers in memory of their own."""
        return Tally(self.layout, self.counts.copy(), self.weights.copy(), self.sums.copy())

    def described_by(self, schema: Schema) -> "Tally":
        """The same numbers under an equal schema, which says more of how its columns are written."""
        return Tally(Layout(schema, self.layout.cliques), self.counts, self.weights, self.sums)

    def on(self, schema: Schema, cliques: tuple[Clique, ...] | None = None) -> "Tally":
        """The same counts on the axes of a schema that knows at least these levels, in the order of `cliques`."""
        cliques = self.layout.cliques if cliques is None or cliques == self.layout.cliques else cliques
        if (schema is self.schema or schema == self.schema) and cliques is self.layout.cliques:
            return self if say_the_same(self.schema, schema) else self.copy().described_by(schema)
        if cliques is self.layout.cliques and (longer := self._lengthened(schema)) is not None:
            return longer
        lacking = [c for c in cliques if c not in self.layout.offsets]
        if lacking:
            raise ValueError(f"nothing was counted over {lacking[0]}, which the other tally holds")
        fresh = Tally.zero(schema, cliques, self.weighted)
        axes = {k: self._moved(k, schema) for c in cliques for k in c.keys}
        for clique in cliques:
            index = np.ix_(*(axes[k] for k in clique.keys))
            (cells, sums), (new_cells, new_sums) = (t.layout.offsets[clique] for t in (self, fresh))
            shape, new_shape = (layout.shape(clique) for layout in (self.layout, fresh.layout))
            within, widened = self.layout.sums_in_cell(clique), fresh.layout.sums_in_cell(clique)
            sums_at = self._moved_sums(clique, schema)
            cut(fresh.counts, new_cells, new_shape)[index] = cut(self.counts, cells, shape)
            for half in range(2):
                if self.weighted:
                    cut(fresh.weights[half], new_cells, new_shape)[index] = cut(self.weights[half], cells, shape)
                if within:
                    old = cut(self.sums[half], sums, (*shape, within))
                    place = np.ix_(*(axes[k] for k in clique.keys), sums_at)
                    cut(fresh.sums[half], new_sums, (*new_shape, widened))[place] = old
        return fresh

    def _lengthened(self, schema: Schema) -> "Tally | None":
        """As `on` where levels were only appended, to columns that lead their tables: zeros go in behind those tables.

        A stream of rows meets new levels one by one; this keeps their price low.
        """
        grown: dict[str, int] = {}
        for old, new in zip(self.schema.features, schema.features, strict=True):
            if old is new:
                continue
            if old.is_block or new.levels[: len(old.levels)] != old.levels:
                return None
            if new.slots != old.slots:
                grown[old.name] = new.slots - old.slots
        inner = any(key in grown for clique in self.layout.cliques for key in clique.keys[1:])
        if inner or schema.target != self.schema.target:
            return None
        at: list[int] = []
        for clique, cells in zip(self.layout.cliques, self.layout.starts[0], strict=False):  # behind them the total
            if clique.keys[0] in grown:
                if clique.terms:
                    return None
                shape = self.layout.shape(clique)
                at += [cells + prod(shape)] * (grown[clique.keys[0]] * prod(shape[1:]))
        inserted = np.array(at, np.intp)
        layout = self.layout.lengthened(schema, inserted)
        layout.check()
        weights = np.insert(self.weights, inserted, 0.0, axis=1) if self.weighted else self.weights
        longer = Tally(layout, np.insert(self.counts, inserted, 0), weights, self.sums.copy())
        longer.inserted = inserted
        return longer

    def _moved_sums(self, clique: Clique, schema: Schema) -> NDArray[np.intp]:
        """The place that each sum of a cell has under another schema: the terms of a text may be more, or others."""
        places, before = [np.empty(0, np.intp)], 0
        for term in clique.terms:
            old, new = self.schema.columns[term], schema.columns[term]
            places.append(before + old.sums_in(new, clique.order))
            before += schema.sums(term, clique.order)
        return np.concatenate(places)

    def _moved(self, key: str, schema: Schema) -> NDArray[np.intp]:
        """The slot that each slot of a key has under another schema."""
        return self.schema.columns[key].slots_in(schema.columns[key])

    def __add__(self, other: "Tally") -> "Tally":
        return self._with(other, 1)

    def __sub__(self, other: "Tally") -> "Tally":
        return self._with(other, -1)

    def _with(self, other: "Tally", sign: int) -> "Tally":
        schema = self.schema | other.schema
        mine = self.on(schema)
        fresh = mine.copy() if mine is self else mine
        fresh.add(other.on(schema, self.layout.cliques), sign)
        return fresh

    def __mul__(self, factor: float) -> "Tally":
        return self.scaled(factor)


def unit_weights(counts: NDArray[np.int64]) -> Floats:
    """Row counts as float weights."""
    return np.stack([counts.astype(np.float64), np.zeros(len(counts))])


def cut(flat: NDArray[Any], start: int, shape: tuple[int, ...]) -> NDArray[Any]:
    """A view of a run of a flat array as a table."""
    return flat[start : start + prod(shape)].reshape(shape)

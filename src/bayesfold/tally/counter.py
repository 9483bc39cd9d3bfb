"""The only counter: rows of a batch into a tally.

Blocks of rows run side by side; counts are integers, so their order does not matter; moments are summed per block and
settled left to right, so their bits do not depend on the number of threads.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Counts
from bayesfold.data.encodings.numbers import refuse_infinity
from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.data.sparse import long_rows
from bayesfold.kernels.counting import codes, moments
from bayesfold.runtime.threads import BLOCK, spread, workers
from bayesfold.tally.block_counter import NO_WEIGHT, is_count_block, sum_block
from bayesfold.tally.clique_index import columns_alone
from bayesfold.tally.layout import Clique, Layout
from bayesfold.tally.pair_counter import CrossTables
from bayesfold.tally.statistic import LARGEST, Tally

FAR_APART = 2.0**20
"""How many times what the smallest row adds the largest may add for both to be summed in one double."""
FEW = 4_096
"""Up to so many numbers are summed in double-double throughout: it costs little, and nothing is left when forgotten."""

FEW_CELLS = 1_024
"""Up to so many cells rows take turns to be counted in four tables, which then stay in the fastest cache together."""


def count(schema: Schema, cliques: Sequence[Clique], batch: Batch) -> Tally:
    """A fresh tally of the batch's rows."""
    tally = Tally.zero(schema, cliques, batch.weight is not None)
    add_rows(tally, batch)
    return tally


def count_alike(layout: Layout, batch: Batch) -> Tally:
    """A fresh tally of the batch's rows with the layout of another: all that was worked out for that serves again."""
    tally = Tally.empty(layout, batch.weight is not None)
    add_rows(tally, batch)
    return tally


@dataclass(frozen=True)
class Place:
    """Where a panel's columns are counted: the cliques' places, and their cells and sums in the flat arrays."""

    cliques: list[int]
    slots: NDArray[np.intp]
    cells: NDArray[np.intp]
    sums: NDArray[np.intp]
    orders: NDArray[np.uint8]
    first: int
    last: int


def find_place(layout: Layout, names: tuple[str, ...], discrete: bool) -> Place | None:
    """The place of a panel whose columns are each counted against the target alone; worked out once per layout."""
    known = layout.plans.get((names, discrete))
    if known is None:
        places = columns_alone(layout.cliques, layout.schema.target.name)[0 if discrete else 1]
        cliques = [places[name] for name in names if name in places]
        if len(cliques) < len(names):
            return None
        axes = layout.schema.axes
        slots = np.array([axes[name] if discrete else 1 for name in names], np.intp)
        cells, sums = (np.array([side[i] for i in cliques], np.intp) for side in layout.starts)
        orders = np.array([layout.cliques[i].order for i in cliques], np.uint8)
        last = int((cells + slots * layout.schema.target.slots).max())
        known = Place(cliques, slots, cells, sums, orders, int(cells.min()), last)
        layout.plans[names, discrete] = known
    return cast(Place, known)


def add_rows(tally: Tally, batch: Batch, few: int = FEW) -> None:
    """Count the batch's rows into a tally (one that nobody sees yet: an error leaves it half done).

    A block of a longer table has `few=0`: then block after block gives the bits that the whole table would.
    """
    if len(bands := size_bands(batch, tally.schema.counts)) > 1:
        for rows in bands:
            add_rows(tally, batch.take(rows), few if batch.rows <= few else 0)
        return
    target, layout = tally.schema.target, tally.layout
    by_slots, _ = columns_alone(layout.cliques, target.name)
    done, tables = {by_slots.get(target.name)}, CrossTables.of(layout)
    count_classes(tally, batch)
    columns = tables.columns(batch)
    alone: dict[str, int] = {}  # columns that are counted with their pairs
    for panel in batch.codes:
        if not tally.weighted and all(n in columns and n in tables.alone and columns[n].known for n in panel.names):
            alone |= {name: tables.alone[name] for name in panel.names}
            done.update([by_slots[name] for name in panel.names])
        elif (where := find_place(layout, panel.names, True)) is not None:
            done.update(where.cliques)
            count_pairs(tally, batch, panel, where)
    order = Order(require_labels(batch), target.slots)
    for panel in batch.reals:
        if (where := find_place(layout, panel.names, False)) is not None:
            done.update(where.cliques)
            sum_moments(tally, batch, panel, where, order, few)
    tables.count(tally, batch, columns, alone)
    for place in tables.rest:
        if place not in done:
            count_group(tally, batch, layout.cliques[place], few)
    if tally.weighted:
        refuse_overflow(tally)


def size_bands(batch: Batch, blocks_of_counts: Sequence[Counts]) -> list[NDArray[np.intp]]:
    """The rows of each block of them by the size of what they add; none where weights and counts are not so far apart
    that a sum of doubles would lose the small ones, which are to be left when the large ones are forgotten."""
    sizes = batch.weight
    for column in blocks_of_counts:
        if (lengths := long_rows(batch.column(column.name), FAR_APART)) is not None:
            long = np.maximum(lengths, 1.0)
            sizes = long if sizes is None else sizes * long
    if sizes is None:  # most tables: nothing is looked at
        return []
    largest = sizes.max(initial=0.0)
    if largest <= FAR_APART * sizes.min(initial=largest, where=sizes > 0):
        return []
    band = np.frexp(sizes)[1] // int(np.log2(FAR_APART))
    blocks = [np.arange(begin, min(begin + BLOCK, batch.rows)) for begin in range(0, batch.rows, BLOCK)]
    return [rows[band[rows] == own] for rows in blocks for own in np.unique(band[rows])]


def refuse_overflow(tally: Tally) -> None:
    """Refuse sums beyond what a double holds: numbers are kept small enough to be squared, not to be weighted too."""
    if np.isfinite(tally.sums).all():
        return
    for clique, (_, sums) in tally.layout.offsets.items():
        size = int(np.prod(tally.layout.shape(clique))) * tally.layout.sums_in_cell(clique)
        if not np.isfinite(tally.sums[:, sums : sums + size]).all():
            raise ValueError(
                f"numbers of column {clique.terms[0]!r} times the rows' weights have a sum of squares that is not "
                "finite; divide the weights, or the numbers, by a constant"
            )


def count_classes(tally: Tally, batch: Batch) -> None:
    """Rows of each class, where the layout asks for them."""
    target, layout = tally.schema.target, tally.layout
    place = columns_alone(layout.cliques, target.name)[0].get(target.name)
    if place is None:
        return
    group, first = require_labels(batch), layout.starts[0][place]
    cells = slice(first, first + target.slots)
    codes.histogram(group, tally.counts[cells])
    if tally.weighted:
        weigh_groups(tally, cells, group, batch.weights)


def weigh_groups(tally: Tally, cells: slice, group: NDArray[np.int32], weight: Floats) -> None:
    """The weight of the rows of each group, block by block."""
    for begin in range(0, len(group), BLOCK):
        rows = slice(begin, begin + BLOCK)
        tally.add_weights(cells, np.bincount(group[rows], weight[rows], cells.stop - cells.start))


def require_labels(batch: Batch) -> NDArray[np.int32]:
    """The slots of the target, which every count needs; rows without labels are refused."""
    if batch.labels is None:
        raise ValueError("these rows have no labels, so they cannot be counted")
    return batch.labels


def count_pairs(tally: Tally, batch: Batch, panel: Panel, where: Place) -> None:
    """Each column of a panel against the target."""
    group, groups = require_labels(batch), tally.schema.target.slots
    first, last = where.first, where.last
    cells = where.cells - first

    turns = 4 if last - first <= FEW_CELLS else 1

    def plain(begin: int, end: int) -> tuple[Any, ...]:
        private = np.zeros((turns, last - first), np.int64)
        bad = codes.pairs(panel.values, panel.shift, where.slots, cells, group, groups, begin, end, private)
        return bad, private.sum(0)

    def weighted(begin: int, end: int) -> tuple[Any, ...]:
        private, sums = np.zeros(last - first, np.int64), np.zeros(last - first)
        bad = codes.weighted_pairs(
            panel.values, panel.shift, where.slots, cells, group, groups, batch.weights, begin, end, private, sums
        )
        return bad, private, sums

    share = -(-batch.rows // (BLOCK * workers())) * BLOCK
    pieces = spread(weighted, batch.rows) if tally.weighted else spread(plain, batch.rows, share)
    for bad, private, *sums in pieces:
        if bad >= 0:
            row, column = divmod(bad, panel.values.shape[1])
            raise ValueError(
                f"column {panel.names[column]!r} has the code {panel.values[row, column]} in row {row}; "
                f"its codes are 0 to {where.slots[column] - 2}"
            )
        tally.counts[first:last] += private
        if sums:
            tally.add_weights(slice(first, last), sums[0])


@dataclass(frozen=True)
class Order:
    """The rows of each group, block by block: sorted once for all columns."""

    group: NDArray[np.int32]
    groups: int
    sorted: dict[int, tuple[NDArray[np.int32], NDArray[np.intp]]] = field(default_factory=dict)

    def block(self, begin: int, end: int) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Row numbers group after group, and where each group begins among them."""
        ordered = self.sorted.get(begin)
        if ordered is None:
            order, starts = np.empty(end - begin, np.int32), np.zeros(self.groups + 2, np.intp)
            codes.sort(self.group, begin, end, starts, order)
            ordered = self.sorted[begin] = order, starts[:-1]
        return ordered


def sum_moments(tally: Tally, batch: Batch, panel: Panel, where: Place, order: Order, few: int) -> None:
    """Counts and sums of x (and x^2) of each column of a panel, in each group of rows."""
    m, group, groups = len(where.cells), order.group, order.groups
    x, weight = panel.values, NO_WEIGHT if batch.weight is None else batch.weight
    high, low = tally.sums
    places = (where.cells, where.sums, where.orders, tally.counts, tally.weights, high, low)
    if x.size <= few:
        bad = moments.exact(x, group, weight if not tally.weighted else batch.weights, LARGEST, *places)
        if bad >= 0:
            refuse_infinity(panel.names[bad % m], bad // m)
        return
    has_holes = [batch.weight is not None]
    alone = m == 1 and batch.weight is None

    def block(begin: int, end: int) -> tuple[Any, ...]:
        if alone:
            counted, (shift, s1, s2) = np.zeros((groups, 1), np.int64), np.zeros((3, groups, 1))
            if moments.column(x, *order.block(begin, end), counted, shift, s1, s2) <= LARGEST:
                return -1, counted, counted.astype(np.float64), shift, s1, s2
        elif not has_holes[0]:
            rows, (shift, s1, s2) = np.zeros(groups, np.int64), np.zeros((3, groups, m))
            moments.dense(x, group, begin, end, rows, shift, s1, s2)
            if np.isfinite(s2).all() and np.abs(shift).max() < LARGEST:
                every = np.repeat(rows[:, None], m, axis=1)
                return -1, every, every.astype(np.float64), shift, s1, s2
            has_holes[0] = True
        counted, (total, shift, s1, s2) = np.zeros((groups, m), np.int64), np.zeros((4, groups, m))
        bad = moments.holes(x, group, weight, begin, end, LARGEST, counted, total, shift, s1, s2)
        return bad, counted, total, shift, s1, s2

    for bad, *piece in spread(block, batch.rows):
        if bad >= 0:
            refuse_infinity(panel.names[bad % m], bad // m)
        moments.settle(*piece, *places)


def count_group(tally: Tally, batch: Batch, clique: Clique, few: int = FEW) -> None:
    """Any clique: rows grouped by all its keys at once."""
    layout, schema = tally.layout, tally.schema
    shape = layout.shape(clique)
    parts = [require_labels(batch) if k == schema.target.name else batch.column(k) for k in clique.keys]
    group = np.ravel_multi_index(parts, shape).astype(np.int32)
    cells, sums = layout.offsets[clique]
    size = prod(shape)
    if clique.terms and not is_count_block(batch, clique):
        column = np.ascontiguousarray(batch.column(clique.terms[0]), np.float64).reshape(-1, 1)
        one, at, add = (np.array([n], np.intp) for n in (1, cells, sums))
        where = Place([layout.places[clique]], one, at, add, np.array([clique.order], np.uint8), cells, cells + size)
        sum_moments(tally, batch, Panel(clique.terms, column), where, Order(group, size), few)
        return
    codes.histogram(group, tally.counts[cells : cells + size])
    if tally.weighted:
        weigh_groups(tally, slice(cells, cells + size), group, batch.weights)
    if clique.terms:
        sum_block(tally, batch, clique, group, size, sums, few)

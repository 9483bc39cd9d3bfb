"""Pairs of columns by class, counted in bitmaps: one bit per row, 64 rows per word.

A column is a bitmap for each of its slots; two slots' rows are the bits that their bitmaps share. Up to a product of
slots this is cheaper than one step per row and pair: it costs a few instructions for 64 rows and two slots. What each
column shows by itself is counted on the way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.kernels.counting import pairs
from bayesfold.runtime.threads import each, workers
from bayesfold.runtime.unique import distinct

SLOTS = 16
"""A bitmap is made of four bits of the slot."""

PRODUCT = 100
"""Pairs of slots up to which bitmaps are cheaper."""

WORDS = 512
"""Fewest words in a block."""

ROOM = 3 << 19
"""Bytes of cache that the bitmaps of all columns may fill: a block grows as long as they fit."""

SMALL = 1 << 16
"""Pairs times words up to which a thread is not worth waking."""

WAY = pairs.best()
"""How bits are counted, by what the processor knows."""


def suits(slots: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether two columns with these numbers of slots are counted in bitmaps.

    >>> suits(np.array([5, 5]), np.array([6, 10_000])).tolist()
    [True, False]
    """
    return np.asarray((np.maximum(slots, other) <= SLOTS) & ((slots - 1) * (other - 1) <= PRODUCT), bool)


@dataclass(frozen=True)
class PairTables:
    """Tables over two columns and the class: places of the columns among `names`, and where each table begins."""

    names: tuple[str, ...]
    a: NDArray[np.intp]
    b: NDArray[np.intp]
    first: NDArray[np.intp]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that some table is over."""
        return tuple([self.names[i] for i in distinct(np.concatenate([self.a, self.b])).tolist()])

    def records(self, own: Mapping[str, tuple[int, int, int]]) -> NDArray[np.intp]:
        """A row for each table: what `own` has of the two columns, and where the table begins."""
        of_each = np.array([own.get(name, (0, 0, 0)) for name in self.names], np.intp).reshape(-1, 3)
        return np.concatenate([of_each[self.a], of_each[self.b], self.first[:, None]], axis=1)


@dataclass(frozen=True)
class BitmapColumn:
    """A column's codes, every one on its axis, and what turns one into its slot.

    Bitmaps begin at slot `low`: rows in none of them have the slot before, 0 (missing, unseen) or, with none such, 1.
    """

    codes: NDArray[Any]
    shift: int
    slots: int
    low: int
    known: bool  # whether every code was on its axis to begin with

    @classmethod
    def of(cls, batch: Batch, name: str, slots: int) -> "BitmapColumn":
        """A column of a batch with at least one row."""
        panel, j = batch.place(name)
        codes, shift = np.ascontiguousarray(panel.values[:, j]), panel.shift
        least, most = int(codes.min()) + shift, int(codes.max()) + shift
        if least >= 0 and most < slots:
            return cls(codes, shift, slots, 2 if least >= 1 else 1, True)
        slot = codes.astype(np.int64) + shift
        return cls(np.where((slot >= 0) & (slot < slots), slot, 0).astype(np.uint8), 0, slots, 1, False)


def count_in_bitmaps(
    labels: NDArray[np.int32],
    groups: int,
    columns: Mapping[str, BitmapColumn],
    tables: PairTables,
    alone: Mapping[str, int],
    counts: NDArray[np.int64],
) -> None:
    """Add rows to tables of counts, in place.

    For each a of `alone`, the table over a and the class begins at alone[a].
    """
    rows = np.bincount(labels, minlength=groups)
    words = -(-rows // 64)
    last, first = words.cumsum(), rows.cumsum() - rows
    order = np.empty(len(labels), np.int32)
    pairs.by_group(labels, first.astype(np.intp), order)
    group = np.repeat(np.arange(groups), words)
    starts = np.append(first[group] + 64 * (np.arange(len(group)) - (last - words)[group]), len(labels)).astype(np.intp)
    bitmaps, own = 0, {}
    for name, column in columns.items():
        own[name] = (bitmaps, column.low, column.slots)
        bitmaps += column.slots - column.low
    shares = workers() if len(tables.first) * len(group) > SMALL else 1
    plan = np.array_split(tables.records(own), shares)
    singles = np.array_split(np.array([(*own[a], at) for a, at in alone.items()], np.intp).reshape(-1, 4), shares)
    names = [tuple(columns)[k::shares] for k in range(shares)]
    size = max(WORDS, ROOM // max(8 * bitmaps, 1))
    for block in range(0, len(group), size):
        end = min(block + size, len(group))
        bits = np.empty((bitmaps, end - block), np.uint64)
        ends = np.clip(last - block, 0, end - block).astype(np.intp)
        inside = np.bincount(group[block:end], np.diff(starts)[block:end], groups).astype(np.int64)

        def fill(names: Sequence[str], block: int = block, end: int = end, bits: NDArray[np.uint64] = bits) -> None:
            eight = np.empty(64, np.uint64)
            for name in names:
                column, (at, low, slots) = columns[name], own[name]
                rows = (order, starts, block, end, low, eight.view(np.uint8), eight)
                pairs.planes(column.codes, column.shift, *rows, bits[at : at + slots - low])

        def share(
            k: int,
            ends: NDArray[np.intp] = ends,
            inside: NDArray[np.int64] = inside,
            bits: NDArray[np.uint64] = bits,
        ) -> None:
            margin, left = np.empty((len(bits), groups), np.int64), np.empty(SLOTS, np.int64)
            pairs.count(bits, ends, inside, margin, singles[k], plan[k], WAY, left, counts)

        each(fill, names)
        each(share, range(shares))

"""Pairs of columns by class, counted in bitmaps: a bit a row, 64 rows a word.

A column is a bitmap for each of its slots; two slots' rows are the bits that their bitmaps share. Up to a product of
slots this is cheaper than a step a row for each pair: it costs a few instructions for 64 rows and two slots.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesfold.batch import Batch
from bayesfold.kernels import pairs
from bayesfold.threads import each, workers

SLOTS = 16
"""A bitmap is made of four bits of the slot."""

PRODUCT = 100
"""Pairs of slots up to which bitmaps are cheaper."""

WORDS = 512
"""Words in a block: the bitmaps of a few dozen columns stay in the cache."""

SMALL = 1 << 16
"""Pairs times words up to which a thread is not worth waking."""

SPREAD = np.array([sum(1 << 16 * b for b in range(4) if s >> b & 1) for s in range(SLOTS)], np.uint64)


def suits(slots: int, other: int) -> bool:
    """Whether two columns of so many slots are counted in bitmaps."""
    return max(slots, other) <= SLOTS and (slots - 1) * (other - 1) <= PRODUCT


def count(
    batch: Batch, axes: dict[str, int], wanted: Sequence[tuple[str, str, int]], groups: int, counts: NDArray[np.int64]
) -> None:
    """Add the batch's rows to the tables over two columns (their slots are in `axes`) and the class that begin at
    `first`, for each wanted (a, b, first)."""
    assert batch.labels is not None
    rows = np.bincount(batch.labels, minlength=groups)
    order = np.argsort(batch.labels.astype(np.uint16 if groups < 1 << 16 else np.int64), kind="stable").astype(np.int32)
    words = -(-rows // 64)
    last, first = words.cumsum(), rows.cumsum() - rows
    group = np.repeat(np.arange(groups), words)
    starts = np.append(first[group] + 64 * (np.arange(len(group)) - (last - words)[group]), batch.rows).astype(np.intp)
    names = tuple(dict.fromkeys(name for a, b, _ in wanted for name in (a, b)))
    low = {name: lowest(batch, name, axes[name]) for name in names}
    begin = dict(zip(names, np.cumsum([0, *(axes[n] - low[n] for n in names)]).tolist(), strict=False))
    bitmaps = sum(axes[n] - low[n] for n in names)
    plan = np.array([(begin[a], low[a], axes[a], begin[b], low[b], axes[b], at) for a, b, at in wanted], np.intp)
    shares = workers() if len(wanted) * len(group) > SMALL else 1
    for block in range(0, len(group), WORDS):
        end = min(block + WORDS, len(group))
        bits = np.empty((bitmaps, end - block), np.uint64)

        def some(names: Sequence[str], block: int = block, end: int = end, bits: NDArray[np.uint64] = bits) -> None:
            for name in names:
                panel, j = batch.place(name)
                own = bits[begin[name] : begin[name] + axes[name] - low[name]]
                where = (order, starts, SPREAD, block, end, low[name])
                pairs.planes(panel.values, j, panel.shift, axes[name], *where, own)

        ends = np.clip(last - block, 0, end - block).astype(np.intp)
        inside = np.bincount(group[block:end], np.diff(starts)[block:end], groups).astype(np.int64)

        def shared(
            plan: NDArray[np.intp],
            ends: NDArray[np.intp] = ends,
            inside: NDArray[np.int64] = inside,
            bits: NDArray[np.uint64] = bits,
        ) -> None:
            margin = np.empty((bitmaps, groups), np.int64)
            pairs.count(bits, ends, inside, margin, plan, np.empty(SLOTS, np.int64), counts)

        each(some, [names[k::shares] for k in range(shares)])
        each(shared, np.array_split(plan, shares))


def lowest(batch: Batch, name: str, slots: int) -> int:
    """The first slot that needs a bitmap: rows in none of them have the slot before, 0 (missing, unseen) or else 1."""
    panel, j = batch.place(name)
    codes = panel.values[:, j]
    return 2 if codes.min() + panel.shift >= 1 and codes.max() + panel.shift < slots else 1

"""A sample of rows that depends on what stands in them and on nothing else: not on their order, not on partitions.

Rows that are equal cannot be told apart, so what is drawn is groups of equal rows, each with its size. Groups are taken
by a hash of their content, all of them where they are few; a group that is a large share of all rows is always taken,
since missing it would distort everything. Then rows are drawn from the groups in proportion to what these stand for.
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.io.engines import scatter
from bayesfold.runtime.arrow_buffers import arrow_numbers, to_numpy

HASH, TIMES = "hash", "times"
"""The columns that groups have besides the rows' own."""
KEPT = 2
"""Groups kept for each row that is to be drawn."""
OFF = 0.02
"""Largest relative error in the rows that a share of the hashes has; of 100,000 different rows 0.003 is chance."""
HEAVY = 1 / 256
"""A share of all rows from which on a group is always taken."""


def draw_rows(groups: pa.Table, rows: int, most: int, share: float) -> pa.Table:
    """All rows, where they are no more than `most`; otherwise so many, from groups that were taken with hashes in the
    lowest `share` of all, or because they are heavy.

    >>> groups = pa.table({HASH: [5, -7, 6], TIMES: [1, 2, 1], "a": ["x", "y", "z"]})
    >>> sorted(draw_rows(groups, 4, 10, 1.0).column("a").to_pylist())
    ['x', 'y', 'y', 'z']
    """
    ordered = groups.sort_by(HASH)
    times, hashes = (to_numpy(ordered.column(name).combine_chunks()) for name in (TIMES, HASH))
    heavy = times >= HEAVY * rows
    low = hashes <= largest_hash(share)
    if rows <= most:
        copies = times
    else:
        copies = spread_evenly(np.where(heavy, times, np.where(low, times / share, 0.0)), most)
    places = np.repeat(np.arange(len(times)), copies)
    mixed = places[np.argsort(scatter(np.arange(len(places))), kind="stable")]  # equal rows apart
    return ordered.drop_columns([HASH, TIMES]).take(arrow_numbers(mixed))


def is_representative(groups: pa.Table, rows: int, most: int, share: float) -> bool:
    """Whether groups with the lowest `share` of all hashes stand for all rows: they are many, and as many rows as they
    should be. Otherwise many rows are equal, and it must be found out which.

    >>> few = pa.table({HASH: [1, 2], TIMES: [40, 60]})
    >>> is_representative(few, 1_000, 100, 0.1), is_representative(few, 1_000, 2, 0.1)
    (False, True)
    """
    rows_in_groups = int(to_numpy(groups.column(TIMES).combine_chunks()).sum())
    return groups.num_rows >= most and abs(rows_in_groups - share * rows) <= OFF * share * rows


def largest_hash(share: float) -> int:
    """The largest of the hashes that are the lowest `share` of all.

    >>> largest_hash(0.5), largest_hash(1.0) == 2**63 - 1
    (0, True)
    """
    return min(2**63 - 1, int(share * 2.0**64) - 2**63)


def spread_evenly(weights: NDArray[np.float64], many: int) -> NDArray[np.int64]:
    """How often each is drawn, if `many` draws are evenly spread over all weights.

    >>> spread_evenly(np.array([1.0, 0.0, 3.0]), 4).tolist()
    [1, 0, 3]
    """
    ends = np.cumsum(weights)
    at = (np.arange(many) + 0.5) * (ends[-1] / many)
    draws: NDArray[np.int64] = np.bincount(np.searchsorted(ends, at, side="right"), minlength=len(weights))
    return draws.astype(np.int64)

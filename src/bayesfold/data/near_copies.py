"""Rows that are copies but for rounding: each number of theirs is next to the other's.

Two numbers of a column are next to each other if they differ by less than a hundredth of what separates neighbouring
values in the middle half of the column, or by no more than arithmetic rounds. So close by chance are one or two of a
hundred values of a column, and next to no rows of several columns, in any unit and for any number of rows.
"""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats

NEAR = 0.01
"""The part of the mean distance between neighbouring values up to which two are taken for one."""

ROUNDED = 2.0**-43
"""The part of a number that a few steps of arithmetic may change."""


Rows = NDArray[np.intp]


def snap_to_neighbours(columns: Floats, ordered: Floats, rows: Rows) -> tuple[Rows, Rows, Floats]:
    """Those of some rows that may be near copies of each other, the columns in which they may differ, and their values
    there: of values next to each other the least. `ordered` are the same columns, each put in order.

    >>> x = np.array([[1.0], [2.0], [3.0], [4.0], [1.0 + 1e-9]])
    >>> rows, where, snapped = snap_to_neighbours(x, np.sort(x, axis=0), np.arange(5))
    >>> rows.tolist(), where.tolist(), snapped.tolist()
    ([0, 4], [0], [[1.0], [1.0]])
    """
    runs = {j: found for j, column in enumerate(ordered.T) if (found := runs_of_neighbours(column)) is not None}
    for j, (least, many) in runs.items():
        values = columns[rows, j]
        rows = rows[np.isnan(values) | (many[np.searchsorted(least, values, side="right") - 1] > 1)]
    where = np.array(list(runs), np.intp)
    snapped = columns[np.ix_(rows, where)]
    for (least, _), values in zip(runs.values(), snapped.T, strict=True):
        there = ~np.isnan(values)
        values[there] = least[np.searchsorted(least, values[there], side="right") - 1]
    return rows, where, snapped


def runs_of_neighbours(ordered: Floats) -> tuple[Floats, Rows] | None:
    """The least value of each run of neighbours among ordered numbers, and how many numbers it has; None if no two
    values are next to each other."""
    ordered = ordered[: np.searchsorted(ordered, np.nan)]
    new = np.ones(len(ordered), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    levels = ordered[new]
    if len(levels) < 2:
        return None
    low, high = len(levels) // 4, 3 * len(levels) // 4
    between = (levels[high] / 2 - levels[low] / 2) / (high - low)  # halves: a difference may be too large
    apart = levels[1:] / 2 - levels[:-1] / 2 > np.maximum(NEAR * between, ROUNDED / 2 * np.abs(levels[1:]))
    if apart.all():
        return None
    first = np.flatnonzero(new)[np.append(True, apart)]
    return ordered[first], np.diff(first, append=len(ordered))


def share_hashes(mixed: NDArray[np.uint64], snapped: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Rows' hashes, the least of them for all rows whose `snapped` ones are equal.

    >>> share_hashes(np.array([7, 5, 9], np.uint64), np.array([1, 2, 1], np.uint64)).tolist()
    [7, 5, 7]
    """
    order = np.argsort(snapped)
    new = np.append(True, snapped[order][1:] != snapped[order][:-1])
    shared = np.empty_like(mixed)
    shared[order] = np.minimum.reduceat(mixed[order], np.flatnonzero(new))[np.cumsum(new) - 1]
    return shared

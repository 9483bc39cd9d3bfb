"""Missing parents summed out of a single network: sum over their values of the product of its factors.

Rows with the same holes are done together, each as many rows as its missing parents have values; more than `MOST_SUMS`
of them are not summed.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bayesfold.count import Grid
from bayesfold.deep import Leaf, Left, Stack
from bayesfold.frame import Floats

MOST_SUMS = 4_096
MOST_ROWS = 1 << 18  # worked on at once


def summed_out(
    stack: Stack, slots: Sequence[int], codes: Grid, begin: int, end: int, left: Left | None
) -> Iterator[tuple[NDArray[np.intp], Floats]]:
    """Rows with a missing parent, and what the network of the stack's leaves says of them with that parent summed out.

    `slots` are those of the grid's columns.
    """
    network = np.array([0, len(stack.leaves)], np.intp)
    holes = codes[:, begin:end] == 0
    inner = sorted({column for leaf in stack.leaves for column in leaf.columns[:-1]})
    holed = np.flatnonzero(holes[inner].any(axis=0))
    if not len(holed):
        return
    patterns, which = np.unique(holes[:, holed], axis=1, return_inverse=True)
    for p in range(patterns.shape[1]):
        summed = relevant(stack.leaves, patterns[:, p])
        sizes = [slots[i] - 1 for i in summed]
        terms = int(np.prod(sizes, dtype=np.float64)) if summed else 0
        if not 0 < terms <= MOST_SUMS:
            continue
        values = np.stack(np.unravel_index(np.arange(terms), sizes)).astype(np.int32) + 1
        every = begin + holed[which.ravel() == p]
        for rows in np.array_split(every, -(-len(every) * terms // MOST_ROWS)):
            full = np.repeat(codes[:, rows], terms, axis=1)
            full[summed] = np.tile(values, len(rows))
            if left is None:
                logs = stack.said(network, full, 0, full.shape[1])
            else:
                again = Left(np.repeat(left.own[rows], terms), np.repeat(left.weight[rows], terms))
                actual = np.repeat(codes[:, rows], terms, axis=1)
                logs = stack.left_out(network, full, actual, again, 0, full.shape[1])
            logs = logs.reshape(len(rows), terms, -1)
            top = logs.max(axis=1, keepdims=True)
            yield rows, (top + np.log(np.exp(logs - top).sum(axis=1, keepdims=True)))[:, 0]


def relevant(leaves: Sequence[Leaf], missing: NDArray[np.bool_]) -> list[int]:
    """The missing columns that an observed column depends on, by way of missing ones."""
    found: set[int] = set()
    again = True
    while again:
        again = False
        for leaf in leaves:
            *parents, child = leaf.columns
            if not missing[child] or child in found:
                fresh = {i for i in parents if missing[i]} - found
                found |= fresh
                again |= bool(fresh)
    return sorted(found)

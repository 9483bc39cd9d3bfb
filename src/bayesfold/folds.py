"""Folds by content: rows that are equal share a fold, wherever they stand and whoever deals them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.block import entries
from bayesfold.schema import Batch

ODD = np.uint64(0xBF58476D1CE4E5B9)


def dealt(batch: Batch, folds: int) -> NDArray[np.intp]:
    """A fold for each row by a hash of its content.

    >>> from bayesfold.schema import Panel
    >>> dealt(Batch(4, reals=(Panel(("a",), np.array([[1.5], [2.0], [1.5], [7.0]])),)), 5)
    array([4, 3, 4, 2])
    """
    mixed = np.zeros(batch.rows, np.uint64)
    columns = [(name, panel, j) for panel in (*batch.codes, *batch.reals) for j, name in enumerate(panel.names)]
    for _, panel, j in sorted(columns, key=lambda c: c[0]):  # the order of the columns does not matter either
        mixed = hashed(mixed * ODD, panel.values[:, j] + float(panel.shift))
    for panel in batch.counts:  # dense or sparse, the same row gives the same fold
        for rows, row, column, value in entries(panel.values):
            np.add.at(mixed[rows], row, hashed(column.astype(np.uint64) * ODD, value))
    return np.asarray(mixed % np.uint64(folds), np.intp)


def hashed(seed: NDArray[np.uint64], values: Any) -> NDArray[np.uint64]:
    """Numbers mixed into 64 bits each."""
    bits = np.ascontiguousarray(values, np.float64).view(np.uint64)
    mixed = (seed ^ bits ^ (bits >> np.uint64(29))) * ODD
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))

"""Folds by content: rows that are equal share a fold, wherever they stand and whoever deals them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.batch import Batch
from bayesfold.block import entries
from bayesfold.frame import Floats

FEW = 64
"""Codes below this are told by how often each appears."""

ODD = np.uint64(0xBF58476D1CE4E5B9)


def dealt(batch: Batch, folds: int) -> NDArray[np.intp]:
    """A fold for each row by a hash of its content.

    >>> from bayesfold.batch import Panel
    >>> dealt(Batch(4, reals=(Panel(("a",), np.array([[1.5], [2.0], [1.5], [7.0]])),)), 5)
    array([3, 1, 3, 3])
    """
    mixed = np.zeros(batch.rows, np.uint64)
    for panel in (*batch.codes, *batch.reals):
        for j in range(panel.values.shape[1]):
            values = panel.values[:, j] + float(panel.shift)
            mixed += hashed(mark(values, batch.weights) * ODD, values)  # a sum: columns may stand in any order
    for panel in batch.counts:  # dense or sparse, the same row gives the same fold
        for rows, row, column, value in entries(panel.values):
            np.add.at(mixed[rows], row, hashed(column.astype(np.uint64) * ODD, value))
    return np.asarray(hashed(mixed, np.zeros(batch.rows)) % np.uint64(folds), np.intp)


def mark(values: Floats, weights: Floats) -> NDArray[np.uint64]:
    """What tells a column from the others, whatever its name and place: how often its codes appear, or its range."""
    known = values[~np.isnan(values)]
    whole = len(known) > 0 and known.min() >= 0 and known.max() < FEW and bool((known == np.floor(known)).all())
    shape = np.bincount(known.astype(np.intp), weights[~np.isnan(values)]) if whole else known
    ends = shape if whole else np.array([known.min(), known.max()]) if len(known) else np.zeros(1)
    seed = np.zeros(1, np.uint64)
    for end in ends:
        seed = hashed(seed * ODD, np.array([end + 0.0]))
    return seed


def hashed(seed: NDArray[np.uint64], values: Any) -> NDArray[np.uint64]:
    """Numbers mixed into 64 bits each."""
    bits = np.ascontiguousarray(values, np.float64).view(np.uint64)
    mixed = (seed ^ bits ^ (bits >> np.uint64(29))) * ODD
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))

"""Counting blocks: sums of counts side by side, of terms of texts, of products of numbers."""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.sparse import Sparse, add_terms, csr_parts
from bayesfold.kernels.counting import blocks, moments
from bayesfold.runtime.threads import BLOCK, spread
from bayesfold.runtime.unique import distinct
from bayesfold.tally.exact_products import add_products
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally

NO_WEIGHT = np.empty(0)
FAR = 16.0
"""Units of spread beyond which a row's products are not rounded: forgotten, they leave nothing behind."""


def is_count_block(batch: Batch, clique: Clique) -> bool:
    """Whether the clique's term is a block of counts."""
    return any(clique.terms[0] in panel.names for panel in batch.counts)


def sum_block(
    tally: Tally, batch: Batch, clique: Clique, group: NDArray[np.int32], groups: int, start: int, few: int
) -> None:
    """S x of each column of a block of counts, dense or CSR, in each group."""
    matrix = batch.column(clique.terms[0])
    for column in tally.schema.landmarks:
        if column.name == clique.terms[0]:
            count_at_landmarks(tally, batch, column, group, groups, start)
            return
    if any(c.name == clique.terms[0] for c in tally.schema.vectors):
        sum_products(tally, batch, matrix, group, groups, start, few)
        return
    weight: Floats = NO_WEIGHT if batch.weight is None else batch.weight
    width = matrix.shape[1]
    if isinstance(matrix, Sparse):
        sum_terms(tally, batch, matrix, group, groups, start)
        return

    def dense(begin: int, end: int) -> tuple[int, Floats]:
        total = np.zeros((groups, width))
        return blocks.dense(matrix, group, weight, begin, end, total), total

    def sparse(begin: int, end: int) -> tuple[int, Floats]:
        total = np.zeros((groups, width))
        return blocks.sparse(*parts, group, weight, begin, end, total), total

    is_dense = isinstance(matrix, np.ndarray)
    parts = () if is_dense else csr_parts(matrix)
    for bad, total in spread(dense if is_dense else sparse, batch.rows):
        if bad >= 0:
            row, column = divmod(bad, width)
            raise ValueError(f"counts must be finite numbers of at least 0; row {row}, column {column} is not")
        part = slice(start, start + groups * width)
        flat = total.ravel()
        moments.add(tally.sums[0, part], tally.sums[1, part], flat, np.zeros_like(flat), 1.0)


def sum_terms(tally: Tally, batch: Batch, x: Sparse, group: NDArray[np.int32], groups: int, start: int) -> None:
    """S x of each term of a text, and how many rows show it, side by side."""
    weight: Floats = NO_WEIGHT if batch.weight is None else batch.weight
    part = slice(start, start + groups * 2 * x.width)
    whole = x.data.dtype.kind == "i" and batch.weight is None  # then sums are exact in any order
    untouched = not tally.sums[:, part].any()
    for begin in (0,) if whole else range(0, batch.rows, BLOCK):
        rows = np.arange(begin, batch.rows if whole else min(begin + BLOCK, batch.rows))
        if begin == 0 and untouched:  # nothing to add to
            total = tally.sums[0, part].reshape(groups, 2 * x.width)
            add_terms(x, group, weight, rows, total)
            continue
        total = np.zeros((groups, 2 * x.width))
        add_terms(x, group, weight, rows, total)
        flat = total.ravel()
        moments.add(tally.sums[0, part], tally.sums[1, part], flat, np.zeros_like(flat), 1.0)


def count_at_landmarks(
    tally: Tally, batch: Batch, column: Landmarks, group: NDArray[np.int32], groups: int, start: int
) -> None:
    """How much the rows of each group weigh at the landmark that is nearest to them."""
    matrix, many = batch.column(column.name), len(column.places)
    refuse_infinite(matrix)
    cell = group.astype(np.intp) * many + column.nearest(matrix)
    part = slice(start, start + groups * many)
    for begin in range(0, batch.rows, BLOCK):
        some = slice(begin, begin + BLOCK)
        weight = None if batch.weight is None else batch.weight[some]
        total = np.bincount(cell[some], weight, groups * many).astype(np.float64)
        moments.add(tally.sums[0, part], tally.sums[1, part], total, np.zeros_like(total), 1.0)


def refuse_infinite(matrix: Floats) -> None:
    """A row of infinite numbers is nowhere."""
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise ValueError(f"row {row} holds an infinite number; make it missing (NaN) or a large finite number")


def sum_products(
    tally: Tally, batch: Batch, matrix: Floats, group: NDArray[np.int32], groups: int, start: int, few: int
) -> None:
    """S x and S x x' of a vector in each group, block by block; of few rows, and of rows far out, without rounding."""
    width = matrix.shape[1]
    within = width + width * width
    refuse_infinite(matrix)
    for begin in range(0, batch.rows, BLOCK):
        rows = slice(begin, begin + BLOCK)
        total, rest = np.zeros((groups, within)), np.zeros((groups, within))
        exact = np.abs(matrix[rows]).max(1) > FAR if matrix.size > few else np.ones(len(matrix), bool)
        for g in distinct(group[rows]):
            mine = group[rows] == g
            some = begin + np.flatnonzero(mine & ~exact)
            if len(some):
                x = matrix[some]
                weighted = x if batch.weight is None else x * batch.weight[some, None]
                total[g, :width] = weighted.sum(0)
                total[g, width:] = (weighted.T @ x).ravel()
            some = begin + np.flatnonzero(mine & exact)
            if len(some):
                add_products(matrix, some, batch.weight, total[g], rest[g])
        part = slice(start, start + groups * within)
        moments.add(tally.sums[0, part], tally.sums[1, part], total.ravel(), rest.ravel(), 1.0)

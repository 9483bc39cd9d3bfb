"""Rows of few entries: CSR arrays whose columns stand in any order, no column twice in a row.

>>> x = Sparse(np.array([0, 2, 3]), np.array([3, 0, 1], np.int32), np.array([1, 5, 2], np.int32), 4)
>>> x[np.array([1])].columns, x.sum(1), (x @ np.eye(4)).tolist()
(array([1], dtype=int32), array([6., 2.]), [[5.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0]])
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Array, Floats
from bayesfold.kernels.counting import blocks
from bayesfold.runtime.threads import BLOCK, each, spread, workers

ENOUGH = 1 << 18
"""Entries below which another thread is not worth waking."""
PIECE = 1 << 20
"""Entries worked on at once, so that leaving rows out needs little memory whatever the size of the block."""


@dataclass(frozen=True)
class Sparse:
    """Entries starts[i] .. starts[i + 1] are those of row i."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    data: Array
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.starts) - 1, self.width

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, rows: Any) -> "Sparse":
        """The rows chosen by a slice or an index."""
        if isinstance(rows, slice):
            begin, end, step = rows.indices(len(self))
            if step == 1:
                first, last = self.starts[begin], self.starts[max(begin, end)]
                cut = slice(first, last)
                starts = self.starts[begin : max(begin, end) + 1] - first
                return replace(self, starts=starts, columns=self.columns[cut], data=self.data[cut])
            rows = np.arange(begin, end, step)
        size = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(size)])
        where = np.repeat(self.starts[:-1][rows] - starts[:-1], size) + np.arange(starts[-1])
        return replace(self, starts=starts, columns=self.columns[where], data=self.data[where])

    @property
    def row(self) -> NDArray[np.intp]:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def sum(self, axis: int) -> Floats:
        """Each row's entries added up."""
        assert axis == 1, "rows are summed"
        return np.asarray(np.bincount(self.row, self.data, len(self)), np.float64)

    def __matmul__(self, weights: Floats) -> Floats:
        out = np.zeros((len(self), weights.shape[1]))
        add_product(self, weights, 1.0, out)
        return out


def add_product(x: Any, weights: Floats, power: float, out: Floats) -> None:
    """out += power * x @ weights, x being Sparse or scipy's CSR; pieces of rows run side by side."""
    parts = csr_parts(x)
    weights = np.ascontiguousarray(weights)
    spread(lambda begin, end: blocks.product(*parts, weights, power, begin, end, out), x.shape[0], BLOCK // 8)


def add_terms(x: Sparse, group: NDArray[np.int32], weight: Floats, rows: NDArray[np.intp], total: Floats) -> None:
    """total[g, 2 j] += w x and total[g, 2 j + 1] += w, for the entries of some rows; groups run side by side.

    A group's rows are taken together, so that its sums stay in the cache, and in order, so bits do not depend on how
    many threads there are.
    """
    order = rows[np.argsort(group[rows], kind="stable")]
    pieces = 4 * workers() if len(order) * len(x.data) >= ENOUGH * max(len(x), 1) else 1
    bounds = np.searchsorted(group[order], group[order[np.arange(1, pieces) * len(order) // pieces]])
    runs = [(a, b) for a, b in pairwise([0, *bounds.tolist(), len(order)]) if b > a]
    each(lambda run: blocks.terms(*csr_parts(x), group, weight, order[slice(*run)], total), runs)


def long_rows(x: Any, beyond: float) -> Floats | None:
    """The sum of each row of counts, dense or scipy's CSR, where some count is beyond a size; None where none is."""
    held = x if isinstance(x, np.ndarray) else x.data
    if held.max(initial=0) <= beyond:
        return None
    return np.asarray(x.sum(axis=1), np.float64).ravel()


def csr_parts(x: Any) -> tuple[Array, Array, Array]:
    """starts, columns and entries as the loops read them: the starts as int64, whatever scipy made of them."""
    if isinstance(x, Sparse):
        return x.starts, x.columns, x.data
    return np.asarray(x.indptr, np.int64), x.indices, x.data


def entries(x: Any, each: int = 1) -> Iterator[tuple[slice, NDArray[np.intp], NDArray[np.intp], Floats]]:
    """The non-zero entries of rows, piece by piece: (rows of the piece, row within it, column, value).

    `each` is how many numbers the caller makes of an entry. x is dense or CSR.
    """
    if isinstance(x, Sparse):
        yield from entries_of_sparse(x, each)
        return
    if isinstance(x, np.ndarray):
        ends = np.arange(1, len(x) + 1) * x.shape[1]
    else:
        x = x if x.has_canonical_format else x.copy()
        x.sum_duplicates()
        ends = x.indptr[1:].astype(np.intp)
    begin = 0
    while begin < len(ends):
        done = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, done + PIECE // each, "right")))
        piece = x[begin:end]
        row, column = np.nonzero(piece) if isinstance(x, np.ndarray) else piece.nonzero()
        values = piece[row, column] if isinstance(x, np.ndarray) else piece.data[piece.data != 0]
        yield slice(begin, end), row, column, np.asarray(values, np.float64)
        begin = end


def entries_of_sparse(x: Sparse, each: int) -> Iterator[tuple[slice, NDArray[np.intp], NDArray[np.intp], Floats]]:
    """As `entries`, of rows that have no zeros and no column twice."""
    begin = 0
    while begin < len(x):
        end = max(begin + 1, int(np.searchsorted(x.starts, x.starts[begin] + PIECE // each, "right")) - 1)
        piece = x[begin:end]
        yield slice(begin, end), piece.row, piece.columns.astype(np.intp), np.asarray(piece.data, np.float64)
        begin = end

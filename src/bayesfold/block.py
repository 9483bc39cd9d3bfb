"""What the families of count blocks share: sums of a table, shares of a total, the entries of rows, drawing rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.distinct import distinct
from bayesfold.forms import ZERO, Linear
from bayesfold.frame import Floats
from bayesfold.sparse import Sparse
from bayesfold.tally import Cells

Alpha: TypeAlias = float | tuple[float, ...]
PIECE = 1 << 20
"""Entries worked on at once, so that leaving rows out needs little memory whatever the size of the block."""


@dataclass(frozen=True)
class Block(Linear):
    """A linear form that remembers what it was made from: S x of each group, a row a group, and the groups' rows."""

    counts: Floats
    rows: Floats


def counted(cells: Cells) -> Floats:
    """S x of each group, [group, column]."""
    n: Floats = cells.high[0] + cells.low[0]
    return n


def log_share(part: Any, whole: Any, parts: int) -> Floats:
    """log (part / whole); no part is a zero factor, 2^-1000, and of nothing each of `parts` has the same share."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(part > 0, np.log(part) - np.log(whole), ZERO)
    found: Floats = np.where(whole > 0, np.maximum(share, ZERO), -np.log(parts))
    return found


def remains(total: Any, gone: Any) -> Floats:
    """total - gone, exactly 0 where only rounding is left."""
    rest = total - gone
    found: Floats = np.where(rest > 1e-12 * total, rest, 0.0)
    return found


def entries(x: Any, each: int = 1) -> Iterator[tuple[slice, NDArray[np.intp], NDArray[np.intp], Floats]]:
    """The non-zero entries of rows, piece by piece: (rows of the piece, row within it, column, value).

    `each` is how many numbers the caller makes of an entry. x is dense or CSR.
    """
    if isinstance(x, Sparse):
        yield from entries_of(x, each)
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


def entries_of(x: Sparse, each: int) -> Iterator[tuple[slice, NDArray[np.intp], NDArray[np.intp], Floats]]:
    """As `entries`, of rows that have no zeros and no column twice."""
    begin = 0
    while begin < len(x):
        end = max(begin + 1, int(np.searchsorted(x.starts, x.starts[begin] + PIECE // each, "right")) - 1)
        piece = x[begin:end]
        yield slice(begin, end), piece.row, piece.columns.astype(np.intp), np.asarray(piece.data, np.float64)
        begin = end


def by_row(row: NDArray[np.intp], values: Any, rows: slice) -> Any:
    """Entries summed over each row; a leading axis of `values` becomes the last one of the answer."""
    size = rows.stop - rows.start
    if values.ndim == 1:
        return np.bincount(row, values, size)
    return np.stack([np.bincount(row, v, size) for v in values], axis=1)


def drawn(
    form: Block, alpha: Alpha | Floats, group: NDArray[np.intp], draw: "np.random.Generator"
) -> NDArray[np.int64]:
    """Rows of multinomial counts, as long on average as the rows of their group."""
    weight = form.counts + np.asarray(alpha)
    share = np.exp(log_share(weight, weight.sum(1, keepdims=True), weight.shape[1]))
    length = np.where(form.rows > 0, form.counts.sum(1) / np.maximum(form.rows, 2.0**-1000), 0.0)
    found = np.empty((len(group), weight.shape[1]), np.int64)
    for g in distinct(group):
        rows = np.flatnonzero(group == g)
        found[rows] = draw.multinomial(draw.poisson(length[g], len(rows)), share[g] / share[g].sum())
    return found

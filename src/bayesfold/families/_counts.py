"""What the families of count blocks share: sums of a table, shares of a total, drawing rows."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import ZERO, Linear
from bayesfold.runtime.unique import distinct
from bayesfold.tally.statistic import Cells

Alpha: TypeAlias = float | tuple[float, ...]


@dataclass(frozen=True)
class Block(Linear):
    """A linear form that remembers what it was made from: S x, one row per group, and the groups' rows."""

    counts: Floats
    rows: Floats


def group_sums(cells: Cells) -> Floats:
    """S x of each group, [group, column]."""
    n: Floats = cells.high[0] + cells.low[0]
    return n


def log_share(part: Any, whole: Any, parts: int) -> Floats:
    """log (part / whole); no part is a zero factor, 2^-1000, and of nothing each of `parts` has the same share."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(part > 0, np.log(part) - np.log(whole), ZERO)
    log_shares: Floats = np.where(whole > 0, np.maximum(share, ZERO), -np.log(parts))
    return log_shares


def by_row(row: NDArray[np.intp], values: Any, rows: slice) -> Any:
    """Entries summed over each row; a leading axis of `values` becomes the last one of the answer."""
    size = rows.stop - rows.start
    if values.ndim == 1:
        return np.bincount(row, values, size)
    return np.stack([np.bincount(row, v, size) for v in values], axis=1)


def draw_counts(
    form: Block, alpha: Alpha | Floats, group: NDArray[np.intp], draw: "np.random.Generator"
) -> NDArray[np.int64]:
    """Rows of multinomial counts, as long on average as the rows of their group."""
    weight = form.counts + np.asarray(alpha)
    share = np.exp(log_share(weight, weight.sum(1, keepdims=True), weight.shape[1]))
    length = np.where(form.rows > 0, form.counts.sum(1) / np.maximum(form.rows, 2.0**-1000), 0.0)
    counts = np.empty((len(group), weight.shape[1]), np.int64)
    for g in distinct(group):
        rows = np.flatnonzero(group == g)
        counts[rows] = draw.multinomial(draw.poisson(length[g], len(rows)), share[g] / share[g].sum())
    return counts

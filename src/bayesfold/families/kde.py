"""Numbers by kernels, on a grid: P(cell | group) is the group's histogram spread by a normal kernel.

The statistic is the histogram (a binned column), so kernels add, subtract and merge like any table. The bandwidth is
Silverman's, 0.9 min(s, IQR / 1.34) n^-1/5, of each group by itself; a kernel is cut at the grid's ends and rescaled
there, and m pseudo rows of the whole column's density keep every cell above zero (John and Langley 1995).

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Binned, Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> column = Binned("x", tuple(np.arange(0.5, 7).tolist()), family="kde")
>>> t = Tally.zero(Schema(Categories("y", ("a",)), (column,)), (Clique(("x", "y")),))
>>> t.table("x", "y")[3:7, 1] = [1, 6, 4, 1]
>>> np.exp(Kde().fit(t.cells(t.layout.span(t.layout.cliques))).table[1:-1, 1]).round(2)
array([0.  , 0.  , 0.1 , 0.47, 0.33, 0.09, 0.  , 0.  ])
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Lookup, Others
from bayesfold.families._tables import draw_slots, totals
from bayesfold.kernels.scoring import kernel_density
from bayesfold.tally.statistic import Cells

REACH = 5.0
"""A kernel ends after so many bandwidths."""


@dataclass(frozen=True)
class Kde:
    """Pseudo rows of the whole column's density in each group; a factor on Silverman's bandwidth."""

    m: float = 1.0
    width: float = 1.0
    bandwidth: Floats | None = field(default=None, compare=False)  # held: [column, group], in cells
    order: ClassVar[int] = 0
    couples: ClassVar[bool] = True  # a row left out changes what is said of every class

    def hold(self, cells: Cells) -> Self:
        """The bandwidths, a function of the histogram."""
        bandwidths = [silverman_bandwidths(histogram_of(cells, j)) for j in range(len(cells.starts) - 1)]
        return replace(self, bandwidth=self.width * np.stack(bandwidths))

    def fit(self, cells: Cells) -> Lookup:
        """The log table; a missing or unseen value has the factor 1."""
        if self.bandwidth is None:
            return self.hold(cells).fit(cells)
        columns = len(cells.starts) - 1
        table = np.zeros((len(cells.mass) + columns, cells.mass.shape[1]))
        for j in range(columns):
            n = histogram_of(cells, j)
            spread, _ = spread_by_kernel(n, self.bandwidth[j])
            log_p = self._log(spread, spread.sum(1)[:, None], n.sum(0), n.sum(), len(n))
            table[cells.starts[j] + j + 1 : cells.starts[j + 1] + j] = log_p
        return Lookup(table)

    def _log(self, spread: Floats, whole: Floats, total: Floats, rows: Floats, cells: int) -> Floats:
        """log of (spread + m times the whole column's share of the cell) / (total + m)."""
        share = (np.maximum(whole, 0.0) + 1.0 / cells) / (rows + 1.0)
        return np.log((np.maximum(spread, 0.0) + self.m * share) / (total + self.m))

    def log_density(self, form: Lookup, x: NDArray[np.intp]) -> Floats:
        """Rows of the table."""
        return form.table[np.minimum(x, len(form.table) - 1)]

    def left_out(
        self,
        cells: Cells,
        x: NDArray[np.intp],
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """The row's kernel leaves its group and the column, so every group's number changes; bandwidths are held."""
        assert self.bandwidth is not None
        out = np.zeros((*x.shape, cells.mass.shape[1]))
        by_group, row = totals(cells, where), np.arange(len(x))
        for i, j in enumerate(where):
            n = histogram_of(cells, int(j))
            spread, peak = spread_by_kernel(n, self.bandwidth[j])
            known = (x[:, i] > 0) & (x[:, i] <= len(n))
            cell, own = np.where(known, x[:, i] - 1, 0), weight * known
            mine = own * peak[cell, group]
            f, total = spread[cell], np.broadcast_to(by_group[i], (len(x), n.shape[1])).copy()
            f[row, group] -= mine
            total[row, group] -= own
            rows = (by_group[i].sum() - own)[:, None]
            whole = spread.sum(1)[cell][:, None] - mine[:, None]
            out[:, i] = np.where(known[:, None], self._log(f, whole, total, rows, len(n)), 0.0)
        return out

    def sample(self, form: Lookup, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.intp]:
        """A cell for each row."""
        return draw_slots(form, group, draw)


def histogram_of(cells: Cells, j: int) -> Floats:
    """One column's histogram, [cell, group]."""
    return np.asarray(cells.mass[cells.starts[j] + 1 : cells.starts[j + 1]], np.float64)


def silverman_bandwidths(n: Floats) -> Floats:
    """Silverman's bandwidth of each group in cells: at least a twentieth of the column's deviation, and 0.3 cells."""
    at, total = np.arange(len(n))[:, None], n.sum(0)
    rows = np.maximum(total, 1e-300)
    mean = (at * n).sum(0) / rows
    deviation = np.sqrt(((at - mean) ** 2 * n).sum(0) / rows)
    whole = n.sum(1)
    every = max(whole.sum(), 1e-300)
    floor = np.sqrt(max((at[:, 0] ** 2 * whole).sum() / every - ((at[:, 0] * whole).sum() / every) ** 2, 0.0))
    below = n.cumsum(0)
    quartiles = [(below < q * total * (1 - 1e-12)).sum(0) for q in (0.25, 0.75)]
    between = (quartiles[1] - quartiles[0]) / 1.34
    scale = np.where(between > 0, np.minimum(deviation, between), deviation)
    scale = np.maximum(np.where(total > 1, scale, floor), 0.05 * floor)
    bandwidths: Floats = np.maximum(0.9 * scale * np.maximum(total, 1.0) ** -0.2, 0.3)
    return bandwidths


def spread_by_kernel(n: Floats, bandwidth: Floats) -> tuple[Floats, Floats]:
    """Each group's histogram with each cell's weight spread over its neighbours, and how much of it stays in the cell.

    n is [cell, group], and there is a bandwidth for each group.
    """
    cells, groups = n.shape
    spread, peak = np.zeros((groups, cells)), np.empty((groups, cells))
    kernel, below = np.empty(cells), np.empty(2 * cells)
    kernel_density.spread(np.ascontiguousarray(n.T), bandwidth, REACH, kernel, below, spread, peak)
    return np.ascontiguousarray(spread.T), np.ascontiguousarray(peak.T)

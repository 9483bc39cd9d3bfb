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
from bayesfold.families._tables import draw_slots
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
    even: ClassVar[bool] = True  # a histogram, on which the curve is drawn
    couples: ClassVar[bool] = True  # a row left out changes what is said of every class

    def hold(self, cells: Cells) -> Self:
        """The bandwidths, a function of the histogram."""
        bandwidth = np.empty((len(cells.starts) - 1, cells.mass.shape[1]))
        kernel_density.silverman(cells.mass, cells.starts, self.width, bandwidth)
        return replace(self, bandwidth=bandwidth)

    def fit(self, cells: Cells) -> Lookup:
        """The log table; a missing or unseen value has the factor 1."""
        if self.bandwidth is None:
            return self.hold(cells).fit(cells)
        table = np.empty((len(cells.mass) + len(cells.starts) - 1, cells.mass.shape[1]))
        kernel_density.tables(cells.mass, cells.starts, self.bandwidth, self.m, REACH, *scratch_for(cells), table)
        return Lookup(table)

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
        out = np.empty((*x.shape, cells.mass.shape[1]))
        rows = np.ascontiguousarray(x), group, np.ascontiguousarray(weight)
        scratch = scratch_for(cells)
        kernel_density.left_out(cells.mass, cells.starts, where, *rows, self.bandwidth, self.m, REACH, *scratch, out)
        return out

    def sample(self, form: Lookup, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.intp]:
        """A cell for each row."""
        return draw_slots(form, group, draw)


def scratch_for(cells: Cells) -> tuple[Floats, Floats, Floats, Floats]:
    """Room in which the kernels work on one column: kernels, spread histograms, what stays in a cell, totals."""
    most, groups = int(np.diff(cells.starts).max(initial=0)), cells.mass.shape[1]
    return np.empty((2, 2 * most)), np.empty((groups + 1, most)), np.empty((groups, most)), np.empty(groups + 1)

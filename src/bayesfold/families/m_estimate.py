"""Categories, pulled to the whole column: P(x | group) = (N_x,group + m p_x) / (N_group + m).

p_x = (N_x + 1) / (N + S) is the column's own distribution over its S levels, so a level that is rare everywhere stays
rare in every group; Laplace's uniform target would call it as likely as the others (Cestnik 1990).

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> t = Tally.zero(Schema(Categories("y", ("no", "yes")), (Categories("x", ("a", "b")),)), (Clique(("x", "y")),))
>>> t.counts[:] = [0, 0, 0, 0, 2, 1, 0, 0, 4]
>>> cells = t.cells(t.layout.span(t.layout.cliques))
>>> np.exp(MEstimate(1.0).fit(cells).table[1:3, 1:]).round(3)                               # levels x classes
array([[0.815, 0.241],
       [0.185, 0.759]])
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Lookup, Others
from bayesfold.families._tables import draw_slots
from bayesfold.kernels.scoring import m_estimates
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class MEstimate:
    """m: pseudo rows of the column's own distribution added to every group; above 0.

    `deeper`: the same for tables with more parents than the class, whose pseudo rows come from the table with a parent
    fewer; None: as many.
    """

    m: float = 1.0
    deeper: float | None = None
    order: ClassVar[int] = 0
    couples: ClassVar[bool] = True  # a row left out changes what is said of every class

    def hold(self, cells: Cells) -> Self:
        """Nothing is learned beside the table."""
        return self

    def fit(self, cells: Cells) -> Lookup:
        """The log table; a missing or unseen value has the factor 1."""
        groups = cells.mass.shape[1]
        table = np.empty((len(cells.mass) + len(cells.starts) - 1, groups))
        m_estimates.tables(cells.mass, cells.starts, self.m, np.empty(groups + 1), table)
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
        """The row leaves its cell, its group and the column, so every group's number changes."""
        groups = cells.mass.shape[1]
        out = np.empty((*x.shape, groups))
        rows = np.ascontiguousarray(x), group, np.ascontiguousarray(weight)
        m_estimates.left_out(cells.mass, cells.starts, where, *rows, self.m, np.empty(groups + 1), out)
        return out

    def sample(self, form: Lookup, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.intp]:
        """A slot for each row."""
        return draw_slots(form, group, draw)

"""Categories: P(x | group) = (N_x + alpha) / (N + S alpha), with S the number of levels of the whole column.

alpha = 0 is the maximum-likelihood estimate, alpha = 1 Laplace's; "auto" maximises the leave-one-out likelihood of each
column, sum_x N_x log((N_x - 1 + alpha) / (N - 1 + S alpha)), which is a function of the table alone.

>>> from bayesfold.data.encodings import Categories
>>> from bayesfold.data.schema import Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> t = Tally.zero(Schema(Categories("y", ("no", "yes")), (Categories("x", ("a", "b")),)), (Clique(("x", "y")),))
>>> t.counts[:] = [0, 0, 0, 0, 2, 1, 0, 0, 4]
>>> cells = t.cells(t.layout.span(t.layout.cliques))
>>> np.exp(Categorical(1.0).fit(cells).table[1:3, 1:]).round(3)                             # levels x classes
array([[0.75 , 0.286],
       [0.25 , 0.714]])
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Lookup, Others
from bayesfold.families._tables import draw_slots, log_ratio, totals
from bayesfold.kernels.scoring import densities
from bayesfold.tally.statistic import Cells

GRID = 2.0 ** np.arange(-10, 8)


@dataclass(frozen=True)
class Categorical:
    """alpha: a number, "auto", or (held) one number per column."""

    alpha: float | str | tuple[float, ...] = 1.0
    order: ClassVar[int] = 0

    def hold(self, cells: Cells) -> Self:
        """alpha="auto" becomes a number for each column."""
        if not isinstance(self.alpha, str):
            return self
        places = [slice(first + 1, last) for first, last in pairwise(cells.starts)]
        n = cells.weight
        return replace(self, alpha=tuple(best_alpha(n[at], cells.count[at]) for at in places))

    def fit(self, cells: Cells) -> Lookup:
        """The log table; a missing or unseen value has the factor 1."""
        table = np.empty((len(cells.mass) + len(cells.starts) - 1, cells.mass.shape[1]))
        densities.smooth(cells.mass, cells.starts, self.alphas(cells), np.empty(table.shape[1]), table)
        return Lookup(table)

    def alphas(self, cells: Cells) -> Floats:
        """alpha of each column; `self` is held."""
        return np.full(len(cells.starts) - 1, self.alpha, np.float64)

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
        """The same ratio with the row's weight out of its cell and out of the total."""
        first, last = cells.starts[where], cells.starts[where + 1]
        known = (x > 0) & (x < last - first)
        own = cells.mass[first + np.where(known, x, 0), group[:, None]] - weight[:, None]
        total = totals(cells, where)[:, group].T - weight[:, None]
        return np.where(known, log_ratio(own, total, last - first - 1, self.alphas(cells)[where]), 0.0)

    def sample(self, form: Lookup, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.intp]:
        """A slot for each row."""
        return draw_slots(form, group, draw)


def best_alpha(n: Floats, rows: NDArray[Any]) -> float:
    """The alpha of GRID under which a column's rows, each left out in turn, are most likely; [level, group] in."""
    if not rows.any():
        return 1.0
    own = np.where(rows > 0, np.minimum(n / np.maximum(rows, 1), 1.0), 0.0)  # so that weights and copies are the same
    scores = (n * log_ratio(n - own, n.sum(0) - own, len(n), GRID[:, None, None])).sum((1, 2))
    return float(GRID[int(np.argmax(scores))])

"""Counts that share out a row's total, multinomial: log P(x | group) = sum_j x_j log theta_j.

theta_j = (N_j + alpha_j) / (N + sum alpha), N_j the count of column j in the group's rows. The multinomial coefficient,
the same for every group, is left out. A row is left out in closed form, N_j - x_j over N - sum x, on its non-zero
entries.

>>> from bayesfold.data.encodings import Categories, Counts
>>> from bayesfold.data.schema import Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> words = Clique(("y",), ("words",), 1)
>>> t = Tally.zero(Schema(Categories("y", ("ham", "spam")), (Counts("words", ("meet", "win")),)), (words,))
>>> t.counts[1:], t.sums[0, 2:] = [2, 3], [4, 0, 1, 5]          # 2 rows of ham: meet 4, win 0; 3 of spam: 1 and 5
>>> np.exp(Multinomial(1.0).fit(t.cells(t.layout.span([words]))).weights[:, 1:]).round(3)         # words x classes
array([[0.833, 0.25 ],
       [0.167, 0.75 ]])
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.sparse import entries
from bayesfold.families._counts import Alpha, Block, by_row, draw_counts, group_sums, log_share
from bayesfold.families._forms import Others, subtract_weight
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class Multinomial:
    """alpha: counts added to every column, or one number per column."""

    alpha: Alpha = 1.0
    order: ClassVar[int] = 1

    def hold(self, cells: Cells) -> Self:
        """Nothing is learned from the whole table."""
        return self

    def fit(self, cells: Cells) -> Block:
        """log theta, one column per group."""
        n = group_sums(cells)
        smoothed = n + np.asarray(self.alpha)
        logs = log_share(smoothed, smoothed.sum(1, keepdims=True), n.shape[1])
        return Block(np.ascontiguousarray(logs.T), np.zeros(len(n)), n, cells.weight[0])

    def log_density(self, form: Block, x: Any) -> Floats:
        """x log theta."""
        return np.asarray(x @ form.weights) + form.constant

    def left_out(
        self,
        cells: Cells,
        x: Any,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """The row's own counts out of N_j and of N."""
        high, low = cells.high[0], cells.low[0]
        total = group_sums(cells).sum(1)
        width = high.shape[1]
        alpha = np.broadcast_to(np.asarray(self.alpha, np.float64), width)
        log_densities = np.empty(len(group))
        for rows, row, column, value in entries(x):
            own, w = group[rows], weight[rows]
            at = own[row], column
            part = np.maximum(high[at] - w[row] * value + low[at], 0.0) + alpha[column]
            whole = subtract_weight(total[own], w * by_row(row, value, rows)) + alpha.sum()
            log_densities[rows] = by_row(row, value * log_share(part, whole[row], width), rows)
        return log_densities[:, None]

    def sample(self, form: Block, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.int64]:
        """Rows of Poisson length, with the mean length of their group."""
        return draw_counts(form, self.alpha, group, draw)

"""Presence and absence, Bernoulli: log P(x | group) = sum_j x_j log p_j + (1 - x_j) log(1 - p_j).

p_j = (N_j + alpha_j) / (N + 2 alpha_j), N_j the rows of the group that show column j, N all its rows. When a row is
left out every column changes, because N does; the columns it does not show change alike for all rows of its group and
weight, so only non-zero entries are visited row by row.

>>> from bayesfold.data.encodings import Categories, Counts
>>> from bayesfold.data.schema import Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> words = Clique(("y",), ("words",), 1)
>>> t = Tally.zero(Schema(Categories("y", ("ham", "spam")), (Counts("words", ("meet", "win")),)), (words,))
>>> t.counts[1:], t.sums[0, 2:] = [2, 3], [2, 0, 1, 3]          # 2 rows of ham: meet in 2, win in 0; 3 of spam: 1 and 3
>>> form = Bernoulli(1.0).fit(t.cells(t.layout.span([words])))
>>> (1 / (1 + np.exp(-form.weights[:, 1:]))).round(3)           # words x classes
array([[0.75, 0.4 ],
       [0.25, 0.8 ]])
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.sparse import PIECE, entries
from bayesfold.families._counts import Alpha, by_row, group_sums, log_share
from bayesfold.families._forms import Linear, Others
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class Bernoulli:
    """alpha: rows added with and without every column, or one number per column."""

    alpha: Alpha = 1.0
    order: ClassVar[int] = 1

    def hold(self, cells: Cells) -> Self:
        """Nothing is learned from the whole table."""
        return self

    def fit(self, cells: Cells) -> Linear:
        """The log odds of each column, and the log probability of a row that shows none."""
        present, absent = self.log_odds(group_sums(cells), cells.weight[0][:, None])
        return Linear(np.ascontiguousarray((present - absent).T), absent.sum(1))

    def log_odds(self, n: Any, rows: Any, column: Any = slice(None)) -> tuple[Floats, Floats]:
        """log p and log(1 - p) of `rows` rows, n of which show a column."""
        alpha = np.asarray(self.alpha, np.float64)
        alpha = alpha[column] if alpha.ndim else alpha
        whole = rows + 2 * alpha
        return log_share(np.maximum(n, 0.0) + alpha, whole, 2), log_share(np.maximum(rows - n, 0.0) + alpha, whole, 2)

    def log_density(self, form: Linear, x: Any) -> Floats:
        """x log odds, plus the log probability of showing nothing."""
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
        """The row out of N, and out of N_j for the columns it shows."""
        n, total = group_sums(cells), cells.weight[0]
        kinds, kind = np.unique(np.column_stack([group, weight]), axis=0, return_inverse=True)
        of, rest = kinds[:, 0].astype(np.intp), np.maximum(total[kinds[:, 0].astype(np.intp)] - kinds[:, 1], 0.0)
        nothing = np.empty(len(kinds))
        step = max(1, PIECE // n.shape[1])
        for begin in range(0, len(kinds), step):
            chunk = slice(begin, begin + step)
            nothing[chunk] = self.log_odds(n[of[chunk]], rest[chunk, None])[1].sum(1)
        log_densities = nothing[kind]
        for rows, row, column, value in entries(x):
            own, left = group[rows][row], rest[kind[rows]][row]
            before = n[own, column]
            present, absent = self.log_odds(before - weight[rows][row] * value, left, column)
            unseen = self.log_odds(before, left, column)[1]
            log_densities[rows] += by_row(row, value * (present - absent) + absent - unseen, rows)
        return log_densities[:, None]

    def sample(self, form: Linear, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.int64]:
        """A 1 with probability p_j."""
        p = 1 / (1 + np.exp(-form.weights.T))
        return np.asarray(draw.random((len(group), p.shape[1])) < p[group], np.int64)

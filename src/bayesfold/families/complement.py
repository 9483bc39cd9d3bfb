"""Counts judged by the other groups, complement naive Bayes: score(x | group) = - sum_j x_j log theta'_j.

theta'_j = (N'_j + alpha_j) / (N' + sum alpha), N'_j the count of column j in the rows of every *other* group. With
`norm` the logs are divided by their sum over j. It is a score, not the log of a distribution of x; rows are drawn from
the group's own multinomial. When a row is left out every group but its own changes.

>>> from bayesfold.data.encodings import Categories, Counts
>>> from bayesfold.data.schema import Schema
>>> from bayesfold.tally.statistic import Clique, Tally
>>> words = Clique(("y",), ("words",), 1)
>>> t = Tally.zero(Schema(Categories("y", ("ham", "spam")), (Counts("words", ("meet", "win")),)), (words,))
>>> t.counts[1:], t.sums[0, 2:] = [2, 3], [4, 0, 1, 5]          # ham: meet 4, win 0; spam: meet 1, win 5
>>> np.exp(-Complement(1.0).fit(t.cells(t.layout.span([words]))).weights[:, 1:]).round(3)   # theta', words x classes
array([[0.25 , 0.833],
       [0.75 , 0.167]])

Rennie, Shih, Teevan, Karger (2003), Tackling the poor assumptions of naive Bayes text classifiers.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.sparse import entries
from bayesfold.families._counts import Alpha, Block, by_row, draw_counts, group_sums, log_share
from bayesfold.families._forms import ZERO, Others, subtract_weight
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class Complement:
    """alpha: counts added to every column, or one number per column; norm: weights of every group sum to 1."""

    alpha: Alpha = 1.0
    norm: bool = False
    order: ClassVar[int] = 1

    def hold(self, cells: Cells) -> Self:
        """Nothing is learned from the whole table."""
        return self

    def fit(self, cells: Cells) -> Block:
        """-log theta', or its share of their sum."""
        n = group_sums(cells)
        smoothed = sums_of_others(n) + np.asarray(self.alpha)
        logs = log_share(smoothed, smoothed.sum(1, keepdims=True), n.shape[1])
        weights = logs / logs.sum(1, keepdims=True) if self.norm and n.shape[1] > 1 else -logs
        return Block(np.ascontiguousarray(weights.T), np.zeros(len(n)), n, cells.weight[0])

    def log_density(self, form: Block, x: Any) -> Floats:
        """The score, which is not normalised."""
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
        """Every group's score, the row's counts out of the complement of each group but its own."""
        n = group_sums(cells)
        rest = sums_of_others(n)
        groups, width = rest.shape
        alpha = np.broadcast_to(np.asarray(self.alpha, np.float64), width)
        logs, positive = log_or_zero(rest + alpha).sum(1), (rest + alpha > 0).sum(1)
        scores = np.empty((len(group), groups))
        for rows, row, column, value in entries(x, groups):
            foreign = group[rows] != np.arange(groups)[:, None]
            before = rest[:, column] + alpha[column]
            part = subtract_weight(rest[:, column], weight[rows][row] * value * foreign[:, row]) + alpha[column]
            whole = (
                subtract_weight(rest.sum(1)[:, None], weight[rows] * by_row(row, value, rows) * foreign) + alpha.sum()
            )
            score = by_row(row, value * log_share(part, whole[:, row], width), rows)
            if self.norm and width > 1:
                seen = positive + by_row(row, (part > 0) * 1.0 - (before > 0), rows)
                with np.errstate(divide="ignore", invalid="ignore"):
                    total = logs + by_row(row, log_or_zero(part) - log_or_zero(before), rows) - seen * np.log(whole.T)
                total = np.where(whole.T > 0, total + (width - seen) * ZERO, -width * np.log(width))
                score = -score / total
            scores[rows] = -score
        return scores[:, None]

    def sample(self, form: Block, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.int64]:
        """Rows of the group's own multinomial."""
        return draw_counts(form, self.alpha, group, draw)


def sums_of_others(n: Floats) -> Floats:
    """The sum over all groups but one, for each; added up, because the total may have no digits left for it.

    >>> sums_of_others(np.array([[1e17], [1.0], [2.0]]))[0]
    array([3.])
    """
    none = np.zeros((1, n.shape[1]))
    before = np.concatenate([none, n[:-1]]).cumsum(0)
    behind = np.concatenate([none, n[:0:-1]]).cumsum(0)[::-1]
    others: Floats = before + behind
    return others


def log_or_zero(n: Floats) -> Floats:
    """log n, 0 where n is 0."""
    return np.log(np.where(n > 0, n, 1.0))

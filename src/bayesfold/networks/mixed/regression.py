"""Lines from sums: least squares in each group of rows, from its weight, its sums of numbers and of their products.

With W the scatter of a group about its means, n its weight, T the scatter within all groups divided by their weight and
r rows of prior,

    slopes = (W_xx + r T_xx)^-1 (W_xy + r T_xy)        sd^2 = what is left of W_yy + r T_yy, divided by n + r

so r = 0 is least squares. A group without rows has the means of all rows and T. Parents that repeat each other share
their slope (the smallest that do: a pseudo-inverse). No variance is below 2^-40 of the number's own, so that a number
that others determine, or a group of one row, has a density. Weight w counts as w copies of a row.

>>> x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 3.0, 5.0, 6.0])
>>> rows = np.stack([y, x], axis=1)
>>> sums = GroupSums(np.array([4.0]), rows.sum(0)[None], (rows.T @ rows)[None])
>>> mean, slopes, variance = least_squares(sums)
>>> mean.tolist(), slopes.round(6).tolist(), variance.round(6).tolist()
([[4.0, 2.5]], [[1.4]], [0.05])
>>> round(local_score("bic", sums, 4.0), 4)
-1.7637
"""

from dataclasses import dataclass
from math import log

import numpy as np

from bayesfold.data.frame import Floats

FLOOR = 2.0**-40
"""The least variance, as a share of the variance of the number in all rows."""

NOISE = 2.0**-36
"""Directions of the parents that vary less, as a share of the one that varies most, are rounding."""


@dataclass(frozen=True)
class GroupSums:
    """Sums of each group: weight [group], numbers [group, number], products [group, number, number]; y comes first."""

    weight: Floats
    first: Floats
    second: Floats

    def of(self, numbers: list[int]) -> "GroupSums":
        """The sums of some of the numbers, in this order."""
        return GroupSums(self.weight, self.first[:, numbers], self.second[:, numbers][:, :, numbers])

    @property
    def means(self) -> Floats:
        """The means of each group; of one without rows those of all rows."""
        every = self.first.sum(0) / self.weight.sum()
        has_rows = self.weight > 0
        own = np.divide(self.first, self.weight[:, None], out=np.zeros_like(self.first), where=has_rows[:, None])
        return np.where(has_rows[:, None], own, every)

    @property
    def scatter(self) -> Floats:
        """S w (x - m)(x - m)' of each group."""
        mean = self.means
        return self.second - self.weight[:, None, None] * mean[:, :, None] * mean[:, None, :]

    @property
    def variance(self) -> float:
        """The variance of the first number in all rows; 1 where it has none."""
        n, total = self.weight.sum(), self.first[:, 0].sum()
        variance = float(self.second[:, 0, 0].sum() / n - (total / n) ** 2)
        return variance if variance > FLOOR * float(self.second[:, 0, 0].sum() / n) else 1.0


def least_squares(sums: GroupSums, prior_rows: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Means [group, number], slopes [group, parent] and variances [group] of the lines."""
    scatter, n = sums.scatter, sums.weight
    within = scatter.sum(0) / n.sum()
    r = np.where(n > 0, prior_rows, max(prior_rows, 1.0))
    slopes, left = solve_lines(scatter + r[:, None, None] * within)
    variance = np.maximum(left / (n + r), FLOOR * sums.variance)
    return sums.means, slopes, variance


def solve_lines(scatter: Floats) -> tuple[Floats, Floats]:
    """Slopes of the first number on the others, and the scatter that they leave of it."""
    below, across = scatter[:, 1:, 1:], scatter[:, 1:, 0]
    size = np.sqrt(np.maximum(np.diagonal(below, axis1=1, axis2=2), 0.0))
    unit = np.where(size > 0, size, 1.0)
    shares = below / (unit[:, :, None] * unit[:, None, :])
    slopes = (np.linalg.pinv(shares, rcond=NOISE, hermitian=True) @ (across / unit)[..., None])[..., 0] / unit
    off = np.concatenate([np.ones((len(slopes), 1)), -slopes], axis=1)
    left = np.einsum("gi,gij,gj->g", off, scatter, off)
    return slopes, np.maximum(left, 0.0)


def log_likelihood(sums: GroupSums) -> float:
    """log density of the rows under the lines of least squares.

    A group of no more rows than its line has numbers lies on the line and tells nothing of the spread about it: its
    variance is that of the other groups.
    """
    slopes, left = solve_lines(sums.scatter)
    n, floor = sums.weight, FLOOR * sums.variance
    rich = n > slopes.shape[1] + 1
    pooled = max(left[rich].sum() / n[rich].sum(), floor) if rich.any() else sums.variance
    variance = np.where(rich, np.maximum(left / np.where(n > 0, n, 1.0), floor), pooled)
    return float(-0.5 * (n * np.log(2 * np.pi * variance) + left / variance).sum())


def local_score(kind: str, sums: GroupSums, rows: float) -> float:
    """What a number's parents are worth: log likelihood less a price for each slope, intercept and variance."""
    groups, numbers = map(int, sums.first.shape)
    price = log(max(rows, 1.0)) / 2 if kind == "bic" else 1.0
    return log_likelihood(sums) - price * (groups * (numbers + 1))

"""Numbers, normal: mean S1 / n, variance (sum of squares about it + r v) / (n - ddof + r) + added.

r = `pseudo_rows` pseudo rows pull each group's variance to v, the column's variance within groups (at least a
thousandth of its whole variance), so no variance is zero and no unit of measurement matters. r = 0 is maximum
likelihood (ddof=1: the unbiased variance of the textbook's watermelon example). An empty group has the whole column's
mean and v.

>>> import numpy as np
>>> from bayesfold.tally.statistic import Cells
>>> four, none = np.array([[4]]), np.empty((1, 0))
>>> cells = Cells(np.array([0, 1]), four, four, none, np.array([[[10.0, 30.0]]]), np.zeros((1, 1, 2)))
>>> form = Gaussian(pseudo_rows=0).fit(cells)                   # four rows: sum 10, sum of squares 30
>>> float(form.mean[0, 0]), float(0.5 / form.precision[0, 0])
(2.5, 1.25)
"""

from dataclasses import dataclass

from bayesfold.families._normal import NormalFamily


@dataclass(frozen=True)
class Gaussian(NormalFamily):
    """Normal in x itself."""

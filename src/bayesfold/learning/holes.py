"""What missing cells say of the class, pulled to nothing by how little is known of it.

A class c has M_c missing cells in N_c rows, and all classes together the share p. The share of a class is taken for a
draw from a Beta(m p, m (1 - p)), so that P(missing | c) = (M_c + m p) / (N_c + m), and m is the one of `STRENGTHS` that
makes the counts of all classes most likely (Skellam 1948). Where classes miss alike, m is large and a hole says
nothing, also of a rare class in which no row happens to lack a value; where they differ beyond chance, m is small.

>>> strength(np.array([40.0, 0.0]), np.array([400.0, 23.0]))                   # none of 23, beside a tenth
1000.0
>>> strength(np.array([400.0, 0.0]), np.array([4000.0, 2000.0]))               # none of 2,000
3.0
"""

from math import lgamma

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats

STRENGTHS = (1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0)
"""Rows that the share over all classes weighs, the strongest first: of equals it is the one that says least."""

ENOUGH = 5.0
"""Missing cells to be expected in a class before a table of its own may say how many there are."""


def strength(missing: Floats, rows: Floats) -> float:
    """The pseudo rows under which classes with so many missing cells in so many rows are most likely."""
    share = common(missing, rows)

    def log_likelihood(m: float) -> float:
        a, b = m * share, m * (1 - share)
        return sum(
            log_beta(a + gone, b + n - gone) - log_beta(a, b)
            for gone, n in zip(missing.tolist(), rows.tolist(), strict=True)
        )

    return max(STRENGTHS, key=log_likelihood)


def speaks(missing: Floats, rows: Floats) -> bool:
    """Whether holes may be a level of their own in every class: these differ by more than chance, and none is rare."""
    known = rows[rows > 0]
    return strength(missing, rows) < STRENGTHS[0] and bool((known * common(missing, rows)).min() >= ENOUGH)


def by_class(
    absent: NDArray[np.bool_], classes: NDArray[np.intp], weight: Floats | None, copies: bool = False
) -> tuple[Floats, Floats]:
    """Missing cells and rows of each class; a row counts by its share of the mean weight, or by its copies."""
    w = np.ones(len(absent)) if weight is None else weight if copies else weight / weight.mean()
    missing, rows = np.bincount(classes, w * absent), np.bincount(classes, w)
    return missing.astype(np.float64), rows.astype(np.float64)


def common(missing: Floats, rows: Floats) -> float:
    """The share of missing cells over all classes, neither 0 nor 1."""
    return float((missing.sum() + 1) / (rows.sum() + 2))


def log_beta(a: float, b: float) -> float:
    """log B(a, b)."""
    return lgamma(a) + lgamma(b) - lgamma(a + b)

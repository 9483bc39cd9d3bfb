"""Normal classes without one row: what `fit` of all other rows would say of it, for each row at the price of scoring.

Without w = min(weight, 1) of row x, of class k, with v = x - m_k,

    n_k - w      n - w      m_k - v w / (n_k - w)      W_k - q v v',  q = w n_k / (n_k - w)

are left. Of each class's S_c = (1 - diagonal) (a W_c + b / divisor W) + (diagonal + 2^-46) D the coefficients change,
alike for all rows of one class and weight, and t v v' goes, t = (1 - diagonal) (a [c = k] + b / divisor) q. By Sherman
and Morrison (1950)

    |S - t v v'| = |S| f      x' (S - t v v')^-1 x = x' S^-1 x + (t / f) (x' S^-1 v)^2      f = 1 - t v' S^-1 v

D is held. In its units S is (1 - diagonal) B + (diagonal + 2^-46) I, whose eigenvectors are those of B: one
decomposition for each class and `tied`, and one turning of the rows, serve all values of `diagonal`. A class that loses
its last row has the mean of all other rows and their tied covariance, as in `fit`.

>>> import numpy as np
>>> from bayesfold.families._covariance import fit, log_density
>>> rows = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 4.0], [3.0, 4.0], [5.0, 1.0]])
>>> both = Moments(np.array([5.0]), rows.sum(0, keepdims=True), (rows.T @ rows)[None])
>>> left_out(both, Shrinkage(), rows, np.zeros(5, int), np.ones(5))[:1].round(4)
array([[-6.7553]])
>>> rest = Moments(np.array([4.0]), rows[1:].sum(0, keepdims=True), (rows[1:].T @ rows[1:])[None])
>>> log_density(fit(rest, Shrinkage(), held=scale_of_columns(both)), rows[:1]).round(4)
array([[-6.7553]])
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._covariance import (
    ALL,
    FLOOR,
    LEAST,
    ORIGIN,
    Index,
    Moments,
    Shrinkage,
    means,
    scale_of_columns,
    scatters,
    standardise,
    volume,
)
from bayesfold.families._forms import subtract_weight
from bayesfold.kernels.scoring import normals

RESTS = 2.0**-30
"""A row that holds all but this share of a direction's scatter holds all of it: the rest is rounding ..."""
STEEP = 2.0**-48
"""... as is this share times the largest variance over the smallest."""
LEVELS = 64
"""Divisors are exact for so many weights below one in a class; more are grouped, each group at its mean weight."""
START = Shrinkage(pseudo_rows=4.0)
"""What is not varied, unless told otherwise."""


def left_out(
    moments: Moments, shrinkage: Shrinkage, X: Floats, y: Index, weight: Floats, held: Floats | None = None
) -> Floats:
    """log p(x | c), [row, class], from all rows but min(weight, 1) of the row itself.

    X are rows that were summed, y their classes, weight their weights; `held` is D where it is not that of the moments.
    """
    found: Floats = RowsLeftOut(moments, X, y, weight, shrinkage, held).under(shrinkage.tied, (shrinkage.diagonal,))[0]
    return found


class RowsLeftOut:
    """Rows that were summed, each to be left out, under one shrinkage after another: what they share is done once.

    `start` has what is not varied; weights of a class beyond so many `levels` are grouped.
    """

    def __init__(
        self,
        moments: Moments,
        X: Floats,
        y: Index,
        weight: Floats,
        start: Shrinkage = START,
        held: Floats | None = None,
        levels: int = LEVELS,
    ) -> None:
        unit = np.sqrt(scale_of_columns(moments, start.ddof) if held is None else held)
        self.start, self.n, self.size = start, moments.weight, volume(unit)
        self.weight, self.y = np.ascontiguousarray(weight, np.float64), np.ascontiguousarray(y, np.intp)
        self.own, self.mean, self.Z = scatters(moments, unit), means(moments) / unit, standardise(X, unit)
        self.every, self.total, self.filled = self.own.sum(0), self.n.sum(), int(np.count_nonzero(self.n))
        rest = subtract_weight(self.n[y], weight)
        self.q = np.divide(weight * self.n[y], rest, out=np.zeros(len(X)), where=rest > 0)
        last = find_lone_rows(moments, y, weight)
        self.parts = [part for c in range(len(self.n)) for part in _parts(c, y == c, weight, last, levels)]

    def under(self, tied: float, diagonal: Sequence[float]) -> Floats:
        """[diagonal, row, class]: log p(x | c) under this share of the tied covariance, and each of its diagonal."""
        n, mean, total, width = self.n, self.mean, self.total, self.Z.shape[1]
        shrinkage, shared = replace(self.start, tied=float(tied)), tied == 1
        if shared:
            tied_values, tied_vectors = shrinkage.eigen(self.every / max(total, LEAST))
            tied_Z, tied_mean = self.Z @ tied_vectors, mean @ tied_vectors
        diagonals = np.array(diagonal, np.float64)
        scratch = np.empty((2 * len(diagonal) + 2, max(width, len(diagonal))))
        found = np.empty((len(diagonal), len(self.Z), len(n)))
        for part in self.parts:
            c, rows, left = part.c, part.rows, subtract_weight(total, part.gone)
            divisor = shrinkage.divisor(left, self.filled - part.empties)
            a, b = shrinkage.shares(part.left(n[c]))
            if shared:
                values, Y, centre = tied_values * (total / divisor), tied_Z[rows], tied_mean
            else:
                values, vectors = shrinkage.eigen(a * self.own[c] + b / divisor * self.every)
                Y, centre = self.Z[rows] @ vectors, mean @ vectors
            if part.left(n[c]) > 0:
                middle, of = c, n[c] if part.inside else np.inf
            else:
                middle, of = (ALL, total) if left > 0 else (ORIGIN, np.inf)
            asked = Y, rows, self.y, centre, middle % len(centre)
            gone = self.weight, of, self.q, a * part.inside + b / divisor
            matrix = values, diagonals, FLOOR, RESTS, STEEP, shrinkage.independent
            normals.left_out(*asked, *gone, *matrix, scratch, found, c)
        found *= -0.5
        found -= self.size
        return found


def find_lone_rows(moments: Moments, y: Index, weight: Floats) -> NDArray[np.bool_]:
    """Rows that are all there is of their class: when one is left out nobody knows the class, so none should judge.

    Its log density is as low as the class is different, and one such row can outweigh all others in a choice.
    """
    n = moments.weight[y]
    alone: NDArray[np.bool_] = (subtract_weight(n, weight) == 0) & (n > 0)
    return alone


@dataclass(frozen=True)
class _Part:
    """Rows without which class c has the same matrix: all of the class or none, all alone in theirs or none."""

    c: int
    rows: Index
    gone: float
    inside: bool
    empties: bool

    def left(self, n: float) -> float:
        """What is left of the n rows of the class."""
        if not self.inside:
            return n
        return 0.0 if self.empties else float(subtract_weight(n, self.gone))


def _parts(c: int, own: NDArray[np.bool_], gone: Floats, last: NDArray[np.bool_], most: int) -> Iterator[_Part]:
    for inside, empties in ((True, False), (True, True), (False, False), (False, True)):
        rows = np.flatnonzero((own == inside) & (last == empties))
        if not len(rows):
            continue
        weights = gone[rows]
        if weights.min() == weights.max():
            yield _Part(c, rows, float(weights[0]), inside, empties)
            continue
        levels, level = np.unique(weights, return_inverse=True)
        if len(levels) > most:
            groups = np.array_split(rows[np.argsort(weights, kind="stable")], most)
        else:
            groups = [rows[level == k] for k in range(len(levels))]
        for group in groups:
            yield _Part(c, group, float(gone[group].mean()), inside, empties)

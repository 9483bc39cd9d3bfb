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
    slice_rows,
    standardise,
    volume,
)
from bayesfold.families._forms import subtract_weight

RESTS = 2.0**-30
"""A row that holds all but this share of a direction's scatter holds all of it: the rest is rounding ..."""
STEEP = 2.0**-48
"""... as is this share times the largest variance over the smallest."""
LEVELS = 64
"""Divisors are exact for so many weights below one in a class; more are grouped, each group at its mean weight."""
PIECE = 1 << 15
"""Numbers worked on at once: about what a core's own cache holds."""
TIED, DIAGONAL, START = (0.0, 0.1, 0.5, 1.0), (0.01, 0.1, 0.3), Shrinkage(pseudo_rows=4.0)
"""What is tried unless told otherwise, and what is not varied."""


def left_out(
    moments: Moments, shrinkage: Shrinkage, X: Floats, y: Index, weight: Floats, held: Floats | None = None
) -> Floats:
    """log p(x | c), [row, class], from all rows but min(weight, 1) of the row itself.

    X are rows that were summed, y their classes, weight their weights; `held` is D where it is not that of the moments.
    """
    tied, diagonal = (shrinkage.tied,), (shrinkage.diagonal,)
    return next(grid(moments, X, y, weight, tied, diagonal, shrinkage, held))[1]


def grid(
    moments: Moments,
    X: Floats,
    y: Index,
    weight: Floats,
    tied: Sequence[float] = TIED,
    diagonal: Sequence[float] = DIAGONAL,
    start: Shrinkage = START,
    held: Floats | None = None,
    levels: int = LEVELS,
) -> Iterator[tuple[Shrinkage, Floats]]:
    """`left_out` for each pair of `tied` and `diagonal`; the other options are those of `start`."""
    unit = np.sqrt(scale_of_columns(moments, start.ddof) if held is None else held)
    n, own, mean, Z = moments.weight, scatters(moments, unit), means(moments) / unit, standardise(X, unit)
    every, total, filled = own.sum(0), n.sum(), int(np.count_nonzero(n))
    rest = subtract_weight(n[y], weight)
    q = np.divide(weight * n[y], rest, out=np.zeros(len(X)), where=rest > 0)
    last = find_lone_rows(moments, y, weight)
    parts = [part for c in range(len(n)) for part in _parts(c, y == c, weight, last, levels)]
    for share in tied:
        shrinkage, shared = replace(start, tied=float(share)), share == 1
        if shared:
            tied_values, tied_vectors = shrinkage.eigen(every / max(total, LEAST))
            tied_Z, tied_mean = Z @ tied_vectors, mean @ tied_vectors
        by_diagonal = np.empty((len(diagonal), len(X), len(n)))
        for part in parts:
            c, rows, left = part.c, part.rows, subtract_weight(total, part.gone)
            divisor = shrinkage.divisor(left, filled - part.empties)
            a, b = shrinkage.shares(part.left(n[c]))
            if shared:
                values, Y, centre = tied_values * (total / divisor), tied_Z[rows], tied_mean
            else:
                values, vectors = shrinkage.eigen(a * own[c] + b / divisor * every)
                Y, centre = Z[rows] @ vectors, mean @ vectors
            if part.left(n[c]) > 0:
                middle, of = c, n[c] if part.inside else np.inf
            else:
                middle, of = (ALL, total) if left > 0 else (ORIGIN, np.inf)
            for inside in slice_rows(len(rows), len(unit), PIECE):
                piece = rows[inside]
                x = Y[inside] - centre[middle]
                v = x if part.inside and middle == c else Y[inside] - centre.take(y[piece], 0)
                t = (a * part.inside + b / divisor) * q[piece]
                away = 1 / (1 - weight[piece] / of)  # the mean without the row is farther from it by this factor
                far = _far(values, np.array(diagonal, np.float64), x, away, v, t, shrinkage.independent)
                by_diagonal[:, piece, c] = -volume(unit) - 0.5 * far
        for value, log_densities in zip(diagonal, by_diagonal, strict=True):
            yield replace(shrinkage, diagonal=float(value)), log_densities


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
        levels, level = np.unique(gone[rows], return_inverse=True)
        if len(levels) > most:
            groups = np.array_split(rows[np.argsort(gone[rows], kind="stable")], most)
        else:
            groups = [rows[level == k] for k in range(len(levels))]
        for group in groups:
            yield _Part(c, group, float(gone[group].mean()), inside, empties)


def _far(values: Floats, diagonal: Floats, x: Floats, away: Floats, v: Floats, t: Floats, independent: bool) -> Floats:
    """log |S - t v v'| + away^2 x' (S - t v v')^-1 x in the eigenvectors' coordinates, [diagonal, row].

    S = (1 - diagonal) diag(values) + diagonal + FLOOR. Where v was all there was of a direction f would be rounding: as
    1 - t v' diag(values)^-1 v, exactly zero there, plus what `diagonal` and the floor add to it, it is sharp. If
    `independent`, each column is a matrix of one row and the answers are summed at the end.
    """

    def summed(products: Floats, weights: Floats) -> Floats:
        sums: Floats = (
            products[:, None] * weights if independent else (products @ np.ascontiguousarray(weights.T))[..., None]
        )
        return sums

    variance = np.outer(1 - diagonal, values) + diagonal[:, None] + FLOOR
    xx, own = x * x, x is v
    squares = summed(xx, 1 / variance)
    t, away, varies = t[:, None, None], away[:, None, None], values > 0
    if t.any():
        inverse = np.divide(1.0, values, out=np.zeros_like(values), where=varies)[None]
        shares = t * summed(
            xx if own else v * v, np.vstack([inverse, (diagonal[:, None] + FLOOR) / variance * inverse])
        )
        rest = 1 - shares[:, :1]
        rest[rest < max(RESTS, STEEP * values.max(initial=0.0) * inverse.max(initial=0.0))] = 0.0
        factor = rest + shares[:, 1:]
        squares += (1 - diagonal)[:, None] * t * summed(xx if own else x * v, varies / variance) ** 2 / factor
        far = away**2 * squares + np.log(factor)
    else:
        far = away**2 * squares
    distances: Floats = (far.sum(2) + np.log(variance).sum(1)).T
    return distances

"""Normal classes with covariance: own (QDA), tied (LDA), diagonal, and everything between, from sums of x x'.

With W_c = S w (x - m_c)(x - m_c)' the scatter of class c about its mean m_c, n_c its rows and K' classes that have any,

    tied T = S_c W_c / (n - ddof K')          own C_c = (W_c + r T) / (n_c - ddof + r)
    D      = max(diag T, column's variance / 1024)
    S_c    = (1 - diagonal) [(1 - tied) C_c + tied T] + (diagonal + 2^-46) D
    log p(x | c) = -1/2 [ V log 2 pi + log |S_c| + (x - m_c)' S_c^-1 (x - m_c) ]

so `Shrinkage()` is maximum likelihood. A class without rows has the mean of all rows and T, and so has the covariance
of a class with no more than `ddof` rows. The floor of 2^-46 D keeps S_c invertible where columns are repeated or sum to
one; being relative to D it knows no unit. A column that is constant says nothing.

Friedman 1989, Regularized Discriminant Analysis. Weight w counts as w copies of a row. `downdate` leaves rows out.

>>> import numpy as np
>>> rows = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 4.0], [3.0, 4.0], [5.0, 1.0]])
>>> both = Moments(np.array([5.0]), rows.sum(0, keepdims=True), (rows.T @ rows)[None])
>>> log_density(fit(both, Shrinkage()), rows[:1]).round(4)
array([[-4.0224]])
>>> log_density(fit(both, Shrinkage(diagonal=1.0)), rows[:1]).round(4)
array([[-3.9164]])
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import subtract_weight

Index = NDArray[np.intp]

FLOOR = 2.0**-46
"""The variance, in units of D, of a direction in which nothing varies."""
NOISE = 2.0**-36
"""A share of the largest variance that is all rounding: it counts as zero."""
FARTHEST = 2.0**100
"""No row is farther from the origin in units of D, so that squares of squares stay finite."""
SAFE = 2.0**-10
"""A share of the largest variance that is far above rounding: with so much on the diagonal no direction is lost."""
LEAST = 2.0**-1000
"""Divides instead of zero."""
ALL, ORIGIN = -2, -1
"""Where `means` has the mean of all rows, and zeros."""
PIECE = 1 << 20
"""Numbers worked on at once: little memory, yet few products, because waking threads for each is dear."""


@dataclass(frozen=True)
class Moments:
    """What is summed, of rows about a point near their mean; rows that are asked later are about the same point."""

    weight: Floats  # [class]: S w
    first: Floats  # [class, column]: S w x
    second: Floats  # [class, column, column]: S w x x'


@dataclass(frozen=True)
class Shrinkage:
    """How far each covariance is pulled to that of all classes, and that to its diagonal."""

    tied: float = 0.0  # 0: each class its own, 1: one for all
    diagonal: float = 0.0  # 1: the tied variances alone
    pseudo_rows: float = 0.0  # r: a class of r rows is half its own, half tied
    ddof: int = 0  # 1: the unbiased covariances
    independent: bool = False  # own and tied covariances have no entries off the diagonal

    def __post_init__(self) -> None:
        for name in ("tied", "diagonal"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")
        if not 0 <= self.pseudo_rows < np.inf:
            raise ValueError(f"pseudo_rows is a number of rows, 0 or more, not {self.pseudo_rows}")
        if self.ddof not in (0, 1):
            raise ValueError(f"ddof is 0 (maximum likelihood) or 1 (unbiased), not {self.ddof}")

    def shares(self, rows: float) -> tuple[float, float]:
        """(a, b) such that (1 - tied) C + tied T = a W + b T for a class of so many rows."""
        rest = subtract_weight(rows, self.ddof)
        if rest == 0:
            return 0.0, 1.0
        rest += self.pseudo_rows
        return (1 - self.tied) / rest, self.tied + (1 - self.tied) * self.pseudo_rows / rest

    def divisor(self, rows: float, classes: int) -> float:
        """What the scatter of all classes is divided by; where ddof takes all of it, the rows themselves."""
        return float(subtract_weight(rows, self.ddof * classes)) or rows or 1.0

    def eigen(self, matrix: Floats) -> tuple[Floats, Floats]:
        """Eigenvalues, rounding set to zero, and eigenvectors."""
        if self.independent:
            values, vectors = np.diag(matrix).copy(), np.eye(len(matrix))
        else:
            values, vectors = np.linalg.eigh(matrix)
        values[values < NOISE * max(1.0, values.max(initial=0.0))] = 0.0
        return values, vectors


@dataclass(frozen=True)
class Normals:
    """log p(x | c) = constant_c - |(x - mean_c) / unit @ whitening_c|^2 / 2."""

    mean: Floats  # [class, column]
    unit: Floats  # [column]: the square root of D
    whitening: Floats  # [class, column, column]; [1, column, column] where all classes share it
    constant: Floats  # [class]


def scale_of_columns(moments: Moments, ddof: int = 0) -> Floats:
    """D by column: the variance within classes, at least a thousandth of the whole variance.

    A column that is constant but for rounding has D infinite, so that all its values are 0 and it says nothing.
    """
    n = moments.weight
    mean, square = means(moments), np.diagonal(moments.second, axis1=1, axis2=2)
    divisor = Shrinkage(ddof=ddof).divisor(n.sum(), int(np.count_nonzero(n)))
    within = (square - moments.first * mean[: len(n)]).sum(0) / divisor
    size = square.sum(0) / max(n.sum(), LEAST)
    with np.errstate(over="ignore"):  # a mean of what rounding left of rows that weigh 1e150 times less is no mean
        whole = size - mean[ALL] ** 2
    variance: Floats = np.where(whole > NOISE * size, np.maximum(within, whole / 1024), np.inf)
    return variance


def fit(moments: Moments, shrinkage: Shrinkage, held: Floats | None = None) -> Normals:
    """The normals of all classes; `held` is D where it is not to be taken from these moments."""
    unit = np.sqrt(scale_of_columns(moments, shrinkage.ddof) if held is None else held)
    n, own = moments.weight, scatters(moments, unit)
    tied = own.sum(0) / shrinkage.divisor(n.sum(), int(np.count_nonzero(n)))
    shares = [shrinkage.shares(rows) for rows in n]
    if all(a == 0 for a, _ in shares):
        shares = [(0.0, 1.0)]
    whitening, constant = np.empty((len(shares), *tied.shape)), np.empty(len(shares))
    for c, (a, b) in enumerate(shares):
        whitening[c], half = whiten(a * own[c] + b * tied, shrinkage)
        constant[c] = -half - volume(unit)
    return Normals(means(moments)[: len(n)], unit, whitening, np.broadcast_to(constant, len(n)).copy())


def whiten(matrix: Floats, shrinkage: Shrinkage) -> tuple[Floats, float]:
    """W with W W' = S^-1, S = (1 - diagonal) matrix + (diagonal + FLOOR) I, and log |S| / 2.

    Where the diagonal keeps S away from singular its Cholesky factor says the same as its eigenvectors, and takes a
    fraction of their time.
    """
    largest = matrix.diagonal().max(initial=0.0)
    if not shrinkage.independent and shrinkage.diagonal >= SAFE * max(1.0, largest):
        S = (1 - shrinkage.diagonal) * matrix
        S.flat[:: len(S) + 1] += shrinkage.diagonal + FLOOR
        with suppress(np.linalg.LinAlgError):  # sums of an edited file may be those of no rows
            L = np.linalg.cholesky(S)
            return np.linalg.inv(L).T, float(np.log(L.diagonal()).sum())
    values, vectors = shrinkage.eigen(matrix)
    variance = (1 - shrinkage.diagonal) * values + shrinkage.diagonal + FLOOR
    return vectors / np.sqrt(variance), 0.5 * float(np.log(variance).sum())


def log_density(normals: Normals, X: Floats) -> Floats:
    """log p(x | c), [row, class]."""
    log_densities = np.empty((len(X), len(normals.mean)))
    mean, shared = normals.mean / normals.unit, len(normals.whitening) == 1
    for rows in slice_rows(len(X), X.shape[1], PIECE):
        Z = standardise(X[rows], normals.unit)
        if shared:
            Z = Z @ normals.whitening[0]
        for c, constant in enumerate(normals.constant):
            far = Z - mean[c] @ normals.whitening[0] if shared else (Z - mean[c]) @ normals.whitening[c]
            log_densities[rows, c] = constant - 0.5 * np.einsum("ij,ij->i", far, far)
    return log_densities


def means(moments: Moments) -> Floats:
    """[class + 2, column]: of each class, of all rows (so also of a class without rows), and the origin."""
    n = moments.weight
    every = moments.first.sum(0) / max(n.sum(), LEAST)
    own = np.where(n[:, None] > 0, moments.first / np.maximum(n, LEAST)[:, None], every)
    return np.vstack([own, every, np.zeros_like(every)])


def scatters(moments: Moments, unit: Floats) -> Floats:
    """Each class's scatter about its mean, in units of D; exactly zero in a column where it is all rounding."""
    first, mean = moments.first / unit, means(moments)[: len(moments.first)] / unit
    scattered: Floats = np.empty_like(moments.second)
    for c, scatter in enumerate(scattered):  # one at a time: all classes' products at once would not fit the cache
        np.divide(moments.second[c], unit[:, None], out=scatter)
        scatter /= unit
        before = scatter.diagonal().copy()
        scatter -= first[c, :, None] * mean[c]
        still = np.flatnonzero(scatter.diagonal() <= NOISE * before)
        scatter[still] = 0.0
        scatter[:, still] = 0.0
    return scattered


def volume(unit: Floats) -> float:
    """Minus the log density at its mean of a normal whose covariance is D."""
    return 0.5 * len(unit) * float(np.log(2 * np.pi)) + float(np.log(unit[np.isfinite(unit)]).sum())


def standardise(X: Floats, unit: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.clip(X / unit, -FARTHEST, FARTHEST)


def slice_rows(rows: int, columns: int, numbers: int) -> list[slice]:
    """So many rows at once that they have no more than these numbers."""
    step = max(numbers // max(columns, 1), 1)
    return [slice(begin, begin + step) for begin in range(0, rows, step)]

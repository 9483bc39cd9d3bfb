"""Which columns tell no more about the class than chance would, where there are many columns for each row.

Of hundreds of columns some seem to tell something of any few rows, and each one that is believed makes answers worse. A
column is compared with what it would show had its rows been shuffled: numbers in fifths, categories as they are, a hole
as a level of its own. The statistic is Pearson's

    X^2 = sum over levels and classes of (n - e)^2 / e,    e = what independence expects,

whose mean and variance over all shuffles are known exactly (Dawson and Segal 1968), also where most cells are empty. A
gamma distribution of that mean and variance says how probable so large an X^2 is (Wilson and Hilferty 1931). Of numbers
it is also asked how far the classes' mean fifths lie apart (Kruskal and Wallis 1952), which sees weaker differences. As
many columns are kept as can be, so long as at most a tenth of those kept are there by chance (Benjamini and Hochberg
1995).

What is chosen here is chosen on rows, so folds choose anew. Columns that tell something only together are lost: where
columns are few for the rows, or few at all, none is left out.
"""

from collections.abc import Mapping
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.decisions.measures import effective_rows

FEW = 16
"""Columns up to which none is left out: so many do little harm."""

ROWS_A_COLUMN = 16
"""... nor where there are so many rows for each."""

LEAST_ROWS = 8
BY_CHANCE = 0.1
"""The share of the columns kept that may tell nothing."""

FIFTHS = 5
ENTRIES = 1 << 22
"""Cells worked on at once."""

Codes = NDArray[np.intp]


def tells_nothing(
    numbers: Mapping[str, Floats], codes: Mapping[str, Codes], own: Codes, weight: Floats | None, copies: bool
) -> set[str]:
    """The names of columns that tell no more than chance: numbers (NaN: missing) and levels from 0, of the same rows.

    `own` is each row's class from 0; a weight is a number of equal rows if `copies`.

    >>> draw = np.random.default_rng(0)
    >>> own = np.arange(60) % 2
    >>> columns = {f"noise {j}": draw.normal(size=60) for j in range(40)} | {"telling": own + draw.normal(size=60)}
    >>> {*columns} - tells_nothing(columns, {}, own, None, False)
    {'telling'}
    """
    rows = len(own)
    if too_few(len(numbers) + len(codes), rows):
        return set()
    w = np.ones(rows) if weight is None else weight
    if not copies:
        w = w / w.max()
        w = w * (effective_rows(w) / w.sum())
    if w.sum() < LEAST_ROWS or len(np.unique(own[w > 0])) < 2:
        return set()
    chances: dict[str, float] = {}
    step = max(1, ENTRIES // rows)
    names = list(numbers)
    for begin in range(0, len(names), step):
        some = names[begin : begin + step]
        levels = fifths(np.column_stack([numbers[name] for name in some]))
        chances |= {name: of_numbers(n) for name, n in zip(some, tables(levels, own, w), strict=True)}
    for name, level in codes.items():
        chances[name] = upper_tail(tables(level[:, None], own, w)[0])
    worst = largest_kept(np.array(list(chances.values())))
    return {name for name, p in chances.items() if p > worst}


def too_few(columns: int, rows: int) -> bool:
    """Whether there are so few columns that none is left out."""
    return columns <= FEW or rows >= ROWS_A_COLUMN * columns


def fifths(x: Floats) -> Codes:
    """Each column of numbers in fifths of its rows, from 0; holes are the level after them."""
    shares = np.arange(1, FIFTHS) / FIFTHS
    holes = np.isnan(x)
    cuts = np.quantile(x, shares, axis=0, method="lower")
    for j in np.flatnonzero(holes.any(0) & ~holes.all(0)):
        cuts[:, j] = np.quantile(x[~holes[:, j], j], shares, method="lower")
    levels = np.zeros(x.shape, np.intp)
    for cut in cuts:
        levels += x > cut
    levels[holes] = FIFTHS
    return levels


def tables(levels: Codes, own: Codes, w: Floats) -> Floats:
    """[column, level, class]: the weight of the rows with each level of each column."""
    L, K, columns = int(levels.max(initial=0)) + 1, int(own.max()) + 1, levels.shape[1]
    at = (np.arange(columns) * L + levels) * K + own[:, None]
    n: Floats = np.bincount(at.ravel(), np.repeat(w, columns), columns * L * K).astype(np.float64)
    return n.reshape(columns, L, K)


def of_numbers(n: Floats) -> float:
    """How probable a table of numbers in fifths is, by X^2 or by the classes' means: twice the smaller, as of two."""
    return min(1.0, 2 * min(upper_tail(n), means_apart(n[:FIFTHS])))


def upper_tail(n: Floats) -> float:
    """P(X^2 is as large) of a table of counts under all shuffles of its rows.

    >>> round(upper_tail(np.array([[10.0, 0.0], [0.0, 10.0]])), 4), upper_tail(np.array([[3.0, 7.0]]))
    (0.0, 1.0)
    """
    n = n[n.sum(1) > 0][:, n.sum(0) > 0]
    if min(n.shape) < 2:
        return 1.0
    N, rows, columns = n.sum(), n.sum(1), n.sum(0)
    expected = rows[:, None] * columns / N
    found = float(((n - expected) ** 2 / expected).sum())

    def spread(sums: Floats) -> tuple[float, float]:
        k = len(sums)
        return (k - 1) * (N - k) / (N - 1), float(((N / sums).sum() - k * k) / (N - 2))

    (v1, w1), (v2, w2) = spread(rows), spread(columns)
    mean = N * (len(rows) - 1) * (len(columns) - 1) / (N - 1)
    variance = 2 * N / (N - 3) * (v1 - w1) * (v2 - w2) + N * N / (N - 1) * w1 * w2
    if not variance > 1e-9 * mean:  # every row has a level of its own, or nearly: any shuffle shows the same
        return 1.0
    return above(found, mean, variance)


def means_apart(n: Floats) -> float:
    """P(the classes' mean levels lie as far apart) under all shuffles of a table of ordered levels.

    With N rows, H = (N - 1) times the share of the levels' variance that is between classes; its mean is K - 1.

    >>> round(means_apart(np.array([[9.0, 4.0], [6.0, 6.0], [4.0, 9.0]])), 4)
    0.0501
    """
    n = n[:, n.sum(0) > 0]
    N, level = n.sum(), np.arange(len(n))
    if n.shape[1] < 2 or N < LEAST_ROWS:
        return 1.0
    means, centre = level @ n / n.sum(0), level @ n.sum(1) / N
    within = float((n.sum(1) * (level - centre) ** 2).sum())
    if not within > 0:
        return 1.0
    between = float((n.sum(0) * (means - centre) ** 2).sum())
    return above((N - 1) * between / within, n.shape[1] - 1.0, 2.0 * (n.shape[1] - 1))


def above(found: float, mean: float, variance: float) -> float:
    """P(as large) by a gamma distribution of that mean and variance, whose cube root is nearly normal."""
    ninth = variance / (9 * mean**2)
    z = ((found / mean) ** (1 / 3) - (1 - ninth)) / sqrt(ninth)
    return erfc(z / sqrt(2)) / 2


def largest_kept(chances: Floats) -> float:
    """The largest chance that is kept, so that at most a tenth of those kept are there by chance; the least always is.

    >>> largest_kept(np.array([0.5, 0.001, 0.9, 0.1, 0.7]))
    0.001
    """
    ordered = np.sort(chances)
    good = np.flatnonzero(ordered <= BY_CHANCE * np.arange(1, len(ordered) + 1) / len(ordered))
    return float(ordered[good[-1] if len(good) else 0])

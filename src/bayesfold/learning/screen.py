"""Which columns tell no more about the class than chance would, where there are many columns for each row.

Of hundreds of columns some seem to tell something of any few rows, and each one that is believed makes answers worse. A
column is compared with what it would show had its rows been shuffled: numbers in fifths, categories as they are, a hole
as a level of its own. The statistic is Pearson's

    X^2 = sum over levels and classes of (n - e)^2 / e,    e = what independence expects,

whose mean and variance over all shuffles are known exactly (Dawson and Segal 1968), also where most cells are empty. A
gamma distribution of that mean and variance says how probable so large an X^2 is (Wilson and Hilferty 1931). Two more
tests of numbers see weaker differences: how far the classes' mean fifths lie apart (Kruskal and Wallis 1952), and how
far their mean squared distances from the middle fifth do (Mood 1954): that finds classes that differ in spread. As many
columns are kept as can be, so long as at most a tenth of those kept are there by chance (Benjamini and Hochberg 1995).
How many columns tell nothing is estimated from those that look like chance (Storey 2002): if nearly all columns tell
something, weak ones are believed too.

What is chosen here is chosen on rows, so folds choose anew. Columns that tell something only together are lost: where
columns are few for the rows, or few at all, none is left out.
"""

from collections.abc import Mapping
from math import erfc, exp, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.decisions.metrics import weights_as_rows

FEW = 16
"""Columns up to which none is left out: so many do little harm."""

ROWS_A_COLUMN = 16
"""... nor where there are so many rows for each."""

LEAST_ROWS = 8
NOTHING = -8.0
BY_CHANCE = 0.1
"""The share of the columns kept that may tell nothing."""

LOOKS_LIKE_CHANCE = 0.5
"""Columns that look no more telling than this are not kept, and say how many others tell nothing."""

FIFTHS = 5
ENTRIES = 1 << 22
"""Cells worked on at once."""

Codes = NDArray[np.intp]


def surprise(
    numbers: Mapping[str, Floats], codes: Mapping[str, Codes], own: Codes, weight: Floats | None, copies: bool
) -> dict[str, float]:
    """-log P(a column that tells nothing looks as telling as this one), of each column; {} where rows are too few.

    Numbers (NaN: missing) and levels from 0 are of the same rows; `own` is each row's class from 0, and a weight is a
    number of equal rows if `copies`.

    >>> draw = np.random.default_rng(0)
    >>> own = np.arange(60) % 2
    >>> columns = {f"noise {j}": draw.normal(size=60) for j in range(40)} | {"telling": own + draw.normal(size=60)}
    >>> found = surprise(columns, {}, own, None, False)
    >>> {*columns} - tells_nothing(found, 60), {*columns} - beyond(found, 1)
    ({'telling'}, {'telling'})
    """
    w = np.ones(len(own)) if weight is None else weight
    if not copies:
        w = weights_as_rows(w)
    if w.sum() < LEAST_ROWS or len(np.unique(own[w > 0])) < 2:
        return {}
    found: dict[str, float] = {}
    step = max(1, ENTRIES // len(own))
    names = list(numbers)
    for begin in range(0, len(names), step):
        some = names[begin : begin + step]
        n = tables(fifths(np.column_stack([numbers[name] for name in some])), own, w)
        known = n[:, :FIFTHS]
        found |= dict(zip(some, any_of(squares(n), means_apart(known), spreads_apart(known)).tolist(), strict=True))
    for name, level in codes.items():
        found[name] = float(any_of(squares(tables(level[:, None], own, w)))[0])
    return found


def any_of(*deviates: Floats) -> Floats:
    """The surprise of the largest of several normal deviates, as if each were a test of its own (Bonferroni).

    >>> any_of(np.array([1.96]), np.array([-0.3])).round(3), any_of(np.array([1.96])).round(3)
    (array([2.996]), array([3.689]))
    """
    return np.array([-log_tail(z) for z in np.max(deviates, axis=0).tolist()]) - log(len(deviates))


def log_tail(z: float) -> float:
    """log P(a standard normal deviate is above z), beyond 37 by its asymptote.

    >>> round(log_tail(1.96), 3), round(log_tail(37.0) - log_tail(36.999999), 4)
    (-3.689, -0.0)
    """
    return log(erfc(z / sqrt(2)) / 2) if z < 37 else -z * z / 2 - log(z * sqrt(2 * pi)) + log1p(-1 / z**2)


def tells_nothing(surprises: Mapping[str, float], rows: int) -> set[str]:
    """The columns that tell no more than chance, where there are many for these rows."""
    if too_few(len(surprises), rows):
        return set()
    chances = {name: chance(z) for name, z in surprises.items()}
    worst = largest_kept(np.array(list(chances.values())))
    return {name for name, p in chances.items() if p > worst}


def beyond(surprises: Mapping[str, float], most: int) -> set[str]:
    """The columns but for the most surprising."""
    return set(sorted(surprises, key=lambda name: (-surprises[name], name))[most:])


def chance(surprise: float) -> float:
    """P(a column that tells nothing looks as telling), at most.

    >>> round(chance(2.996), 3), chance(-0.5)
    (0.05, 1.0)
    """
    return min(1.0, exp(-surprise))


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


def squares(n: Floats) -> Floats:
    """How surprising X^2 is of each table of counts, [table, level, class], among all shuffles of its rows.

    >>> squares(np.array([[[10.0, 0.0], [0.0, 10.0]], [[3.0, 7.0], [0.0, 0.0]]])).round(2)
    array([ 4.09, -8.  ])
    """
    N, rows, columns = n.sum((1, 2)), n.sum(2), n.sum(1)
    whole = N[:, None, None]
    expected = rows[:, :, None] * columns[:, None] / whole
    found = np.divide((n - expected) ** 2, expected, out=np.zeros_like(n), where=expected > 0).sum((1, 2))

    def spread(sums: Floats) -> tuple[Floats, Floats, Floats]:
        k = (sums > 0).sum(1).astype(np.float64)
        parts = np.divide(N[:, None], sums, out=np.zeros_like(sums), where=sums > 0).sum(1)
        return k, (k - 1) * (N - k) / (N - 1), (parts - k * k) / (N - 2)

    (levels, v1, w1), (classes, v2, w2) = spread(rows), spread(columns)
    mean = N * (levels - 1) * (classes - 1) / (N - 1)
    variance = 2 * N / (N - 3) * (v1 - w1) * (v2 - w2) + N * N / (N - 1) * w1 * w2
    return deviates(found, mean, variance)


def means_apart(n: Floats) -> Floats:
    """How surprisingly far the classes' mean levels lie apart among all shuffles, of each table of ordered levels.

    >>> means_apart(np.array([[[9.0, 4.0], [6.0, 6.0], [4.0, 9.0]]])).round(4)
    array([1.6443])
    """
    return scores_apart(n, np.arange(n.shape[1], dtype=np.float64))


def spreads_apart(n: Floats) -> Floats:
    """How surprisingly the classes differ by how far their rows lie from the middle level, as `means_apart`.

    >>> spreads_apart(np.array([[[9.0, 4.0], [2.0, 12.0], [9.0, 4.0]]])).round(4)
    array([3.0267])
    """
    levels = np.arange(n.shape[1], dtype=np.float64)
    return scores_apart(n, (levels - levels.mean()) ** 2)


def scores_apart(n: Floats, level: Floats) -> Floats:
    """How surprisingly far the classes' means lie apart of a score that each level has.

    With N rows, H = (N - 1) times the share of the scores' variance that is between classes; its mean is K - 1.
    """
    N, own = n.sum((1, 2)), n.sum(1)
    sums = level @ n
    centre = sums.sum(1) / np.maximum(N, 1e-300)
    means = np.divide(sums, own, out=np.zeros_like(own), where=own > 0)
    within = (n.sum(2) * (level - centre[:, None]) ** 2).sum(1)
    between = (own * (means - centre[:, None]) ** 2).sum(1)
    known = (within > 0) & (N >= LEAST_ROWS)
    H = np.divide((N - 1) * between, within, out=np.zeros_like(N), where=known)
    mean = np.where(known, (own > 0).sum(1) - 1.0, 0.0)
    return deviates(H, mean, 2 * mean)


def deviates(found: Floats, mean: Floats, variance: Floats) -> Floats:
    """Normal deviates of what has gamma distributions of that mean and variance: the cube root is nearly normal.

    It is far below zero where there is no variance: of one level or class, or where every row has its own level.
    """
    varies = variance > 1e-9 * mean
    ninth = np.divide(variance, 9 * mean**2, out=np.ones_like(mean), where=varies)
    z = (np.divide(found, mean, out=np.zeros_like(mean), where=varies) ** (1 / 3) - (1 - ninth)) / np.sqrt(ninth)
    return np.where(varies, z, NOTHING)


def largest_kept(chances: Floats) -> float:
    """The largest chance that is kept, so that at most a tenth of those kept are there by chance; the least always is.

    Chances of columns that tell nothing are spread evenly, so there are twice as many of them as lie above a half.

    >>> largest_kept(np.array([0.5, 0.001, 0.9, 0.1, 0.7]))
    0.001
    >>> largest_kept(np.array([0.1, 0.001, 0.2, 0.01, 0.05]))
    0.2
    """
    ordered = np.sort(chances)
    silent = min(2.0 * (1 + np.count_nonzero(chances > LOOKS_LIKE_CHANCE)), len(chances))
    bound = np.minimum(BY_CHANCE * np.arange(1, len(ordered) + 1) / silent, LOOKS_LIKE_CHANCE)
    good = np.flatnonzero(ordered <= bound)
    return float(ordered[good[-1] if len(good) else 0])

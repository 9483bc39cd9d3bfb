"""One vector of all columns, for Gaussian Bayes: numbers scaled by what the rows show, categories as indicators."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Axis, Flag, OneHot, Scaled, Vector
from bayesfold.families._covariance import Shrinkage
from bayesfold.families.multinormal import Multinormal
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.discover import Found
from bayesfold.learning.holes import STRENGTHS, by_class, speaks, strength
from bayesfold.learning.one_column import Options
from bayesfold.runtime.unique import distinct

EPSILON = 2.0**-53
"""The least share that differs from 0 as its complement does from 1."""

LARGE = 1e100
"""Numbers from here on are summed in units of the largest."""

KNOTS = 256
"""Points at which the map from values to normal scores bends."""

FARTHEST = 8.0
"""Units of spread beyond which a number is no farther, where the covariance is chosen for prediction."""

STEPS = 2**20
"""Steps from 0 to 1 in which the shares of levels are written."""

NO_KNOTS = np.empty((2, 0))

NAME = "all columns"

NO_WORDS = "left out: Gaussian Bayes reads no words; NaiveBayes and TextClassifier do"

MOST_AXES = 256
"""Axes up to which every level is an indicator, however few rows show it: work grows with the cube of their number."""

ROWS_A_LEVEL = 3
"""Beyond that, columns of categories whose levels have fewer rows than this on average are left out."""


def gathered(
    found: Found,
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    ranks: Sequence[bool],
    limit: float,
    options: Options,
) -> Iterator[Found]:
    """What was found of each column, as one vector, with numbers as they are or by rank.

    Columns of text are left out, and in wide vectors those of rare levels. A number that is missing in some rows has
    one more axis, whether it is there, if that is a value, or says something of every class: of a class with few
    holes, or none, a normal would be much too sure.
    A missing category is a level of its own, or stands at the mean: see `is_own_level`.
    """
    left_out = {c.origin: NO_WORDS for c in found.schema.texts} | rare_levels(found.schema, frame.rows)
    numbers = {c.name: Known.of(c.encode(frame), weight) for c in found.schema.numbers}
    flags = {name for name, known in numbers.items() if is_flagged(known.absent, labels, weight, options)}
    indicators = {c.name: one_hot(c, c.encode(frame), labels, weight, options) for c in found.schema.categories}
    families = {found.schema.target.name: found.families[found.schema.target.name], NAME: Multinormal(Shrinkage())}
    columns = ColumnTable(
        ColumnReport(c.name, "", left_out[c.name]) if c.name in left_out else c for c in found.columns
    )
    features = [column for column in found.schema.features if column.origin not in left_out]
    for by_rank in ranks:
        axes: list[Axis] = []
        for column in features:
            if isinstance(column, Categories):
                axes.append(indicators[column.name])
            elif isinstance(column, Real):
                axes.append(scaled(column, numbers[column.name], by_rank, limit))
                if column.name in flags:
                    axes.append(Flag(column.origin, column.missing))
        vector = Vector(NAME, tuple(axes))
        schema = replace(found.schema, features=(vector,), left_out={**found.schema.left_out, **left_out})
        yield Found(schema, families, columns)


def rare_levels(schema: Schema, rows: int) -> dict[str, str]:
    """Columns of categories whose levels few rows show, with the reason, where all indicators would be too many."""
    if len(schema.numbers) + sum(len(column.levels) for column in schema.categories) <= MOST_AXES:
        return {}
    rare = {
        column.origin: f"left out: {len(column.levels)} values in {rows} rows are too many for a covariance"
        for column in schema.categories
        if ROWS_A_LEVEL * len(column.levels) > rows
    }
    others = [column for column in schema.features if column.origin not in rare and column not in schema.texts]
    return rare if others else {}


def is_flagged(absent: NDArray[np.bool_], labels: Coded, weight: Floats | None, options: Options) -> bool:
    """Whether it is a value of its own that a number is missing."""
    if options.missing_as == "skip" or not absent.any():
        return False
    holes = by_class(absent, labels.index.astype(np.intp), weight, options.copies)
    return options.missing_as == "value" or speaks(*holes)


def is_own_level(absent: NDArray[np.bool_], labels: Coded, weight: Floats | None, options: Options) -> bool:
    """Whether it is a level of its own that a category is missing.

    It is none where some class shows no hole though classes may well miss alike: a normal would rule that class out.
    """
    if options.missing_as == "skip" or not absent.any():
        return False
    missing, rows = by_class(absent, labels.index.astype(np.intp), weight, options.copies)
    heard = strength(missing, rows) < STRENGTHS[0] or bool((missing[rows > 0] > 0).all())
    return options.missing_as == "value" or heard


def one_hot(column: Categories, slots: NDArray[Any], labels: Coded, weight: Floats | None, options: Options) -> OneHot:
    """The indicators of a column of categories.

    A level never seen says nothing, so it stands at the mean, and so does a missing cell unless that is a level. Of one
    level alone all that can be told is whether a row shows it: there, whatever else a cell is raises no indicator.
    """
    own_level = is_own_level(slots == column.hole, labels, weight, options)
    shares = shares_of(slots, column.slots, weight)[1:]
    many = np.count_nonzero(shares) > 1
    return OneHot(column.origin, column.levels, column.missing, tuple(shares.tolist()) if many else (), own_level)


def shares_of(slots: NDArray[Any], size: int, weight: Floats | None) -> Floats:
    """The share that each slot but the first has in the rows, in whole steps of 1 / STEPS that sum to 1.

    Sums of such shares, and of their products, are exact; in order of their weights, so are the bits whatever the order
    of the rows.
    """
    order = np.arange(len(slots)) if weight is None else np.lexsort((weight, slots))
    n = np.bincount(slots[order], None if weight is None else weight[order], size).astype(np.float64)
    n[0] = 0.0
    steps = np.where(n > 0, np.maximum(np.floor(n / (n.sum() or 1.0) * STEPS), 1.0), 0.0)
    steps[n.argmax()] += STEPS - steps.sum()
    return steps / STEPS


@dataclass(frozen=True)
class Known:
    """The finite numbers of a column in order, their weights (none: 1 each), and which rows have no number.

    In order no bit of a sum, nor a row's hash, depends on the order of the rows.
    """

    x: Floats
    weight: Floats | None
    absent: NDArray[np.bool_]

    @classmethod
    def of(cls, x: Floats, weight: Floats | None) -> "Known":
        """Those of a column."""
        finite, absent = np.isfinite(x), np.isnan(x)
        if weight is None:
            return cls(np.sort(x[finite]), None, absent)
        x, w = x[finite], weight[finite]
        order = np.lexsort((w, x))
        return cls(x[order], w[order], absent)


def scaled(column: Real, known: Known, by_rank: bool, limit: float) -> Scaled:
    """The axis of a column of numbers."""
    x, w = known.x, known.weight
    if not len(x):
        return Scaled(column.origin, limit=limit, missing=column.missing)
    knots = normal_scores(x, w) if by_rank else NO_KNOTS
    z = np.interp(x, *knots) if by_rank else x
    large = max(abs(z[0]), abs(z[-1]))  # they are in order
    unit = float(large) if large > LARGE else 1.0  # sums and squares of the largest numbers there are would be infinite
    z = z / unit
    centre = mean(z, w)
    spread = float(np.sqrt(mean((z - centre) ** 2, w)))
    return Scaled.of(knots, column.origin, centre * unit, spread * unit or 1.0, limit, column.missing)


def mean(z: Floats, weight: Floats | None) -> float:
    """The mean of numbers of these weights; none: all are equal."""
    return float(z.sum() / len(z) if weight is None else (z * weight).sum() / weight.sum())


def normal_scores(x: Floats, weight: Floats | None) -> Floats:
    """Values, of numbers in order, and the normal scores of their mid-ranks, at most KNOTS of them: [2, knot]."""
    first = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    values = x[first]
    n = np.diff(np.append(first, len(x))).astype(np.float64) if weight is None else np.add.reduceat(weight, first)
    share = np.clip((np.cumsum(n) - 0.5 * n) / n.sum(), EPSILON, 1 - EPSILON)  # a row of 1e15 leaves others no share
    keep = distinct(np.linspace(0, len(values) - 1, KNOTS).round().astype(int)) if len(values) > KNOTS else slice(None)
    return np.array([values[keep], quantiles(share[keep].tobytes())])


@lru_cache(maxsize=64)
def quantiles(shares: bytes) -> Floats:
    """The normal deviates below which these shares lie; columns without equal values ask for the same ones."""
    return np.array([quantile(share) for share in np.frombuffer(shares).tolist()])


@lru_cache(maxsize=4_096)
def quantile(share: float) -> float:
    """The normal deviate below which this share lies; columns of the same rows ask for the same ones."""
    from statistics import NormalDist  # scipy's would take a third of the time in which the command starts

    return NormalDist().inv_cdf(share)

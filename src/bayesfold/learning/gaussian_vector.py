"""One vector of all columns, for Gaussian Bayes: numbers scaled by what the rows show, categories as indicators."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.data.vector import Axis, Flag, OneHot, Scaled, Vector
from bayesfold.families._covariance import Shrinkage
from bayesfold.families.multinormal import Multinormal
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.discover import Found
from bayesfold.learning.holes import by_class, speaks
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

NAME = "all columns"

NO_WORDS = "left out: Gaussian Bayes reads no words; NaiveBayes and TextClassifier do"


def gathered(
    found: Found,
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    ranks: bool,
    limit: float,
    options: Options,
) -> Found:
    """What was found of each column, as one vector; columns of text are left out, and said to be.

    A number that is missing in some rows has one more axis, whether it is there, if that is a value, or says something
    of every class: of a class with few holes, or none, a normal would be much too sure.
    """
    axes: list[Axis] = []
    text = {c.origin: NO_WORDS for c in found.schema.texts}
    for column in found.schema.features:
        if isinstance(column, Categories):
            axes.append(OneHot(column.origin, column.levels, column.missing))
        elif isinstance(column, Real):
            x = column.encode(frame)
            axes.append(scaled(column, x, weight, ranks, limit))
            absent = np.isnan(x)
            value = options.missing_as == "value" or (
                options.missing_as == "auto"
                and speaks(*by_class(absent, labels.index.astype(np.intp), weight, options.copies))
            )
            if absent.any() and value:
                axes.append(Flag(column.origin, column.missing))
    vector = Vector(NAME, tuple(axes))
    families = {found.schema.target.name: found.families[found.schema.target.name], NAME: Multinormal(Shrinkage())}
    schema = replace(found.schema, features=(vector,), left_out={**found.schema.left_out, **text})
    columns = ColumnTable(ColumnReport(c.name, "", text[c.name]) if c.name in text else c for c in found.columns)
    return Found(schema, families, columns)


def scaled(column: Real, x: Floats, weight: Floats | None, ranks: bool, limit: float) -> Scaled:
    """The axis of a column of numbers."""
    known = np.isfinite(x)
    x, w = x[known], np.ones(known.sum()) if weight is None else weight[known]
    axis = Scaled(column.origin, limit=limit, missing=column.missing)
    if not len(x):
        return axis
    order = np.lexsort((w, x))  # so that no bit of a sum, nor a row's hash, depends on the order of the rows
    x, w = x[order], w[order]
    if ranks:
        axis = replace(axis, knots=normal_scores(x, w))
    z = axis.moved(x)
    large = np.abs(z).max()
    unit = float(large) if large > LARGE else 1.0  # sums and squares of the largest numbers there are would be infinite
    z = z / unit
    centre = float(np.average(z, weights=w))
    spread = float(np.sqrt(np.average((z - centre) ** 2, weights=w)))
    return replace(axis, centre=centre * unit, unit=spread * unit or 1.0)


def normal_scores(x: Floats, weight: Floats) -> tuple[tuple[float, float], ...]:
    """Values and the normal scores of their mid-ranks, at most KNOTS of them."""
    values, place = np.unique(x, return_inverse=True)
    n = np.bincount(place, weight)
    share = np.clip((np.cumsum(n) - 0.5 * n) / n.sum(), EPSILON, 1 - EPSILON)  # a row of 1e15 leaves others no share
    keep = distinct(np.linspace(0, len(values) - 1, KNOTS).round().astype(int)) if len(values) > KNOTS else slice(None)
    quantile = NormalDist().inv_cdf  # scipy's would take a third of the time in which the command starts
    return tuple(zip(values[keep].tolist(), map(quantile, share[keep].tolist()), strict=True))

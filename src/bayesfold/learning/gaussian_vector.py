"""One vector of all columns, for Gaussian Bayes: numbers scaled by what the rows show, categories as indicators."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.text.column import Words
from bayesfold.data.vector import Axis, Flag, OneHot, Scaled, Vector
from bayesfold.families._covariance import Shrinkage
from bayesfold.families.multinormal import Multinormal
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.discover import Found
from bayesfold.runtime.unique import distinct

KNOTS = 256
"""Points at which the map from values to normal scores bends."""

FARTHEST = 8.0
"""Units of spread beyond which a number is no farther, where the covariance is chosen for prediction."""

NAME = "all columns"

NO_WORDS = "left out: Gaussian Bayes reads no words; NaiveBayes and TextClassifier do"


def gathered(found: Found, frame: Frame, weight: Floats | None, ranks: bool, limit: float, flags: bool = True) -> Found:
    """What was found of each column, as one vector; columns of text are left out, and said to be.

    With `flags` a number that is missing somewhere has one more axis, whether it is there.
    """
    axes: list[Axis] = []
    text = {c.sources[0]: NO_WORDS for c in found.schema.features if isinstance(c, Words)}
    for column in found.schema.features:
        if isinstance(column, Categories):
            axes.append(OneHot(column.source or column.name, column.levels, column.missing))
        elif isinstance(column, Real):
            x = column.encode(frame)
            axes.append(scaled(column, x, weight, ranks, limit))
            if flags and np.isnan(x).any():
                axes.append(Flag(column.source or column.name, column.missing))
    vector = Vector(NAME, tuple(axes))
    families = {found.schema.target.name: found.families[found.schema.target.name], NAME: Multinormal(Shrinkage())}
    schema = replace(found.schema, features=(vector,), left_out={**found.schema.left_out, **text})
    columns = ColumnTable(ColumnReport(c.name, "", text[c.name]) if c.name in text else c for c in found.columns)
    return Found(schema, families, columns)


def scaled(column: Real, x: Floats, weight: Floats | None, ranks: bool, limit: float) -> Scaled:
    """The axis of a column of numbers."""
    known = np.isfinite(x)
    x, w = x[known], np.ones(known.sum()) if weight is None else weight[known]
    axis = Scaled(column.source or column.name, limit=limit, missing=column.missing)
    if not len(x):
        return axis
    order = np.lexsort((w, x))  # so that no bit of a sum, nor a row's hash, depends on the order of the rows
    x, w = x[order], w[order]
    if ranks:
        axis = replace(axis, knots=normal_scores(x, w))
    z = axis.moved(x)
    centre = float(np.average(z, weights=w))
    spread = float(np.sqrt(np.average((z - centre) ** 2, weights=w)))
    return replace(axis, centre=centre, unit=spread or 1.0)


def normal_scores(x: Floats, weight: Floats) -> tuple[tuple[float, float], ...]:
    """Values and the normal scores of their mid-ranks, at most KNOTS of them."""
    values, place = np.unique(x, return_inverse=True)
    n = np.bincount(place, weight)
    share = (np.cumsum(n) - 0.5 * n) / n.sum()
    keep = distinct(np.linspace(0, len(values) - 1, KNOTS).round().astype(int)) if len(values) > KNOTS else slice(None)
    quantile = NormalDist().inv_cdf  # scipy's would take a third of the time in which the command starts
    return tuple(zip(values[keep].tolist(), map(quantile, share[keep].tolist()), strict=True))

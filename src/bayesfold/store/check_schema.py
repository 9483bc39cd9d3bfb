"""Whether a schema can be read by: columns with names of their own, levels that differ, cuts that rise."""

from functools import singledispatch

import numpy as np

from bayesfold import families
from bayesfold.data.encoding import Encoding
from bayesfold.data.encodings import Binned, Categories, Counts, Real
from bayesfold.data.frame import Level
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.schema import Column, Schema
from bayesfold.data.vector import OneHot, Scaled, Vector
from bayesfold.store.unreadable import require


def check_schema(schema: Schema) -> None:
    """Refuse columns that cannot be told apart or measured."""
    columns: tuple[Column, ...] = (*schema.features, schema.target)
    require(len({c.name for c in columns}) == len(columns), "two of its columns have the same name")
    require(schema.target.levels and None not in schema.target.levels, "it has no classes")
    for column in columns:
        check_column(column)


@singledispatch
def check_column(column: Encoding) -> None:
    """Refuse a column that cannot be read; a kind without a check of its own has nothing that could be wrong."""


@check_column.register
def _(column: Categories) -> None:
    check_levels(column.name, column.levels)


@check_column.register
def _(column: Binned) -> None:
    cuts = np.array(column.cuts, np.float64)
    rising = np.isfinite(cuts).all() and (np.diff(cuts) > 0).all()
    require(rising, f"the cuts of its column {column.name!r} do not rise")
    check_density(column)


@check_column.register
def _(column: Real) -> None:
    check_density(column)
    require(column.transform in ("", "log"), f"its column {column.name!r} is to be turned into {column.transform!r}")


@check_column.register
def _(column: Counts) -> None:
    require(len(set(column.sources)) == column.width > 0, f"its block {column.name!r} has a column twice, or none")


@check_column.register
def _(column: Landmarks) -> None:
    check_vector(column)
    many, width = len(column.places), column.width
    shapes = column.places.shape == (many, width) and column.whitening.shape[:1] == (width,)
    require(
        many and column.whitening.ndim == 2 and shapes,
        f"the landmarks of {column.name!r} are not of its {width} numbers",
    )
    finite = np.isfinite(column.places).all() and np.isfinite(column.whitening).all()
    require(
        finite and len(column.index) == many, f"the landmarks of {column.name!r} are not all places, or one is twice"
    )


@check_column.register
def _(column: Vector) -> None:
    check_vector(column)


def check_vector(column: Vector) -> None:
    """Refuse axes that cannot be told apart or measured."""
    for indicator in column.indicators:
        check_levels(indicator.source, indicator.levels)
        check_shares(indicator)
    for number in column.numbers:
        check_scaled(number)


def check_density(column: Real | Binned) -> None:
    """Refuse a family that does not exist."""
    require(column.family in families.names(), f"its column {column.name!r} has no density {column.family!r}")


def check_levels(name: str, levels: tuple[Level, ...]) -> None:
    """Refuse levels that cannot be told apart."""
    require(len(set(levels)) == len(levels), f"its column {name!r} has a level twice")
    require(all(level == level for level in levels), f"its column {name!r} has the level NaN, which equals nothing")


def check_shares(axis: OneHot) -> None:
    """Refuse shares that are not of its levels, or one that could be taken for a level."""
    shares = len(axis.shares) in (0, axis.width) and all(0 <= share < 1 for share in axis.shares)
    require(shares, f"its column {axis.source!r} has no shares of its levels, each below 1")


def check_scaled(axis: Scaled) -> None:
    """Refuse a scale that no column can be measured with."""
    knots = np.array(axis.knots, np.float64).reshape(-1, 2)
    measures = np.isfinite([axis.centre, axis.unit, axis.limit]).all() and axis.unit > 0 and axis.limit >= 0
    rising = np.isfinite(knots).all() and (np.diff(knots, axis=0) >= 0).all()
    require(measures and rising, f"its column {axis.source!r} has no centre, unit and limit to be measured with")

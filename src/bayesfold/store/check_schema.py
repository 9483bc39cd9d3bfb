"""Whether a schema can be read by: columns with names of their own, levels that differ, cuts that rise."""

import numpy as np

from bayesfold import families
from bayesfold.data.encodings import Binned, Categories, Counts, Real
from bayesfold.data.frame import Level
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


def check_column(column: Column) -> None:
    """Refuse one column."""
    name = column.name
    if isinstance(column, Categories):
        check_levels(name, column.levels)
    elif isinstance(column, Binned):
        cuts = np.array(column.cuts, np.float64)
        require(np.isfinite(cuts).all() and (np.diff(cuts) > 0).all(), f"the cuts of its column {name!r} do not rise")
    elif isinstance(column, Counts):
        require(len(set(column.sources)) == column.width > 0, f"its block {name!r} has a column twice, or none")
    elif isinstance(column, Vector):
        for axis in column.axes:
            if isinstance(axis, OneHot):
                check_levels(axis.source, axis.levels)
            elif isinstance(axis, Scaled):
                check_scaled(axis)
    if isinstance(column, Real | Binned):
        require(column.family in families.names(), f"its column {name!r} has no density {column.family!r}")
    if isinstance(column, Real):
        require(column.transform in ("", "log"), f"its column {name!r} is to be turned into {column.transform!r}")


def check_levels(name: str, levels: tuple[Level, ...]) -> None:
    """Levels that can be told apart."""
    require(len(set(levels)) == len(levels), f"its column {name!r} has a level twice")
    require(all(level == level for level in levels), f"its column {name!r} has the level NaN, which equals nothing")


def check_scaled(axis: Scaled) -> None:
    """Numbers that a column can be measured with."""
    knots = np.array(axis.knots, np.float64).reshape(-1, 2)
    measures = np.isfinite([axis.centre, axis.unit, axis.limit]).all() and axis.unit > 0 and axis.limit >= 0
    rising = np.isfinite(knots).all() and (np.diff(knots, axis=0) >= 0).all()
    require(measures and rising, f"its column {axis.source!r} has no centre, unit and limit to be measured with")

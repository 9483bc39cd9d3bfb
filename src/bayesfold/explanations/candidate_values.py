"""Values that a column might have: the levels of categories, and for numbers a grid over what the model draws."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.explanations.inner_range import inner_ranges, members_of, numeric_sources
from bayesfold.explanations.whole_numbers import whole_numbers
from bayesfold.models.drawing import draw_classes, sample_flat
from bayesfold.runtime.unique import distinct

DRAWS = 2_000
GRID = 33
REACH = 3.0
"""How many units of its spread a number may be from its centre."""


def candidate_values(model: Any) -> dict[str, list[Any]]:
    """Levels of each source column, or numbers within the range that rows had."""
    whole = whole_numbers(model.tally)
    ranges = inner_ranges(model, whole).items()
    return levels_of(model) | {name: values_within(low, high, name in whole).tolist() for name, (low, high) in ranges}


def values_within(low: float, high: float, whole: bool) -> Floats:
    """Both ends, and even steps between them in few digits.

    >>> values_within(0.343, 5.08, False)[:4]
    array([0.343, 0.5  , 0.6  , 0.8  ])
    """
    grid = shorten_grid(even_steps(low, high, GRID, whole))
    ends = np.array([] if whole else [low, high])
    return distinct(np.concatenate([grid[(grid >= low) & (grid <= high)], ends]))


def levels_of(model: Any, missing: bool = False) -> dict[str, list[Any]]:
    """The levels of each source column that is never read as numbers; with `missing` also None, where it is one."""
    known: dict[str, Sequence[Any]] = {}
    for c in model.schema.features:
        known |= c.levels_by_source
    return {
        name: [v for v in values if missing or v is not None]
        for name, values in known.items()
        if name not in numeric_sources(model)
    }


def grids_of(model: Any, points: int = GRID, smooth: Container[str] = ()) -> dict[str, Floats]:
    """Even steps over each source column's numbers, as the model draws them; whole numbers stay whole, but for columns
    in `smooth`."""
    whole = {name for name in whole_numbers(model.tally) if name not in smooth}
    grid_of = {name: even_steps(*ends, points, name in whole) for name, ends in vector_spans(model).items()}
    lacking = [name for name in numeric_sources(model) if name not in grid_of]
    if lacking:
        drawn: dict[str, Any] = {}
        for member in members_of(model):  # a pool's first member keeps the tally; any of them may read a column
            draw = np.random.default_rng(0)
            drawn = sample_flat(member, draw_classes(member, DRAWS, draw), draw) | drawn
        for name in lacking:
            x = np.asarray(drawn[name], np.float64)
            x = x[np.isfinite(x)] if np.isfinite(x).any() else np.zeros(1)
            drawn_whole = name not in smooth and bool((x == x.round()).all())
            grid_of[name] = even_steps(x.min(), x.max(), points, name in whole or drawn_whole)
    return grid_of


def shorten_grid(grid: Floats) -> Floats:
    """The numbers of a grid in as few digits as tell them apart.

    >>> shorten_grid(np.linspace(82.17, 99.4, 5))
    array([82., 86., 91., 95., 99.])
    """
    if len(grid) < 2:
        return grid
    return distinct(grid.round(-int(np.floor(np.log10(np.diff(grid).min())))))


def even_steps(low: float, high: float, points: int, whole: bool) -> Floats:
    """Even steps; of whole numbers only those that lie between the ends.

    >>> even_steps(0.4, 3.2, 8, True), even_steps(0.0, 1.0, 3, False)
    (array([1., 2., 3.]), array([0. , 0.5, 1. ]))
    """
    if whole and np.floor(high) > np.ceil(low):
        return distinct(np.linspace(np.ceil(low), np.floor(high), points).round())
    return distinct(np.linspace(low, high, points))


def vector_spans(model: Any) -> dict[str, tuple[float, float]]:
    """The ranges of numbers that stand in a vector, which knows their spread, or in bins and in no other way."""
    schema = model.schema
    otherwise = {c.origin for c in (*schema.categories, *schema.numbers)}
    bins = {c.origin: c.ends for c in schema.binned if c.origin not in otherwise}
    axes = [axis for c in schema.vectors for axis in c.numbers]
    return bins | {
        axis.source: (axis.knots[0][0], axis.knots[-1][0])
        if axis.knots
        else (axis.centre - REACH * axis.unit, axis.centre + REACH * axis.unit)
        for axis in axes
    }


def is_additive(model: Any) -> bool:
    """Whether each column's contribution depends on that column alone: one network, the class the only parent."""
    mixture = getattr(model, "mixture", None)
    if mixture is None or len(mixture.networks) != 1 or model.schema.vectors:
        return False
    return all(set(node.parents) <= {model.schema.target.name} for node in mixture.networks[0])


def known_cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a row that are not missing."""
    return {name: value for name, value in row.items() if value is not None and value == value and value != ""}

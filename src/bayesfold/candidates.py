"""Values that a column might have: the levels of categories, and for numbers a grid over what the model draws."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesfold.columns import Presence
from bayesfold.frame import Floats
from bayesfold.model import Model
from bayesfold.schema import Categories, Counts

DRAWS = 2_000
GRID = 33


def candidates(model: Model) -> dict[str, list[Any]]:
    """Levels, or a grid of numbers, of each source column."""
    return levels(model) | {name: np.unique(grid.round(12)).tolist() for name, grid in grids(model).items()}


def levels(model: Model) -> dict[str, list[Any]]:
    """The levels of each source column that is read as categories alone."""
    found = {c.source or c.name: list(c.levels) for c in model.schema.features if isinstance(c, Categories)}
    return {name: values for name, values in found.items() if name not in numeric(model)}


def grids(model: Model, points: int = GRID) -> dict[str, Floats]:
    """Even steps over the range of numbers that the model draws for each source column; whole numbers stay whole."""
    drawn, _ = model.sample(DRAWS, np.random.default_rng(0))
    found = {}
    for name in numeric(model):
        x = np.asarray(drawn[name], np.float64)
        x = x[np.isfinite(x)]
        low, high = (x.min(), x.max()) if len(x) else (0.0, 0.0)
        grid = np.linspace(low, high, points)
        found[name] = np.unique(grid.round()) if (x == x.round()).all() else grid
    return found


def numeric(model: Model) -> set[str]:
    """The source columns that are read as numbers."""
    names: set[str] = set()
    for c in model.schema.features:
        if not isinstance(c, Categories | Presence):
            names |= set(c.sources) if isinstance(c, Counts) else {c.source or c.name}
    return names


def is_additive(model: Any) -> bool:
    """Whether each column's contribution depends on that column alone: one network, the class the only parent."""
    mixture = getattr(model, "mixture", None)
    if mixture is None or len(mixture.networks) != 1:
        return False
    return all(set(node.parents) <= {model.schema.target.name} for node in mixture.networks[0])


def known(row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a row that are not missing."""
    return {name: value for name, value in row.items() if value is not None and value == value and value != ""}

"""The forms that log densities take, whatever their family: a table, a parabola, parameters, a linear function.

The scorer has a kernel for the first, the second and the last; only the family itself can read the third.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.frame import Floats
from bayesfold.kernels import moments
from bayesfold.tally import Cells

ZERO = -1000.0 * np.log(2.0)
"""The log of a factor that is exactly zero: 2^-1000, so that the class with the fewest zeros wins."""


@dataclass(frozen=True)
class Lookup:
    """log P by slot: for column j rows starts[j] + j and on: missing, each level, unseen; one column a group."""

    table: Floats


@dataclass(frozen=True)
class Quadratic:
    """log P(x) = constant - precision (x - mean)^2, one row a column of the table, one column a group."""

    mean: Floats
    precision: Floats
    constant: Floats


@dataclass(frozen=True)
class Density:
    """Parameters, leading axis a column of the table, that only the family itself can turn into log P(x)."""

    parameters: tuple[Floats, ...]


@dataclass(frozen=True)
class Linear:
    """log P(block) = block @ weights + constant."""

    weights: Floats
    constant: Floats


Form = Lookup | Quadratic | Density | Linear


def without_row(cells: Cells, x: Floats, group: NDArray[np.intp], weight: Floats) -> Cells:
    """For each row its own group's cell of a one-column table, less that row: one stacked row a row, one group."""
    order = cells.high.shape[-1]
    high, low = (np.ascontiguousarray(half[0, group]) for half in (cells.high, cells.low))
    own_high, own_low = np.empty((len(x), order)), np.empty((len(x), order))
    moments.powers(np.ascontiguousarray(x, np.float64), weight, own_high, own_low)
    moments.add(high.ravel(), low.ravel(), own_high.ravel(), own_low.ravel(), -1.0)
    rest = np.maximum(cells.weight[0, group] - weight, 0.0)
    return Cells(
        np.arange(len(x) + 1),
        cells.count[0, group][:, None] - 1,
        rest[:, None],
        high[:, None, :],
        low[:, None, :],
    )

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


def without_row(cells: Cells, x: Floats, group: NDArray[np.intp], weight: Floats, where: NDArray[np.intp]) -> Cells:
    """For each entry of x its own group's cell less its row: a stacked row an entry, column by column; one group.

    x[i, j] belongs to column where[j] of the table.
    """
    columns, rows, own = np.repeat(where, len(x)), np.tile(group, len(where)), np.tile(weight, len(where))
    high, low = (half[columns, rows] for half in (cells.high, cells.low))
    own_high, own_low = np.empty((2, *high.shape))
    moments.powers(np.ascontiguousarray(x.T).ravel(), own, own_high, own_low)
    moments.add(high.ravel(), low.ravel(), own_high.ravel(), own_low.ravel(), -1.0)
    mass = np.asarray(cells.mass[columns, rows], np.float64)
    rest = np.where(np.isnan(x.T).ravel(), mass, np.maximum(mass - own, 0.0))
    shape = (len(rows), 1)
    count = cells.count[columns, rows].reshape(shape)
    return Cells(np.arange(len(rows) + 1), count, rest.reshape(shape), high[:, None], low[:, None])

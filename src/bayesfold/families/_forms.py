"""The forms that log densities take, whatever their family: a table, a parabola, parameters, a linear function.

The scorer has a kernel for the first, the second and the last; only the family itself can read the third.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.counting import moments
from bayesfold.kernels.scoring import centred, left_out
from bayesfold.tally.statistic import LARGEST, Cells

ZERO = -1000.0 * np.log(2.0)
"""The log of a factor that is exactly zero: 2^-1000, so that the class with the fewest zeros wins."""


@dataclass(frozen=True)
class Lookup:
    """log P by slot: for column j rows starts[j] + j and on: missing, each level, unseen; one column per group."""

    table: Floats


@dataclass(frozen=True)
class Quadratic:
    """log P(x) = constant - precision (x - mean)^2, one row per column of the table, one column per group."""

    mean: Floats
    precision: Floats
    constant: Floats


def subtract_weight(total: Any, gone: Any) -> Any:
    """total - gone, exactly 0 where only rounding is left."""
    rest = total - gone
    if isinstance(rest, float):  # one number: the function is called for each class and setting
        return rest if rest > 1e-12 * total else 0.0
    return np.where(rest > 1e-12 * total, rest, 0.0)[()]


def parabola(x: Floats, mean: Floats, precision: Floats, constant: Floats) -> Floats:
    """constant - precision (x - mean)^2, the square within 1e290 (as in the kernel)."""
    with np.errstate(over="ignore"):
        return constant - np.clip(precision * (x - mean) ** 2, -1e290, 1e290)


@dataclass(frozen=True)
class Density:
    """Parameters that only the family itself can turn into log P(x); the leading axis is the columns of the table."""

    parameters: tuple[Floats, ...]


@dataclass(frozen=True)
class Linear:
    """log P(block) = block @ weights + constant."""

    weights: Floats
    constant: Floats

    @cached_property
    def by_class(self) -> Floats:
        """The weights of the classes alone, side by side in memory."""
        return np.ascontiguousarray(self.weights[:, 1:])


@dataclass(frozen=True)
class Whole:
    """The density of a block as a whole, which only the family can read."""

    density: Any


def prepend_missing_class(log_p: Floats) -> Floats:
    """Log densities with one more column in front, for the missing class."""
    return np.concatenate([np.zeros((len(log_p), 1)), log_p], axis=1)


Form = Lookup | Quadratic | Density | Linear | Whole


@dataclass(frozen=True)
class Others:
    """All the rows that are being left out in turn, so that a cell can be summed anew where subtracting would cancel.

    Row i of what is asked is row first + i of these; `x` has the columns that are asked.
    """

    x: Floats
    group: NDArray[np.intp]
    weight: Floats
    first: int

    def cell(self, row: int, column: int, cells: Cells, c: int, out: float) -> Cells | None:
        """The row's group in column c with `out` of the row taken off, summed anew; None when rows are not all here."""
        own = self.first + row
        group = self.group[own]
        same = (self.group == group) & ~np.isnan(self.x[:, column])
        whole = self.weight[same].sum()
        if same.sum() != cells.count[c, group] or abs(whole - cells.mass[c, group]) > 1e-9 * whole:
            return None
        weight = self.weight.copy()
        weight[own] -= out
        same[own] = weight[own] > 0  # of a row that weighs 2, one copy stays
        x, w = self.x[same, column].reshape(-1, 1), np.ascontiguousarray(weight[same])
        zero, order, sums = np.zeros(1, np.intp), np.full(1, 2, np.uint8), np.zeros((2, 2))
        count, mass = np.zeros(1, np.int64), np.zeros((2, 1))
        moments.exact(x, np.zeros(len(x), np.int32), w, LARGEST, zero, zero, order, count, mass, sums[0], sums[1])
        high, low = sums.reshape(2, 1, 1, 2)
        return Cells(np.arange(2), count.reshape(1, 1), mass[:1], mass[1:], high, low)


CANCELS = 2.0**-24
"""A row that holds all but this share of its group's squares cannot be subtracted: too few digits would be left."""


def without_row(cells: Cells, x: Floats, group: NDArray[np.intp], weight: Floats, where: NDArray[np.intp]) -> Cells:
    """For each entry of x its own group's cell less its row: one stacked row per entry, column by column; one group.

    x[i, j] belongs to column where[j] of the table.
    """
    columns, rows, own = np.repeat(where, len(x)), np.tile(group, len(where)), np.tile(weight, len(where))
    high, low = (half[columns, rows] for half in (cells.high, cells.low))
    own_high, own_low = np.empty((2, *high.shape))
    moments.powers(np.ascontiguousarray(x.T).ravel(), own, LARGEST, own_high, own_low)
    moments.add(high.ravel(), low.ravel(), own_high.ravel(), own_low.ravel(), -1.0)
    mass = np.asarray(cells.mass[columns, rows], np.float64)
    rest = cells.rest[columns, rows] if cells.rest.shape[1] else np.zeros(len(rows))
    moments.add(mass, rest, np.where(np.isnan(x.T).ravel(), 0.0, own), np.zeros(len(rows)), -1.0)
    mass, rest = np.where(mass > 0, mass, 0.0), np.where(mass > 0, rest, 0.0)
    shape = (len(rows), 1)
    count = cells.count[columns, rows].reshape(shape)
    places = np.arange(len(rows) + 1)
    return Cells(places, count, mass.reshape(shape), rest.reshape(shape), high[:, None], low[:, None])


def find_dominant(
    cells: Cells, x: Floats, group: NDArray[np.intp], weight: Floats, where: NDArray[np.intp]
) -> list[tuple[int, int]]:
    """(row, column) of the entries that hold nearly all of their group's squares about the mean, w d^2 W / (W - w)."""
    mean, spread = np.empty((2, *cells.mass.shape))
    centred.centre(cells.mass, cells.rest, cells.high, cells.low, mean, spread)
    dominates = np.empty(x.shape, np.uint8)
    rows = (np.ascontiguousarray(x), group, weight, where)
    if not left_out.dominant(*rows, cells.count, cells.mass, mean, spread, 1 - CANCELS, dominates):
        return []
    return [(int(row), int(column)) for row, column in np.argwhere(dominates)]

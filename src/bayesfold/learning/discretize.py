"""Cut points for numbers, from a histogram of values by class: a fold, so parts of a table can be added.

`mdl` (Fayyad and Irani 1993) splits where the classes differ, as long as the split pays for its own description;
`equal_frequency`, `equal_width` and `proportional` (sqrt(n) bins of sqrt(n) rows, Yang and Webb 2009) do not look at
the classes.

>>> h = histogram(np.array([1.0, 2.0, 3.0, 7.0, 8.0, 9.0]), np.array([1, 1, 1, 2, 2, 2]), np.ones(6), 3)
>>> mdl(h), equal_frequency(h, 3), equal_width(h, 4)
((5.0,), (2.5, 7.5), (3.0, 5.0, 7.0))
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.counting import cuts
from bayesfold.runtime.unique import distinct

FINEST = 8_192
"""A histogram keeps no more cells than this when it is made of many distinct numbers ..."""

MOST_ENTRIES, LEAST_CELLS = 1 << 21, 512
"""... and, but for the least, no more than this for all groups: a thousand classes are cut in a coarser histogram."""

Cuts = tuple[float, ...]


@dataclass(frozen=True)
class Histogram:
    """Cells of neighbouring values: each one's smallest and largest value and its weight by class."""

    low: Floats
    high: Floats
    table: Floats

    def __add__(self, other: "Histogram") -> "Histogram":
        """Both tables' rows: exact where cells are single values or do not overlap, elsewhere spread evenly.

        A cell of several values says where its smallest and largest are; what lies between is taken to be spread evenly
        when a cell of the other table ends inside it.
        """
        low, high, table = (
            np.concatenate([getattr(self, part), getattr(other, part)]) for part in ("low", "high", "table")
        )
        ends = distinct(np.concatenate([low, high]))
        first, last = np.searchsorted(ends, low), np.searchsorted(ends, high)
        points = np.zeros((len(ends), table.shape[1]))  # cells that are one value
        single = first == last
        np.add.at(points, first[single], table[single])
        length = np.diff(ends / 2)  # halved: a difference may be infinite
        along = np.concatenate([[0.0], length.cumsum()])
        rate = np.zeros_like(points)  # weight for a unit of length, from each end on
        dense = table[~single] / (along[last] - along[first])[~single, None]
        np.add.at(rate, first[~single], dense)
        np.subtract.at(rate, last[~single], dense)
        gaps = np.maximum(rate.cumsum(0)[:-1] * length[:, None], 0.0)
        cells = np.empty((2 * len(ends) - 1, table.shape[1])) if len(ends) else table
        cells[::2], cells[1::2] = points, gaps
        bounds = np.repeat(ends, 2)
        kept = cells.sum(1) > 1e-9
        return coarser(Histogram(bounds[:-1][kept], bounds[1:][kept], cells[kept]), FINEST)

    @cached_property
    def cumulated(self) -> Floats:
        """The weight of each cell and those before it."""
        return np.asarray(self.table.sum(1).cumsum())

    def between(self, cells: NDArray[np.intp]) -> Cuts:
        """Cut points in front of these cells: half way from the value before."""
        out = np.empty(len(cells))
        cuts.half_way(self.low, self.high, cells, out)
        return tuple(out.tolist())


def histogram(x: Floats, group: NDArray[np.intp], weight: Floats, groups: int, finest: int = FINEST) -> Histogram:
    """The histogram of a column's values (NaN: none) by group; beyond `finest` values, neighbours share a cell."""
    seen = ~np.isnan(x)
    values, cell = np.unique(x[seen], return_inverse=True)
    table = np.bincount(cell * groups + group[seen], weight[seen], len(values) * groups)
    fine = Histogram(values, values, np.asarray(table, np.float64).reshape(len(values), groups))
    return coarser(fine, min(finest, max(LEAST_CELLS, MOST_ENTRIES // groups)))


def coarser(h: Histogram, finest: int) -> Histogram:
    """The same rows in at most `finest` cells, neighbours of about equal weight united."""
    if len(h.low) <= finest:
        return h
    at = h.cumulated
    share = np.minimum((at - at[0]) * finest // at[-1], finest - 1)
    first = np.flatnonzero(np.r_[True, np.diff(share) > 0])
    last = np.r_[first[1:], len(at)] - 1
    return Histogram(h.low[first], h.high[last], np.add.reduceat(h.table, first, axis=0))


def mdl(h: Histogram) -> Cuts:
    """Supervised cuts: split in two where class entropy falls most, while that pays for its own description."""
    cumulated = np.zeros((len(h.table) + 1, h.table.shape[1]))
    np.cumsum(h.table, axis=0, out=cumulated[1:])
    known = np.empty(min(len(h.table), FINEST))
    cuts.products(known)
    cells: list[int] = []
    open_: list[tuple[int, int]] = [(0, len(h.table))]
    while open_:
        low, high = open_.pop()
        cut = cuts.paying_split(cumulated, low, high, known)
        if cut > 0:
            cells.append(cut)
            open_ += [(low, cut), (cut, high)]
    return h.between(np.array(sorted(cells), np.intp))


def equal_frequency(h: Histogram, bins: int = 10) -> Cuts:
    """Cuts after every n / bins rows, between distinct values."""
    cells = np.empty(bins - 1, np.intp)
    return h.between(cells[: cuts.even_shares(h.cumulated, bins, cells)]) if len(h.low) else ()


def quintiles(h: Histogram) -> Cuts:
    """Five bins of equal frequency."""
    return equal_frequency(h, 5)


def proportional(h: Histogram) -> Cuts:
    """About sqrt(n) bins of sqrt(n) rows, no more than there are values: weights may be huge."""
    return equal_frequency(h, max(1, min(int(np.sqrt(h.table.sum())), len(h.low))))


def equal_width(h: Histogram, bins: int = 10) -> Cuts:
    """Cuts at equal distances between the smallest and the largest value."""
    if not len(h.low) or h.low[0] == h.high[-1]:
        return ()
    out = np.empty(bins - 1)
    return tuple(out[: cuts.even_widths(h.low[0], h.high[-1], out)].tolist())


METHODS = {
    "mdl": mdl,
    "equal_frequency": equal_frequency,
    "equal_width": equal_width,
    "proportional": proportional,
    "quintiles": quintiles,
}
"""Every way to cut, by the name that `numeric=` and `families=` take."""

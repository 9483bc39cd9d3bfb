"""What the families of discrete columns share: the totals of a table, smoothed log ratios, drawing slots."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Lookup
from bayesfold.kernels.scoring import densities
from bayesfold.tally.statistic import Cells


def draw_slots(form: Lookup, group: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.intp]:
    """A slot for each row of a table of one column, by inverting the distribution function."""
    if len(form.table) == 2:
        return np.zeros(len(group), np.intp)
    cumulated = np.exp(form.table[1:-1]).cumsum(0)
    height = draw.random(len(group)) * cumulated[-1, group]
    above: NDArray[np.intp] = (height > cumulated[:, group]).sum(0)
    return 1 + np.minimum(above, len(cumulated) - 1)


def totals(cells: Cells, where: NDArray[np.intp]) -> Floats:
    """The weight of each group that shows a level: one row for each of these columns, one column per group."""
    if len(where) == len(cells.starts) - 1:
        every = np.add.reduceat(cells.mass, cells.starts[:-1], axis=0) - cells.mass[cells.starts[:-1]]
        return np.asarray(every[where], np.float64)
    by_column = [cells.mass[cells.starts[j] + 1 : cells.starts[j + 1]].sum(0) for j in where]
    return np.array(by_column, np.float64).reshape(len(where), cells.mass.shape[1])


def log_ratio(n: Any, total: Any, levels: Any, alpha: Any) -> Floats:
    """log (n + alpha) / (total + levels alpha); a zero is 2^-1000, nothing known is uniform.

    >>> np.exp(log_ratio([2.0, 0.0], [3.0, 0.0], 2, 0.0))
    array([0.66666667, 0.5       ])
    """
    numbers = np.empty((5, *np.broadcast(n, total, levels, alpha).shape))
    for line, part in zip(numbers, (n, total, levels, alpha), strict=False):
        line[...] = part
    densities.ratios(*numbers.reshape(5, -1))
    return np.asarray(numbers[4])

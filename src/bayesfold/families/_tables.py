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


def totals(cells: Cells) -> Floats:
    """The weight of each group that shows a level: one row per column of the table, one column per group."""
    return np.add.reduceat(cells.weight, cells.starts[:-1], axis=0) - cells.weight[cells.starts[:-1]]


def log_ratio(n: Any, total: Any, levels: Any, alpha: Any) -> Floats:
    """log (n + alpha) / (total + levels alpha); a zero is 2^-1000, nothing known is uniform.

    >>> np.exp(log_ratio([2.0, 0.0], [3.0, 0.0], 2, 0.0))
    array([0.66666667, 0.5       ])
    """
    parts = np.broadcast_arrays(n, total, levels, alpha)
    out = np.empty(parts[0].shape)
    densities.ratios(*(np.ascontiguousarray(part, np.float64).ravel() for part in parts), out.reshape(-1))
    return out

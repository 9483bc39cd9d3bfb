"""The normal density and its variance prior, shared by the families that are normal in x or in log x."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Others, Quadratic, find_dominant, parabola
from bayesfold.kernels.scoring import centred, densities, left_out
from bayesfold.runtime.threads import BLOCK, spread
from bayesfold.tally.statistic import LARGEST, Cells


@dataclass(frozen=True)
class NormalFamily:
    """The conjugate variance prior's weight in rows, the degrees of freedom taken off, a variance added at the end."""

    pseudo_rows: float = 1.0
    ddof: int = 0
    added: float = 0.0
    centre: Floats | None = field(default=None, compare=False)  # held: the column's mean ...
    within: Floats | None = field(default=None, compare=False)  # ... v, 0 where the whole column is constant ...
    order: ClassVar[int] = 2

    def hold(self, cells: Cells) -> Self:
        """Fix the whole column's mean and the variance that groups are pulled to; what is fixed stays so."""
        if self.centre is not None:
            return self
        mean, whole, within = summarise_columns(cells)
        return type(self)(self.pseudo_rows, self.ddof, self.added, mean, np.maximum(within, whole / 1024))

    def fit(self, cells: Cells) -> Quadratic:
        """Mean, 1 / (2 variance) and -log(2 pi variance) / 2."""
        if self.centre is None or self.within is None:
            return self.hold(cells).fit(cells)
        mean, precision, constant = np.empty((3, *cells.mass.shape))
        centred.centre(cells.mass, cells.rest, cells.high, cells.low, mean, precision)
        densities.normal(
            cells.mass, mean, precision, self.centre, self.within, self.pseudo_rows, self.ddof, self.added, constant
        )
        return Quadratic(mean, precision, constant)

    def suits(self, x: Floats) -> bool:
        """Any numbers may turn out to be normal."""
        return True

    def log_density(self, form: Quadratic, x: Floats) -> Floats:
        """constant - precision (x - mean)^2."""
        return parabola(x[:, None], form.mean[0], form.precision[0], form.constant[0])

    def left_out(
        self,
        cells: Cells,
        x: Floats,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """Each row's own group is fitted anew without it, v and the column's mean held."""
        assert self.centre is not None
        assert self.within is not None
        prior = np.empty((len(self.centre), 5))
        prior[:, 0], prior[:, 1], prior[:, 2:] = self.centre, self.within, (self.pseudo_rows, self.ddof, self.added)
        x, out = np.ascontiguousarray(x), np.empty(x.shape)
        table = (cells.mass, cells.rest, cells.high, cells.low, prior)

        def leave_out(begin: int, end: int) -> None:
            left_out.normal(x, group, weight, where, *table, begin, end, LARGEST, out)

        spread(leave_out, len(x), BLOCK // 16)
        if others is not None:
            for row, column in find_dominant(cells, x, group, weight, where):
                c = int(where[column])
                again = others.cell(row, column, cells, c, float(weight[row]))
                if again is not None:
                    centre, within = (part[c : c + 1] for part in (self.centre, self.within))
                    held = type(self)(self.pseudo_rows, self.ddof, self.added, centre, within)
                    out[row, column] = NormalFamily.log_density(held, held.fit(again), x[row : row + 1, column])[0, 0]
        return out

    def sample(self, form: Quadratic, group: NDArray[np.intp], draw: "np.random.Generator") -> Floats:
        """Normal deviates."""
        deviates: Floats = form.mean[0, group] + np.sqrt(0.5 / form.precision[0, group]) * draw.standard_normal(
            len(group)
        )
        return deviates


def summarise_columns(cells: Cells) -> tuple[Floats, Floats, Floats]:
    """Each column's mean, variance, and variance within groups, over all its groups."""
    mean, whole, within = np.empty((3, len(cells.mass)))
    centred.summary(cells.mass, cells.rest, cells.high, cells.low, mean, whole, within)
    return mean, whole, within

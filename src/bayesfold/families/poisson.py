"""Whole numbers, Poisson: P(x | rate) = rate^x e^-rate / x!, rate = (S x + r m) / (n + r), m the column's mean.

>>> from bayesfold.tally.statistic import Cells
>>> four, none = np.array([[4]]), np.empty((1, 0))
>>> cells = Cells(np.array([0, 1]), four, four, none, np.array([[[6.0]]]), np.zeros((1, 1, 1)))
>>> Poisson().fit(cells).parameters[0]                       # four rows whose counts sum to six
array([[1.5]])
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Density, Others, without_row
from bayesfold.kernels.scoring import densities
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class Poisson:
    """A Gamma prior worth `pseudo_rows` rows of the whole column's mean, so that an empty group has a finite rate.

    A number below 0 is refused where it is to be learned; where it is scored it is a zero factor in every group, and so
    says nothing about the class. A fraction is learned and scored as the gamma function has it.
    """

    pseudo_rows: float = 1.0
    mean: Floats | None = field(default=None, compare=False)  # held
    order: ClassVar[int] = 1
    least: ClassVar[float] = 0.0

    def hold(self, cells: Cells) -> Self:
        """Fix the whole column's mean."""
        n = cells.weight.sum(1)
        return replace(self, mean=cells.high[..., 0].sum(1) / np.where(n > 0, n, 1.0))

    def fit(self, cells: Cells) -> Density:
        """The rate of each group."""
        if self.mean is None:
            return self.hold(cells).fit(cells)
        rate = np.empty(cells.mass.shape)
        densities.rates(cells.high, cells.mass, self.pseudo_rows, self.mean, rate)
        return Density((rate,))

    def suits(self, x: Floats) -> bool:
        """Whether they are whole numbers."""
        return bool((x == np.floor(x)).all())

    def log_density(self, form: Density, x: Floats) -> Floats:
        """x log rate - rate - log x!, no less than the log of a zero factor."""
        return log_poisson(form.parameters[0], x[:, None])

    def left_out(
        self,
        cells: Cells,
        x: Floats,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """Each row's own rate is fitted anew without it, the column's mean held."""
        assert self.mean is not None
        held = replace(self, mean=np.repeat(self.mean[where], len(x)))
        rate = held.fit(without_row(cells, x, group, weight, where)).parameters[0]
        return log_poisson(rate.reshape(len(where), len(x)).T, x)

    def sample(self, form: Density, group: NDArray[np.intp], draw: "np.random.Generator") -> Floats:
        """Poisson deviates."""
        return np.asarray(draw.poisson(form.parameters[0][0, group]), np.float64)


def log_poisson(rate: Floats, x: Floats) -> Floats:
    """The log density; between whole numbers as the gamma function has it, below 0 a zero factor."""
    shape = np.broadcast(rate, x).shape  # broadcast_arrays takes four times as long
    rates, counts, out = np.empty(shape), np.empty(shape), np.empty(shape)
    rates[...], counts[...] = rate, x
    densities.log_poissons(rates.reshape(-1), counts.reshape(-1), out.reshape(-1))
    return np.asarray(out)

"""Positive numbers whose logarithm is normal: a normal density of z = log x, with log P(x) = log P(z) - z.

The schema's column stands for z already (`Real(transform="log")`); a value that is not positive says nothing.

>>> Lognormal().transform
'log'
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Others, Quadratic
from bayesfold.families._normal import NormalFamily
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class Lognormal(NormalFamily):
    """The Gaussian's options, about the logarithm."""

    transform: ClassVar[str] = "log"

    def base(self, z: Floats) -> Floats:
        """-z: what every group has in common."""
        return -z

    def log_density(self, form: Quadratic, x: Floats) -> Floats:
        """The normal log density of z, less z."""
        return super().log_density(form, x) + self.base(x)[:, None]

    def left_out(
        self,
        cells: Cells,
        x: Floats,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """The normal's, less z."""
        return super().left_out(cells, x, group, weight, where, others) + self.base(x)

    def sample(self, form: Quadratic, group: NDArray[np.intp], draw: "np.random.Generator") -> Floats:
        """e to the power of a normal deviate."""
        return np.exp(super().sample(form, group, draw))

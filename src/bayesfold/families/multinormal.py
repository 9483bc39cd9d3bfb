"""Vectors, normal with covariance: what `covariance` makes of the sums of x and of x x' in each group.

>>> import numpy as np
>>> from bayesfold.tally.statistic import Cells
>>> rows = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 4.0], [3.0, 4.0], [5.0, 1.0]])
>>> sums = np.concatenate([rows.sum(0), (rows.T @ rows).ravel()]).reshape(1, 1, -1)
>>> five = np.array([[0, 5]])
>>> high = np.concatenate([np.zeros_like(sums), sums], axis=1)
>>> cells = Cells(np.arange(2), five, five, np.empty((1, 0)), high, np.zeros_like(high))
>>> Multinormal().log_density(Multinormal().fit(cells), rows[:1])[:, 1].round(4)
array([-4.0224])
"""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families import _covariance as covariance
from bayesfold.families._covariance import Moments, Normals, Shrinkage
from bayesfold.families._forms import Others, Whole, prepend_missing_class
from bayesfold.tally.statistic import Cells


@dataclass(frozen=True)
class Multinormal:
    """How the covariances are shrunk; `held` is the diagonal target, fixed while rows are left out."""

    shrinkage: Shrinkage = Shrinkage()  # noqa: RUF009  (it is frozen)
    held: Floats | None = field(default=None, compare=False)
    order: ClassVar[int] = 2
    couples: ClassVar[bool] = True  # a row left out changes what is said of every class

    def hold(self, cells: Cells) -> Self:
        """Fix the diagonal that covariances are pulled to."""
        return replace(self, held=covariance.scale_of_columns(moments(cells), self.shrinkage.ddof))

    def fit(self, cells: Cells) -> Whole:
        """The normals of the classes."""
        return Whole(covariance.fit(moments(cells), self.shrinkage, self.held))

    def log_density(self, form: Whole, x: Floats) -> Floats:
        """log p(x | group), [row, group]; the group of a missing class says nothing."""
        return prepend_missing_class(covariance.log_density(form.density, x))

    def lines(self, form: Whole, x: Floats) -> Floats:
        """[row, number + 1, class]: -(x - m)_j (S^-1 (x - m))_j / 2 of each number, then the constant.

        They sum to the log density. How a shared square is dealt out between two numbers is a convention: half each.
        """
        normals: Normals = form.density
        out = np.empty((len(x), x.shape[1] + 1, len(normals.mean)))
        out[:, -1] = normals.constant
        for c, mean in enumerate(normals.mean):
            away = (x - mean) / normals.unit
            whitening = normals.whitening[min(c, len(normals.whitening) - 1)]
            out[:, :-1, c] = -0.5 * away * (away @ whitening @ whitening.T)
        return out

    def left_out(
        self,
        cells: Cells,
        x: Floats,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """Each row out of its class's sums and, since they share a covariance, out of every class's."""
        from bayesfold.families import _covariance_left_out as downdate  # answers do without

        log_densities = downdate.left_out(moments(cells), self.shrinkage, x, group - 1, weight, self.held)
        return prepend_missing_class(log_densities)[:, None]

    def sample(self, form: Whole, group: NDArray[np.intp], draw: "np.random.Generator") -> Any:
        """Vectors drawn from the classes' normals."""
        normals: Normals = form.density
        out = np.empty((len(group), normals.mean.shape[1]))
        for c in range(len(normals.mean)):
            rows = np.flatnonzero(group == c + 1)
            whitening = normals.whitening[min(c, len(normals.whitening) - 1)]
            turned = draw.standard_normal((len(rows), out.shape[1])) @ np.linalg.pinv(whitening)
            out[rows] = normals.mean[c] + np.where(np.isfinite(normals.unit), turned * normals.unit, 0.0)
        return out


def moments(cells: Cells) -> Moments:
    """The sums of the classes, the missing one left out."""
    sums = (cells.high + cells.low)[0, 1:]
    width = int(np.sqrt(sums.shape[1] + 0.25) - 0.5)  # width + width^2 sums
    first, second = sums[:, :width], sums[:, width:].reshape(len(sums), width, width)
    return Moments(cells.weight[0, 1:], first, second)

"""Distributions of a column given its parents: a statistic in, log densities out. One file each; `find` loads by name.

A family never hears of classes, networks or missing values. Its `order` says which sums of x it needs (0: none, x is
discrete; 1: S x; 2: S x and S x^2), and the paths do the rest: counting, scoring, leaving a row out.

>>> find("poisson").order
1
"""

from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Others
from bayesfold.runtime.registry import Plugs
from bayesfold.tally.statistic import Cells


@runtime_checkable
class Family(Protocol):
    """What every file in this folder provides."""

    order: ClassVar[int]

    def hold(self, cells: Cells) -> Self:
        """This family with whatever it learns from the whole table (a shrinkage target, lambda) fixed."""

    def fit(self, cells: Cells) -> Any:
        """The densities of a table; `self` is held."""

    def log_density(self, form: Any, x: Any) -> Floats:
        """log P(x) of each row under each group, for a table of one column."""

    def left_out(
        self,
        cells: Cells,
        x: Any,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """log P(x[i, j]) under row i's own group when row i is not in the table, x's columns being columns `where`.

        [row, column]; or [row, column, group] where leaving a row out changes every group. `self` is held. `others` are
        all the rows being left out, for where subtracting would cancel.
        """

    def sample(self, form: Any, group: NDArray[np.intp], draw: "np.random.Generator") -> Any:
        """One x for each row's group."""


PLUGS = Plugs(__name__, "family")
names, find = PLUGS.names, PLUGS.load_class
__getattr__ = PLUGS.attribute

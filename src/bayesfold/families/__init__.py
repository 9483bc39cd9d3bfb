"""Distributions of a column given its parents: a statistic in, log densities out. One file each; `find` loads by name.

A family never hears of classes, networks or missing values. Its `order` says which sums of x it needs (0: none, x is
discrete; 1: S x; 2: S x and S x^2), and the paths do the rest: counting, scoring, leaving a row out. What its `fit` is
annotated to return says what it reads: a `Lookup` is of levels or bins, a `Quadratic` or a `Density` of one column of
numbers, all else of a block. A family of numbers may also have

least      a number, where there is no transform: those below it are refused where they are to be learned
transform  "log": the column stands for log x, and x must be positive
suits(x)   whether numeric="auto" is to compare it for a column with these numbers; without it, it never does

and one of bins

even       whether they must be many and equally wide

>>> find("poisson").order, of_numbers()
(1, ('gaussian', 'lognormal', 'poisson'))
"""

from functools import cache
from typing import Any, ClassVar, Protocol, Self, get_type_hints, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.families._forms import Density, Lookup, Others, Quadratic
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


def of_numbers() -> tuple[str, ...]:
    """The names of the families that read one column of numbers."""
    return keep_of_numbers(tuple(names()))


@cache
def keep_of_numbers(candidates: tuple[str, ...]) -> tuple[str, ...]:
    """Of families by name, those that read one column of numbers."""
    return tuple(name for name in candidates if issubclass(form_of(find(name)), Quadratic | Density))


def reads_alike(one: Any, other: Any) -> bool:
    """Whether two classes of families can have the same column: both read levels, or both the same numbers.

    >>> reads_alike(find("gaussian"), find("poisson")), reads_alike(find("gaussian"), find("lognormal"))
    (True, False)
    """
    if one is other:
        return True
    forms = form_of(one), form_of(other)
    if all(issubclass(form, Quadratic | Density) for form in forms):
        return getattr(one, "transform", "") == getattr(other, "transform", "")
    same_bins = getattr(one, "even", False) == getattr(other, "even", False)
    return same_bins and all(issubclass(form, Lookup) for form in forms)


@cache
def form_of(family: type[Any]) -> type[Any]:
    """The form of a family's log densities."""
    form: type[Any] = get_type_hints(family.fit)["return"]
    return form


PLUGS = Plugs(__name__, "family")
names, find = PLUGS.names, PLUGS.load_class
__getattr__ = PLUGS.attribute

"""What densities a column of numbers could have: by name, or those that its values allow.

Each is a reading, an encoding and a family: a normal in x or log x, Poisson counts, one level per number, bins cut by
`discretize`, kernels on a grid. Which is best is for `readings` to find.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Binned, Categories, Real
from bayesfold.data.encodings.numbers import finite_numbers, refuse_number
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.decisions.metrics import weights_as_rows
from bayesfold.families import find, of_numbers
from bayesfold.families.categorical import Categorical
from bayesfold.learning.discretize import METHODS, Histogram, equal_width, histogram
from bayesfold.runtime.messages import ordered
from bayesfold.runtime.unique import distinct

SAMPLE = 8_192
"""Rows on which candidates are compared."""

CUTTING = 50_000
"""Rows from which cuts are learned."""

KEPT = 5_000
"""Rows of a table up to which its histograms are kept."""

GRID = 512
"""Cells of a kernel density."""

WIDE = 300
"""Numbers above which each has fewer folds and candidates; so many choices also fit more noise than they find."""

FEW_LEVELS = 64
ROWS_TO_BIN = 30  # with fewer, cuts and kernels learn the rows by heart
ROWS_A_LEVEL = 5  # with fewer, leaving a row out betrays its class by the one count that is gone

LEAST_SPREAD = 1 / 1024
"""Of a column's variance, what must be within classes for it to be normal there: with less it is a constant in each
class, whose density is as sure as its floor allows, and one row that differs would cost thousands of nats."""

EXACT = 2.0**53
"""Integers from here on have no float of their own."""

TRIED = ("gaussian", "lognormal", "poisson", "categorical", "mdl", "equal_frequency", "proportional", "kde")
"""What "auto" compares, before other families of numbers that suit; on equal scores the first wins."""

TRIED_IF_WIDE = ("gaussian", "poisson", "categorical", "mdl")
"""... in a table of more than WIDE numbers: of the bins, those that leave a column that tells nothing in one."""


def densities() -> tuple[str, ...]:
    """Every density that `numeric=` and `families=` know for numbers.

    >>> densities()[:6]
    ('gaussian', 'lognormal', 'poisson', 'categorical', 'kde', 'mdl')
    """
    return (*of_numbers(), "categorical", "kde", *METHODS)


def compared() -> tuple[str, ...]:
    """Every density that "auto" compares, where a column's numbers allow it."""
    return (*TRIED, *(how for how in of_numbers() if how not in TRIED and hasattr(find(how), "suits")))


@dataclass(frozen=True)
class Sample:
    """The rows that choices are made on: their labels' slots and weights."""

    frame: Frame
    rows: NDArray[np.intp]
    labels: NDArray[np.int32]
    weight: Floats | None
    classes: int
    copies: bool = False  # a weight is a number of equal rows

    @classmethod
    def of(
        cls,
        frame: Frame,
        labels: NDArray[np.int32],
        weight: Floats | None,
        classes: int,
        most: int,
        copies: bool = False,
    ) -> "Sample":
        """Every k-th row, so that at most about `most` are looked at."""
        rows = np.arange(0, frame.rows, max(1, frame.rows // most))
        return cls(frame, rows, labels[rows], None if weight is None else weight[rows], classes, copies)

    def thinned(self, most: int) -> "Sample":
        """Fewer of these rows, evenly spread."""
        return self.take(np.arange(0, len(self.rows), -(-len(self.rows) // most)))

    def of_batch(self, whole: Batch) -> Batch:
        """These rows of the whole table's batch, with their labels."""
        some = whole if len(self.rows) == whole.rows else whole.take(self.rows)
        return replace(some, labels=self.labels, weight=self.weight, copies=self.copies)

    def take(self, keep: NDArray[Any]) -> "Sample":
        """Some of these rows."""
        return replace(
            self,
            rows=self.rows[keep],
            labels=self.labels[keep],
            weight=None if self.weight is None else self.weight[keep],
        )

    @cached_property
    def weights(self) -> Floats:
        """The rows' weights, 1 where none were given."""
        return np.ones(len(self.rows)) if self.weight is None else self.weight

    @cached_property
    def numbers(self) -> Floats:
        """How many rows each of them is: as often as it is there; one of which there is less than 1 is still a row."""
        return np.maximum(self.weights, 1.0) if self.copies else np.ones(len(self.rows))

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """Each row's share in a weighted mean, and what its squared deviation counts in the mean's variance."""
        share = self.weights / self.weights.sum()
        return share, share**2 / self.numbers

    def shown(self, chosen: NDArray[np.bool_]) -> int:
        """How many rows are chosen."""
        return int(self.numbers[chosen].sum())

    @cached_property
    def evidence(self) -> Floats:
        """The rows' weights, in all as many as rows of equal weight that would say as much: the unit in which weights
        are given makes no cut pay. Copies are rows."""
        if self.weight is None or self.copies or not self.weight.any():
            return self.weights
        return weights_as_rows(self.weight)

    def histogram(self, column: Real) -> Histogram:
        """A column's values by class, in these rows; of all rows of a small table it is kept with the table, since
        each part that is learned from it asks for the same."""
        if len(self.rows) < self.frame.rows or self.frame.rows > KEPT:
            return self._histogram(column)
        key = "histogram", column.name, column.missing, self._key
        known = self.frame.kept.get(key)
        if known is None:
            known = self.frame.kept[key] = self._histogram(column)
        return cast(Histogram, known)

    def _histogram(self, column: Real) -> Histogram:
        x = column.encode(self.frame)[self.rows]
        return histogram(x, self.labels.astype(np.intp), self.evidence, self.classes + 1)

    @cached_property
    def _key(self) -> Any:
        """What a histogram depends on beside the column: classes and weights."""
        weight = None if self.weight is None else self.weight.tobytes()
        return self.labels.tobytes(), weight, self.classes, self.copies


@dataclass(frozen=True)
class Reading:
    """One way to read a column: its name among the densities, the encoding, the family."""

    how: str
    column: Categories | Binned | Real
    family: Any


def read_number(
    name: str, how: str, missing: frozenset[Level], family: Any, sample: Sample, seen: Histogram | None = None
) -> Reading:
    """A column of numbers read in the way of that name; numbers it cannot be are refused by row.

    `seen` is the sample's histogram of the column, where it has been made already.
    """
    whole = Real(name, missing=missing)
    if how in METHODS or how == "kde":
        h = sample.histogram(whole) if seen is None else seen
        if how == "kde":
            return Reading(how, Binned(name, equal_width(h, GRID), missing=missing, family="kde"), family)
        return Reading(how, Binned(name, METHODS[how](h), missing=missing), family)
    if how == "categorical":
        return Reading(how, Categories(name, levels_of(whole, sample.frame), missing=missing), family)
    x = whole.encode(sample.frame)
    transform = getattr(family, "transform", "")
    if transform and (x <= 0).any():
        refuse_number(name, x, x <= 0, how, "positive numbers")
    number = replace(whole, transform=transform, family=how, least=getattr(family, "least", None))
    number.refuse(x)
    return Reading(how, number, family)


def candidates(name: str, missing: frozenset[Level], sample: Sample, tried: Mapping[str, Any]) -> list[Reading]:
    """The densities that a column of numbers could have, of those that are to be tried, each with its family."""
    column = Real(name, missing=missing)
    whole = finite_numbers(sample.frame, name, missing)
    x = whole[sample.rows]
    known = ~np.isnan(x)
    x = x[known]
    most_levels = min(FEW_LEVELS, sample.shown(known) // ROWS_A_LEVEL)
    enough = sample.shown(known) >= ROWS_TO_BIN
    normal = not enough or spread_within(x, sample.labels[known], sample.weights[known]) > LEAST_SPREAD

    def possible(how: str, family: Any) -> bool:
        if how in METHODS or how == "kde":
            return enough
        if how == "categorical":
            few = bool((x == np.floor(x)).all()) and 0 < len(distinct(x)) <= most_levels
            large = few and np.abs(x).max() >= EXACT
            return few and (not large or len(levels_of(Real(name, missing=missing), sample.frame)) <= most_levels)
        return (normal or family.order < 2) and family.suits(x) and may_be(family, whole)

    seen = sample.histogram(column) if enough else None
    suited = [(how, family) for how, family in tried.items() if possible(how, family)]
    return [read_number(name, how, missing, family, sample, seen) for how, family in suited]


def levels_of(column: Real, frame: Frame) -> tuple[Level, ...]:
    """The numbers that a column shows, in order; integers that no float could tell apart as they stand."""
    x = distinct(column.encode(frame))
    x = x[~np.isnan(x)]
    if np.abs(x).max(initial=0.0) < EXACT:
        return tuple(x.tolist())
    return ordered([level for level in frame.coded(column.name).levels if level not in column.missing])


def may_be(family: Any, x: Floats) -> bool:
    """Whether a family of numbers can read all of these."""
    positive, least = bool(getattr(family, "transform", "")), getattr(family, "least", None)
    return not (positive and (x <= 0).any()) and not (least is not None and (x < least).any())


def spread_within(x: Floats, group: NDArray[np.int32], weight: Floats) -> float:
    """The share of a column's variance that is within groups; 1 of a constant.

    >>> round(spread_within(np.array([1.0, 2.0, 5.0, 6.0]), np.array([1, 1, 2, 2], np.int32), np.ones(4)), 3)
    0.059
    """
    x = x / max(np.abs(x).max(initial=0.0), 1e-300)  # squares of the largest numbers there are would be infinite
    n, total = np.bincount(group, weight), np.bincount(group, weight * x)
    mean, centre = total / np.maximum(n, 1e-300), total.sum() / max(n.sum(), 1e-300)
    within, whole = (float((weight * (x - c) ** 2).sum()) for c in (mean[group], centre))
    return within / whole if whole > 0 else 1.0


def family_of(how: str, alpha: Any) -> Any:
    """The family of a density by name: bins are tables, and levels, one per number, are smoothed like any category."""
    if how == "categorical":
        return Categorical(alpha)
    return find("m_estimate" if how in METHODS else how)()

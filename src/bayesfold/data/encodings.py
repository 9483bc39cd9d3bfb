"""Encodings of a column: categories, numbers, numbers in bins, whether there is a value at all, counts side by side.

>>> colour = Categories("colour", ("green", "red"))
>>> colour.encode(Frame.of({"colour": ["red", None, "blue"]})).tolist()      # red is slot 2, missing 0, unseen 3
[2, 0, 3]
>>> age = Binned("age", (18.0, 65.0))
>>> age.place(np.array([3.0, 18.0, np.nan, 99.0])).tolist(), age.levels             # slot 0 is "missing"
([1, 2, 0, 3], ('below 18', '18 to 65', '65 and above'))
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Array, Floats, Frame, Level
from bayesfold.kernels.counting import cuts
from bayesfold.kernels.counting.records import absent

NO_MARKERS: frozenset[Level] = frozenset()


@dataclass(frozen=True)
class Categories:
    """A discrete column: its levels in a fixed order. Where None is among them, missing is a level like the others."""

    name: str
    levels: tuple[Level, ...] = ()
    source: str = ""
    missing: frozenset[Level] = NO_MARKERS

    @property
    def slots(self) -> int:
        """Length of the axis: the missing slot and one slot a level."""
        return len(self.levels) + 1

    @cached_property
    def slot(self) -> dict[Level, int]:
        """The slot of each level; a marker of a missing value has the slot of the missing."""
        found = {level: i + 1 for i, level in enumerate(self.levels)}
        return found | dict.fromkeys(self.missing, found.get(None, 0))

    @property
    def hole(self) -> int:
        """The slot of a missing cell."""
        return self.slot.get(None, 0)

    @cached_property
    def is_range(self) -> bool:
        """Whether the levels are 0, 1, 2, ...: then integers are their own codes."""
        return not self.missing and self.levels == tuple(range(len(self.levels)))

    def encode(self, frame: Frame) -> Array:
        """The slot of each row."""
        coded = frame.coded(self.source or self.name)
        slot, behind = self.slot, self.slots
        slots = [slot.get(self.spelled(level), behind) for level in coded.levels]
        return coded.places(slots, self.hole, np.uint8 if behind < 256 else np.int32)

    @cached_property
    def measured(self) -> bool:
        """Whether every level is a number: then numbers may be written as text."""
        return are_numbers(self.levels)

    def spelled(self, level: Level) -> Level:
        """A level as this column spells it: a text among numbers is the number that it says."""
        return as_number(level) if isinstance(level, str) and self.measured and level not in self.slot else level

    def grow(self, levels: Iterable[Level]) -> "Categories":
        """This column with the levels it did not know, appended."""
        new = [level for level in dict.fromkeys(map(self.spelled, levels)) if level not in self.slot]
        return replace(self, levels=self.levels + tuple(new)) if new else self


@dataclass(frozen=True)
class Real:
    """A column of numbers, or of their logarithms, and the family its density was found to be of.

    `least`: numbers below it may be scored, but not learned.
    """

    name: str
    source: str = ""
    transform: str = ""
    missing: frozenset[Level] = NO_MARKERS
    family: str = "gaussian"
    least: float | None = None

    @classmethod
    def restored(
        cls,
        name: str,
        source: str = "",
        transform: str = "",
        missing: frozenset[Level] = NO_MARKERS,
        family: str = "gaussian",
        least: float | None = None,
    ) -> "Real":
        """The column that a file tells of; when files did not tell the least number, poisson alone had one."""
        before = 0.0 if family == "poisson" else None
        return cls(name, source, transform, missing, family, before if least is None else least)

    def encode(self, frame: Frame) -> Floats:
        """The number of each row, NaN where it is missing."""
        x = frame.numbers(self.source or self.name, self.missing)
        return x if not self.transform else logarithm(x)

    def refuse(self, x: Floats) -> None:
        """Say where a number stands that is to be learned and cannot be."""
        if self.least is not None and (below := x < self.least).any():
            refuse_number(self.source or self.name, x, below, self.family, f"numbers of at least {self.least:g}")


@dataclass(frozen=True)
class Binned:
    """Numbers by the interval they fall in: bin b holds cuts[b - 1] <= x < cuts[b]; with `holes` missing is a bin too.

    `family` is the density of the bins: a table, or kernels over a fine grid.
    """

    name: str
    cuts: tuple[float, ...] = ()
    source: str = ""
    missing: frozenset[Level] = NO_MARKERS
    family: str = "m_estimate"
    holes: bool = False

    @property
    def slots(self) -> int:
        """Length of the axis: the missing slot and one slot a bin."""
        return len(self.cuts) + 2 + self.holes

    @property
    def hole(self) -> int:
        """The slot of a missing cell."""
        return self.slots - 1 if self.holes else 0

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """The bins in words."""
        if not self.cuts:
            named: tuple[str, ...] = ("any number",)
        else:
            shown = [f"{c:.6g}" for c in self.cuts]
            between = [f"{a} to {b}" for a, b in pairwise(shown)]
            named = (f"below {shown[0]}", *between, f"{shown[-1]} and above")
        return (*named, "missing") if self.holes else named

    @cached_property
    def _cuts(self) -> Floats:
        return np.array(self.cuts)

    def place(self, x: Floats) -> NDArray[Any]:
        """The slot of each number."""
        slots = np.empty(len(x), np.uint8 if self.slots < 256 else np.int32)
        cuts.place(self._cuts, np.ascontiguousarray(x, np.float64), self.hole, slots)
        return slots

    @cached_property
    def _edges(self) -> Floats:
        """The cuts between two ends: the outer bins are as wide as their neighbours."""
        inner = self._cuts if self.cuts else np.zeros(1)
        step = np.diff(inner) if len(inner) > 1 else np.ones(1)
        return np.concatenate([inner[:1] - step[0], inner, inner[-1:] + step[-1]])

    @property
    def ends(self) -> tuple[float, float]:
        """Where the numbers begin and end, as far as the cuts tell."""
        return float(self._edges[0]), float(self._edges[-1])

    def draw(self, slots: NDArray[np.intp], draw: "np.random.Generator") -> Floats:
        """A number in each row's bin, evenly spread."""
        edges = self._edges
        low = np.minimum(np.maximum(slots - 1, 0), len(edges) - 2)
        x = edges[low] + draw.random(len(slots)) * (edges[low + 1] - edges[low])
        return np.where((slots == 0) | (slots == self.hole), np.nan, x)

    def encode(self, frame: Frame) -> NDArray[Any]:
        """The slot of each row."""
        source = self.source or self.name
        return self.place(finite(source, frame.numbers(source, self.missing)))


@dataclass(frozen=True)
class Presence:
    """Whether a cell has a value: slot 1 it has, slot 2 it has not."""

    name: str
    source: str
    missing: frozenset[Level] = NO_MARKERS
    number: bool = False

    slots = 3
    levels = ("there", "missing")

    def encode(self, frame: Frame) -> NDArray[np.uint8]:
        """The slot of each row."""
        if self.number:
            return np.where(np.isnan(frame.numbers(self.source, self.missing)), 2, 1).astype(np.uint8)
        coded = frame.coded(self.source)
        slots: NDArray[np.uint8] = coded.places([2 if v in self.missing else 1 for v in coded.levels], 2, np.uint8)
        return slots

    def read(self, value: Any) -> NDArray[np.uint8]:
        """The slot of one cell, as a table of one row."""
        marked = any(value == m and isinstance(value, bool) == isinstance(m, bool) for m in self.missing)
        return np.array([[2 if marked or absent(value) else 1]], np.uint8)


@dataclass(frozen=True)
class Counts:
    """A block of count columns side by side: words of a text, clicks of a session; `binarize` keeps only presence."""

    name: str
    sources: tuple[str, ...]
    binarize: float | None = None

    @property
    def width(self) -> int:
        """Columns in the block."""
        return len(self.sources)

    def encode(self, frame: Frame) -> Any:
        """The block as a matrix, dense or CSR."""
        matrix = frame.matrix_of(self.sources)
        if self.binarize is None:
            return matrix
        if isinstance(matrix, np.ndarray):
            return np.asarray(matrix > self.binarize, np.float64)
        marked = matrix.copy()
        marked.data = (marked.data > self.binarize).astype(np.float64)
        return marked


Discrete: TypeAlias = Categories | Binned | Presence


def are_numbers(levels: Sequence[Level]) -> bool:
    """Whether levels are numbers, missing aside, and there are some."""
    shown = [level for level in levels if level is not None]
    return bool(shown) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in shown)


def as_number(text: str) -> Level:
    """The number that a text says, or the text itself.

    >>> as_number("8.0"), as_number("1e3"), as_number("V8")
    (8.0, 1000.0, 'V8')
    """
    try:
        x = float(text)
    except ValueError:
        return text
    return x if np.isfinite(x) else text


def logarithm(x: Floats) -> Floats:
    """log x, NaN (says nothing) where x is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, np.log(x), np.nan)


def refuse_number(name: str, x: Floats, wrong: NDArray[np.bool_], family: str, needs: str) -> None:
    """Say where the first number stands that a family cannot learn, and what it needs."""
    row = int(np.argmax(wrong))
    raise ValueError(
        f"column {name!r} is {x[row]:g} in row {row}, but {family} needs {needs}; make it missing (NaN), or fit with "
        f"another density: families={{{name!r}: 'gaussian'}}"
    )


def refuse_infinity(name: str, row: int) -> None:
    """Say where the infinity stands."""
    raise ValueError(f"column {name!r} is infinite in row {row}; make it missing (NaN) or a large finite number")


def finite(name: str, x: Floats) -> Floats:
    """The numbers, if none is infinite."""
    if np.isinf(x).any():
        refuse_infinity(name, int(np.flatnonzero(np.isinf(x))[0]))
    return x

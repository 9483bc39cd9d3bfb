"""Encodings beyond categories and numbers: numbers in bins, and whether there is a value at all.

>>> age = Binned("age", (18.0, 65.0))
>>> age.place(np.array([3.0, 18.0, np.nan, 99.0])).tolist(), age.levels             # slot 0 is "missing"
([1, 2, 0, 3], ('below 18', '18 to 65', '65 and above'))
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.frame import Floats, Frame, Level
from bayesfold.kernels.records import absent

NO_MARKERS: frozenset[Level] = frozenset()


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
        slots = np.searchsorted(self._cuts, x, side="right") + 1
        slots[np.isnan(x)] = self.hole
        return slots.astype(np.uint8 if self.slots < 256 else np.int32)

    @cached_property
    def _edges(self) -> Floats:
        """The cuts between two ends: the outer bins are as wide as their neighbours."""
        cuts = self._cuts if self.cuts else np.zeros(1)
        step = np.diff(cuts) if len(cuts) > 1 else np.ones(1)
        return np.concatenate([cuts[:1] - step[0], cuts, cuts[-1:] + step[-1]])

    @property
    def ends(self) -> tuple[float, float]:
        """Where the numbers begin and end, as far as the cuts tell."""
        return float(self._edges[0]), float(self._edges[-1])

    def draw(self, slots: NDArray[np.intp], draw: np.random.Generator) -> Floats:
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


def refuse_infinity(name: str, row: int) -> None:
    """Say where the infinity stands."""
    raise ValueError(f"column {name!r} is infinite in row {row}; make it missing (NaN) or a large finite number")


def finite(name: str, x: Floats) -> Floats:
    """The numbers, if none is infinite."""
    if np.isinf(x).any():
        refuse_infinity(name, int(np.flatnonzero(np.isinf(x))[0]))
    return x

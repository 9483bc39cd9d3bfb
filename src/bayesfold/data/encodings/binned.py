"""Numbers by the bin that they fall in.

>>> age = Binned("age", (18.0, 65.0))
>>> age.place(np.array([3.0, 18.0, np.nan, 99.0])).tolist(), age.levels             # slot 0 is "missing"
([1, 2, 0, 3], ('below 18', '18 to 65', '65 and above'))
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import NO_MARKERS, Encoding, with_markers
from bayesfold.data.encodings.numbers import finite_numbers
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.kernels.counting import cuts
from bayesfold.runtime.messages import listed, told_apart


@dataclass(frozen=True)
class Binned(Encoding):
    """Numbers by the interval they fall in: bin b holds cuts[b - 1] <= x < cuts[b]; with `holes` missing is a bin too.

    `family` is the density of the bins: a table, or kernels over a fine grid.
    """

    name: str
    cuts: tuple[float, ...] = ()
    source: str = ""
    missing: frozenset[Level] = NO_MARKERS
    family: str = "m_estimate"
    holes: bool = False
    reads_numbers: ClassVar[bool] = True

    @property
    def slots(self) -> int:
        """Length of the axis: the missing slot and one slot for each bin."""
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
            shown = told_apart(self.cuts, 6)
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
        return self.place(finite_numbers(frame, self.origin, self.missing))

    @property
    def is_table(self) -> bool:
        """Whether the bins have a table, and are not the grid of a smooth density."""
        return self.family != "kde"

    def with_holes(self) -> "Binned | None":
        """With a bin of its own for missing cells."""
        return replace(self, holes=True) if self.is_table else None

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Write a number in each row's bin."""
        columns[self.origin] = self.draw(values, draw)

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        cuts = listed([float(f"{cut:.12g}") for cut in self.cuts], 4)
        bins = f"numbers in {len(self.levels)} bins cut at {cuts}" if self.cuts else "one bin"
        return with_markers(bins, self.missing)

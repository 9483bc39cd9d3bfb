"""Columns side by side as one vector: numbers in units of their spread, categories as indicators, holes flagged.

A missing number stands at the mean with its flag raised; a missing or unseen level raises no indicator. Both are -0.0,
so that they can be told from a value that is 0.

>>> v = Vector("all", (Scaled("mass", 10.0, 2.0), OneHot("coat", ("long", "short"))))
>>> v.encode(Frame.of({"mass": [14.0, None], "coat": ["short", "curly"]}))
array([[ 2.,  0.,  1.],
       [-0., -0., -0.]])
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from bayesfold.data.encodings import NO_MARKERS, Presence, are_numbers, as_number, finite
from bayesfold.data.frame import Floats, Frame, Level


@dataclass(frozen=True)
class Scaled:
    """(x - centre) / unit, no farther than `limit`; with `knots`, x first goes to the normal score of its rank.

    `knots` are values and their normal scores, between which the map is straight.
    """

    source: str
    centre: float = 0.0
    unit: float = 1.0
    limit: float = 2.0**100  # so that squares of squares are finite
    missing: frozenset[Level] = NO_MARKERS
    knots: tuple[tuple[float, float], ...] = field(default=(), repr=False)
    width = 1

    @cached_property
    def _knots(self) -> Floats:
        return np.array(self.knots).T.copy()

    def moved(self, x: Floats) -> Floats:
        """The number, or the normal score of its rank."""
        return np.where(np.isnan(x), np.nan, np.interp(x, *self._knots)) if self.knots else x

    def encode(self, frame: Frame) -> Floats:
        """One axis."""
        x = finite(self.source, frame.numbers(self.source, self.missing))
        z = (self.moved(x) - self.centre) / self.unit
        return np.where(np.isnan(z), -0.0, np.clip(z, -self.limit, self.limit))[:, None]


@dataclass(frozen=True)
class OneHot:
    """An axis for each level."""

    source: str
    levels: tuple[Level, ...]
    missing: frozenset[Level] = NO_MARKERS

    @property
    def width(self) -> int:
        """Axes."""
        return len(self.levels)

    def encode(self, frame: Frame) -> Floats:
        """Indicators of the levels."""
        coded = frame.coded(self.source)
        place = {level: i for i, level in enumerate(self.levels) if level not in self.missing}
        shown = coded.levels
        if are_numbers(self.levels):
            shown = [as_number(v) if isinstance(v, str) and v not in place else v for v in shown]
        axis = coded.places([place.get(level, len(self.levels)) for level in shown], len(self.levels))
        indicators = np.eye(len(self.levels) + 1, len(self.levels))
        indicators[-1] = -0.0
        return indicators[axis]


@dataclass(frozen=True)
class Flag:
    """1 where a cell is missing."""

    source: str
    missing: frozenset[Level] = NO_MARKERS
    width = 1

    def encode(self, frame: Frame) -> Floats:
        """One axis."""
        holes = Presence("", self.source, self.missing, number=True).encode(frame) == 2
        raised: Floats = holes.astype(np.float64).reshape(-1, 1)
        return raised


Axis: TypeAlias = Scaled | OneHot | Flag


@dataclass(frozen=True)
class Vector:
    """A block of numbers that are looked at together."""

    name: str
    axes: tuple[Axis, ...]

    @property
    def width(self) -> int:
        """Numbers in the vector."""
        return sum(axis.width for axis in self.axes)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """The columns read, each once."""
        return tuple(dict.fromkeys(axis.source for axis in self.axes))

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """Which source each number comes from."""
        place = {source: i for i, source in enumerate(self.sources)}
        return tuple(place[axis.source] for axis in self.axes for _ in range(axis.width))

    @cached_property
    def says(self) -> tuple[bool, ...]:
        """Which numbers are a value's own, and not the flag of a missing one."""
        return tuple(not isinstance(axis, Flag) for axis in self.axes for _ in range(axis.width))

    def encode(self, frame: Frame) -> Any:
        """[row, number]."""
        out = np.empty((frame.rows, self.width))
        end = 0
        for axis in self.axes:
            end += axis.width
            out[:, end - axis.width : end] = axis.encode(frame)
        return out

"""Columns side by side as one vector: numbers in units of their spread, categories as indicators, holes flagged.

A missing number stands at the mean with its flag raised, and is -0.0, so that it can be told from a value that is 0. A
missing or unseen level stands at the mean too, where the shares of the levels are known, and raises no indicator where
they are not; of a value one indicator is 1, and of nothing else.

>>> v = Vector("all", (Scaled("mass", 10.0, 2.0), OneHot("coat", ("long", "short"), shares=(0.25, 0.75))))
>>> v.encode(Frame.of({"mass": [14.0, None], "coat": ["short", "curly"]}))
array([[ 2.  ,  0.  ,  1.  ],
       [-0.  ,  0.25,  0.75]])
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import NO_MARKERS, Cell, Encoding, Places, kind_of_levels
from bayesfold.data.encodings import Presence
from bayesfold.data.encodings.numbers import finite_numbers
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.spelling import spell
from bayesfold.runtime.made_when_asked import make_when_asked

NOTHING = 1e-24
"""Share of the largest sum below which a sum is 0; sums are exact to 1e-32 of it."""

ROUNDED = 1e-12
"""Share of a sum that rounding leaves of a difference at most."""


class VectorAxis:
    """An axis of one number, which says something and never goes."""

    says: ClassVar[bool] = True  # it is a value's own, and not the flag of a missing one
    width = 1
    reads = "number"  # what its cells are taken for
    shares: tuple[float, ...] = ()  # what stands for no value, where that is not 0

    def without(self, seen: NDArray[np.bool_]) -> Self:
        """This axis without the levels that no row shows."""
        return self

    def places_in(self, other: Any) -> Iterable[int]:
        """The place that each of its numbers has in another axis of the same source."""
        return range(self.width)

    def blanks(self, values: Floats) -> NDArray[np.bool_]:
        """Which of these numbers, [row, number], stand for no value: one that is not there is -0.0."""
        return np.asarray(((values == 0) & np.signbit(values)).all(1))


@dataclass(frozen=True)
class Scaled(VectorAxis):
    """(x - centre) / unit, no farther than `limit`; with `knots`, x first goes to the normal score of its rank.

    `knots` are values and their normal scores, between which the map is straight.
    """

    source: str
    centre: float = 0.0
    unit: float = 1.0
    limit: float = 2.0**100  # so that squares of squares are finite
    missing: frozenset[Level] = NO_MARKERS
    knots: tuple[tuple[float, float], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, knots: Floats, *told: Any) -> "Scaled":
        """The axis with knots that stand in an array, [2, knot]; most axes are dropped before anyone asks for pairs."""
        axis = cls(*told)
        del axis.__dict__["knots"]
        axis.__dict__["_knots"] = knots
        return axis

    @cached_property
    def _knots(self) -> Floats:
        return np.array(self.knots).T.copy()

    def moved(self, x: Floats) -> Floats:
        """The number, or the normal score of its rank."""
        return np.where(np.isnan(x), np.nan, np.interp(x, *self._knots)) if self._knots.size else x

    def encode(self, frame: Frame) -> Floats:
        """One axis."""
        x = finite_numbers(frame, self.source, self.missing)
        with np.errstate(over="ignore"):  # what is infinite here is no farther than the limit
            z = (self.moved(x) - self.centre) / self.unit + 0.0  # a value of -0.0 is no hole
        return np.where(np.isnan(z), -0.0, np.clip(z, -self.limit, self.limit))[:, None]


make_when_asked(Scaled, "knots", lambda axis: tuple(zip(*axis._knots.tolist(), strict=True)))


@dataclass(frozen=True)
class OneHot(VectorAxis):
    """One axis per level; `shares` of the levels, each below 1, stand for a level that is not among them.

    They stand for a missing cell too, unless that is a level of its own, which raises no indicator.
    """

    source: str
    levels: tuple[Level, ...]
    missing: frozenset[Level] = NO_MARKERS
    shares: tuple[float, ...] = ()
    hole_is_level: bool = False

    @property
    def width(self) -> int:  # type: ignore[override]
        """The number of axes: one per level."""
        return len(self.levels)

    @property
    def reads(self) -> str:  # type: ignore[override]
        """Its cells are what its levels are."""
        return kind_of_levels(self.levels)

    def without(self, seen: NDArray[np.bool_]) -> "OneHot":
        """This axis without the levels that no row shows."""
        kept = np.flatnonzero(seen)
        shares = tuple(self.shares[i] for i in kept) if self.shares else ()  # they are in the sums of other levels
        return replace(self, levels=tuple(self.levels[i] for i in kept), shares=shares)

    def places_in(self, other: Any) -> list[int]:
        """The place of each level."""
        return [other.levels.index(level) for level in self.levels]

    @property
    def unseen(self) -> tuple[float, ...]:
        """What stands for a level that is not among these."""
        return self.shares or (-0.0,) * self.width

    @property
    def hole(self) -> tuple[float, ...]:
        """What stands for a missing cell."""
        return (-0.0,) * self.width if self.hole_is_level else self.unseen

    def blanks(self, values: Floats) -> NDArray[np.bool_]:
        """Which rows raise no indicator."""
        return np.asarray((values != 1).all(1))

    def encode(self, frame: Frame) -> Floats:
        """Indicators of the levels, [row, level]."""
        coded = frame.coded(self.source)
        hole, unseen = self.width, self.width + 1
        place = {level: i for i, level in enumerate(self.levels)} | dict.fromkeys(self.missing, hole)
        shown = [level if level in place else spell(level, self.levels) for level in coded.levels]
        axis = coded.places([place.get(level, unseen) for level in shown], hole)
        indicators = np.concatenate([np.eye(self.width), np.array([self.hole, self.unseen])])
        return indicators[axis]


@dataclass(frozen=True)
class Flag(VectorAxis):
    """1 where a cell is missing."""

    source: str
    missing: frozenset[Level] = NO_MARKERS
    says: ClassVar[bool] = False

    def encode(self, frame: Frame) -> Floats:
        """One axis."""
        holes = Presence("", self.source, self.missing, number=True).encode(frame) == 2
        raised: Floats = holes.astype(np.float64).reshape(-1, 1)
        return raised


Axis: TypeAlias = Scaled | OneHot | Flag


@dataclass(frozen=True)
class Vector(Encoding):
    """A block of numbers that are looked at together."""

    name: str
    axes: tuple[Axis, ...]
    is_block: ClassVar[bool] = True

    @property
    def family(self) -> str:
        """A normal density of all numbers together."""
        return "multinormal"

    @property
    def width(self) -> int:
        """Numbers in the vector."""
        return sum(axis.width for axis in self.axes)

    def sums(self, order: int) -> int:
        """The sums of x, and of x x'."""
        return self.width + self.width * self.width if order == 2 else order * self.width

    @cached_property
    def numbers(self) -> tuple[Scaled, ...]:
        """The axes that are numbers."""
        return tuple(axis for axis in self.axes if isinstance(axis, Scaled))

    @cached_property
    def indicators(self) -> tuple[OneHot, ...]:
        """The axes that are levels."""
        return tuple(axis for axis in self.axes if isinstance(axis, OneHot))

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
        return tuple(axis.says for axis in self.axes for _ in range(axis.width))

    def encode(self, frame: Frame) -> Any:
        """[row, number]."""
        out = np.empty((frame.rows, self.width))
        end = 0
        for axis in self.axes:
            end += axis.width
            out[:, end - axis.width : end] = axis.encode(frame)
        return out

    @property
    def declares(self) -> tuple[Level, ...]:
        """Nothing by name: all of it stays."""
        return ()

    def without(self, seen: NDArray[np.bool_]) -> "Vector":
        """This vector without the indicators that no row raises."""
        axes: list[Axis] = []
        at = 0
        for axis in self.axes:
            axes.append(axis.without(seen[at : at + axis.width]))
            at += axis.width
        return self if tuple(axes) == self.axes else replace(self, axes=tuple(axes))

    def sums_in(self, other: Any, order: int) -> Places:
        """The place that each sum has among those of a vector which has all the indicators."""
        at: list[int] = []
        begin = 0
        for mine, theirs in zip(self.axes, other.axes, strict=True):
            at += [begin + k for k in mine.places_in(theirs)]
            begin += theirs.width
        alone = np.array(at, np.intp)
        pairs = other.width + (alone[:, None] * other.width + alone).ravel()
        return np.concatenate([alone, pairs]) if order == 2 else alone

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Refuse: indicators of categories that were drawn as numbers are none."""
        raise ValueError("Gaussian Bayes has indicators for categories: rows cannot be drawn from it")

    def blanks(self, values: Floats) -> NDArray[np.bool_]:
        """[row, axis that says something]: where encoded rows have no value."""
        ends = np.cumsum([axis.width for axis in self.axes])
        own = [a.blanks(values[:, end - a.width : end]) for a, end in zip(self.axes, ends, strict=True) if a.says]
        return np.stack(own, 1) if own else np.empty((len(values), 0), bool)

    def silent(self, values: Any) -> NDArray[np.bool_]:
        """The rows of which no cell says something."""
        return np.asarray(self.blanks(values).all(1))

    def raised(self, sums: Floats) -> NDArray[np.bool_]:
        """Which numbers some row shows, and not just as what stands for a hole, by the sums of x and of x x'.

        Of n rows that show a level and h that stand at its share s, n + h s and n + h s^2 are the sums.
        """
        width = self.width
        s = np.array([share for axis in self.axes for share in axis.shares or (0.0,) * axis.width])
        x, square = sums[:width], sums[width :: width + 1]
        there = np.abs(x) > NOTHING * np.abs(sums).max(initial=0.0)
        return np.asarray(there & ((s == 0) | (square - s * x > ROUNDED * np.abs(x))))

    @property
    def levels_by_source(self) -> dict[str, tuple[Level, ...]]:
        """The levels of its indicators."""
        return {axis.source: axis.levels for axis in self.indicators}

    @property
    def numeric_sources(self) -> tuple[str, ...]:
        """The sources of its numbers."""
        return tuple(axis.source for axis in self.numbers)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What the cells of each axis are taken for."""
        return tuple((axis.source, axis.reads, axis.missing) for axis in self.axes)

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        return f"a vector of {self.width} numbers"

"""Categories: each level of a column is a slot of an axis.

>>> colour = Categories("colour", ("green", "red"))
>>> colour.encode(Frame.of({"colour": ["red", None, "blue"]})).tolist()      # red is slot 2, missing 0, unseen 3
[2, 0, 3]
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import AS_LEVEL, NO_MARKERS, Cell, Encoding, Places, kind_of_levels, with_markers
from bayesfold.data.frame import Array, Frame, Level
from bayesfold.runtime.messages import ordered


@dataclass(frozen=True)
class Categories(Encoding):
    """A discrete column: its levels in a fixed order. Where None is among them, missing is a level like the others."""

    name: str
    levels: tuple[Level, ...] = ()
    source: str = ""
    missing: frozenset[Level] = NO_MARKERS

    @property
    def slots(self) -> int:
        """Length of the axis: the missing slot and one slot for each level."""
        return len(self.levels) + 1

    @cached_property
    def slot(self) -> dict[Level, int]:
        """The slot of each level; a marker of a missing value has the slot of the missing."""
        slots = {level: i + 1 for i, level in enumerate(self.levels)}
        return slots | dict.fromkeys(self.missing, slots.get(None, 0))

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
        coded = frame.coded(self.origin)
        slot, behind = self.slot, self.slots
        slots = [slot.get(self.spelled(level), behind) for level in coded.levels]
        return coded.places(slots, self.hole, np.uint8 if behind < 256 else np.int32)

    def may_have_holes(self, frame: Frame) -> bool:
        """Whether some cell of a table is missing."""
        return frame.coded(self.origin).misses(self.missing)

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

    def grown(self, frame: Frame) -> "Categories":
        """This column with the levels that a table shows for the first time."""
        return self.grow(frame.coded(self.origin).levels)

    def grown_by_row(self, row: Mapping[str, Any], fresh: Mapping[str, Level]) -> "Categories":
        """This column with the level that a row shows for the first time."""
        return self.grow([fresh[self.origin]]) if self.origin in fresh else self

    def united(self, other: Any) -> "Categories":
        """This column with the other's levels."""
        return self.grow(other.levels)

    def blank(self) -> "Categories":
        """This column without its levels, but for a missing one."""
        return replace(self, levels=(None,) if None in self.levels else ())

    def sorted_behind(self, known: Any) -> "Categories":
        """Its levels that `known` does not have, sorted behind those that it has.

        >>> Categories("a", ("x", "q", "p")).sorted_behind(Categories("a", ("x",))).levels
        ('x', 'p', 'q')
        """
        fresh = [level for level in self.levels if level not in known.slot]
        return replace(self, levels=(*known.levels, *ordered(fresh)))

    def without(self, seen: NDArray[np.bool_]) -> "Categories":
        """This column without the levels that no row shows."""
        levels = tuple(level for level, there in zip(self.levels, seen, strict=True) if there)
        return self if levels == self.levels else replace(self, levels=levels)

    def with_holes(self) -> "Categories":
        """This column with a missing cell as a level."""
        return self.grow([None])

    @property
    def declares(self) -> tuple[Level, ...]:
        """Its levels."""
        return self.levels

    def slots_in(self, other: Any) -> Places:
        """The slot that each slot has in another column, which has all the levels."""
        if other.levels[: len(self.levels)] == self.levels:  # levels are appended
            return np.arange(self.slots)
        place = {level: i + 1 for i, level in enumerate(other.levels)}
        return np.array([0, *(place[level] for level in self.levels)], np.intp)

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Write the level of each slot."""
        columns[self.origin] = np.asarray([None, *self.levels], object)[values]

    @property
    def levels_by_source(self) -> dict[str, tuple[Level, ...]]:
        """Its levels."""
        return {self.origin: self.levels}

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells are what its levels are."""
        return ((self.origin, kind_of_levels(self.levels), self.missing),)

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        return with_markers("categories" + (AS_LEVEL if None in self.levels else ""), self.missing)


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

"""Categories: each level of a column is a slot of an axis.

>>> colour = Categories("colour", ("green", "red"))
>>> colour.encode(Frame.of({"colour": ["red", None, "blue"]})).tolist()      # red is slot 2, missing 0, unseen 3
[2, 0, 3]
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import AS_LEVEL, NO_MARKERS, Cell, Encoding, Places, kind_of_levels, with_markers
from bayesfold.data.frame import Array, Frame, Level
from bayesfold.data.spelling import spell
from bayesfold.runtime.messages import listed, ordered


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
        coded, slot = frame.coded(self.origin), self.slot
        slots = [slot[level] if level in slot else self.slot_of(level) for level in coded.levels]
        return coded.places(slots, slot.get(None, 0), np.uint8 if self.slots < 256 else np.int32)

    def may_have_holes(self, frame: Frame) -> bool:
        """Whether some cell of a table is missing."""
        return frame.coded(self.origin).misses(self.missing)

    def spelled(self, level: Level) -> Level:
        """A level as this column spells it: a text among numbers is the number that it says, and so on."""
        return level if level in self.slot else spell(level, self.levels)

    def slot_of(self, level: Level) -> int:
        """The slot of a level, however it is spelled; behind all slots where it is unknown."""
        slot = self.slot.get(level)
        return self.slot.get(spell(level, self.levels), self.slots) if slot is None else slot

    def knows(self, level: Level) -> bool:
        """Whether a level, however it is spelled, has a slot."""
        return self.slot_of(level) < self.slots

    def grow(self, levels: Iterable[Level]) -> "Categories":
        """This column with the levels it did not know, appended."""
        new = [level for level in dict.fromkeys(map(self.spelled, levels)) if level not in self.slot]
        if not new:
            return self
        grown = replace(self, levels=self.levels + tuple(new))
        if None not in new:  # which would move the markers too
            slots = zip(new, range(self.slots, grown.slots), strict=True)
            grown.__dict__["slot"] = {**self.slot, **dict(slots)}  # a stream of rows brings new levels one by one
        return grown

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
        places = [0, *(other.slot_of(level) for level in self.levels)]
        if len(set(places)) < len(places):
            twice = [a for a, place in zip(self.levels, places[1:], strict=True) if places.count(place) > 1]
            raise ValueError(
                f"column {self.name!r}: {listed(twice)} are one value to the other model; spell them alike"
            )
        return np.array(places, np.intp)

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

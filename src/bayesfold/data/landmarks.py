"""A vector, and the rows it is compared with: of these landmarks each row belongs to the nearest.

The statistic is how much the rows of each class at each landmark weigh. While the rows that were learned are few, each
is a landmark of its own, also of those that are learned later; of more, some are, and the others are counted at the
nearest of them.

>>> from bayesfold.data.frame import Frame
>>> from bayesfold.data.vector import Scaled
>>> near = Landmarks("all", (Scaled("mass"),), np.array([[1.0], [5.0]]), np.eye(1))
>>> near.nearest(near.encode(Frame.of({"mass": [4.0, -7.0]})))
array([1, 0])
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import Places
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.vector import Vector
from bayesfold.kernels.scoring import near_rows
from bayesfold.runtime.threads import spread

MOST_LANDMARKS = 8_192
"""Rows that are landmarks at most; the others are counted at the nearest of them."""

CELLS = 1 << 20
"""Distances that are worked out at once."""


@dataclass(frozen=True, eq=False)
class Landmarks(Vector):
    """`places` are the landmarks, as the vector encodes rows; a distance is |(x - place) @ whitening|."""

    places: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    whitening: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    diagonal: float = 0.0  # the share of the covariance's diagonal in what it is whitened by
    whole: bool = True  # every row that was learned is a landmark, and every further one becomes one

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Landmarks or (self.name, self.axes, self.whole) != (other.name, other.axes, other.whole):
            return False
        pairs = ((getattr(self, part), getattr(other, part)) for part in ("places", "whitening"))
        return all(a is b or np.array_equal(a, b) for a, b in pairs)

    def __hash__(self) -> int:
        return hash((self.name, len(self.places)))

    @property
    def family(self) -> str:
        """The density of the landmarks near a row."""
        return "parzen"

    def sums(self, order: int) -> int:
        """The weight at each landmark."""
        return len(self.places)

    @cached_property
    def centre(self) -> Floats:
        """The middle of the landmarks: coordinates are taken from there, so that they keep their digits."""
        return np.ascontiguousarray(self.places.mean(0) if len(self.places) else np.zeros(self.width))

    def turned(self, x: Floats) -> Floats:
        """Rows in coordinates in which distances are plain."""
        out = np.empty((len(x), self.whitening.shape[1]))
        near_rows.turn(np.ascontiguousarray(x), self.centre, self.whitening, out)
        return out

    @cached_property
    def coordinates(self) -> Floats:
        """The landmarks by coordinate, [coordinate, landmark]."""
        return np.ascontiguousarray(self.turned(self.places).T)

    def square_distances(self, x: Floats) -> Floats:
        """[row, landmark], of rows as the vector encodes them."""
        out = np.empty((len(x), len(self.places)))
        near_rows.square_distances(self.turned(x), self.coordinates, out)
        return out

    @property
    def at_once(self) -> int:
        """Of how many rows the distances are worked out at once."""
        return max(1, CELLS // max(len(self.places), 1))

    def nearest(self, x: Floats) -> NDArray[np.intp]:
        """The landmark of each row, the first of those that are equally near."""
        known, first = self.index, self._first_there
        out = np.array([known.get(bytes(row), -1) for row in x + 0.0], np.intp)  # a hole is -0.0
        far = np.flatnonzero(out < 0)
        out[out >= 0] = first[out[out >= 0]]

        def piece(begin: int, end: int) -> None:
            some = np.empty(end - begin, np.intp)
            near_rows.nearest(self.square_distances(x[far[begin:end]]), some)
            out[far[begin:end]] = some

        if len(far):
            spread(piece, len(far), self.at_once)
        return out

    @cached_property
    def _first_there(self) -> NDArray[np.intp]:
        """For each landmark the first one with the same coordinates: itself, unless rounding has made two equal."""
        places: dict[bytes, int] = {}
        turned = np.ascontiguousarray(self.coordinates.T)
        return np.array([places.setdefault(bytes(place), i) for i, place in enumerate(turned)], np.intp)

    def without(self, seen: NDArray[np.bool_]) -> "Landmarks":
        """These landmarks without those at which no row is, and without the indicators that no other one raises."""
        if seen.all():
            return self
        places = self.places[seen]
        raised = (places == 1).any(0)
        axes, kept, at = [], [], 0
        for axis in self.axes:
            own = np.arange(at, at + axis.width)
            fewer = axis.without(raised[own])
            axes.append(fewer)
            kept.append(own[[*fewer.places_in(axis)]] if fewer is not axis else own)
            at += axis.width
        columns = np.concatenate(kept) if kept else np.empty(0, np.intp)
        if len({bytes(place) for place in np.ascontiguousarray(places[:, columns])}) < len(places):
            return replace(self, places=places)  # of no level of a column, a hole and a level never seen are alike
        return replace(
            self,
            axes=tuple(axes),
            places=np.ascontiguousarray(places[:, columns]),
            whitening=np.ascontiguousarray(self.whitening[columns]),
        )

    def grown(self, frame: Frame) -> "Landmarks":
        """These landmarks and the rows of a table that stand at none, as far as there is room for them."""
        return self.with_places(self.encode(frame) + 0.0)  # a hole is -0.0

    def grown_by_row(self, row: Mapping[str, Any], fresh: Mapping[str, Level]) -> "Landmarks":
        """As `grown`, for one row."""
        return self.grown(self.frame_of(row))

    def united(self, other: Any) -> "Landmarks":
        """The landmarks of both, as far as there is room."""
        both = self.with_places(other.places)
        return both if other.whole or not both.whole else replace(both, whole=False)

    def with_places(self, x: Floats) -> "Landmarks":
        """These landmarks and further ones."""
        known, room = self.index, MOST_LANDMARKS - len(self.places)
        new = {key: i for i, key in enumerate(map(bytes, x)) if key not in known} if self.whole else {}
        if not new:
            return self
        added = x[[new[key] for key in sorted(new)][:room]]
        return replace(self, places=np.concatenate([self.places, added]), whole=len(new) <= room)

    def blank(self) -> "Landmarks":
        """No landmarks: what must be equal for two models to be merged is how distances are measured."""
        return replace(self, places=np.empty((0, self.width)), whole=True)

    @cached_property
    def index(self) -> dict[bytes, int]:
        """The landmarks by what they contain."""
        return {bytes(place): i for i, place in enumerate(self.places)}

    def sums_in(self, other: Any, order: int) -> Places:
        """The place of each landmark among those of one that has all of them, and all their indicators."""
        columns = super().sums_in(other, 1)
        index = other.index
        if self.width < other.width:  # a place that raises none of the other indicators is one of these
            left = np.flatnonzero((np.delete(other.places, columns, 1) != 1).all(1))
            index = dict(zip(map(bytes, np.ascontiguousarray(other.places[np.ix_(left, columns)])), left, strict=True))
        return np.array([index[bytes(place)] for place in self.places], np.intp)

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        return f"a vector of {self.width} numbers beside {len(self.places)} landmarks"

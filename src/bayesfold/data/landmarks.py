"""A vector, and the rows it is compared with: of these landmarks each row belongs to the nearest.

The statistic is how much the rows of each class at each landmark weigh. While the rows that were learned are few, each
is a landmark of its own; of more, some are, and the others are counted at the nearest of them.

>>> from bayesfold.data.frame import Frame
>>> from bayesfold.data.vector import Scaled
>>> near = Landmarks("all", (Scaled("mass"),), np.array([[1.0], [5.0]]), np.eye(1), np.arange(2))
>>> near.nearest(near.encode(Frame.of({"mass": [4.0, -7.0]})))
array([1, 0])
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import Places
from bayesfold.data.frame import Floats
from bayesfold.data.vector import Vector
from bayesfold.kernels.scoring import near_rows
from bayesfold.runtime.threads import spread

CELLS = 1 << 20
"""Distances that are worked out at once."""


@dataclass(frozen=True, eq=False)
class Landmarks(Vector):
    """`places` are the landmarks, as the vector encodes rows; a distance is |(x - place) @ whitening|.

    `ids` rise, and tell a landmark from others where some were dropped.
    """

    places: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    whitening: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    diagonal: float = 0.0  # the share of the covariance's diagonal in what it is whitened by

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Landmarks or (self.name, self.axes) != (other.name, other.axes):
            return False
        pairs = ((getattr(self, part), getattr(other, part)) for part in ("places", "whitening", "ids"))
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
        """The landmark of each row."""
        out = np.zeros(len(x), np.intp)

        def piece(begin: int, end: int) -> None:
            near_rows.nearest(self.square_distances(x[begin:end]), out[begin:end])

        spread(piece, len(x), self.at_once)
        return out

    def without(self, seen: NDArray[np.bool_]) -> "Landmarks":
        """These landmarks without those at which no row is, and without the indicators that no other one raises."""
        if seen.all():
            return self
        places = self.places[seen]
        raised = (places != 0).any(0)
        axes, kept, at = [], [], 0
        for axis in self.axes:
            own = np.arange(at, at + axis.width)
            fewer = axis.without(raised[own])
            axes.append(fewer)
            kept.append(own[[*fewer.places_in(axis)]] if fewer is not axis else own)
            at += axis.width
        columns = np.concatenate(kept) if kept else np.empty(0, np.intp)
        return replace(
            self,
            axes=tuple(axes),
            places=np.ascontiguousarray(places[:, columns]),
            whitening=np.ascontiguousarray(self.whitening[columns]),
            ids=self.ids[seen],
        )

    def sums_in(self, other: Any, order: int) -> Places:
        """The place of each landmark among those of one that has all of them."""
        return np.searchsorted(other.ids, self.ids)

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        return f"a vector of {self.width} numbers beside {len(self.places)} landmarks"

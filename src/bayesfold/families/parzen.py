"""Vectors by kernels: P(x | group) is a mean of normals around the rows of the group (Parzen 1962, Specht 1990).

The rows stand at landmarks (see `data.landmarks`), whitened by the covariance within classes; a kernel is round
there, `bandwidth` wide, and m pseudo rows of the density of all groups together keep every group possible. Far from all
landmarks the nearest decides: densities are taken relative to it, so none vanishes.

>>> from bayesfold.data.landmarks import Landmarks
>>> from bayesfold.data.vector import Scaled
>>> line = Landmarks("all", (Scaled("x"),), np.array([[0.0], [1.0], [9.0]]), np.eye(1))
>>> sums = np.array([[[0.0, 0, 0], [2, 1, 0], [0, 0, 3]]])
>>> three = np.array([[0, 3, 3]])
>>> cells = Cells(np.arange(2), three, three, np.empty((1, 0)), sums, np.zeros_like(sums), line)
>>> p = np.exp(Parzen().log_density(Parzen().fit(cells), np.array([[0.5], [9.0], [1e6]])))
>>> (p[:, 1] / p[:, 1:].sum(1)).round(3).tolist()
[0.875, 0.125, 0.125]
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.landmarks import Landmarks
from bayesfold.families._forms import Others, Whole, prepend_missing_class
from bayesfold.kernels.scoring import near_rows
from bayesfold.runtime.threads import spread
from bayesfold.tally.statistic import Cells

FARTHEST = 36.0
"""A kernel that is so many nats below the nearest one adds nothing: less than the last bit of it."""

NOBODY, NO_GROUP, NO_WEIGHT = np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)


@dataclass(frozen=True)
class Near:
    """The landmarks, and what the rows of each class weigh at each of them, [class, landmark]."""

    landmarks: Landmarks
    weight: Floats
    bandwidth: float
    m: float

    @cached_property
    def entries(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
        """The weights that are not 0, landmark by landmark: where each landmark's begin, their classes, the weights."""
        by_landmark = self.weight.T
        at, classes = np.nonzero(by_landmark > 0)
        begin = np.searchsorted(at, np.arange(len(by_landmark) + 1))
        return begin.astype(np.intp), classes.astype(np.intp), np.ascontiguousarray(by_landmark[at, classes])

    @cached_property
    def total(self) -> Floats:
        """The weight of each class."""
        return np.asarray(self.weight.sum(1))

    @property
    def precision(self) -> float:
        """What a squared distance is multiplied by."""
        return 0.5 / self.bandwidth**2

    def log_densities(
        self,
        distance: Floats,
        own: NDArray[np.intp] = NOBODY,
        group: NDArray[np.intp] = NO_GROUP,
        gone: Floats = NO_WEIGHT,
    ) -> Floats:
        """[row, class], less what all classes have in common; `gone` of row i's weight is taken from its landmark.

        Rows are known by their squared distances.
        """
        return self.by_width(1, distance, own, group, gone)[0]

    def by_width(
        self, many: int, distance: Floats, own: NDArray[np.intp], group: NDArray[np.intp], gone: Floats
    ) -> list[Floats]:
        """The same of so many kernels, each narrower than the one before by sqrt(2): one exponential serves all."""
        near, least = np.zeros((many, len(distance), len(self.total))), np.empty(len(distance))
        near_rows.weigh(distance, *self.entries, self.precision, FARTHEST, own, group, gone, near, least)
        total = np.broadcast_to(self.total, near.shape[1:])
        if len(own):
            total = total.copy()
            total[np.arange(len(own)), group] -= gone
            total = np.where(total > 1e-12 * self.total, total, 0.0)
        rows = total.sum(1, keepdims=True)
        common = 1.0 / np.where(rows > 0, rows, 1.0)

        def log_density(near: Floats) -> Floats:
            every = near.sum(1, keepdims=True)
            share = np.where(every > 0, near / np.where(every > 0, every, 1.0), 0.0)
            return np.asarray(np.log((share + self.m * common) / (total + self.m)))

        return [log_density(one) for one in near]


@dataclass(frozen=True)
class Parzen:
    """The width of a kernel, in deviations of a class; the pseudo rows of all classes' density in each."""

    bandwidth: float = 1.0
    m: float = 1.0
    order: ClassVar[int] = 1
    couples: ClassVar[bool] = True  # a row left out changes what is said of every class

    def hold(self, cells: Cells) -> Self:
        """Nothing is learned but what landmarks hold."""
        return self

    def fit(self, cells: Cells) -> Whole:
        """The landmarks with the weights of the classes."""
        return Whole(self.near(cells))

    def near(self, cells: Cells) -> Near:
        """What the sums of a table say, the missing class left out."""
        return Near(cells.column, np.maximum((cells.high + cells.low)[0, 1:], 0.0), self.bandwidth, self.m)

    def log_density(self, form: Whole, x: Floats) -> Floats:
        """log p(x | group), [row, group], less what all groups have in common; that of a missing class is 0."""
        near: Near = form.density
        out = np.empty((len(x), len(near.total)))

        def piece(begin: int, end: int) -> None:
            out[begin:end] = near.log_densities(near.landmarks.square_distances(x[begin:end]))

        spread(piece, len(x), near.landmarks.at_once)
        return prepend_missing_class(out)

    def left_out(
        self,
        cells: Cells,
        x: Floats,
        group: NDArray[np.intp],
        weight: Floats,
        where: NDArray[np.intp],
        others: Others | None = None,
    ) -> Floats:
        """Each row away from its landmark; the landmarks themselves stay where they are."""
        near = self.near(cells)
        out = np.empty((len(x), len(near.total)))

        def piece(begin: int, end: int) -> None:
            some = slice(begin, end)
            distance, own = near.landmarks.square_distances(x[some]), np.empty(end - begin, np.intp)
            near_rows.nearest(distance, own)
            out[some] = near.log_densities(distance, own, group[some] - 1, np.ascontiguousarray(weight[some]))

        spread(piece, len(x), near.landmarks.at_once)
        return prepend_missing_class(out)[:, None]

    def lines(self, form: Whole, x: Floats) -> Floats:
        """[row, number + 1, class]: what each number adds, then what belongs to none; they sum to the log density.

        A class's density is a sum over landmarks. By the share r that each has in it, log sum exp(a) is the mean of a
        under r and the entropy of r, and a is -1/2 of a squared distance, to which each number adds its part (of a
        square that two numbers share, half each). So numbers are credited with their mean part under r, among the
        class's own rows; that pseudo rows keep the class from vanishing is no number's doing.
        """
        near: Near = form.density
        landmarks, classes = near.landmarks, len(near.total)
        out = np.zeros((len(x), landmarks.width + 1, classes))
        metric = landmarks.whitening @ landmarks.whitening.T
        said = self.log_density(form, x)[:, 1:]
        for i, row in enumerate(x):
            power = -near.precision * landmarks.square_distances(row[None])[0]
            away = row - landmarks.places
            parts = -near.precision * away * (away @ metric)
            for c in range(classes):
                there = near.weight[c] > 0
                share = near.weight[c, there] * np.exp(power[there] - power[there].max(initial=-np.inf))
                out[i, :-1, c] = share @ parts[there] / max(share.sum(), 1e-300)
        out[:, -1] = said - out[:, :-1].sum(1)
        return out

    def sample(self, form: Whole, group: NDArray[np.intp], draw: "np.random.Generator") -> Floats:
        """Vectors drawn around landmarks of the groups."""
        near: Near = form.density
        landmarks = near.landmarks
        out = np.empty((len(group), landmarks.width))
        spread_out = near.bandwidth * np.linalg.pinv(landmarks.whitening)
        for i, c in enumerate(group - 1):
            p = near.weight[c] + near.m * near.weight.sum(0) / near.total.sum()
            centre = landmarks.places[draw.choice(len(p), p=p / p.sum())]
            out[i] = centre + draw.standard_normal(len(spread_out)) @ spread_out
        return out

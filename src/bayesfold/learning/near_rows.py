"""Kernels around the rows themselves: which rows are landmarks, how they are whitened, how wide a kernel is.

The rows are read as Gaussian Bayes reads them, as one vector, and whitened by the covariance within classes, of which
some share is its diagonal. That share and the width are those under which rows left out are predicted best, after the
best temperature: before it the choice would be driven by overconfidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import isclose
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.folds import deal
from bayesfold.data.frame import Floats
from bayesfold.data.landmarks import MOST_LANDMARKS, Landmarks
from bayesfold.data.vector import Vector
from bayesfold.families._covariance import Moments
from bayesfold.families.multinormal import moments
from bayesfold.families.parzen import Near, Parzen
from bayesfold.kernels.scoring import near_rows
from bayesfold.learning import choices as choose
from bayesfold.learning.fit import Way
from bayesfold.learning.recipe import ParzenChoices
from bayesfold.learning.weights import earned_temperature, log_loss, temperature
from bayesfold.models.calibration import Calibration
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.scoring.scorer import leaving
from bayesfold.runtime.unique import distinct_rows
from bayesfold.tally.counter import count
from bayesfold.tally.layout import MOST_BYTES, TooLargeError

PARTS = 8
"""Into so many parts rows are dealt for every MOST_LANDMARKS of them, so that about as many can be kept."""

NUMBER_FLOOR, LEVEL_FLOOR = 1e-3, 0.05
"""Variance within classes that an axis has at least: a level that few rows show would else outweigh all else."""


@dataclass(frozen=True)
class Sample:
    """The rows on which kernels are chosen: where they stand, which are the landmarks, and what classes weigh there.

    `whole`: these are all rows.
    """

    places: Floats
    weight: Floats
    batch: Batch
    whole: bool


class HeldOutRows(NamedTuple):
    """The left-out rows on which kernels are chosen: positions, classes, log priors and weights.

    `own_weight` is what each row takes away from its landmark.
    """

    x: Floats
    own: NDArray[np.intp]
    log_prior: Floats
    own_weight: Floats
    weight: Floats | None


@dataclass(frozen=True)
class Whitened:
    """Landmarks under one whitening, and the left-out rows' log joints by the kernel widths that were tried."""

    rows: HeldOutRows
    landmarks: Landmarks
    weight: Floats
    unit: float
    widths: Sequence[float]  # to compare
    log_joints: dict[float, Floats] = field(default_factory=dict)

    @cached_property
    def distances(self) -> tuple[Floats, NDArray[np.intp]]:
        """[row, landmark]: squared distances; and each row's own landmark."""
        distance, place = self.landmarks.square_distances(self.rows.x), np.empty(len(self.rows.x), np.intp)
        near_rows.nearest(distance, place)
        return distance, place

    def log_joint(self, width: float) -> Floats:
        """[row, class]: log P(class, row) by kernels of this width, without the row itself.

        Its neighbours, which are compared with it, come from the same exponentials if they are sqrt(2) apart.
        """
        if width not in self.log_joints:
            place = self.widths.index(width)
            some = self.widths[max(place - 1, 0) : place + 2][::-1]  # the widest first
            if any(not isclose(wide**2, 2 * narrow**2) for wide, narrow in pairwise(some)):
                some = (width,)
            kernels = Near(self.landmarks, self.weight, some[0], self.unit)
            found = kernels.by_width(len(some), *self.distances, self.rows.own, self.rows.own_weight)
            for one, densities in zip(some, found, strict=True):
                self.log_joints.setdefault(one, self.rows.log_prior + densities)
        return self.log_joints[width]

    def loss(self, width: float) -> float:
        """The log-loss of the left-out rows under the best temperature."""
        log_joint, (_, own, _, _, weight) = self.log_joint(width), self.rows
        return log_loss(log_joint * temperature(log_joint, own, weight), own, weight)


def learn_parzen(way: Way, normal: Model, choices: ParzenChoices, most_bytes: float = MOST_BYTES) -> tuple[Model, Way]:
    """Kernels around rows that were read in this way; `normal` is the Gaussian Bayes of these rows.

    Landmarks that would take more than `most_bytes` are refused.
    """
    (vector,) = way.schema.vectors
    sums = moments(normal.tally.cells(normal.groups[0].span))
    sample = sample_of(way.batch, vector, len(normal.classes))
    size = 8 * sample.places.size + 16 * sample.weight.size
    if size > most_bytes:
        raise TooLargeError(f"the landmarks would need {size / 2**20:.3g} MiB (limit {most_bytes / 2**20:.3g})")
    rows = choose.rows_left_out(normal, sample.batch, choose.FEW)
    held_out = HeldOutRows(
        np.ascontiguousarray(rows.reals[0].values),
        choose.own_classes(rows),
        normal.log_prior_left_out(rows),
        np.ascontiguousarray(leaving(rows)),
        rows.weight,
    )
    unit = choose.weight_of_a_row(way.batch)
    widths = choices.widths or widths_around(pilot_width(choose.rows_in(way.batch), sums, vector.width))
    best: tuple[float, Landmarks, Parzen, float] | None = None
    for diagonal in choices.diagonal:
        turn = whitening(sums, vector, diagonal)
        landmarks = Landmarks(vector.name, vector.axes, sample.places, turn, diagonal, sample.whole)
        whitened = Whitened(held_out, landmarks, sample.weight, unit, widths)
        width = choose.downhill(whitened.loss, widths)  # there may be two valleys: from the middle
        loss = whitened.loss(width)
        if best is None or loss < best[0] - 1e-6:
            exponent = earned_temperature(whitened.log_joint(width), held_out.own, held_out.weight)
            best = loss, landmarks, Parzen(width, unit), exponent
    assert best is not None
    _, landmarks, family, exponent = best
    schema = replace(way.schema, features=(landmarks,))
    families = dict(normal.families) | {vector.name: family}
    tally = count(schema, cliques(schema, normal.mixture, families), way.batch)
    model = Model(normal.mixture, families, tally, calibration=Calibration(exponent))
    return model, replace(way, schema=schema, found=replace(way.found, schema=schema, families=families), known=[])


def sample_of(batch: Batch, vector: Vector, classes: int) -> Sample:
    """The rows that become landmarks, each once: all of them, or some by their content, in any order of columns."""
    x = batch.column(vector.name) + 0.0  # a hole is -0.0
    batch = replace(batch, counts=(), reals=(Panel(tuple(map(str, range(vector.width))), x),))
    places, at = distinct_rows(x)
    whole = len(places) <= MOST_LANDMARKS
    if not whole:
        part = deal(batch, PARTS * -(-batch.rows // MOST_LANDMARKS))
        many = np.cumsum(np.bincount(part))
        batch = batch.take(np.flatnonzero(part < max(1, int(np.searchsorted(many, MOST_LANDMARKS, "right")))))
        places, at = distinct_rows(batch.reals[0].values)
    weight = np.zeros((classes, len(places)))
    np.add.at(weight, (choose.own_classes(batch), at), batch.weights)
    return Sample(np.ascontiguousarray(places), weight, batch, whole)


def whitening(sums: Moments, vector: Vector, diagonal: float) -> Floats:
    """What turns the covariance within classes, with that share of its diagonal, into the unit matrix."""
    weight = np.where(sums.weight > 0, sums.weight, 1.0)
    mean = sums.first / weight[:, None]
    within = (sums.second - weight[:, None, None] * mean[:, :, None] * mean[:, None, :]).sum(0) / sums.weight.sum()
    within = (within + within.T) / 2
    levels = {axis.source for axis in vector.indicators}
    floor = [LEVEL_FLOOR if a.source in levels else NUMBER_FLOOR for a in vector.axes for _ in range(a.width)]
    spread = np.diag(np.maximum(np.diag(within), 0.0))
    values, turn = np.linalg.eigh((1 - diagonal) * within + diagonal * spread + np.diag(floor))
    return np.ascontiguousarray(turn / np.sqrt(np.maximum(values, NUMBER_FLOOR)))


def pilot_width(rows: float, sums: Moments, axes: int) -> float:
    """Silverman's width of a kernel for as many rows as a class has in the mean, in so many coordinates."""
    each = max(rows / max(int((sums.weight > 0).sum()), 1), 2.0)
    return float((4.0 / (axes + 2)) ** (1 / (axes + 4)) * each ** (-1 / (axes + 4)))


def widths_around(pilot: float) -> Sequence[float]:
    """Widths to compare, the pilot in the middle."""
    return tuple(pilot * 2.0 ** (k / 2) for k in range(-6, 7))

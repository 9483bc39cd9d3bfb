"""Kernels around the rows themselves: which rows are landmarks, how they are whitened, how wide a kernel is.

The rows are read as Gaussian Bayes reads them, as one vector, and whitened by the covariance within classes, of which
some share is its diagonal. That share and the width are those under which rows left out are predicted best, after the
best temperature: before it the choice would be driven by overconfidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

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
    own, prior = choose.own_classes(rows), normal.log_prior_left_out(rows)
    x, out, unit = np.ascontiguousarray(rows.reals[0].values), leaving(rows), choose.weight_of_a_row(way.batch)
    best: tuple[float, Landmarks, Parzen, float] | None = None
    for diagonal in choices.diagonal:
        landmarks = Landmarks(
            vector.name,
            vector.axes,
            sample.places,
            whitening(sums, vector, diagonal),
            diagonal,
            sample.whole,
        )
        distance, place = landmarks.square_distances(x), np.empty(len(x), np.intp)
        near_rows.nearest(distance, place)

        def joint(
            width: float,
            landmarks: Landmarks = landmarks,
            distance: Floats = distance,
            place: np.ndarray[tuple[int], np.dtype[np.intp]] = place,
        ) -> Floats:
            near = Near(landmarks, sample.weight, width, unit)
            return prior + near.log_densities(distance, place, own, np.ascontiguousarray(out))

        def loss(width: float) -> float:
            said = joint(width)
            return log_loss(said * temperature(said, own, rows.weight), own, rows.weight)

        widths = choices.widths or widths_around(pilot_width(choose.rows_in(way.batch), sums, landmarks))
        width = choose.downhill(loss, widths) if len(widths) > 1 else widths[0]
        lost = loss(width)
        if best is None or lost < best[0] - 1e-6:
            best = lost, landmarks, Parzen(width, unit), earned_temperature(joint(width), own, rows.weight)
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
    places, at = np.unique(x, axis=0, return_inverse=True)
    whole = len(places) <= MOST_LANDMARKS
    if not whole:
        part = deal(batch, PARTS * -(-batch.rows // MOST_LANDMARKS))
        many = np.cumsum(np.bincount(part))
        batch = batch.take(np.flatnonzero(part < max(1, int(np.searchsorted(many, MOST_LANDMARKS, "right")))))
        places, at = np.unique(batch.reals[0].values, axis=0, return_inverse=True)
    at = at.reshape(-1)
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


def pilot_width(rows: float, sums: Moments, landmarks: Landmarks) -> float:
    """Silverman's width of a kernel for as many rows as a class has in the mean, in so many coordinates."""
    axes = landmarks.whitening.shape[1]
    each = max(rows / max(int((sums.weight > 0).sum()), 1), 2.0)
    return float((4.0 / (axes + 2)) ** (1 / (axes + 4)) * each ** (-1 / (axes + 4)))


def widths_around(pilot: float) -> Sequence[float]:
    """Widths to compare, the pilot in the middle."""
    return tuple(pilot * 2.0 ** (k / 2) for k in range(-6, 7))

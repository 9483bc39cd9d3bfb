"""What is chosen about a model on rows left out of it: smoothing, one network of several, covariances.

Each function takes a model and the rows it was counted from, and returns a model of the same tally. Every choice is by
held-out log-loss; above `MOST_ROWS` a sample of the rows by their content decides.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.folds import deal
from bayesfold.data.graph import Mixture
from bayesfold.decisions.metrics import effective_rows
from bayesfold.families._covariance import Shrinkage
from bayesfold.families._covariance_left_out import RowsLeftOut
from bayesfold.families.m_estimate import MEstimate
from bayesfold.families.multinormal import Multinormal, moments
from bayesfold.families.text import Text
from bayesfold.learning.weights import earned_temperature, log_loss, temperature
from bayesfold.models.calibration import Calibration
from bayesfold.models.left_out import log_joint_by_families
from bayesfold.models.model import Model
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.scorer import leaving
from bayesfold.runtime.threads import one_at_a_time
from bayesfold.tally.mutual_information import with_class
from bayesfold.tally.statistic import Cells

MOST_ROWS = 50_000
MOST_ENTRIES = 1 << 24
"""Held-out contributions in memory at once."""

FEW_TEXTS = 3_000
ALPHAS = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Documents on which the smoothing of a text is chosen, and the values that are tried."""

FEW = 500
"""Rows on which a smoothing is chosen: it is one number."""

SUPER_PARENTS = 4
"""... with so many super-parents: the most telling ones."""

LOOK_UPS = 10_000_000
"""... and fewer, though never below LEAST, where rows times tables times classes would be more than this."""

LEAST = 200

SHRINKING = 1_000
"""Rows on which covariances are chosen."""

DISTANCES = 500_000
"""... and fewer, though never below LEAST, where rows times classes would be more than this."""

WEIGHTS = 8
"""Weights that are told apart in a class when covariances are chosen: each costs a decomposition."""

DEEPER = (0.5, 1.0, 2.0, 5.0, 15.0)


def own_classes(batch: Batch) -> NDArray[np.intp]:
    """Each row's class as a place among the classes."""
    assert batch.labels is not None
    return batch.labels.astype(np.intp) - 1


def rows_in(batch: Batch) -> float:
    """How many rows of equal weight say as much as these; copies are rows."""
    if batch.weight is None:
        return float(batch.rows)
    return float(batch.weight.sum()) if batch.copies else effective_rows(batch.weight)


def weight_of_a_row(batch: Batch) -> float:
    """What a pseudo row weighs: as much as a row does in the mean, or 1 where copies are rows."""
    return 1.0 if batch.weight is None or batch.copies else float(batch.weight.mean())


def rows_left_out(model: Model, batch: Batch, most: int) -> Batch:
    """At most about `most` rows to be left out, chosen by their content: equal rows stay together, in any order.

    The last row of a class is not asked: without it the class is unknown, so whatever is said of the row teaches
    nothing, and the price of being wrong would outweigh all other rows.
    """
    assert batch.labels is not None
    whole = model.class_weights()[batch.labels - 1]
    known = whole - leaving(batch) > 1e-9 * whole
    if known.any() and not known.all():
        batch = batch.take(np.flatnonzero(known))
    if batch.rows <= most:
        return batch
    parts = -(-batch.rows // most)
    chosen = batch.kept.get(("one part of", parts))
    if chosen is None:
        chosen = batch.take(np.flatnonzero(deal(batch, parts) == 0))
        chosen = chosen if chosen.rows else batch.take(np.arange(0, batch.rows, parts))
        batch.kept["one part of", parts] = chosen
    return cast(Batch, chosen)


def held_out_loss(model: Model, batch: Batch, tempered: bool) -> float:
    """Mean log-loss of rows each left out, after the best temperature or as they are."""
    joint, own = model.log_joint(batch, leave_out=True), own_classes(batch)
    if tempered:
        joint = joint * temperature(joint, own, batch.weight)
    return log_loss(joint, own, batch.weight)


def smoothed(
    model: Model, batch: Batch, names: Sequence[str], tempered: bool, tried: Sequence[float], compared: bool = True
) -> tuple[Model, float]:
    """The pseudo rows that deep tables take from coarser ones: the model that is best with them, and its loss.

    They are sought downhill from those the model has, or from the middle, and weigh what rows weigh; one value to try
    is one that was found so before. With one, and nothing to compare the loss with, that is not worked out.
    """
    unit = weight_of_a_row(batch)
    if len(tried) == 1 and not compared:
        return with_smoothing(model, names, unit, tried[0]), 0.0
    tried = tried if len(tried) == 1 else [unit * deeper for deeper in tried]
    some = most_telling_networks(model)
    networks = model.mixture.networks if some is None else [model.mixture.networks[i] for i in some]
    tables = sum(map(len, networks))
    rows = rows_left_out(model, batch, min(FEW, max(LEAST, LOOK_UPS // (tables * len(model.classes)))))
    joint_under, own = log_joint_by_families(model, rows, some), own_classes(rows)
    losses: dict[float, float] = {}

    def loss(deeper: float) -> float:
        joint = joint_under(families_smoothed(model, names, unit, deeper))
        losses[deeper] = log_loss(joint * temperature(joint, own, rows.weight) if tempered else joint, own, rows.weight)
        return losses[deeper]

    best = downhill(loss, tried, deeper_of(model))
    return with_smoothing(model, names, unit, best), losses[best]


def families_smoothed(model: Model, names: Sequence[str], unit: float, deeper: float) -> dict[str, Any]:
    """The model's families, those of these tables with so many pseudo rows."""
    return dict(model.families) | dict.fromkeys(names, MEstimate(unit, deeper))


def with_smoothing(model: Model, names: Sequence[str], unit: float, deeper: float) -> Model:
    """The model whose deep tables take so many pseudo rows from coarser ones."""
    fresh = Model(
        model.mixture, families_smoothed(model, names, unit, deeper), model.tally, model.prior, model.class_weight
    )
    if type(model).__dict__["scorer"].is_kept(model) and isinstance(model.scorer, MixtureScorer):
        fresh.scorer = model.scorer.with_families(fresh.families)  # the counts are the same
    return fresh


def most_telling_networks(model: Model) -> list[int] | None:
    """Of a mixture over super-parents those that tell most of the class: a smoothing does not need all; None: all."""
    mixture = model.mixture
    if len(mixture.roots) <= SUPER_PARENTS or any(len(roots) > 1 for roots in mixture.roots):
        return None
    names = tuple(roots[0] for roots in mixture.roots)
    telling = dict(zip(names, with_class(model.tally, names).tolist(), strict=True))
    kept = set(sorted(names, key=lambda name: (-round(telling[name], 10), name))[:SUPER_PARENTS])
    return [i for i, name in enumerate(names) if name in kept]


def deeper_of(model: Model) -> float | None:
    """The pseudo rows that a model's deep tables take from coarser ones: the same for all; None without such tables."""
    return next((getattr(model.families[name], "deeper", None) for name in model.schema.tables), None)


def texts_smoothed(model: Model, batch: Batch) -> Model:
    """Every text whose alpha is to be chosen with the one under which it alone predicts rows left out best.

    That is after the best temperature: before it the choice would be driven by overconfidence. An alpha away from 1 has
    to earn half a nat for each factor e of it, so that a handful of rows, which any alpha tells apart, keep to 1. With
    fewer than two classes that have two rows there is nothing to choose by, and alpha is 1.
    """
    families = dict(model.families)
    todo = [name for name, family in families.items() if isinstance(family, Text) and family.alpha == "auto"]
    if not todo:
        return model
    rows = rows_left_out(model, batch, FEW_TEXTS)
    own, prior, out = own_classes(rows), model.log_prior_left_out(rows), leaving(rows)
    enough = (model.class_counts() > 1).sum() > 1
    total = rows.rows if rows.weight is None else float(rows.weight.sum())
    for name in todo:
        cells = model.tally.cells(next(g.span for g in model.groups if name in g.names))
        x = rows.column(name)

        def loss(alpha: float, name: str = name, cells: Cells = cells, x: Any = x) -> float:
            family: Text = replace(families[name], alpha=alpha)
            said = family.left_out(cells, x, own + 1, out, np.zeros(1, np.intp))[:, 0, 1:]
            joint = prior + said
            held_out = log_loss(joint * temperature(joint, own, rows.weight), own, rows.weight)
            return float(held_out + 0.5 * abs(np.log(alpha)) / total)

        families[name] = replace(families[name], alpha=downhill(loss, ALPHAS) if enough else 1.0)
    return Model(model.mixture, families, model.tally, model.prior, model.class_weight, model.calibration)


def downhill(loss: Callable[[float], float], values: Sequence[float], start: float | None = None) -> float:
    """The value from which neither neighbour is better, starting from one of them or in the middle."""
    known: dict[int, float] = {}

    def at(i: int) -> float:
        if i not in known:
            known[i] = round(loss(values[i]), 10)  # the last digits depend on the order of summation
        return known[i]

    i = len(values) // 2 if start not in values else values.index(start)
    while True:
        best = min((j for j in (i, i - 1, i + 1) if 0 <= j < len(values)), key=at)
        if best == i:
            return values[i]
        i = best


def best_network(model: Model, batch: Batch, tempered: bool) -> Mixture:
    """Of networks under super-parents, the one that alone predicts rows left out best; of equals the first by name."""
    rows = rows_left_out(model, batch, MOST_ROWS)
    best: tuple[float, Mixture] | None = None
    by_name = sorted(zip(model.mixture.roots, model.mixture.networks, strict=True), key=lambda pair: pair[0])
    for roots, network in by_name:  # so that the order of the columns changes nothing
        alone = replace(model.mixture, networks=(network,), roots=(roots,), weights=None)
        loss = held_out_loss(Model(alone, model.families, model.tally, model.prior, model.class_weight), rows, tempered)
        if best is None or loss < best[0] - 1e-9:
            best = loss, alone
    assert best is not None
    return best[1]


@one_at_a_time
def shrunk(
    model: Model,
    batch: Batch,
    name: str,
    start: Shrinkage,
    tied: Sequence[float],
    diagonal: Sequence[float],
    compared: bool = True,
) -> tuple[Model, float]:
    """The covariances' shrinkage, by held-out loss after the best temperature: the model with both, and that loss.

    Shares of the tied covariance are sought downhill from the largest, which is one decomposition for all classes.
    Before the temperature the choice would be driven by overconfidence. With one to try, and nothing to compare the
    loss with, neither is worked out.
    """
    if len(tied) * len(diagonal) == 1 and not compared:
        alone = Multinormal(replace(start, tied=tied[0], diagonal=diagonal[0]))
        families = dict(model.families) | {name: alone}
        return Model(model.mixture, families, model.tally, model.prior, model.class_weight), 0.0
    rows = rows_left_out(model, batch, min(SHRINKING, max(LEAST, DISTANCES // len(model.classes))))
    own, prior = own_classes(rows), model.log_prior_left_out(rows)
    sums = moments(model.tally.cells(model.groups[0].span))
    left_out = RowsLeftOut(sums, rows.column(name), own, leaving(rows), start, levels=WEIGHTS)
    best: tuple[float, Shrinkage, float] | None = None

    def least_loss(share: float) -> float:
        """The least loss with that share of the tied covariance; the best so far is kept."""
        nonlocal best
        losses = []
        for value, log_p in zip(diagonal, left_out.under(share, diagonal), strict=True):
            joint = prior + log_p
            exponent = temperature(joint, own, rows.weight)
            losses.append(log_loss(joint * exponent, own, rows.weight))
            if best is None or losses[-1] < best[0] - 1e-6:
                shrinkage = replace(start, tied=float(share), diagonal=float(value))
                best = losses[-1], shrinkage, earned_temperature(joint, own, rows.weight)
        return min(losses)

    downhill(least_loss, tied, max(tied))
    assert best is not None
    families = dict(model.families) | {name: Multinormal(best[1])}
    fresh = Model(model.mixture, families, model.tally, model.prior, model.class_weight, Calibration(best[2]))
    return fresh, best[0]

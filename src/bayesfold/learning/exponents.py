"""Exponents on the likelihoods of columns and networks, chosen by what is said of rows that are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.graph import Mixture, Network
from bayesfold.learning.choices import MOST_ENTRIES, MOST_ROWS, SHRINKING, own_classes, rows_left_out
from bayesfold.learning.weights import Pooled, best_pool, earned_temperature, log_loss, temperature
from bayesfold.models.calibration import Calibration
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.scorer import leaving

MOST_EXPONENTS = 500
"""Columns up to which each has an exponent; beyond it all share one, for the work grows with their square."""

COLUMN_RIDGES = (30.0, 10.0, 3.0, 1.0, 0.3)
NETWORK_RIDGES = (100.0, 30.0, 10.0, 3.0)


def fit_temperature(model: Model, batch: Batch) -> tuple[Model, float]:
    """The model with one exponent on its joint probability, and its held-out loss."""
    rows = rows_left_out(model, batch, SHRINKING if model.has_vector else MOST_ROWS)
    joint, own = model.log_joint(rows, leave_out=True), own_classes(rows)
    exponent = earned_temperature(joint, own, rows.weight)
    return calibrated(model, Calibration(exponent)), log_loss(exponent * joint, own, rows.weight)


def fit_weights(model: Model, batch: Batch, hurried: bool = False, tried: Sequence[float] = ()) -> tuple[Model, Pooled]:
    """The model with an exponent on every column, or a weight on every network, and a bias for each class.

    `tried` are the ridges to choose from, for each network's weight or for each exponent; none: a range.
    """
    classes, mixture, each = model.classes, model.mixture, 1.0
    parts = max(1, len(mixture.networks) if mixture.roots else len(model.schema.features) + 1)
    rows = rows_left_out(model, batch, min(MOST_ROWS, MOST_ENTRIES // (parts * len(classes))))
    T, own = model.parts_left_out(rows), own_classes(rows)
    if mixture.roots:
        joint = T.max(1) + np.log(np.exp(T - T.max(1, keepdims=True)).mean(1))
        start: Any = temperature(joint, own, rows.weight) / T.shape[1]
        each, ridges = float(T.shape[1]), [r * T.shape[1] for r in tried or NETWORK_RIDGES]
    else:
        names = part_names(model)
        late = {c.name for c in model.schema.presences}
        earned = np.array([name in late for name in names])
        exponent = temperature(T[:, ~earned].sum(1), own, rows.weight)
        start, ridges = np.where(earned, 0.0, exponent), list(tried or COLUMN_RIDGES)
        if len(names) > MOST_EXPONENTS:
            T, start = T[:, ~earned].sum(1, keepdims=True), exponent
    found = best_pool(T, own, rows.weight, start=start, ridges=ridges, hurried=hurried, gone=leaving(rows))
    if not mixture.roots and len(names) > MOST_EXPONENTS:
        found = replace(found, weights=np.where(earned, 0.0, found.weights))
    if mixture.roots:
        other = replace(mixture, weights=tuple(found.weights.tolist()), combine="product")
    else:
        other = replace(mixture, networks=(powered(mixture.networks[0], dict(zip(names, found.weights, strict=True))),))
    found = replace(found, ridge=found.ridge / each)
    bias = tuple(zip(classes, found.bias.tolist(), strict=True))
    fresh = Model(other, model.families, model.tally, model.prior, model.class_weight, Calibration(1.0, bias))
    scorer = model.scorer  # its tables are the same
    fresh.flat = model.flat.with_groups(fresh.groups)
    if isinstance(scorer, MixtureScorer):
        powers = scorer.stack.powers if mixture.roots else found.weights[1 + len(scorer.flat.names) :]
        fresh.scorer = scorer.with_powers(other, fresh.flat, powers, fresh.prior_power)
    return fresh, found


def select_columns(model: Model, batch: Batch, telling: Mapping[str, float], tempered: bool) -> tuple[Model, float]:
    """The model of the most telling columns alone, as many as predict held-out rows best, and its loss.

    One pass (Martinez 2016): with every column's held-out contribution at hand, each column more is one more sum. A
    column's parents tell more than it does, so they are kept whenever it is. Columns that are not tables stay.
    """
    rows = rows_left_out(
        model, batch, min(MOST_ROWS, MOST_ENTRIES // (len(model.classes) * (len(model.schema.features) + 1)))
    )
    T, own, names = model.parts_left_out(rows), own_classes(rows), part_names(model)
    order = sorted(telling, key=lambda name: (-round(telling[name], 10), name))
    joint = T[:, [i for i, name in enumerate(names) if name not in telling]].sum(1)
    best: tuple[float, int] | None = None
    for kept in range(len(order) + 1):
        if kept:
            joint = joint + T[:, names.index(order[kept - 1])]
        exponent = temperature(joint, own, rows.weight) if tempered else 1.0
        loss = log_loss(exponent * joint, own, rows.weight)
        if best is None or loss < best[0] - 1e-6:
            best = loss, kept
    assert best is not None
    dropped = set(order[best[1] :])
    network = tuple(node for node in model.mixture.networks[0] if not dropped.issuperset(node.children))
    mixture = replace(model.mixture, networks=(network,))
    wanted = cliques(model.schema, mixture, model.families)
    tally = model.tally.on(model.schema, wanted)
    return Model(mixture, model.families, tally, model.prior, model.class_weight, model.calibration), best[0]


def part_names(model: Model) -> tuple[str, ...]:
    """The parts of a single network, as `parts_left_out` has them."""
    scorer, target = model.scorer, model.schema.target.name
    if isinstance(scorer, MixtureScorer):
        leaves = scorer.stack.leaves
        return (target, *scorer.flat.names, *[leaves.names[column] for column in leaves.child.tolist()])
    return (target, *scorer.names)


def powered(network: Network, powers: dict[str, float]) -> Network:
    """A network with these exponents on its nodes."""
    return tuple(replace(node, power=float(powers[node.children[-1]])) for node in network)


def weigh_by_information(model: Model, telling: Floats, names: Sequence[str]) -> Model:
    """Exponents, or weights of super-parents, in proportion to what each column tells about the class (mean 1)."""
    share = dict(zip(names, telling / max(telling.sum() / max(len(telling), 1), 1e-300), strict=True))
    mixture: Mixture = model.mixture
    if mixture.roots:
        weights = tuple(float(np.mean([share[r] for r in roots])) for roots in mixture.roots)
        other = replace(mixture, weights=weights if any(weights) else None)
    else:
        network = mixture.networks[0]
        powers = {node.children[-1]: share.get(node.children[-1], 1.0) for node in network}
        other = replace(mixture, networks=(powered(network, powers),))
    return Model(other, model.families, model.tally, model.prior, model.class_weight, model.calibration)


def calibrated(model: Model, calibration: Calibration) -> Model:
    """The same model under another calibration."""
    return Model(model.mixture, model.families, model.tally, model.prior, model.class_weight, calibration)

"""Rows without a label, by expectation-maximisation (Nigam 2000): naive Bayes as a fold with soft classes.

What is maximised, over labelled rows l and unlabelled rows u, each of which weighs `share` times as much, is

    sum_l log P(y_l, x_l) + share sum_u log sum_c P(c, x_u) + the log prior of the smoothing.

In turn every unlabelled row is given its posterior P(c | x), and is then counted once in every class with that weight.
For tables, normal and Poisson densities no step can lower the sum; kernels are no maximum of it and may, and then the
steps end. The share is chosen by log-loss of labelled rows held out, fold by fold; 0, which drops the unlabelled rows,
is one of the choices. What no labelled row can speak for has no say: a number that is the same in all of them.

>>> from bayesfold import NaiveBayes
>>> mass = {"mass": [2.0, 9.0, 1.2, 2.8, 3.1, 6.7, 5.1, 9.3, 4.0]}
>>> clf = NaiveBayes(numeric="gaussian", unlabelled=1.0).fit(mass, ["cat", "dog", *[None] * 7])
>>> clf.model_.class_weights().round(2).tolist(), clf.unlabelled_.steps
([6.0, 3.0], 6)
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.folds import deal
from bayesfold.data.frame import Coded, Floats, Frame, code
from bayesfold.families._normal import NormalFamily
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.families.poisson import Poisson
from bayesfold.learning.choices import own_classes
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.fit import learn
from bayesfold.learning.labels_and_weights import check_row_weights
from bayesfold.learning.recipe import Recipe
from bayesfold.learning.unlabelled import Unlabelled
from bayesfold.learning.weights import log_loss
from bayesfold.models.model import Model
from bayesfold.models.plan import class_span, cliques
from bayesfold.models.posterior import log_posterior
from bayesfold.runtime.unique import distinct
from bayesfold.tally.counter import count

SHARES = (0.0, 0.1, 0.3, 1.0)
FOLDS = 5
MOST_STEPS = 100
ENOUGH = 1e-6
"""The steps end when one raises the log-likelihood by less than this per row."""

SILENT = "; has no say: the same in every labelled row"

NOTHING = 1e-12
"""A row whose weight in a class is below this is not counted there."""


def learn_all(
    frame: Frame, y: Any, weight: Any, recipe: Recipe, share: float | None = None
) -> tuple[Model, ColumnTable, Unlabelled]:
    """A model of labelled and unlabelled rows; the columns are read as the labelled ones ask. share=None: chosen."""
    check(recipe)
    labels = y if isinstance(y, Coded) else code(y)
    if len(labels) != frame.rows:
        raise ValueError(f"there are {frame.rows} rows but {len(labels)} labels")
    weight, frame, labels = check_row_weights(weight, frame, labels)
    known = labels.index >= 0
    if not known.any():
        raise ValueError("no row has a label; unlabelled rows need some labelled ones beside them")
    if known.all():
        return *learn(frame, labels, weight, recipe), Unlabelled(0)
    if recipe.options.more_to_come:
        raise ValueError("rows without labels need all rows at once; use fit instead of partial_fit")
    own, others = (None, None) if weight is None else (weight[known], weight[~known])
    shown, hidden, told = frame.take(known), frame.take(~known), labels.take(known)
    alone, columns = learn(shown, told, own, recipe)
    schema = alone.schema.grown(hidden)
    labelled, unlabelled = schema.encode(shown, told, own), schema.encode(hidden, None, others)
    silent = flat(alone, labelled)
    network = tuple(node for node in alone.mixture.networks[0] if not silent.issuperset(node.children))
    mixture, families = replace(alone.mixture, networks=(network,)), settled(alone)
    start = Model(mixture, families, alone.tally.on(schema, cliques(schema, mixture, families)), alone.prior)
    losses = {}
    if share is None:
        losses = held_out(start, labelled, unlabelled, SHARES)
        share = min(losses, key=lambda s: (losses[s], s))
    if share == 0:
        return alone, columns, Unlabelled(unlabelled.rows, losses=losses)
    columns = ColumnTable(replace(c, why=c.why + SILENT) if c.name in silent else c for c in columns)
    found, history = climbed(start, labelled, unlabelled, share)
    model = Model(found.mixture, found.families, found.tally, alone.prior, alone.class_weight)
    model.soft = True
    return model, columns, Unlabelled(unlabelled.rows, share, len(history), tuple(history), losses)


def check(recipe: Recipe) -> None:
    """Refuse what makes the model another thing than a probability of rows."""
    if recipe.weights is not None or recipe.calibration is not None:
        raise ValueError(
            "unlabelled rows are weighed by the probability of their columns, which exponents would distort: leave out "
            "weights and calibration, or the rows without labels"
        )


def flat(model: Model, labelled: Batch) -> set[str]:
    """The numbers that are the same in every labelled row.

    They tell nothing of classes. Unlabelled rows in which they differ a little would give them a density as narrow as
    that, which costs other rows hundreds of nats, and no labelled row could say so when the share is chosen.
    """
    numbers = [c.name for c in model.schema.numbers]
    known = {name: x[~np.isnan(x)] for name in numbers for x in [labelled.column(name)]}
    return {name for name, x in known.items() if not len(x) or x.min() == x.max()}


def settled(model: Model) -> dict[str, Any]:
    """The families with alpha="auto" as the labelled rows settle it, so that every step has the same prior."""
    families = dict(model.families)
    target = model.schema.target.name
    spans = [(group.names, group.family, group.span) for group in model.groups]
    for names, family, span in [((target,), families[target], class_span(model.tally.layout)), *spans]:
        if isinstance(family, Categorical):
            cells = model.tally.cells(span)
            alphas = family.hold(cells).alphas(cells).tolist()
            families |= {name: replace(family, alpha=alpha) for name, alpha in zip(names, alphas, strict=True)}
    return families


def held_out(model: Model, labelled: Batch, unlabelled: Batch, shares: Sequence[float]) -> dict[float, float]:
    """Mean log-loss of labelled rows, each fold left out of the model, for every share.

    The last rows of a class are not asked: without them the class is unknown.
    """
    fold, own = deal(labelled, FOLDS, spread=True), own_classes(labelled)
    total, asked = dict.fromkeys(shares, 0.0), 0.0
    for f in distinct(fold):
        rest = np.flatnonzero(fold != f)
        rows = np.flatnonzero((fold == f) & np.isin(own, own[rest]))
        if not len(rows):
            continue
        start = model.without(labelled.take(np.flatnonzero(fold == f)))
        batch = labelled.take(rows)
        asked += batch.weights.sum()
        for share in shares:
            found = climbed(start, labelled.take(rest), unlabelled, share)[0] if share else start
            total[share] += log_loss(found.log_joint(batch), own[rows], batch.weight) * batch.weights.sum()
    return {share: float(loss / asked) if asked else 0.0 for share, loss in total.items()}


def climbed(start: Model, labelled: Batch, unlabelled: Batch, share: float) -> tuple[Model, list[float]]:
    """The model after the last step that raised the log-likelihood, and the log-likelihood after each step.

    `start` is the model of the labelled rows alone. The first step brings in what all rows say of the columns, to which
    classes with few rows are pulled; from there on that is fixed.
    """
    least = ENOUGH * float(labelled.weights.sum() + share * unlabelled.weights.sum())
    weights = share * unlabelled.weights[:, None]
    model = held(stepped(start, start, unlabelled, weights * log_posterior(start.log_joint(unlabelled), logs=False)))
    joint = model.log_joint(unlabelled)
    history = [log_likelihood(model, labelled, unlabelled, joint, share)]
    while len(history) < MOST_STEPS:
        after = stepped(model, start, unlabelled, weights * log_posterior(joint, logs=False))
        joint = after.log_joint(unlabelled)
        value = log_likelihood(after, labelled, unlabelled, joint, share)
        if value <= history[-1]:
            break
        model = after
        history.append(value)
        if value < history[-2] + least:
            break
    return model, history


def held(model: Model) -> Model:
    """The model with the variances that its groups are pulled to fixed."""
    families = dict(model.families)
    for group in model.groups:
        if isinstance(group.family, NormalFamily):
            families |= dict.fromkeys(group.names, group.held(model.tally)[1])
    return Model(model.mixture, families, model.tally, model.prior)


def stepped(model: Model, start: Model, unlabelled: Batch, weights: Floats) -> Model:
    """The model of the labelled rows (`start`) and of every unlabelled row once in each class with its weight there."""
    tally = start.tally.copy()
    for c in range(weights.shape[1]):
        rows = np.flatnonzero(weights[:, c] > NOTHING)
        if len(rows):
            some = unlabelled if len(rows) == unlabelled.rows else unlabelled.take(rows)
            part = replace(some, labels=np.full(len(rows), c + 1, np.int32), weight=weights[rows, c])
            tally.add(count(start.schema, tally.layout.cliques, part))
    return model.on(tally)


def log_likelihood(model: Model, labelled: Batch, unlabelled: Batch, joint: Floats, share: float) -> float:
    """What the steps raise; `joint` is log P(class, row) of the unlabelled rows."""
    own = np.take_along_axis(model.log_joint(labelled), own_classes(labelled)[:, None], 1)[:, 0]
    top = joint.max(axis=1)
    marginal = top + np.log(np.exp(joint - top[:, None]).sum(axis=1))
    return float(labelled.weights @ own + share * unlabelled.weights @ marginal + log_smoothing(model))


def log_smoothing(model: Model) -> float:
    """The log prior under which smoothed tables, variances and rates are the most probable ones.

    Of tables sum_x a_x log P(x), a_x being the rows added to a cell; of a variance pulled to v by r rows
    -(r / 2) (log variance + v / variance); of a rate pulled to a mean by r rows r (mean log rate - rate).
    """
    family = model.families[model.schema.target.name]
    total = family.alpha * float(model.log_prior().sum()) if model.prior is None else 0.0
    flat = model.flat
    for group, form in zip(flat.groups, flat.forms, strict=True):
        cells, known = group.held(model.tally)
        if isinstance(known, Categorical | MEstimate):
            for j, (first, last) in enumerate(pairwise(cells.starts)):
                n = cells.weight[first + 1 : last].sum(axis=1)
                added = known.alphas(cells)[j] if isinstance(known, Categorical) else known.m * (n + 1) / (n + 1).sum()
                total += float((added * form.table[first + j + 1 : last + j, 1:].sum(axis=1)).sum())
        elif isinstance(known, NormalFamily):
            precision = 2 * form.precision[:, 1:]
            pulled = np.asarray(known.within)[:, None] * precision - np.log(precision)
            total -= 0.5 * known.pseudo_rows * float(pulled.sum())
        elif isinstance(known, Poisson):
            rate, mean = form.parameters[0][:, 1:], np.asarray(known.mean)[:, None]
            total += known.pseudo_rows * float((mean * np.log(rate) - rate).sum())
    return total

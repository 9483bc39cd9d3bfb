"""Naive Bayes of columns that are each read in one way, counted from a batch: what readings are compared by."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.learning.number_candidates import Reading, Sample
from bayesfold.learning.weights import log_loss
from bayesfold.models.scoring.group import Group
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique


def log_shares(weights: Any) -> Floats:
    """log P(class) with one row more of each class.

    >>> np.exp(log_shares(np.array([3.0, 1.0]))).round(3)
    array([0.667, 0.333])
    """
    found: Floats = np.log((weights + 1) / (weights.sum() + len(weights)))
    return found


def naive(
    target: Categories,
    every: Sequence[tuple[str, str, Reading]],
    given: Sequence[Reading],
    learned: Sample,
    asked: Sample,
) -> tuple[Scorer, Batch]:
    """Naive Bayes of every candidate and the given columns: a scorer of some rows, and other rows encoded for it."""
    readings = [*((key, r) for key, _, r in every), *((f"{r.column.name}:given", r) for r in given)]  # no name twice
    schema = Schema(target, tuple([r.column.called(key) for key, r in readings]))
    families = {key: r.family for key, r in readings}
    whole = schema.encode(learned.frame)
    return scorer_of(schema, families, learned.of_batch(whole)), asked.of_batch(whole)


def scorer_of(schema: Schema, families: dict[str, Any], batch: Batch) -> Scorer:
    """Naive Bayes without its prior, counted from a batch."""
    target = schema.target.name
    found: dict[Any, list[str]] = {}
    for column in schema.features:
        family = families[column.name]
        found.setdefault((type(family), family), []).append(column.name)
    made = {
        key: [Clique((n, target)) if schema.columns[n].slots else Clique((target,), (n,), key[1].order) for n in named]
        for key, named in found.items()
    }
    tally = count(schema, (Clique((target,)), *(c for some in made.values() for c in some)), batch)
    groups = [
        Group(tuple(named), tuple(made[key]), tally.layout.span(made[key]), key[1], np.ones(len(named)))
        for key, named in found.items()
    ]
    return Scorer(np.zeros(len(schema.target.levels)), groups, tally)


def whole_loss(schema: Schema, families: dict[str, Any], sample: Sample) -> float:
    """Mean held-out log-loss of naive Bayes with all the columns, each row left out in turn."""
    batch = sample.of_batch(schema.encode(sample.frame))
    own = sample.labels.astype(np.intp) - 1
    prior = log_shares(np.bincount(own, sample.weights, len(schema.target.levels)))
    return log_loss(scorer_of(schema, families, batch).left_out(batch).sum(1) + prior, own, batch.weight)

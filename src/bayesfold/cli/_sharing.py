"""Statistics that leave the house: small cells withheld, or noise in all of them, and what that is worth, in words."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from bayesfold.cli._words import count_things, remark
from bayesfold.learning.trained import Step, Trained
from bayesfold.tally.disclosure import add_noise, withhold


def without_small_cells(trained: Trained, least: int) -> Trained:
    """The model without cells of fewer rows, and without the names that only they had."""
    if least < 2:
        raise ValueError(f"--min-cell {least}: a cell of one row is that row; give 2 or more (5 and 10 are usual)")
    before = trained.model_.tally
    tally = withhold(before, least)
    lost = int(np.count_nonzero(before.counts) - np.count_nonzero(tally.counts))
    shared = replace(trained, model_=trained.model_.on(tally, decayed=False))
    shared.trim()
    remark(
        f"{count_things(lost, 'cell')} withheld: those of fewer than {least} rows, and those that would tell of them"
    )
    return add_note(shared, f"withheld cells of fewer than {least} rows")


def with_noise(trained: Trained, pattern: Trained, epsilon: float) -> Trained:
    """The model with noise in every count, on the levels that the pattern has."""
    schema = pattern.model_.schema
    tables = len(trained.model_.tally.layout.cliques)
    tally = add_noise(trained.model_.tally, schema, epsilon, np.random.default_rng())
    shared = replace(trained, model_=trained.model_.on(tally, decayed=False))
    scale = tables / epsilon
    remark(
        f"epsilon {epsilon:g} for all {count_things(tables, 'table')} together: counts are off by about "
        f"{scale:,.1f} rows. Every further model of the same rows spends its own epsilon on top"
    )
    return add_note(shared, f"noised: epsilon {epsilon:g} over {tables} tables")


def add_note(trained: Trained, what: str) -> Trained:
    """The model with a note of what was done to its counts."""
    return replace(trained, history=(*trained.history, Step(what, 0, "", datetime.now(UTC).isoformat("T", "seconds"))))

"""What a model says of its own log-loss is near what new rows get, and its interval holds that.

Each seed draws another population, a table of it to learn and new rows to judge by. With few tables only a gross
mistake fails; `./dev soak` draws ten times as many.
"""

import os

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.decisions.metrics import log_losses
from bayesfold.learning.kinds import find

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"
TABLES = 40 if SOAK else 4
RATE = 0.85 if SOAK else 0.7
"""The least share of intervals that must hold the truth: of 40 that do 95 times of 100, 34 nearly always do."""

NEAR = 0.01
"""How far a mean estimate may be from the truth, in nats, beside its own noise."""

NEW = 4_000


def categories(draw, classes=3, columns=8, levels=4):
    """Columns of words that are independent in each class."""
    tables = draw.dirichlet(np.ones(levels), (columns, classes)).cumsum(2)
    words = np.array([f"level {k}" for k in range(levels)])

    def table(rows):
        y = draw.integers(0, classes, rows)
        codes = (draw.random((rows, columns, 1)) > tables[np.arange(columns), y[:, None]]).sum(2)
        return Frame.of({f"x{j}": words[np.minimum(codes[:, j], levels - 1)].tolist() for j in range(columns)}), y

    return table


def numbers(draw, apart=0.8, columns=6, noise=0, weighted=False):
    """Columns of normals, whose covariance each of three classes has for itself; columns of noise beside them."""
    mean, mix = draw.normal(0, apart, (3, columns)), draw.normal(0, 0.4, (3, columns, columns)) + 0.7 * np.eye(columns)

    def table(rows):
        y = draw.integers(0, 3, rows)
        x = mean[y] + np.einsum("ijk,ik->ij", mix[y], draw.normal(size=(rows, columns)))
        x = np.hstack([x, draw.normal(size=(rows, noise))])
        weight = (draw.integers(1, 21, rows).astype(float),) if weighted else ()
        return Frame.of({f"x{j}": x[:, j] for j in range(x.shape[1])}), y, *weight

    return table


def chance(draw, columns=8):
    """Columns that say nothing of two classes."""

    def table(rows):
        return Frame.of({f"x{j}": draw.normal(size=rows) for j in range(columns)}), draw.integers(0, 2, rows)

    return table


CASES = {
    "pool, categories": ("bayes", 250, categories),
    "pool, numbers": ("bayes", 250, numbers),
    "pool, weighted numbers": ("bayes", 250, lambda draw: numbers(draw, weighted=True)),
    "pool, classes far apart": ("bayes", 125, lambda draw: numbers(draw, apart=2.5)),
    "pool, noise": ("bayes", 200, chance),
    "tan, small": ("tan", 60, categories),
    "naive, small and far apart": ("naive", 60, lambda draw: numbers(draw, apart=2.5)),
}


def shown_and_true(kind, rows, population, seed):
    """The log-loss that a fit shows, with its interval, and what the same model gets on new rows."""
    table = population(np.random.default_rng([seed, rows]))
    given = table(rows)
    settings = find(kind)()
    found = settings.learn(*given)
    scores = settings.scores(*given) if found.report is None else found.report.scores
    frame, truth, *_ = table(NEW)
    p = np.exp(found.model.log_proba(found.model.schema.encode(frame)))
    return scores.measures["log-loss"], float(log_losses(p, truth).mean())


@pytest.mark.parametrize("case", CASES)
def test_a_shown_log_loss_is_near_that_of_new_rows(case):
    every = [shown_and_true(*CASES[case], seed) for seed in range(TABLES)]
    held = [shown.low <= true <= shown.high for shown, true in every]
    gaps = np.array([shown.value - true for shown, true in every])
    assert np.mean(held) >= RATE, every
    if CASES[case][0] == "bayes":  # others are judged by folds alone, which is too modest of few rows
        assert abs(gaps.mean()) <= NEAR + 3 * gaps.std(ddof=1) / np.sqrt(TABLES), gaps

"""Scores that are shown as held out do not flatter: their intervals hold the truth on noise, on wide, on weighted rows.

Tables are drawn, so the truth is known: a half on noise, else what new rows get. With few tables only a gross mistake
fails; `./dev soak` draws enough to see the rate.
"""

import os

import numpy as np
import pytest

from bayesfold.data.frame import Frame
from bayesfold.decisions.measures import Answers, Known, measured
from bayesfold.learning.kinds import find

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"
TABLES = 60 if SOAK else 5
RATE = 0.8 if SOAK else 0.6
"""The least share of intervals that must hold the truth. On wide tables some do not, because whether a telling column
is found differs from fold to fold, and the whole model has all rows to find it by: the truth is then above them."""

FLATTERED = 0.1 if SOAK else 0.4
"""The largest share of intervals that may lie above the truth: of 60 that do 25 times of 1,000, 6 hardly ever do."""

SHAPES = {
    "noise": {"rows": 200, "columns": 100 if SOAK else 30},
    "weighted noise": {"rows": 200, "columns": 20, "weighted": True},
    "wide, a little signal": {"rows": 150, "columns": 100 if SOAK else 40, "telling": 3},
    "weighted, a little signal": {"rows": 200, "columns": 20, "telling": 3, "weighted": True},
}


def drawn(seed, rows, columns, telling=0, weighted=False):
    """A table of numbers, of which the first few tell the class; its labels and weights."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(rows, columns))
    odds = 0.8 * x[:, :telling].sum(1)
    y = (draw.random(rows) < 1 / (1 + np.exp(-odds))).astype(int)
    weight = draw.integers(1, 21, rows).astype(float) if weighted else None
    return Frame.of({f"x{j}": x[:, j] for j in range(columns)}), y, weight


def shown_and_true(settings, seed, shape):
    """The scores that a fit shows, and what the same model gets on new rows."""
    frame, y, weight = drawn(seed, **shape)
    found = settings.learn(frame, y, weight)
    scores = settings.scores(frame, y, weight) if found.report is None else found.report.scores
    new, truth, _ = drawn(seed + 1_000, **(shape | {"rows": 4_000}))
    p = np.exp(found.model.log_proba(found.model.schema.encode(new)))
    return scores.measures, measured(Answers(p, p.argmax(1)), Known(truth, np.ones(len(truth)), 1 - np.eye(2)))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["naive", *(["bayes", "tan", "gaussian", "aode"] if SOAK else [])])
def test_the_interval_of_a_shown_score_holds_the_truth(kind, shape):
    noise = "telling" not in SHAPES[shape]
    held, gaps = dict.fromkeys(("accuracy", "AUC"), 0), {m: [] for m in ("accuracy", "AUC")}
    flattered = dict.fromkeys(held, 0)
    for seed in range(TABLES):
        shown, true = shown_and_true(find(kind)(), seed, SHAPES[shape])
        for m in held:
            value = 0.5 if noise else true[m].value
            held[m] += shown[m].low <= value <= shown[m].high
            flattered[m] += value < shown[m].low
            gaps[m].append(shown[m].value - value)
    assert all(times >= RATE * TABLES for times in held.values()), held
    assert all(times <= FLATTERED * TABLES for times in flattered.values()), flattered
    assert all(np.mean(gap) < 0.15 / np.sqrt(TABLES) for gap in gaps.values()), gaps  # .06 is the spread of one table


@pytest.mark.skipif(not SOAK, reason="learns 5 pools of 200 columns")
def test_a_pool_of_noise_does_not_flatter_itself():
    areas = [find("bayes")().learn(*drawn(seed, 200, 200)).report.scores.measures["AUC"] for seed in range(5)]
    assert sum(area.low <= 0.5 <= area.high for area in areas) >= 4

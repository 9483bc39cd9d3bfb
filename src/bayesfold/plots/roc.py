"""The receiver operating characteristic: hits against false alarms at every threshold, one line per class.

Rows held out in folds were answered by several models, of which one's 0.4 is not another's. As the area that is printed
is that within folds, so the line is the mean of the folds' lines, and the area below it that mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.metrics import ranked
from bayesfold.plots._answers import AnsweredRows, read_answers, shown_classes
from bayesfold.plots._figure import ink, legend_of_curves, line_style, make_figure, shorten

OF = "rows"


@dataclass(frozen=True)
class RocCurve:
    """One class against the rest; the mean line of so many `folds`."""

    name: Level
    false_alarms: Floats
    hits: Floats
    area: float
    folds: int = 1


def data(source: Any, model: str | None = None) -> tuple[RocCurve, ...]:
    """A curve for each class, of two for the second.

    `source`: an Evaluation, or (y, probabilities, classes[, weights[, folds]]).
    """
    a = read_answers(source, model)
    return tuple(curve_of_class(a, k) for k in shown_classes(a))


def curve_of_class(a: AnsweredRows, k: int) -> RocCurve:
    """The line of a class: of all rows, or the mean of those folds that have rows of it and of others."""
    positive, weight = a.truth == k, a.weight
    every = np.zeros(len(positive), np.intp) if a.fold is None else np.unique(a.fold, return_inverse=True)[1]
    of, of_all = (np.bincount(every, weight * part).astype(np.float64) for part in (positive, np.ones(len(positive))))
    both = np.flatnonzero((of > 0) & (of < of_all))
    if not len(both):  # each fold has rows of one sort, and only models can be compared
        both, every, of_all = np.zeros(1, np.intp), np.zeros(len(positive), np.intp), np.ones(1)
    lines = []
    for fold in both:
        some = every == fold
        _, hits, false_alarms = ranked(a.proba[some, k], positive[some], weight[some])
        lines.append((false_alarms / false_alarms[-1], hits / hits[-1]))
    x, y = lines[0] if len(lines) == 1 else mean_line(lines, of_all[both])
    return RocCurve(a.classes[k], x, y, float(np.trapezoid(y, x)), len(lines))


def mean_line(lines: Sequence[tuple[Floats, Floats]], weight: Floats) -> tuple[Floats, Floats]:
    """The mean height of rising lines at every place where one of them has a corner, before and after it rises there.

    >>> steep, flat = (np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])), (np.array([0.0, 1.0]),) * 2
    >>> [part.tolist() for part in mean_line([steep, flat], np.ones(2))]
    [[0.0, 0.0, 1.0, 1.0], [0.0, 0.5, 1.0, 1.0]]
    """
    places = np.unique(np.concatenate([x for x, _ in lines]))
    before, after = [], []
    for x, y in lines:
        between = np.interp(places, x, y)
        corner = np.isin(places, x)
        last = len(x) - 1
        before.append(np.where(corner, y[np.minimum(np.searchsorted(x, places, "left"), last)], between))
        after.append(np.where(corner, y[np.searchsorted(x, places, "right") - 1], between))
    heights = [np.average(part, axis=0, weights=weight) for part in (before, after)]
    return np.repeat(places, 2), np.stack(heights, axis=1).ravel()


def draw(numbers: tuple[RocCurve, ...], dark: bool = False) -> Any:
    """The curves as a figure."""
    chance = {"x": [0, 1], "y": [0, 1], "mode": "lines", "name": "chance", "hoverinfo": "skip"}
    traces = [chance | {"line": {"color": ink(dark, faint=True), "dash": "dot"}, "showlegend": False}]
    for k, curve in enumerate(numbers):
        traces.append(
            {
                "x": curve.false_alarms,
                "y": curve.hits,
                "mode": "lines",
                "name": f"{shorten(curve.name)}, area {curve.area:.3f}",
                "line": line_style(k, dark),
            }
        )
    legend, beside = legend_of_curves(len(numbers), "right")
    layout = {
        "title": {"text": "Hits against false alarms" + describe_folds(numbers)},
        "xaxis": {"title": {"text": "false alarms: share of other rows decided for the class"}, "range": [-0.01, 1.01]},
        "yaxis": {"title": {"text": "hits: share of the class's rows"}, "range": [-0.01, 1.01]},
        "legend": legend,
        "showlegend": True,
    }
    return make_figure(traces, layout, dark, 620 + beside, 560)


def describe_folds(numbers: Sequence[RocCurve]) -> str:
    """Of how many folds lines are the mean, for the title; "" of one."""
    folds = max(curve.folds for curve in numbers)
    return "" if folds == 1 else f", mean of {folds} folds"

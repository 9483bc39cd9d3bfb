"""Precision against recall at every threshold, one line per class."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.metrics import ranked
from bayesfold.plots._answers import read_answers, shown_classes
from bayesfold.plots._figure import legend_of_curves, line_style, make_figure, shorten

OF = "rows"


@dataclass(frozen=True)
class PrecisionRecall:
    """One class against the rest; `average` is the precision averaged over the steps of recall."""

    name: Level
    recall: Floats
    precision: Floats
    average: float


def data(source: Any, model: str | None = None) -> tuple[PrecisionRecall, ...]:
    """A curve for each class, of two for the second.

    `source`: an Evaluation, or (y, probabilities, classes[, weights]).
    """
    a = read_answers(source, model)
    curves = []
    for k in shown_classes(a):
        _, of, against = ranked(a.proba[:, k], a.truth == k, a.weight)
        recall = of / of[-1]
        precision = of[1:] / (of + against)[1:]
        average = float(np.diff(recall) @ precision)
        curves.append(PrecisionRecall(a.classes[k], recall, np.concatenate([precision[:1], precision]), average))
    return tuple(curves)


def draw(numbers: tuple[PrecisionRecall, ...], dark: bool = False) -> Any:
    """The curves as a figure."""
    traces = [
        {
            "x": curve.recall,
            "y": curve.precision,
            "mode": "lines",
            "line": line_style(k, dark) | {"shape": "vh"},
            "name": f"{shorten(curve.name)}, average {curve.average:.3f}",
        }
        for k, curve in enumerate(numbers)
    ]
    legend, beside = legend_of_curves(len(numbers), "left")
    layout = {
        "title": {"text": "Precision against recall"},
        "xaxis": {"title": {"text": "recall: share of the class's rows that are found"}, "range": [-0.01, 1.01]},
        "yaxis": {"title": {"text": "precision: share of the found that are right"}, "range": [-0.01, 1.01]},
        "legend": legend,
        "showlegend": True,
    }
    return make_figure(traces, layout, dark, 620 + beside, 560)

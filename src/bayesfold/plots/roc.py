"""The receiver operating characteristic: hits against false alarms at every threshold, one line per class."""

from dataclasses import dataclass
from typing import Any

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.metrics import area, ranked
from bayesfold.plots._answers import read_answers, shown_classes
from bayesfold.plots._figure import ink, legend_of_curves, line_style, make_figure, shorten

OF = "rows"


@dataclass(frozen=True)
class RocCurve:
    """One class against the rest."""

    name: Level
    false_alarms: Floats
    hits: Floats
    area: float


def data(source: Any, model: str | None = None) -> tuple[RocCurve, ...]:
    """A curve for each class, of two for the second.

    `source`: an Evaluation, or (y, probabilities, classes[, weights]).
    """
    a = read_answers(source, model)
    curves = []
    for k in shown_classes(a):
        positive = a.truth == k
        _, of, against = ranked(a.proba[:, k], positive, a.weight)
        size = area(a.proba[:, k], positive, a.weight)
        curves.append(RocCurve(a.classes[k], against / against[-1], of / of[-1], size))
    return tuple(curves)


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
        "title": {"text": "Hits against false alarms"},
        "xaxis": {"title": {"text": "false alarms: share of other rows decided for the class"}, "range": [-0.01, 1.01]},
        "yaxis": {"title": {"text": "hits: share of the class's rows"}, "range": [-0.01, 1.01]},
        "legend": legend,
        "showlegend": True,
    }
    return make_figure(traces, layout, dark, 620 + beside, 560)

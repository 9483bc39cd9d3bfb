"""What each threshold costs where there are two classes, the threshold that the loss implies, and the best one."""

from dataclasses import dataclass
from typing import Any

from bayesfold.data.frame import Level
from bayesfold.decisions.metrics import CostCurve, cost_curve
from bayesfold.plots._answers import read_answers
from bayesfold.plots._figure import colours, make_figure, shorten

OF = "rows"


@dataclass(frozen=True)
class Costs:
    """The curve, and the class that is decided from the threshold on."""

    name: Level
    curve: CostCurve


def data(source: Any, model: str | None = None, loss: Any = None) -> Costs:
    """The mean cost at every threshold. `source`: an Evaluation, or (y, probabilities, classes[, weights])."""
    a = read_answers(source, model, loss)
    return Costs(a.classes[-1], cost_curve(a.proba, a.truth, a.loss, a.weight))


def draw(numbers: Costs, dark: bool = False) -> Any:
    """The curve as a figure."""
    curve = numbers.curve
    blue, orange, green = colours(dark)[:3]
    points = [
        (curve.implied, "implied by the loss", orange, "diamond"),
        (curve.best, "best with hindsight", green, "square"),
        (0.5, "one half", colours(dark)[3], "circle"),
    ]
    traces: list[dict[str, Any]] = [
        {
            "x": [0.0, *curve.thresholds, 1.0],
            "y": [curve.at(0.0), *curve.costs, curve.at(1.0)],
            "mode": "lines",
            "line": {"color": blue, "width": 2, "shape": "vh"},
            "name": "mean cost of a row",
        }
    ]
    traces += [
        {
            "x": [at],
            "y": [curve.at(at)],
            "mode": "markers",
            "marker": {"size": 12, "color": colour, "symbol": symbol},
            "cliponaxis": False,
            "name": f"{words}: {at:.3f} costs {curve.at(at):.4g}",
        }
        for at, words, colour, symbol in points
        if at == at
    ]
    layout = {
        "title": {"text": f"What the threshold of {shorten(numbers.name)} costs"},
        "xaxis": {
            "title": {"text": f"{shorten(numbers.name)} is decided from this probability on"},
            "range": [-0.02, 1.02],
        },
        "yaxis": {"title": {"text": "mean cost of a row"}, "rangemode": "tozero"},
        "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "bottom", "yref": "container"},
        "margin": {"l": 60, "r": 30, "t": 70, "b": 140},
    }
    return make_figure(traces, layout, dark, 680, 560)

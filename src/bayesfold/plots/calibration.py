"""Calibration: how often the model is right when it is so sure, above a histogram of how sure it is."""

from typing import Any

from bayesfold.decisions.measures import interval_of_share
from bayesfold.decisions.metrics import BINS, Reliability, reliability
from bayesfold.plots._answers import read_answers
from bayesfold.plots._figure import colours, ink, make_figure

OF = "rows"


def data(source: Any, model: str | None = None, bins: int = BINS, unseen_share: Any = 0.0) -> Reliability:
    """Rows by confidence in the most probable class.

    `source`: an Evaluation, or (y, probabilities, classes[, weights]), `unseen_share` being left to classes never seen.
    """
    a = read_answers(source, model, unseen_share=unseen_share)
    return reliability(*a.with_new_class(), a.weight, bins, a.repeats)


def draw(numbers: Reliability, dark: bool = False) -> Any:
    """The curve and its histogram as a figure."""
    there = numbers.weight > 0
    middle, wide = (numbers.edges[:-1] + numbers.edges[1:]) / 2, numbers.edges[1] - numbers.edges[0]
    blue, orange = colours(dark)[:2]
    right = numbers.accuracy[there]
    low, high = interval_of_share(right, numbers.rows[there])
    traces: list[dict[str, Any]] = [
        {
            "x": [0, 1],
            "y": [0, 1],
            "mode": "lines",
            "line": {"color": ink(dark, faint=True), "dash": "dot"},
            "name": "as sure as right",
            "hoverinfo": "skip",
        },
        {
            "x": numbers.confidence[there],
            "y": right,
            "error_y": {"type": "data", "symmetric": False, "array": high - right, "arrayminus": right - low}
            | {"color": blue, "thickness": 1.2, "width": 4},
            "mode": "lines+markers",
            "line": {"color": blue, "width": 2},
            "marker": {"size": 8},
            "name": f"the model, error {numbers.error:.3f}; bars: 95 %",
        },
        {
            "type": "bar",
            "x": middle,
            "y": numbers.weight,
            "width": 0.92 * wide,
            "marker": {"color": orange},
            "name": "rows",
            "yaxis": "y2",
            "showlegend": False,
        },
    ]
    least = float(max(0.0, numbers.edges[:-1][there].min() - 0.02))
    layout = {
        "title": {"text": "How sure, and how often right"},
        "xaxis": {
            "title": {"text": "confidence: P(most probable class)"},
            "range": [least, 1 + 0.03 * (1 - least)],
            "anchor": "y2",
        },
        "yaxis": {"title": {"text": "share right"}, "range": [-0.02, 1.04], "domain": [0.34, 1.0]},
        "yaxis2": {"title": {"text": "rows"}, "domain": [0.0, 0.24]},
        "legend": {"orientation": "h", "x": 0, "y": 1.01, "xanchor": "left", "yanchor": "bottom"},
        "margin": {"t": 100},
    }
    return make_figure(traces, layout, dark, 620, 620)

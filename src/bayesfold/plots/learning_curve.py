"""How scores improve with more rows: models of folds are merged, one after the other, and score the fold left out.

A fold's model is that of all rows, which has then forgotten the others; every point of the curve is a merge of
statistics, never a fit of the rows again. What is not a statistic (how columns are read, structure, weights) is held.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.decisions.held_out import deal, taken, truths
from bayesfold.decisions.metrics import log_losses
from bayesfold.plots._figure import colours, make_figure

OF = "learner"


@dataclass(frozen=True)
class LearningCurve:
    """Rows learned at each step; log-loss and accuracy of rows left out, [fold left out, step]."""

    rows: Floats
    log_loss: Floats
    accuracy: Floats


def data(clf: Any, X: Any, y: Any, folds: int = 10, random_state: int = 0) -> LearningCurve:
    """Each fold in turn is left out, and the others are merged one by one."""
    if not hasattr(clf, "merge"):
        raise TypeError(
            f"{type(clf).__name__} cannot merge what it has learned, which this picture needs; give a classifier that "
            "has merge"
        )
    classes, truth = truths(y)
    fold = deal(truth, folds, 1, random_state)[0]
    labels = np.asarray(y)
    whole = deepcopy(clf).fit(X, y)
    cuts = [np.flatnonzero(fold == f) for f in range(folds)]
    rests = [np.flatnonzero(fold != f) for f in range(folds)]
    parts = [deepcopy(whole).forget(taken(X, rest), taken(labels, rest), keep_levels=True) for rest in rests]
    loss, right = np.empty((2, folds, folds - 1))
    sizes = np.zeros((folds, folds - 1))
    for f, rows in enumerate(cuts):
        model, out = None, taken(X, rows)
        for step in range(folds - 1):
            part = parts[(f + 1 + step) % folds]
            model = part if model is None else model.merge(part)
            p = np.zeros((len(rows), len(classes)))
            p[:, [classes.index(c) for c in model.classes_.tolist()]] = model.predict_proba(out)
            loss[f, step] = log_losses(p, truth[rows]).mean()
            right[f, step] = (p.argmax(axis=1) == truth[rows]).mean()
            sizes[f, step] = sum(len(cuts[(f + 1 + s) % folds]) for s in range(step + 1))
    return LearningCurve(sizes.mean(axis=0), loss, right)


def draw(numbers: LearningCurve, dark: bool = False, narrow: bool = False) -> Any:
    """Mean over the folds left out, with the range of the middle half of them; `narrow`: one below the other."""
    traces: list[dict[str, Any]] = []
    for k, (values, name) in enumerate(((numbers.log_loss, "log-loss"), (numbers.accuracy, "accuracy"))):
        axis = {"yaxis": f"y{k + 1}" if k else "y", "xaxis": f"x{k + 1}" if k else "x"}
        low, high = np.quantile(values, [0.25, 0.75], axis=0)
        colour = colours(dark)[k]
        band: dict[str, Any] = {"x": [*numbers.rows, *numbers.rows[::-1]], "y": [*high, *low[::-1]], "fill": "toself"}
        band |= {"mode": "lines", "line": {"width": 0}, "fillcolor": make_faint(colour), "hoverinfo": "skip"}
        mean: dict[str, Any] = {"x": numbers.rows, "y": values.mean(axis=0), "mode": "lines+markers", "name": name}
        mean |= {"line": {"color": colour, "width": 2}, "marker": {"size": 7}}
        traces += [band | axis | {"showlegend": False, "name": ""}, mean | axis]
    layout: dict[str, Any] = {
        "title": {"text": "What more rows are worth"},
        "xaxis": {"domain": [0.0, 1.0 if narrow else 0.44], "title": {"text": "rows learned"}, "rangemode": "tozero"},
        "yaxis": {"domain": [0.58 if narrow else 0.0, 1.0], "title": {"text": "log-loss of rows left out"}},
        "xaxis2": {"domain": [0.0 if narrow else 0.56, 1.0], "title": {"text": "rows learned"}, "anchor": "y2"},
        "yaxis2": {"domain": [0.0, 0.42 if narrow else 1.0], "title": {"text": "accuracy of rows left out"}},
        "showlegend": False,
    }
    layout["xaxis2"] |= {"rangemode": "tozero"}
    layout["yaxis2"] |= {"anchor": "x2", "tickformat": ".0%"}
    return make_figure(traces, layout, dark, *((370, 760) if narrow else (900, 440)))


def make_faint(colour: str) -> str:
    """A colour, mostly transparent."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"

"""The confusion matrix: rows by true class and decision, rejected rows in a column of their own, with costs."""

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.plots._answers import read_answers
from bayesfold.plots._figure import Markup, escape_text, make_figure, shorten_apart

CELL, LEAST_CELL = (100, 70), 50
"""Width and height of a cell in pixels, and the width from which on it has room for its numbers."""
MOST_PIXELS, NARROW = 840, 240
"""All cells together, and on a narrow screen."""
LINE = 12
"""Height of a line of small letters."""
COUNT, MEAN = ",.0f", ",.4g"
"""How rows are written, and what is the mean of several counts of them."""

OF = "rows"

SHADES = ("#FFFFFF", "#0072B2"), ("#16181C", "#56B4E9")
"""The shades of no row and of every row of a class, on light and on dark."""


@dataclass(frozen=True)
class Confusion:
    """rows[truth, decision] and what each of them costs; the last decision is "reject" where rows may be rejected."""

    classes: tuple[Level, ...]
    decisions: tuple[Level, ...]
    rows: Floats
    costs: Floats


def data(
    source: Any,
    model: str | None = None,
    loss: Any = None,
    reject_cost: float | None = None,
    unseen_share: Any = 0.0,
) -> Confusion:
    """Counts of rows, whatever they weigh. `source`: an Evaluation (each row counts once), or (y, probabilities,
    classes)."""
    a = read_answers(source, model, loss, reject_cost, unseen_share)
    k = len(a.classes)
    rejecting = a.reject_cost is not None
    rows = np.zeros((k, k + 1))
    np.add.at(rows, (a.truth, np.where(a.decision < 0, k, a.decision)), 1.0)
    costs = np.column_stack([a.loss.T, np.full(k, np.nan if a.reject_cost is None else a.reject_cost)])
    decisions = (*a.classes, "reject") if rejecting else a.classes
    width = len(decisions)
    return Confusion(a.classes, decisions, rows[:, :width] / a.repeats, costs[:, :width])


def draw(numbers: Confusion, dark: bool = False, narrow: bool = False) -> Any:
    """The table as a figure, or a `narrow` one; shades are shares of the true class."""
    share = numbers.rows / np.maximum(numbers.rows.sum(axis=1, keepdims=True), 1e-300)
    names, decided = (shorten_apart(names, 12 if narrow else 18) for names in (numbers.classes, numbers.decisions))
    pairs = [
        [escape_text(f"{truth} decided {decision}") for decision in numbers.decisions] for truth in numbers.classes
    ]
    text = [
        [Markup(f"{n:{COUNT if n == round(n) else MEAN}}<br>{s:.0%}") for n, s in zip(counts, shares, strict=True)]
        for counts, shares in zip(numbers.rows.tolist(), share.tolist(), strict=True)
    ]
    room = NARROW if narrow else MOST_PIXELS
    wide, high = (min(one, room / max(len(names), len(decided))) for one in CELL)
    paper, full = SHADES[dark]
    cells = {
        "type": "heatmap",
        "z": share,
        "x": list(range(len(decided))),
        "y": list(range(len(names))),
        "zmin": 0,
        "zmax": 1,
        "customdata": numbers.costs,
        "text": text,
        "hovertext": [[Markup(pair) for pair in line] for line in pairs],
        "hovertemplate": Markup("%{hovertext}<br>%{text}<br>costs %{customdata} each<extra></extra>"),
        "colorscale": [[0, paper], [1, full]],
        "showscale": False,
        "xgap": 2 if wide >= LEAST_CELL else 1,
        "ygap": 2 if wide >= LEAST_CELL else 1,
    }
    size = 13 if len(names) <= 8 else 10
    words = [
        {
            "x": j,
            "y": i,
            "text": text[i][j],
            "showarrow": False,
            "font": {"size": size, "color": cell_ink(float(share[i, j]), dark)},
        }
        for i in range(len(names))
        for j in range(len(decided))
        if wide >= LEAST_CELL
    ]
    letters = {"tickfont": {"size": 13 if wide >= LEAST_CELL else 10}}
    layout = {
        "title": {"text": "Rows by truth and decision"},
        "xaxis": {"title": {"text": "decision"}, "side": "bottom", "showgrid": False, "zeroline": False}
        | letters
        | thin_ticks(decided, wide),
        "yaxis": {"title": {"text": "truth"}, "autorange": "reversed", "showgrid": False, "zeroline": False}
        | letters
        | thin_ticks(names, high),
        "annotations": words,
    }
    beside = 130 if narrow else 320
    return make_figure([cells], layout, dark, round(beside + wide * len(decided)), round(200 + high * len(names)))


def thin_ticks(names: list[str], room: float) -> dict[str, Any]:
    """Names beside cells of so many pixels; where cells are lower than letters, of every second one, or fewer."""
    shown = range(0, len(names), max(1, ceil(LINE / room)))
    return {"tickvals": list(shown), "ticktext": [names[k] for k in shown]}


def cell_ink(share: float, dark: bool) -> str:
    """Words that stand out from their cell: the other ink begins where both have the same contrast."""
    if dark:
        return "#0B0C0E" if share > 0.6 else "#E8E8E8"
    return "#FFFFFF" if share > 0.87 else "#1B1B1B"

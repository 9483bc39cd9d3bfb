"""P(value | class) of each column: densities of numbers, shares of categories; one small plot per column."""

from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.models.model import Model
from bayesfold.plots._columns import ColumnLikelihood, column_likelihoods, find_naive
from bayesfold.plots._figure import bold, colours, line_style, make_figure, shorten, shorten_apart
from bayesfold.runtime.text_table import width

OF = "model"
POINTS = 161
MOST_COLUMNS = 40
"""Of more columns, unless they are named, the most informative ones are drawn: nobody looks at thousands."""
MOST_LEVELS = 12
MOST_CLASSES = 6
"""As many as there are colours; of more, the most frequent ones are drawn."""
FEW, ROOM, LESS_ROOM = 5, 16, 10
"""So few values have room for longer names than many."""
LEGEND, KEY, LETTER = 22, 56, 7.6
"""Height of a line of the legend, width of the mark before a name and of a letter, in pixels."""


class Densities(NamedTuple):
    """The classes, the most frequent of many, log P(value | class) of the columns shown, and of how many they are the
    most informative."""

    classes: tuple[Level, ...]
    columns: tuple[ColumnLikelihood, ...]
    of: int


def data(clf: Any, columns: Any = None) -> Densities:
    """The densities of the named columns, or of the most informative ones."""
    model = find_naive(clf)
    classes, _, every = column_likelihoods(model, POINTS, smooth=True, only=columns)
    shown = tuple(per_unit(model, c) for c in every if not c.is_count and (columns is None or c.name in columns))
    of = len(shown)
    if columns is None and of > MOST_COLUMNS:
        tells = [information(c.log_p, model.class_weights()) for c in shown]
        most_telling = np.sort(np.argsort(tells, kind="stable")[-MOST_COLUMNS:])
        shown = tuple(shown[place] for place in most_telling)
    if not shown:
        raise ValueError(
            "none of these columns has a density of its own (columns of counts share one); name columns of numbers or "
            "categories"
        )
    if len(classes) <= MOST_CLASSES:
        return Densities(classes, shown, of)
    most = np.sort(np.argsort(-model.class_weights(), kind="stable")[:MOST_CLASSES])
    few = tuple(replace(c, log_p=c.log_p[:, most]) for c in shown)
    return Densities(tuple(classes[k] for k in most), few, of)


def per_unit(model: Model, column: ColumnLikelihood) -> ColumnLikelihood:
    """A column with the density where its values have cells, a grid or many bins, in place of a cell's probability."""
    cells = [c for c in model.schema.binned if c.origin == column.name]
    if not column.is_number or len(cells) != 1 or not cells[0].cuts:
        return column
    low, high = cells[0].ends
    widths = np.diff([low, *cells[0].cuts, high])
    at = np.searchsorted(cells[0].cuts, np.asarray(column.values, float), side="right")
    return replace(column, log_p=column.log_p - np.log(widths[at])[:, None])


def information(log_p: Floats, weight: Floats) -> float:
    """What a column tells of the class, in nats, by the values that are drawn: their mutual information.

    >>> nothing, everything = np.log([[0.5, 0.5], [0.5, 0.5]]), np.log([[1.0, 1e-9], [1e-9, 1.0]])
    >>> information(nothing, np.ones(2)), round(information(everything, np.ones(2)), 3)
    (0.0, 0.693)
    """
    p = np.exp(log_p - log_p.max(axis=0))
    joint = p / p.sum(axis=0) * weight / weight.sum()
    apart = joint.sum(axis=0) * joint.sum(axis=1, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log(joint[there] / apart[there])).sum())


def draw(numbers: Densities, dark: bool = False, narrow: bool = False) -> Any:
    """Small pictures side by side, `narrow` ones below each other, each with its own axes; one colour per class."""
    classes, columns, of = numbers
    across = 1 if narrow or len(columns) == 1 else 2 if len(columns) <= 4 else 4
    down = ceil(len(columns) / across)
    wide, high = (310, 200) if narrow else (520, 300) if across == 1 else (380, 250) if across == 2 else (260, 200)
    below = 34 if all(c.is_number for c in columns) else 58  # names may have to stand aslant
    high += below - 34
    total_w = 40 + wide * across
    names, titles = shorten_apart(classes), shorten_apart([c.name for c in columns], 24)
    top = 62 + LEGEND * ceil(sum(KEY + LETTER * width(name) for name in names) / (total_w - 40))
    total_h = 15 + top + high * down
    traces: list[dict[str, Any]] = []
    which = f" of the {len(columns)} most informative of {of:,} columns" if len(columns) < of else ""
    layout: dict[str, Any] = {"title": {"text": f"P(value | class){which}"}, "annotations": [], "barmode": "group"}
    size = 12 if across <= 2 else 11
    for n, column in enumerate(columns):
        row, place = divmod(n, across)
        left, upper = (place + 0.14) / across, 1 - row / down
        domain = ([left, left + 0.8 / across], [upper - (1 - below / high) / down, upper - 26 / high / down])
        key = str(n + 1) if n else ""
        values, p = column.values, np.exp(column.log_p)
        if not column.is_number and len(values) > MOST_LEVELS:
            keep = np.sort(np.argsort(-p.max(axis=1), kind="stable")[:MOST_LEVELS])
            values, p = tuple(values[i] for i in keep), p[keep]
        for k, name in enumerate(names):
            shape = {"mode": "lines", "line": line_style(k, dark)} if column.is_number else {"type": "bar"}
            colour = {} if column.is_number else {"marker": {"color": colours(dark)[k % 6]}}
            common = {"xaxis": f"x{key}", "yaxis": f"y{key}", "legendgroup": str(k), "showlegend": n == 0}
            x = list(values) if column.is_number else list(range(len(values)))
            traces.append({"x": x, "y": p[:, k], "name": name} | shape | colour | common)
        room = ROOM if len(values) <= FEW else LESS_ROOM
        ticks = {} if column.is_number else {"tickvals": x, "ticktext": [shorten(v, room) for v in values]}
        layout[f"xaxis{key}"] = {"domain": domain[0], "anchor": f"y{key}", "tickfont": {"size": size - 1}} | ticks
        layout[f"xaxis{key}"] |= {"automargin": False, "nticks": 5 if column.is_number else 0, "showgrid": False}
        layout[f"xaxis{key}"]["zeroline"] = False
        layout[f"yaxis{key}"] = {"domain": domain[1], "anchor": f"x{key}", "tickfont": {"size": size - 1}}
        layout[f"yaxis{key}"] |= {"rangemode": "tozero", "nticks": 4, "automargin": False, "exponentformat": "e"}
        words = {"text": bold(titles[n]), "showarrow": False, "font": {"size": size + 1}}
        at = {"xref": "paper", "yref": "paper", "x": sum(domain[0]) / 2, "y": domain[1][1]}
        at |= {"xanchor": "center", "yanchor": "bottom"}
        layout["annotations"].append(words | at)
    layout["legend"] = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1 + 5 / total_h, "yanchor": "bottom"}
    layout["margin"] = {"l": 20, "r": 20, "t": top, "b": 15}
    return make_figure(traces, layout, dark, total_w, total_h)

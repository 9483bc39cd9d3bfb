"""A nomogram: read each column's points off its own line, add them up, and read the probability off the last line.

P(of | of or against) = 1 / (1 + exp(-(base + unit * points)))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.plots._columns import column_likelihoods, require_additive
from bayesfold.plots._figure import colours, ink, make_figure, shorten, shorten_apart
from bayesfold.runtime.messages import digits
from bayesfold.runtime.text_table import width

OF = "model"
POINTS = 65
WIDTH, LETTER, SCALE_LETTER, SMALL_LETTER = 900, 13, 11, 10
"""The picture's width, and the sizes of letters: of names, of scales, of values."""
RIGHT, RANGE = 30, (-8, 106)
"""The margin on the right, and the points between the margins."""
WIDE, CAPITAL, PLAIN = 1.0, 0.78, 0.64
"""The widths of M and W and of Chinese letters, of capitals, and of the others, in heights of a letter."""
CHANCES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True)
class NomogramLine:
    """Values of a column and their points."""

    name: str
    values: tuple[Any, ...]
    is_number: bool
    points: Floats


@dataclass(frozen=True)
class Nomogram:
    """The columns' lines, the longest first; base + unit x (sum of points) is the log-odds of `of` over `against`."""

    of: Level
    against: Level
    lines: tuple[NomogramLine, ...]
    base: float
    unit: float

    def probability(self, points: Any) -> Any:
        """P(of | of or against) at so many points."""
        return 1 / (1 + np.exp(-np.clip(self.base + self.unit * np.asarray(points, np.float64), -700, 700)))


def data(clf: Any, of: Any = None, against: Any = None) -> Nomogram:
    """The points of two classes: `of` and `against`, or the two most frequent ones (of two: the second's)."""
    classes, prior, columns = column_likelihoods(require_additive(clf), POINTS)
    if len(classes) < 2:
        raise ValueError(
            "a nomogram compares two classes, and this model knows only one; fit it on rows of several classes"
        )
    if not columns:
        raise ValueError(
            "a nomogram has one line per column of numbers or categories, and this model reads none; draw the "
            "waterfall of a row's explanation"
        )
    order = np.argsort(-prior, kind="stable").tolist() if len(classes) > 2 else [1, 0]
    places = {c: k for k, c in enumerate(classes)}
    for label in (of, against):
        if label is not None and label not in places:
            raise ValueError(f"{label!r} is not a class; the classes are {', '.join(map(repr, classes))}")
    a = places[of] if of is not None else next(k for k in order if classes[k] != against)
    b = places[against] if against is not None else next(k for k in order if k != a)
    odds = [column.log_p[:, a] - column.log_p[:, b] for column in columns]
    longest = max((float(np.ptp(o)) for o in odds), default=0.0)
    unit = longest / 100 if longest > 0 else 1.0
    lines = [
        NomogramLine(column.name, column.values, column.is_number, (o - o.min()) / unit)
        for column, o in zip(columns, odds, strict=True)
    ]
    base = float(prior[a] - prior[b] + sum(o.min() for o in odds))
    return Nomogram(classes[a], classes[b], tuple(sorted(lines, key=lambda one: -np.ptp(one.points))), base, unit)


def draw(numbers: Nomogram, dark: bool = False) -> Any:
    """The lines, a scale of points above them, and below them the sum's scale where the probability changes."""
    blue, orange, green = colours(dark)[:3]
    names = ["points", *shorten_apart([one.name for one in numbers.lines]), "sum of points"]
    names.append(f"P({shorten(numbers.of, 14)})")
    left = max(60.0, 12 + max(label_width(name, LETTER) for name in names))
    point = (WIDTH - RIGHT - left) / (RANGE[1] - RANGE[0])
    traces = [draw_scale(np.arange(0, 101, 10.0), [str(v) for v in range(0, 101, 10)], 0, ink(dark), point)]
    for row, one in enumerate(numbers.lines, 1):
        traces += draw_column(one, row, blue if one.is_number else orange, dark, point)
    last = len(numbers.lines) + 1
    low, high = shown_range(numbers)
    step = 10 ** np.floor(np.log10(high - low))
    step /= 1 if (high - low) / step > 4 else 4
    totals = np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) * step
    sums = [f"{t + 0.0:g}" for t in totals]
    traces.append(draw_scale((totals - low) / (high - low) * 100, sums, last, ink(dark), point))
    at = (np.log(CHANCES) - np.log1p(-np.array(CHANCES)) - numbers.base) / numbers.unit
    seen = (at >= low - 1e-9) & (at <= high + 1e-9)
    places, chances = (at[seen] - low) / (high - low) * 100, [f"{c:g}" for c in np.array(CHANCES)[seen]]
    if not seen.any():
        places, chances = np.array([0.0, 100.0]), [f"{numbers.probability(t):.2g}" for t in (low, high)]
    traces.append(draw_scale(places, chances, last + 1, green, point))
    layout = {
        "title": {"text": f"Points for {shorten(numbers.of)} against {shorten(numbers.against)}"},
        "xaxis": {"visible": False, "range": list(RANGE)},
        "yaxis": {"tickvals": list(range(len(names))), "ticktext": names, "range": [last + 1.7, -0.7]}
        | {"showgrid": True, "zeroline": False},
        "showlegend": False,
        "meta": {"smallest_letter": SMALL_LETTER},
        "margin": {"l": 60, "r": RIGHT, "t": 60, "b": 10},
    }
    return make_figure(traces, layout, dark, WIDTH, 80 + 46 * len(names))


def shown_range(numbers: Nomogram) -> tuple[float, float]:
    """The sums of points worth showing: those whose probability is neither 0 nor 1, if there are any."""
    most = max(sum(float(one.points.max()) for one in numbers.lines), 1e-9)
    ends = (np.log(CHANCES[0] / (1 - CHANCES[0])) * np.array([1, -1]) - numbers.base) / numbers.unit
    low, high = (float(np.clip(end, 0, most)) for end in ends)
    return (low, high) if high - low > 1e-6 * most else (0.0, most)


def draw_scale(x: Any, labels: list[str], row: int, colour: str, point: float) -> dict[str, Any]:
    """A ruled line from 0 to 100 with marks, labelled where there is room; `point` is the width of one, in pixels."""
    widths = [label_width(label, SCALE_LETTER) / point for label in labels]
    kept = place_labels(np.asarray(x).tolist(), widths, [(1,)] * len(labels))
    words = ["", *(label if keep else "" for label, keep in zip(labels, kept, strict=True)), ""]
    places = [0.0, *np.asarray(x).tolist(), 100.0]
    return {
        "x": places,
        "y": [row] * len(places),
        "mode": "lines+markers+text",
        "line": {"color": colour, "width": 2},
        "marker": {"symbol": "line-ns", "size": 9, "color": colour, "line": {"width": 2, "color": colour}},
        "text": words,
        "textposition": "top center",
        "textfont": {"size": SCALE_LETTER},
        "hoverinfo": "x",
        "cliponaxis": False,
    }


def draw_column(one: NomogramLine, row: int, colour: str, dark: bool, point: float) -> list[dict[str, Any]]:
    """A column's values on its line; a number's rise along the line, because the line may turn back."""
    count = len(one.values)
    if one.is_number:
        y = row + np.linspace(0.2, -0.2, count)
        ticks = sorted({round(t) for t in np.linspace(0, count - 1, min(5, count))} | {int(one.points.argmax())})
    else:
        y, ticks = np.full(count, float(row)), list(range(count))
    sides = [((1,) if y[t] <= row else (-1,)) if one.is_number else (1, -1) for t in ticks]  # y points down
    labels = [digits(one.values[t]) if one.is_number else shorten(one.values[t], 14) for t in ticks]
    x = one.points[ticks].tolist()
    kept = place_labels(x, [label_width(label, SMALL_LETTER) / point for label in labels], sides)
    hover = [f"{one.name} = {digits(v, 4)}: " if one.is_number else f"{one.name} = {v}: " for v in one.values]
    order = np.arange(count) if one.is_number else np.argsort(one.points)
    body = {
        "x": one.points[order],
        "y": y[order],
        "mode": "lines",
        "line": {"color": colour, "width": 2},
        "text": [f"{hover[k]}{one.points[k]:.1f} points" for k in order],
        "hoverinfo": "text",
        "cliponaxis": False,
    }
    marks = {
        "x": x,
        "y": y[ticks],
        "mode": "markers+text",
        "marker": {"size": 6, "color": colour},
        "text": [label if keep else "" for label, keep in zip(labels, kept, strict=True)],
        "textposition": ["bottom center" if keep < 0 else "top center" for keep in kept],
        "textfont": {"size": SMALL_LETTER, "color": ink(dark)},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return [body, marks]


def place_labels(x: list[float], widths: list[float], sides: Sequence[tuple[int, ...]]) -> list[int]:
    """1: the label stands above its mark, -1: below, 0: there is no room for it on the sides it may take.

    >>> place_labels([0.0, 1.0, 2.0, 50.0], [3.0, 5.0, 4.0, 1.0], [(1, -1)] * 4)
    [1, -1, 0, 1]
    """
    free = {1: -np.inf, -1: -np.inf}
    kept = [0] * len(x)
    for k in sorted(range(len(x)), key=lambda i: x[i]):
        half = widths[k] / 2
        for side in sides[k]:
            if x[k] - half >= free[side]:
                kept[k], free[side] = side, x[k] + half
                break
    return kept


def label_width(text: str, size: float) -> float:
    """The width of a text and of a gap behind it, in pixels, no less than in any of the fonts of a figure.

    >>> [round(label_width(text, 10)) for text in ("il", "Wi", "列名")]
    [19, 23, 26]
    """
    letters = (WIDE if width(c) > 1 or c in "MW@%…" else CAPITAL if c.isupper() else PLAIN * width(c) for c in text)
    return size * (sum(letters) + PLAIN)

"""How one row's log-odds come about: the prior, then each column, the weightiest first, up to the sum."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.explanations.explanation import Explanation, is_missing, meaning_of, print_value
from bayesfold.plots._figure import LONGEST_NAME, Markup, bold, colours, ink, make_figure, shorten, shorten_apart

OF = "row"
NARROW = 12
"""Letters of a name on a narrow screen."""
ROUNDING = 1e-9
"""A line that is no column's and says no more than this is not drawn."""


@dataclass(frozen=True)
class Waterfall:
    """The parts with their values, where each begins and how far it goes; the last end is the row's log-odds."""

    caption: str
    decision: str
    against: str
    parts: tuple[str, ...]
    values: tuple[str, ...]
    begins: Floats
    contributions: Floats


def data(explanation: Explanation) -> Waterfall:
    """The steps of one row: `clf.explain(X)[0]`."""
    reasons = [r for r in explanation.reasons if not meaning_of(r.part) or abs(r.contribution) > ROUNDING]
    steps = np.array([r.contribution for r in reasons])
    values = tuple("" if is_missing(r.value) else print_value(r.value, 4) for r in reasons)
    names = tuple(r.part for r in reasons)
    begins = np.concatenate([[0.0], np.cumsum(steps)[:-1]])
    ends = (str(explanation.decision), str(explanation.against))
    return Waterfall(explanation.caption, *ends, names, values, begins, steps)


def draw(numbers: Waterfall, dark: bool = False, narrow: bool = False) -> Any:
    """The steps as bars, top to bottom, and their sum; `narrow` ones with shorter names beside them."""
    up, down = colours(dark)[:2]
    total = float(numbers.contributions.sum())
    steps = [*numbers.contributions.tolist(), total]
    begins = [*numbers.begins.tolist(), 0.0]
    most = NARROW if narrow else LONGEST_NAME
    shown = [
        part + (f" = {shorten(value, most // 2 + 1)}" if value else "")
        for part, value in zip(shorten_apart(numbers.parts, most), numbers.values, strict=True)
    ]
    shown.append(bold("sum"))
    places = list(range(len(steps)))
    low, high = min(0.0, *begins, total), max(0.0, *begins, total)
    room = (0.3 if narrow else 0.17) * max(high - low, 1e-9)  # for the number beside a bar
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": steps,
        "y": places,
        "base": begins,
        "marker": {"color": [up if s >= 0 else down for s in steps], "line": {"width": 0}},
        "text": [f"{s:+.2f}" for s in steps],
        "textposition": "outside",
        "cliponaxis": False,
        "customdata": [*numbers.parts, "sum"],
        "hovertemplate": Markup("%{customdata}: %{x:+.4f}<extra></extra>"),
    }
    for_decision, for_other = shorten(numbers.decision, 18), shorten(numbers.against, 18)
    layout = {
        "title": {"text": f"{for_decision} against {for_other}: log-odds {total:+.2f}"},
        "xaxis": {
            "title": {"text": f"for {for_other} ← log-odds → for {for_decision}"},
            "range": [low - room, high + room],
            "zerolinecolor": ink(dark, faint=True),
        },
        "yaxis": {"tickvals": places, "ticktext": shown, "autorange": "reversed", "showgrid": False, "zeroline": False},
        "bargap": 0.25,
        "showlegend": False,
    }
    return make_figure([bars], layout, dark, 370 if narrow else 720, 160 + 26 * len(places))

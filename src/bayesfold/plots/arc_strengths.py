"""How sure each arc of a learned network is, by samples or given the rows, and which way it points."""

from dataclasses import dataclass
from typing import Any

from bayesfold.plots._figure import Markup, colours, escape_text, ink, make_figure, shorten

OF = "arcs"
MOST_ARCS = 60
"""Arcs that there is room for; the weakest are left out."""
LINE, AROUND = 22, 190
"""Height of one arc, and of everything around them, in pixels."""


@dataclass(frozen=True)
class Strengths:
    """(parent, child, strength, direction) of each arc, strongest first; how many weaker ones; what the shares are."""

    arcs: tuple[tuple[str, str, float, float], ...]
    left_out: int
    threshold: float
    caption: str


def data(source: Any) -> Strengths:
    """The strengths of a network that was learned with bootstrap= or posterior=, or these themselves."""
    strengths = getattr(source, "strengths", source) or getattr(source, "posterior", None)
    if strengths is None:
        raise ValueError(
            "how sure the arcs of this network are is not known; learn it with learn_network(..., bootstrap=200) or "
            "posterior=True"
        )
    pairs = strengths.pairs()
    return Strengths(tuple(pairs[:MOST_ARCS]), max(0, len(pairs) - MOST_ARCS), strengths.threshold, strengths.caption)


def draw(numbers: Strengths, dark: bool = False) -> dict[str, Any]:
    """A bar for each arc: the strong part of it points as the arc does, the other part the other way."""
    names = [f"{shorten(a, 18)} → {shorten(b, 18)}" for a, b, _, _ in numbers.arcs]
    this_way = [strength * direction for _, _, strength, direction in numbers.arcs]
    other_way = [strength - part for (_, _, strength, _), part in zip(numbers.arcs, this_way, strict=True)]
    over = [
        Markup(f"{a} and {b} are joined: {s:.1%}<br>{a} → {b} in {d:.0%} of these")
        for a, b, s, d in ((escape_text(a), escape_text(b), s, d) for a, b, s, d in numbers.arcs)
    ]
    rows = list(range(len(names)))
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": shares,
            "y": rows,
            "marker": {"color": colour},
            "hovertext": over,
            "hoverinfo": "text",
        }
        for name, shares, colour in (
            ("as written", this_way, colours(dark)[0]),
            ("the other way", other_way, ink(dark, faint=True)),
        )
    ]
    line = {
        "type": "line", "x0": numbers.threshold, "x1": numbers.threshold, "y0": -0.5, "y1": len(rows) - 0.5,
        "line": {"color": colours(dark)[1], "width": 2, "dash": "dash"},
    }  # fmt: skip
    more = f"; {numbers.left_out} weaker ones are left out" if numbers.left_out else ""
    layout = {
        "title": {
            "text": Markup(f"Arcs by {escape_text(numbers.caption)}<br>those beyond the line are taken for real{more}")
        },
        "barmode": "stack",
        "xaxis": {"title": {"text": "how sure it is that the two are joined"}, "range": [0, 1], "tickformat": ".0%"},
        "yaxis": {"autorange": "reversed", "tickvals": rows, "ticktext": names, "showgrid": False},
        "shapes": [line],
        "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "bottom", "yref": "container"},
        "margin": {"t": 80, "b": 90},
    }
    return make_figure(bars, layout, dark, 820, AROUND + LINE * max(1, len(rows)))

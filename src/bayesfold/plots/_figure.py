"""What all pictures share: colours that everyone can tell apart, dark and light, and the only import of plotly.

A figure is what plotly's script takes, as plain dicts: pages hold it with that script, and only who wants an object of
plotly's Python library (`as_plotly`) waits for that to load.

plotly reads `<b>`, `<br>` and `<a href=...>` in every text. Names of columns, classes and nodes are not ours, so
`make_figure` escapes every text but what a picture has declared as `Markup`.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import Any

from bayesfold.runtime.messages import alike_until
from bayesfold.runtime.text_table import width

LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DARK = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#F0E442")
"""Okabe and Ito's colours; past the sixth, the dashes of lines and the marks of points differ."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross")
LONGEST_NAME = 26
MISSING = "pictures are drawn by plotly: pip install 'bayesfold[plot]'"


class Markup(str):
    """Text in which `<b>` and `<br>` are meant; names that go into it are escaped with `escape_text` first."""

    __slots__ = ()


def escape_text(text: Any) -> str:
    """A text that plotly shows as it is written, whatever it holds.

    >>> escape_text("a<b> & %{x}")
    'a&lt;b&gt; &amp; %\u200b{x}'
    """
    return escape(str(text), quote=False).replace("%{", "%\u200b{")


def bold(text: Any) -> Markup:
    """A text in bold letters."""
    return Markup(f"<b>{escape_text(text)}</b>")


NUMBERS = frozenset({int, float, bool})
"""Types of numbers in JSON."""


def make_figure(
    traces: Sequence[dict[str, Any]], layout: Mapping[str, Any], dark: bool, width: int, height: int
) -> dict[str, Any]:
    """A figure of traces and a layout, in the colours and letters of all pictures."""
    ink, paper, lines = ("#E8E8E8", "#16181C", "#3A3F47") if dark else ("#1B1B1B", "#FFFFFF", "#DADADA")
    common = {
        "width": width,
        "height": height,
        "paper_bgcolor": paper,
        "plot_bgcolor": paper,
        "colorway": list(colours(dark)),
        "font": {"color": ink, "size": 13, "family": "DejaVu Sans, Verdana, Arial, sans-serif"},
        "margin": {"l": 60, "r": 30, "t": 70, "b": 60},
        "title": {"x": 0.02, "y": 1, "yanchor": "top", "yref": "container", "pad": {"t": 22}, "font": {"size": 16}},
        "hoverlabel": {"font": {"size": 12}},
        "legend": {"bgcolor": "rgba(0,0,0,0)"},
    }
    axis = {"gridcolor": lines, "zerolinecolor": lines, "linecolor": lines, "automargin": True}
    axis |= {"title": {"standoff": 8}}
    named = {key: merge_dicts(axis, value) if key[1:].startswith("axis") else value for key, value in layout.items()}
    return {"data": [to_json_values(trace) for trace in traces], "layout": to_json_values(merge_dicts(common, named))}


def merge_dicts(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the second's word where they differ; dicts within them likewise.

    >>> merge_dicts({"title": {"x": 0.02}, "width": 500}, {"title": {"text": "Rows"}})
    {'title': {'x': 0.02, 'text': 'Rows'}, 'width': 500}
    """
    both = [key for key in more if isinstance(more[key], Mapping) and isinstance(base.get(key), Mapping)]
    return {**base, **more, **{key: merge_dicts(base[key], more[key]) for key in both}}


def to_json_values(value: Any) -> Any:
    """Values as JSON has them: arrays are lists, what is no number is null, a gap, and text is escaped.

    >>> to_json_values({"x": (1, float("nan")), "text": ["a<b", bold("a<b")]})
    {'x': [1, None], 'text': ['a&lt;b', '<b>a&lt;b</b>']}
    """
    if isinstance(value, str):
        return str(value) if isinstance(value, Markup) else escape_text(value)
    if isinstance(value, Mapping):
        return {str(key): to_json_values(one) for key, one in value.items()}
    if hasattr(value, "tolist"):
        return to_json_values(value.tolist())
    if isinstance(value, list | tuple):
        if NUMBERS.issuperset(map(type, value)):  # thousands in a curve: no call for each
            return [one if type(one) is not float or math.isfinite(one) else None for one in value]
        return [to_json_values(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_plotly(drawn: Mapping[str, Any]) -> Any:
    """The figure as an object of plotly's own, to be shown in a notebook, changed, or drawn as a static file."""
    try:
        import plotly.graph_objects as go  # it takes as long to load as all the rest
    except ImportError:
        raise ImportError(MISSING) from None
    return go.Figure({"data": drawn["data"], "layout": {**drawn["layout"], "template": {}}})


def colours(dark: bool) -> tuple[str, ...]:
    """The colours of classes, in order."""
    return DARK if dark else LIGHT


def line_style(k: int, dark: bool) -> dict[str, Any]:
    """The line of the k-th class."""
    shades = colours(dark)
    return {"color": shades[k % len(shades)], "dash": DASHES[k // len(shades) % len(DASHES)], "width": 2} | {
        "simplify": False
    }


def marker_style(k: int, dark: bool) -> dict[str, Any]:
    """The mark of the k-th class."""
    shades = colours(dark)
    return {"color": shades[k % len(shades)], "symbol": SYMBOLS[k // len(shades) % len(SYMBOLS)], "size": 7}


def ink(dark: bool, faint: bool = False) -> str:
    """The colour of words, or of what stands back."""
    return ("#8A9099" if faint else "#E8E8E8") if dark else ("#8A8A8A" if faint else "#1B1B1B")


def legend_of_curves(curves: int, side: str) -> tuple[dict[str, Any], int]:
    """Where the names of curves stand: in the lower corner of this side, many of them beside the picture; and how many
    pixels they take there."""
    if curves <= len(LIGHT):
        x = 0.98 if side == "right" else 0.02
        corner = {"x": x, "y": 0.02, "xanchor": side, "yanchor": "bottom"}
        return corner | {"bgcolor": "rgba(0,0,0,0)"}, 0
    return {"x": 1.02, "y": 1, "xanchor": "left", "yanchor": "top"}, 240


def shorten(name: Any, most: int = LONGEST_NAME) -> str:
    """A name that fits beside an axis: its beginning and its end, because names that begin alike often end apart.

    most: how wide it may be, in letters; a Chinese one is as wide as two.

    >>> shorten("a column with a very long name indeed"), shorten("患者入院时的收缩压和舒张压测量值")
    ('a column with a…ame indeed', '患者入院时的收…张压测量值')
    """
    text = str(name)
    if width(text) <= most:
        return text
    end = most * 2 // 5
    return f"{cut_to_width(text, most - 1 - end)}…{cut_to_width(text[::-1], end)[::-1]}"


def shorten_apart(names: Sequence[Any], most: int = LONGEST_NAME) -> list[str]:
    """Names that fit beside an axis and still differ: of those that would be cut alike, what is not in all is kept.

    >>> shorten_apart([f"measurement {k:03d} of the spectrometer" for k in (7, 14)], 20)
    ['measurem…07 of the …', 'measurem…14 of the …']
    """
    short = [shorten(name, most) for name in names]
    for cut in {one for one, name in zip(short, names, strict=True) if one != str(name)}:
        alike = [k for k, one in enumerate(short) if one == cut]
        begin = alike_until([str(names[k]) for k in alike])
        for k in alike if len({str(names[k]) for k in alike}) > 1 else ():
            head, rest = cut_to_width(str(names[k]), most * 2 // 5), str(names[k])[begin:]
            room = most - 1 - width(head)
            short[k] = f"{head}…{rest if width(rest) <= room else cut_to_width(rest, room - 1) + '…'}"
    return short


def cut_to_width(text: str, most: int) -> str:
    """As many characters of a text as are not wider than this."""
    return text[: bisect_right(list(accumulate(map(width, text))), most)]

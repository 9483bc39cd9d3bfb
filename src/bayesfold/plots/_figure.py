"""What all pictures share: colours that everyone can tell apart, dark and light, and the only import of plotly."""

from collections.abc import Sequence
from typing import Any

LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DARK = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#F0E442")
"""Okabe and Ito's colours; past the sixth, the dashes of lines and the marks of points differ."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross")
LONGEST_NAME = 26


def figure(traces: Sequence[dict[str, Any]], layout: dict[str, Any], dark: bool, width: int, height: int) -> Any:
    """A plotly figure of traces and a layout given as dicts."""
    try:
        import plotly.graph_objects as go
    except ImportError:
        raise ImportError("pictures are drawn by plotly: pip install 'bayesfold[plot]'") from None
    ink, paper, lines = ("#E8E8E8", "#16181C", "#3A3F47") if dark else ("#1B1B1B", "#FFFFFF", "#DADADA")
    common = {
        "width": width,
        "height": height,
        "paper_bgcolor": paper,
        "plot_bgcolor": paper,
        "colorway": list(colours(dark)),
        "font": {"color": ink, "size": 13, "family": "DejaVu Sans, Verdana, Arial, sans-serif"},
        "margin": {"l": 60, "r": 30, "t": 70, "b": 60},
        "title_x": 0.02,
        "title_font_size": 16,
        "hoverlabel": {"font_size": 12},
        "legend": {"bgcolor": "rgba(0,0,0,0)"},
    }
    axis = {"gridcolor": lines, "zerolinecolor": lines, "linecolor": lines, "automargin": True, "title_standoff": 8}
    named = {key: axis | value if key[1:].startswith("axis") else value for key, value in layout.items()}
    return go.Figure({"data": list(traces), "layout": common | named})


def script() -> str:
    """plotly's own script, for pages that hold several figures."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def colours(dark: bool) -> tuple[str, ...]:
    """The colours of classes, in order."""
    return DARK if dark else LIGHT


def line(k: int, dark: bool) -> dict[str, Any]:
    """The line of the k-th class."""
    shades = colours(dark)
    return {"color": shades[k % len(shades)], "dash": DASHES[k // len(shades) % len(DASHES)], "width": 2} | {
        "simplify": False
    }


def mark(k: int, dark: bool) -> dict[str, Any]:
    """The mark of the k-th class."""
    shades = colours(dark)
    return {"color": shades[k % len(shades)], "symbol": SYMBOLS[k // len(shades) % len(SYMBOLS)], "size": 7}


def ink(dark: bool, faint: bool = False) -> str:
    """The colour of words, or of what stands back."""
    return ("#8A9099" if faint else "#E8E8E8") if dark else ("#8A8A8A" if faint else "#1B1B1B")


def short(name: Any, most: int = LONGEST_NAME) -> str:
    """A name that fits beside an axis: its beginning and its end, because names that begin alike often end apart.

    >>> short("a column with a very long name indeed")
    'a column with a…ame indeed'
    """
    text = str(name)
    return text if len(text) <= most else f"{text[: most - 1 - most * 2 // 5]}…{text[-(most * 2 // 5) :]}"


def digits(value: float, most: int = 3) -> str:
    """A number in few characters, without an exponent up to a million.

    >>> digits(1447.39), digits(0.87277), digits(7.977e-7), digits(12345678.0)
    ('1450', '0.873', '7.98e-07', '1.23e+07')
    """
    return f"{float(f'{value:.{most}g}'):g}"

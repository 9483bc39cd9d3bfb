"""Pictures, one file each: `data(...)` gives the numbers, `draw(numbers, dark=False)` what plotly draws, as dicts.

OF says what `data` is given first, when the picture is drawn by its name alone:

"model"    a fitted classifier
"network"  the same, or a Bayesian network
"row"      the explanation of a row
"rows"     (labels, probabilities, classes) of rows
"learner"  a classifier that is to be fitted, rows, and their labels
"arcs"     a network that was learned, with what is known of how
"networks" two networks of the same nodes, learned or not

`plot` does both and gives a plotly figure, `save` writes a page that needs nothing else, or a static file. The numbers
need no plotly.

>>> names()
['arc_strengths', 'calibration', 'confusion', 'cost_curve', 'densities', 'learning_curve', ..., 'waterfall']
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bayesfold.plots import _figure, _page
from bayesfold.runtime.atomic_file import write
from bayesfold.runtime.registry import Plugs


def plot(name: str, *source: Any, dark: bool = False, **choices: Any) -> Any:
    """A plotly figure of the picture in the file of that name; arguments are those of its `data`."""
    picture = find(name)
    return _figure.as_plotly(picture.draw(picture.data(*source, **choices), dark=dark))


def save(figure: Any, path: Any) -> Path:
    """Write a figure, plotly's or what `draw` gives: .html is a page that needs no network; .png, .svg and .pdf are
    drawn by kaleido with Chrome.
    """
    target = Path(path)
    kinds = (".html", ".png", ".svg", ".pdf")
    if target.suffix not in kinds:
        raise ValueError(
            f"cannot save a figure as {target.suffix or 'a file without ending'!r}; use {', '.join(kinds)}"
        )
    if target.suffix == ".html":
        drawn = figure if isinstance(figure, Mapping) else json.loads(figure.to_json())
        write(target, _page.make_page(drawn))
        return target
    image = _figure.as_plotly(figure) if isinstance(figure, Mapping) else figure
    try:
        image.write_image(target, scale=2 if target.suffix == ".png" else 1)
    except (ImportError, ValueError, RuntimeError) as error:
        raise RuntimeError(
            f"{target.suffix} needs the package kaleido and a Chrome or Chromium ({type(error).__name__}); install "
            "them, or save as .html, which needs neither"
        ) from error
    return target


def script() -> bytes:
    """The script that draws figures in a page, to be put into it once."""
    return _page.read_script()


PLUGS = Plugs(__name__, "picture")
names, find = PLUGS.names, PLUGS.load
__getattr__ = PLUGS.attribute


def __dir__() -> list[str]:
    return [*names(), "find", "names", "plot", "save", "script"]

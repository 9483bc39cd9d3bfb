"""A figure in a page: as large as there is room, and to be read on a telephone too.

`FIT` is the script that all pages share. On a narrow screen a figure is drawn as its `narrow` says, if it has such a
drawing, and long titles take several lines. Where words stand beside marks, as in boxes, a figure (its layout has a
`meta.smallest_letter`) becomes smaller with its letters, as long as they are legible; then it is moved sideways.
"""

import json
import re
from collections.abc import Mapping
from html import escape, unescape
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any

from bayesfold.plots._figure import MISSING, merge_dicts

FIT = """
const LEAST_WIDTH = 300, LEAST_LETTER = 7, SMALL = 480;
function fit(figure, room, rise) {
  const isNarrow = Boolean(figure.narrow) && room < 0.7 * figure.layout.width;
  const {data, layout: own} = isNarrow ? figure.narrow : figure;
  const grown = Math.max(1, Math.min(room / own.width, rise / own.height, 2));
  const letter = own.meta && own.meta.smallest_letter;
  if (letter && room < own.width) {
    return {data, layout: own, zoom: Math.min(1, Math.max(room / own.width, LEAST_LETTER / letter))};
  }
  const width = Math.max(LEAST_WIDTH, Math.min(room, own.width * grown));
  const lower = !isNarrow && width < SMALL && width < own.width && own.height > width;
  const layout = {...own, width, height: own.height * (lower ? Math.max(0.75, width / SMALL) : grown)};
  if (width < own.width || width < SMALL) {
    layout.title = fold(own.title, width - 20, 15);
    for (const key of Object.keys(own)) {
      const across = key.startsWith("xaxis"), axis = own[key];
      if ((across || key.startsWith("yaxis")) && axis.title) {
        const part = axis.domain ? axis.domain[1] - axis.domain[0] : 1;
        layout[key] = {...axis, title: fold(axis.title, 0.75 * part * (across ? width : layout.height), 13)};
      }
    }
  }
  return {data, layout, zoom: 1};
}
function fold(title, room, size) {
  const lines = [];
  for (const word of (title.text || "").split(" ")) {
    const longer = lines.length ? lines[lines.length - 1] + " " + word : word;
    const length = [...longer.slice(longer.lastIndexOf(">") + 1)].reduce((n, c) => n + (c > "\\u2e7f" ? 1 : 0.6), 0);
    if (lines.length && length * size <= room) lines[lines.length - 1] = longer; else lines.push(word);
  }
  return {...title, font: {...title.font, size}, text: lines.join("<br>")};
}
function show(place, figure, room, rise, config) {
  const {data, layout, zoom} = fit(figure, room, rise);
  place.style.cssText += `;width:${layout.width}px;height:${layout.height}px;transform-origin:0 0;` +
    `transform:${zoom < 1 ? `scale(${zoom})` : "none"};margin-bottom:${(zoom - 1) * layout.height}px;` +
    `margin-right:${(zoom - 1) * layout.width}px`;
  Plotly.react(place, data, layout, config);
}
"""
"""`show` draws a figure in its place, whose room is so wide and so high."""

FILL = """
const place = document.getElementById("figure"), edge = 16;
function draw() { show(place, figure, window.innerWidth - edge, window.innerHeight - edge, {responsive: false}); }
draw();
window.addEventListener("resize", draw);
"""


def draw_for_pages(picture: Any, numbers: Any, dark: bool) -> dict[str, Any]:
    """What a picture's `draw` gives, and as "narrow" what it draws on a narrow screen, if that is something else."""
    figure: dict[str, Any] = picture.draw(numbers, dark=dark)
    if "narrow" in signature(picture.draw).parameters:
        figure["narrow"] = picture.draw(numbers, dark=dark, narrow=True)
    return figure


def title_of(layout: Mapping[str, Any]) -> str:
    """The title of a figure as people read it, without marks of plotly's.

    >>> title_of({"title": {"text": "a &lt; b<br><b>or not</b>"}})
    'a < b or not'
    """
    return " ".join(unescape(re.sub("<[^>]*>", " ", layout["title"]["text"])).split())


def read_script() -> bytes:
    """plotly's own script, for pages, as it stands in its file: of plotly's Python nothing is loaded for that."""
    spec = find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(MISSING)
    return (Path(spec.submodule_search_locations[0]) / "package_data" / "plotly.min.js").read_bytes()


def make_page(drawn: Mapping[str, Any]) -> bytes:
    """A page of one figure that needs nothing else."""
    layout = merge_dicts(
        {"title": {"text": "a figure"}, "width": 900, "height": 600, "paper_bgcolor": "#FFFFFF"}, drawn["layout"]
    )
    shown = {**{key: drawn[key] for key in ("data", "narrow") if key in drawn}, "layout": layout}
    numbers = json.dumps(shown, allow_nan=False).replace("<", "\\u003c")
    before = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title_of(layout))}</title></head>"
        f'<body style="margin:0;background:{layout["paper_bgcolor"]};min-height:100vh;display:flex;'
        'align-items:safe center;justify-content:safe center"><div id="figure" style="flex:none"></div><script>'
    )
    after = f"</script><script>const figure = {numbers};\n{FIT}{FILL}</script></body></html>\n"
    return before.encode() + read_script() + after.encode()

"""Boxes of a network's picture: a name, and a bar for each state where it is known how likely they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesfold.plots._figure import bold, colours, ink, shorten
from bayesfold.runtime.text_table import width

CHARACTER, PADDING = 7.6, 22
HIGH, LINE, BAR, NUMBER = 26, 17, 64, 44
"""The heights of a name and of a state, the lengths of a whole bar and of a percentage."""
SMALL_LETTER = 10.5
MOST_STATES = 5
LONGEST_STATE = 18


@dataclass(frozen=True)
class Box:
    """A node: its name, (state, probability) of each line below it, or of a number one line of words."""

    name: str
    lines: tuple[tuple[str, float], ...]
    is_class: bool
    seen: bool
    number: str = ""

    @classmethod
    def of(cls, name: str, beliefs: Mapping[str, float], is_class: bool, seen: bool, number: str = "") -> "Box":
        """The states in their order; of very many the likeliest, and what the others have together."""
        shown = list(beliefs.items())
        if len(shown) > MOST_STATES:
            likeliest = sorted(range(len(shown)), key=lambda i: -shown[i][1])[: MOST_STATES - 1]
            others = sum(p for i, (_, p) in enumerate(shown) if i not in likeliest)
            shown = [*(shown[i] for i in sorted(likeliest)), (f"{len(shown) - len(likeliest)} others", others)]
        return cls(name, tuple((shorten(state, LONGEST_STATE), p) for state, p in shown), is_class, seen, number)

    @property
    def states_width(self) -> float:
        """Room for the names of the states."""
        return CHARACTER * 0.9 * max((width(state) for state, _ in self.lines), default=0)

    @property
    def width(self) -> float:
        """Room for the name, or for the widest line."""
        lines = self.states_width + BAR + NUMBER + 14 if self.lines else 0
        return PADDING + max(CHARACTER * width(self.name), CHARACTER * 0.9 * width(self.number), lines)

    @property
    def height(self) -> float:
        """Room for the name and the lines."""
        below = len(self.lines) + bool(self.number)
        return HIGH + (LINE * below + 6 if below else 0)


def draw_boxes(
    boxes: Mapping[str, Box],
    spots: Mapping[str, tuple[float, float]],
    over: Mapping[str, str],
    scale: float,
    dark: bool,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and words; `spots` are the middles of the boxes, `over` what is said when one is pointed at."""
    shapes, words = [], []
    wide = max((box.width for box in boxes.values()), default=0.0)
    for node, box in boxes.items():
        x, y = spots[node]
        left, top = x - wide / 2, y + box.height / 2
        colour = colours(dark)[1] if box.is_class or box.seen else ink(dark)
        paper = "#16181C" if dark else "#FFFFFF"
        frame = {"color": colour, "width": (2 if box.is_class or box.seen else 1) * scale}
        shapes.append(make_rectangle(left, top - box.height, left + wide, top, paper, frame))
        title = bold(box.name) if box.is_class or box.lines or box.number else box.name
        words.append(make_label(x, top - HIGH / 2, title, 12 * scale, "center", dark) | {"hovertext": over[node]})
        if box.number:
            words.append(make_label(x, top - HIGH - LINE / 2, box.number, SMALL_LETTER * scale, "center", dark))
        begin = left + PADDING / 2 + max(other.states_width for other in boxes.values()) + 6
        whole = left + wide - PADDING / 2 - NUMBER - begin
        for k, (state, p) in enumerate(box.lines):
            middle = top - HIGH - LINE * (k + 0.5)
            words.append(make_label(left + PADDING / 2, middle, state, SMALL_LETTER * scale, "left", dark))
            words.append(make_label(left + wide - PADDING / 2, middle, f"{p:.1%}", SMALL_LETTER * scale, "right", dark))
            fill = colours(dark)[1 if box.seen else 0]
            shapes.append(make_rectangle(begin, middle - 5, begin + whole * p, middle + 5, fill, {"width": 0}))
    return shapes, words


def make_rectangle(x0: float, y0: float, x1: float, y1: float, fill: str, line: dict[str, Any]) -> dict[str, Any]:
    """A filled rectangle, before everything that is drawn below."""
    return {"type": "rect", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "fillcolor": fill, "line": line, "layer": "above"}


def make_label(x: float, y: float, text: str, size: float, side: str, dark: bool) -> dict[str, Any]:
    """A text with its middle, its beginning or its end at a place."""
    return {"x": x, "y": y, "text": text, "showarrow": False, "xanchor": side, "yanchor": "middle", "borderpad": 0} | {
        "font": {"size": round(size, 1), "color": ink(dark)}
    }

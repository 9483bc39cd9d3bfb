"""Two networks of the same nodes side by side: arcs in both, arcs in one only, arcs of different direction.

Arcs whose direction data cannot tell are lines without a head (CPDAG).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bayesfold.networks.learning.comparison import compare
from bayesfold.networks.learning.equivalence import find_pattern, joined_pairs
from bayesfold.plots._boxes import SMALL_LETTER, Box, draw_boxes
from bayesfold.plots._figure import colours, ink, make_figure, shorten
from bayesfold.plots._paths import HEAD, points_along, svg_curve
from bayesfold.plots._rows import Edge, RowLayout, lay_out_rows

OF = "networks"
MOST_NODES = 60
LONGEST = 16
WIDTH, GAP, BETWEEN, TOP, APART = 620, 14, 46, 84, 60
"""The widest row of a network, beside boxes, between rows, for titles, and between the networks, in pixels."""


@dataclass(frozen=True)
class TwoNetworks:
    """Nodes; the pairs that either joins, in an order without circles; how each joins them: "->", "<-", "-" or ""."""

    nodes: tuple[str, ...]
    pairs: tuple[Edge, ...]
    signs: tuple[tuple[str, str], ...]
    names: tuple[str, str]
    distance: int


def data(one: Any, other: Any, names: Sequence[str] = ("the first", "the second")) -> TwoNetworks:
    """Two networks, or what `learn_network` gave, and what they are called."""
    first, second = one.dag, other.dag
    comparison = compare(first, second)
    if len(first.names) > MOST_NODES:
        raise ValueError(
            f"a picture has room for {MOST_NODES} nodes, and these networks have {len(first.names):,}; compare() lists "
            "the arcs that differ"
        )
    rank = {first.names[v]: k for k, v in enumerate(first.order)}
    first_pattern, second_pattern = find_pattern(first), find_pattern(second)
    either = {pair for pattern in (first_pattern, second_pattern) for pair in joined_pairs(pattern)}
    pairs = sorted(tuple(sorted(pair, key=rank.__getitem__)) for pair in either)
    signs = tuple((first_pattern.between(a, b), second_pattern.between(a, b)) for a, b in pairs)
    return TwoNetworks(first.names, tuple((a, b) for a, b in pairs), signs, (names[0], names[1]), comparison.distance)


def draw(numbers: TwoNetworks, dark: bool = False) -> dict[str, Any]:
    """The same boxes twice, with the arcs of each network between them."""
    boxes = {node: Box.of(shorten(node, LONGEST), {}, False, False) for node in numbers.nodes}
    wide = max((box.width for box in boxes.values()), default=0.0)
    rows = lay_out_rows(numbers.nodes, numbers.pairs, wide, GAP, WIDTH)
    high = max((box.height for box in boxes.values()), default=0.0)
    height, panel = (high + BETWEEN) * rows.count, max(rows.width, 200.0)
    lines, shapes, words = [], list[dict[str, Any]](), list[dict[str, Any]]()
    heads: dict[str, list[Any]] = {"x": [], "y": [], "symbol": [], "color": []}
    for k in range(2):
        left = GAP + k * (panel + APART) + (panel - rows.width) / 2

        def place(at: tuple[float, int], left: float = left) -> tuple[float, float]:
            return at[0] + left, height - (high + BETWEEN) * (at[1] + 0.5)

        for pair, sign in zip(numbers.pairs, numbers.signs, strict=True):
            if sign[k]:
                lines.append(draw_arc(numbers, rows, pair, sign, k, place, high, heads, dark))
        over = dict.fromkeys(numbers.nodes, "")
        frames, names = draw_boxes(boxes, {v: place(at) for v, at in rows.spots.items()}, over, 1.0, dark)
        shapes, words = [*shapes, *frames], [*words, *names]
        words.append(
            {
                "x": GAP + k * (panel + APART) + panel / 2,
                "y": height + 12,
                "text": numbers.names[k],
                "showarrow": False,
                "font": {"size": 14, "color": ink(dark)},
            }
        )
    marks = {
        "x": heads["x"],
        "y": heads["y"],
        "mode": "markers",
        "marker": {"symbol": heads["symbol"], "size": 9, "color": heads["color"]},
        "hoverinfo": "skip",
    }
    many = "1 pair is joined" if numbers.distance == 1 else f"{numbers.distance} pairs are joined"
    width = 2 * panel + APART + 2 * GAP
    layout = {
        "title": {"text": f"{many} differently" if numbers.distance else "The networks say the same"},
        "xaxis": {"visible": False, "range": [0, width], "fixedrange": True},
        "yaxis": {"visible": False, "range": [0, height + 30], "fixedrange": True},
        "margin": {"l": 0, "r": 0, "t": TOP - 24, "b": 0},
        "showlegend": False,
        "meta": {"smallest_letter": SMALL_LETTER},
        "shapes": [*lines, *shapes],
        "annotations": words,
    }
    return make_figure([marks], layout, dark, round(width), round(height + 30) + TOP)


def draw_arc(
    numbers: TwoNetworks,
    rows: RowLayout,
    pair: Edge,
    sign: tuple[str, str],
    k: int,
    place: Any,
    high: float,
    heads: dict[str, list[Any]],
    dark: bool,
) -> dict[str, Any]:
    """The line of one pair in the k-th network; its head is added to the others'."""
    same, alone = sign[0] == sign[1], not sign[1 - k]
    colour = ink(dark, faint=True) if same else colours(dark)[k] if alone else colours(dark)[2]
    room = (HEAD if sign[k] == "<-" else 0, HEAD if sign[k] == "->" else 0)
    points = points_along(rows.paths[pair], place, [high] * rows.count, (high, high), room)
    if sign[k] != "-":
        x, y = points[-1] if sign[k] == "->" else points[0]
        down = sign[k] == "->"
        for key, value in zip(
            heads, (x, y - 2 if down else y + 2, f"triangle-{'down' if down else 'up'}", colour), strict=True
        ):
            heads[key].append(value)
    style = {"color": colour, "width": 1.5 if same else 2.2, "dash": "solid" if same or alone else "dot"}
    return {"type": "path", "path": svg_curve(points), "layer": "below", "line": style}

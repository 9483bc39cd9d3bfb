"""A network: what depends on what, each thing below all that it depends on, and the class above everything."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bayesfold.plots._figure import colours, figure, ink, short
from bayesfold.plots._rows import Edge, in_rows

MOST_NODES = 80
WIDTH = 960
LONGEST = 18
HEARD = 0.005
"""The weight below which a part of a pool has no say."""
CHARACTER, PADDING, GAP = 8, 22, 16
HIGH, STEP, TOP = 26, 78, 60
"""The height of a box, from one row of boxes to the next, and of the title, in pixels, as all of the figure is."""


@dataclass(frozen=True)
class Structure:
    """Nodes, and (parent, child) of each edge, in the words of `caption`; `target` is the class ("": there is none)."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    target: str
    caption: str

    @property
    def drawn(self) -> tuple[Edge, ...]:
        """Where every column depends on the class, only the edges to columns that depend on nothing else."""
        if {child for parent, child in self.edges if parent == self.target} != set(self.nodes) - {self.target}:
            return self.edges
        others = {child for parent, child in self.edges if parent != self.target}
        return tuple(edge for edge in self.edges if edge[0] != self.target or edge[1] not in others)


def data(source: Any) -> Structure:
    """The graph of a BayesianNetwork, or of a classifier that is one network; of a pool, of the part that says most."""
    if hasattr(source, "edges"):
        return checked(source.nodes, source.edges, "", "What depends on what")
    model, which = source.model_, ""
    if hasattr(model, "members"):
        single = {name: one for name, one in model.members.items() if len(one.mixture.networks) == 1}
        heard = {name for name, weight in zip(model.members, model.weights, strict=True) if abs(weight) >= HEARD}
        which = max(single, key=lambda name: (name in heard, len(beside_the_class(single[name]))), default="")
        model = single.get(which, model.first)
    if len(model.mixture.networks) != 1:
        raise ValueError(
            f"this model joins {len(model.mixture.networks):,} networks, in each of which all columns depend on one "
            "of them; what can be drawn is one network: a NaiveBayes, TAN or KDB"
        )
    names = names_of(model, getattr(source, "target", model.schema.target.name))
    target = names[model.schema.target.name]
    edges = [(names[parent], names[child]) for parent, child in edges_of(model)]
    caption = f"What depends on what{f', in the part {which}' if which else ''}; every column depends on {target}"
    return checked(list(names.values()), edges, target, caption)


def names_of(model: Any, target: str) -> dict[str, str]:
    """What people call the nodes: the class by its column, an encoding by what it is made from, if that is clear."""
    nodes = [child for node in model.mixture.networks[0] for child in node.children]
    found = {model.schema.target.name: target}
    found |= {c.name: getattr(c, "source", "") or c.name for c in model.schema.features if c.name in nodes}
    many = Counter(found.values())
    return {node: found[node] if many[found[node]] == 1 else node for node in nodes}


def edges_of(model: Any) -> list[Edge]:
    """(parent, child) of a classifier's single network."""
    network = model.mixture.networks[0]
    return [(parent, child) for node in network for child in node.children for parent in node.parents]


def beside_the_class(model: Any) -> list[Edge]:
    """The edges between columns."""
    return [edge for edge in edges_of(model) if edge[0] != model.schema.target.name]


def checked(nodes: Sequence[str], edges: Sequence[Edge], target: str, caption: str) -> Structure:
    """The graph, if there is room for it."""
    if len(nodes) > MOST_NODES:
        raise ValueError(f"a picture has room for {MOST_NODES} nodes, and this network has {len(nodes):,}")
    return Structure(tuple(nodes), tuple(edges), target, caption)


def draw(numbers: Structure, dark: bool = False) -> dict[str, Any]:
    """Boxes with names, and curves from parents down to children."""
    box = PADDING + CHARACTER * max((len(short(node, LONGEST)) for node in numbers.nodes), default=1)
    rows = in_rows(numbers.nodes, numbers.drawn, box, GAP, WIDTH, behind=numbers.target)
    words = 8.5 * len(numbers.caption) + 40
    width, height = max(480, words, rows.width + 2 * GAP), TOP + STEP * rows.count

    def pixel(place: tuple[float, int]) -> tuple[float, float]:
        return place[0] + (width - rows.width) / 2, (rows.count - place[1] - 0.5) * STEP

    colour = {edge: ink(dark, faint=True) if edge[0] == numbers.target else colours(dark)[0] for edge in rows.paths}
    lines = [
        {"type": "path", "path": curve([pixel(p) for p in path]), "layer": "below"}
        | {"line": {"color": colour[edge], "width": 1.5}}
        for edge, path in rows.paths.items()
    ]
    ends = [pixel(path[-1]) for path in rows.paths.values()]
    heads = {
        "x": [x for x, _ in ends],
        "y": [y + HIGH / 2 + 5 for _, y in ends],
        "mode": "markers",
        "marker": {"symbol": "triangle-down", "size": 9, "color": list(colour.values())},
        "hoverinfo": "skip",
    }
    layout = {
        "title": {"text": numbers.caption},
        "xaxis": {"visible": False, "range": [0, width], "fixedrange": True},
        "yaxis": {"visible": False, "range": [0, height - TOP], "fixedrange": True},
        "margin": {"l": 0, "r": 0, "t": TOP, "b": 0},
        "showlegend": False,
        "shapes": lines,
        "annotations": [named(numbers, node, pixel(at), box, dark) for node, at in rows.spots.items()],
    }
    return figure([heads], layout, dark, round(width), round(height))


def curve(points: Sequence[tuple[float, float]]) -> str:
    """From the lower side of the first box to the upper side of the last, upright in every row it passes."""
    (x, y), *middle, last = points
    y -= HIGH / 2
    path = f"M {x:.1f},{y:.1f}"
    for next_x, next_y in (*middle, (last[0], last[1] + HIGH / 2 + 7)):
        bend = (y - next_y) / 2
        path += f" C {x:.1f},{y - bend:.1f} {next_x:.1f},{next_y + bend:.1f} {next_x:.1f},{next_y:.1f}"
        x, y = next_x, next_y
    return path


def named(numbers: Structure, node: str, at: tuple[float, float], box: float, dark: bool) -> dict[str, Any]:
    """A box with a name; over it, what it depends on."""
    is_class = node == numbers.target
    given = [parent for parent, child in numbers.edges if child == node]
    return {
        "x": at[0],
        "y": at[1],
        "text": f"<b>{short(node, LONGEST)}</b>" if is_class else short(node, LONGEST),
        "hovertext": f"P({node} | {', '.join(given)})" if given else f"P({node})",
        "showarrow": False,
        "width": box - 10,
        "height": HIGH - 8,
        "align": "center",
        "font": {"size": 12, "color": ink(dark)},
        "bgcolor": "#16181C" if dark else "#FFFFFF",
        "bordercolor": colours(dark)[1] if is_class else ink(dark),
        "borderwidth": 2 if is_class else 1,
        "borderpad": 3,
    }

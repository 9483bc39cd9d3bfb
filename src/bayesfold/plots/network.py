"""A network as a graph: each node below its parents, the class at the top.

A Bayesian network with its tables also shows how likely each state is, given what was observed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bayesfold.plots._boxes import SMALL_LETTER, Box, draw_boxes
from bayesfold.plots._figure import colours, ink, make_figure, shorten
from bayesfold.plots._paths import HEAD, points_along, svg_curve
from bayesfold.plots._rows import Edge, lay_out_rows
from bayesfold.runtime.messages import digits

OF = "network"
MOST_NODES = 80
MOST_WITH_BELIEFS = 40
"""Nodes up to which there is room for the states of each."""
WIDTH, PAGE = 960, (900, 560)
"""The widest row of boxes, and the size up to which a small picture is enlarged."""
LONGEST = 30
HEARD = 0.005
"""The weight below which a part of a pool has no say."""
GAP, BETWEEN, TOP = 16, 52, 60
"""Beside boxes, between rows of them, and for the title, in pixels before the picture is enlarged."""


@dataclass(frozen=True)
class Structure:
    """Nodes, and (parent, child) of each edge, in the words of `caption`; `target` is the class ("": there is none).

    beliefs: P(state) of each node, if they are known. seen: nodes that were observed. numbers: what is known of a node
    that is a number, in words. undirected: edges that data cannot tell the direction of, which have no head.
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    target: str
    caption: str
    beliefs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()
    numbers: Mapping[str, str] = field(default_factory=dict)
    undirected: frozenset[Edge] = frozenset()

    @property
    def drawn(self) -> tuple[Edge, ...]:
        """Where every column depends on the class, only the edges to columns that depend on nothing else."""
        if {child for parent, child in self.edges if parent == self.target} != set(self.nodes) - {self.target}:
            return self.edges
        others = {child for parent, child in self.edges if parent != self.target}
        return tuple(edge for edge in self.edges if edge[0] != self.target or edge[1] not in others)


def data(source: Any, evidence: Mapping[str, Any] | None = None) -> Structure:
    """The graph of a BayesianNetwork, or of a classifier that is one network; of a pool, of the part that says most.

    Of what `learn_network` gave, arcs whose direction the data cannot tell are lines. evidence: {node: state}, what was
    observed of a network with tables.
    """
    if hasattr(source, "undecided"):
        lines = frozenset(source.undecided)
        structure = read_network_graph(source.network, evidence or {})
        why = "; the data cannot tell which way lines without a head point" if lines else ""
        return replace(structure, undirected=lines, caption=structure.caption + why)
    if hasattr(source, "edges"):
        return read_network_graph(source, evidence or {})
    if evidence:
        raise ValueError("evidence needs a BayesianNetwork; a classifier's to_network() gives one")
    model, which = source.model_, ""
    if hasattr(model, "members"):
        single = {name: one for name, one in model.members.items() if len(one.mixture.networks) == 1}
        weighty = {name for name, weight in zip(model.members, model.weights, strict=True) if abs(weight) >= HEARD}
        which = max(single, key=lambda name: (name in weighty, len(edges_between_columns(single[name]))), default="")
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
    return fit_picture(list(names.values()), edges, target, caption)


def read_network_graph(net: Any, evidence: Mapping[str, Any]) -> Structure:
    """The graph, and the beliefs where every table is given and there is room for them."""
    fit_picture(net.nodes, net.edges, "", "")
    if not evidence and (len(net.tables) < len(net.nodes) or len(net.nodes) > MOST_WITH_BELIEFS):
        return Structure(net.nodes, net.edges, "", "What depends on what")
    try:
        posteriors = net.posteriors(dict(evidence))
    except MemoryError:  # too large for an exact answer: the graph alone
        if evidence:
            raise
        return Structure(net.nodes, net.edges, "", "What depends on what")
    numbers = {v: mean_and_spread(*posteriors[v][0]) for v in net.nodes if not net.states(v)}
    beliefs = {
        v: {str(s): float(p) for s, p in zip(net.states(v), posteriors[v][0], strict=True)}
        for v in net.nodes
        if v not in numbers
    }
    given = f" given {', '.join(f'{v}={s}' for v, s in evidence.items())}" if evidence else ""
    caption = f"What depends on what, and how likely each state is{given}"
    return Structure(net.nodes, net.edges, "", caption, beliefs, frozenset(evidence), numbers)


def mean_and_spread(mean: float, variance: float) -> str:
    """A number in words: its mean and its standard deviation; one that was observed is itself."""
    return f"{digits(mean, 4)} ± {digits(variance**0.5)}" if variance > 0 else digits(mean, 4)


def names_of(model: Any, target: str) -> dict[str, str]:
    """What people call the nodes: the class by its column, an encoding by what it is made from, if that is clear."""
    nodes = [child for node in model.mixture.networks[0] for child in node.children]
    name_of = {model.schema.target.name: target}
    name_of |= {c.name: getattr(c, "source", "") or c.name for c in model.schema.features if c.name in nodes}
    many = Counter(name_of.values())
    return {node: name_of[node] if many[name_of[node]] == 1 else node for node in nodes}


def edges_of(model: Any) -> list[Edge]:
    """(parent, child) of a classifier's single network."""
    network = model.mixture.networks[0]
    return [(parent, child) for node in network for child in node.children for parent in node.parents]


def edges_between_columns(model: Any) -> list[Edge]:
    """The edges between columns."""
    return [edge for edge in edges_of(model) if edge[0] != model.schema.target.name]


def fit_picture(nodes: Sequence[str], edges: Sequence[Edge], target: str, caption: str) -> Structure:
    """The graph, if there is room for it."""
    if len(nodes) > MOST_NODES:
        raise ValueError(
            f"a picture has room for {MOST_NODES} nodes, and this network has {len(nodes):,}; bayesfold serve draws "
            "larger ones"
        )
    return Structure(tuple(nodes), tuple(edges), target, caption)


def draw(numbers: Structure, dark: bool = False) -> dict[str, Any]:
    """Boxes with names, and curves from parents down to children."""
    boxes = {
        node: Box.of(
            shorten(node, LONGEST),
            numbers.beliefs.get(node, {}),
            node == numbers.target,
            node in numbers.seen,
            numbers.numbers.get(node, ""),
        )
        for node in numbers.nodes
    }
    wide = max((box.width for box in boxes.values()), default=0.0)
    rows = lay_out_rows(numbers.nodes, numbers.drawn, wide, GAP, WIDTH, behind=numbers.target)
    tall = [0.0] * rows.count
    for node, (_, row) in rows.spots.items():
        tall[row] = max(tall[row], boxes[node].height)
    height = sum(tall) + BETWEEN * rows.count
    middle = [height - sum(tall[:row]) - BETWEEN * (row + 0.5) - tall[row] / 2 for row in range(rows.count)]
    words = 8.5 * len(numbers.caption) + 40
    width = max(480, min(words, WIDTH), rows.width + 2 * GAP)
    scale = min(2.0, max(1.0, min(PAGE[0] / width, (PAGE[1] - TOP) / max(height, 1))))

    def place(at: tuple[float, int]) -> tuple[float, float]:
        return at[0] + (width - rows.width) / 2, middle[at[1]]

    colour = {edge: ink(dark, faint=True) if edge[0] == numbers.target else colours(dark)[0] for edge in rows.paths}
    lines, ends = [], dict[Edge, tuple[float, float]]()
    for (parent, child), path in rows.paths.items():
        room = 0 if (parent, child) in numbers.undirected else HEAD
        points = points_along(path, place, tall, (boxes[parent].height, boxes[child].height), (0, room))
        if room:
            ends[parent, child] = points[-1]
        line = {"color": colour[parent, child], "width": 1.5 * scale}
        lines.append({"type": "path", "path": svg_curve(points), "layer": "below", "line": line})
    heads = {
        "x": [x for x, _ in ends.values()],
        "y": [y - 2 for _, y in ends.values()],
        "mode": "markers",
        "marker": {"symbol": "triangle-down", "size": 9 * scale, "color": [colour[edge] for edge in ends]},
        "hoverinfo": "skip",
    }
    over = {node: describe_parents(numbers, node) for node in numbers.nodes}
    shapes, annotations = draw_boxes(boxes, {node: place(at) for node, at in rows.spots.items()}, over, scale, dark)
    layout = {
        "title": {"text": numbers.caption},
        "xaxis": {"visible": False, "range": [0, width], "fixedrange": True},
        "yaxis": {"visible": False, "range": [0, height], "fixedrange": True},
        "margin": {"l": 0, "r": 0, "t": TOP, "b": 0},
        "showlegend": False,
        "meta": {"smallest_letter": SMALL_LETTER * scale},
        "shapes": [*lines, *shapes],
        "annotations": annotations,
    }
    return make_figure([heads], layout, dark, round(width * scale), round(height * scale) + TOP)


def describe_parents(numbers: Structure, node: str) -> str:
    """What a node depends on, for who points at it."""
    given = [parent for parent, child in numbers.edges if child == node]
    return f"P({node} | {', '.join(given)})" if given else f"P({node})"

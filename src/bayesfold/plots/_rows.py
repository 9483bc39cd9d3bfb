"""A directed graph in rows: each node below all its parents, few edges that cross, none through another's box.

An edge that skips rows takes a narrow place of its own in each of them (Sugiyama, Tagawa and Toda 1981).

>>> found = lay_out_rows("abc", [("a", "b"), ("b", "c"), ("a", "c")], box=40, gap=10, most=500)
>>> {node: row for node, (x, row) in found.spots.items()}, [row for x, row in found.paths["a", "c"]]
({'a': 0, 'b': 1, 'c': 2}, [0, 1, 2])
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

Edge = tuple[str, str]
Place = tuple[str, ...]
"""What takes a place in a row: a node (name,), or an edge that passes (parent, child, row)."""
SWEEPS = 12
PASSING = 0.2


@dataclass(frozen=True)
class RowLayout:
    """x and row of each node, and of each edge from its parent to its child; `width` is that of all."""

    spots: Mapping[str, tuple[float, int]]
    paths: Mapping[Edge, tuple[tuple[float, int], ...]]
    width: float
    count: int


def lay_out_rows(
    nodes: Sequence[str],
    edges: Sequence[Edge],
    box: float,
    gap: float,
    most: float,
    behind: str | None = None,
    passing: float = PASSING,
) -> RowLayout:
    """Places for boxes of this width with this gap between them; a row wider than `most` is cut in several.

    The edges of the node `behind`, which may be very many, take no places: they pass behind boxes. `passing` is the
    share of a box's width that an edge takes in a row that it passes.
    """
    rows = assign_rows(nodes, edges, max(1, int((most + gap) // (box + gap))))
    height = {place[0]: n for n, row in enumerate(rows) for place in row}
    above: dict[Place, list[Place]] = {place: [] for row in rows for place in row}
    trail: dict[Edge, list[Place]] = {}
    for parent, child in edges:
        skipped = range(height[parent] + 1, height[child]) if parent != behind else ()
        between: list[Place] = [(parent, child, str(n)) for n in skipped]
        trail[parent, child] = [(parent,), *between, (child,)]
        for n, place in enumerate(between, height[parent] + 1):
            rows[n].append(place)
        for upper, lower in zip(trail[parent, child], trail[parent, child][1:], strict=False):
            above.setdefault(lower, []).append(upper)
    below: dict[Place, list[Place]] = {place: [] for row in rows for place in row}
    for lower, uppers in above.items():
        for upper in uppers:
            below[upper].append(lower)
    for _ in range(SWEEPS):
        untangle(rows, above)
        untangle(rows[::-1], below)
    wide = {place: box if len(place) == 1 else box * passing for row in rows for place in row}
    x = place_in_rows(rows, above, below, wide, gap)
    left = min((v - wide[p] / 2 for p, v in x.items()), default=0.0)
    right = max((v + wide[p] / 2 for p, v in x.items()), default=box)
    at = {place: (x[place] - left, n) for n, row in enumerate(rows) for place in row}
    spots = {node: at[node,] for node in nodes}
    return RowLayout(
        spots, {edge: tuple(at[p] for p in places) for edge, places in trail.items()}, right - left, len(rows)
    )


def assign_rows(nodes: Sequence[str], edges: Sequence[Edge], most: int) -> list[list[Place]]:
    """Nodes below all their parents, at most so many in a row; one with more children than parents is near them."""
    parents: dict[str, list[str]] = {node: [] for node in nodes}
    children: dict[str, list[str]] = {node: [] for node in nodes}
    for parent, child in edges:
        parents[child].append(parent)
        children[parent].append(child)
    depth: dict[str, int] = {}
    waiting = list(nodes)
    while waiting:
        ready = [node for node in waiting if all(p in depth for p in parents[node])]
        depth |= {node: 1 + max((depth[p] for p in parents[node]), default=-1) for node in ready}
        waiting = [node for node in waiting if node not in depth]
    for node in sorted(nodes, key=lambda node: -depth[node]):  # the edges become shorter in all
        if len(children[node]) > len(parents[node]):
            depth[node] = min(depth[child] for child in children[node]) - 1
    every: list[list[Place]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for node in nodes:
        every[depth[node]].append((node,))
    return [row[i : i + most] for row in every for i in range(0, len(row), most)]


def untangle(rows: Sequence[list[Place]], others: Mapping[Place, Sequence[Place]]) -> None:
    """Put each place of a row under the middle of those that it is joined to in the row before."""
    share: dict[Place, float] = {}
    for row in rows:
        own = {place: (i + 0.5) / len(row) for i, place in enumerate(row)}
        row.sort(key=lambda place: fmean([share[o] for o in others[place] if o in share] or [own[place]]))
        share |= {place: (i + 0.5) / len(row) for i, place in enumerate(row)}


def place_in_rows(
    rows: Sequence[Sequence[Place]],
    above: Mapping[Place, Sequence[Place]],
    below: Mapping[Place, Sequence[Place]],
    wide: Mapping[Place, float],
    gap: float,
) -> dict[Place, float]:
    """x of each place: over what is below it, then under what is above, as near as its neighbours in the row let it."""
    x: dict[Place, float] = {}
    for row in rows:
        x |= push_apart(row, [0.0] * len(row), wide, gap)
    for _ in range(SWEEPS):
        for order, joined in ((rows[::-1], below), (rows, above)):
            for row in order:
                x |= push_apart(row, [fmean([x[o] for o in joined[p]] or [x[p]]) for p in row], wide, gap)
    return x


def push_apart(
    row: Sequence[Place], targets: Sequence[float], wide: Mapping[Place, float], gap: float
) -> dict[Place, float]:
    """Places in their order, each as near as can be to where it is wanted (the mean of those that push each other)."""
    groups: list[list[float]] = []  # [sum of what its members want of the group's beginning, members, width]
    sizes = [wide[place] + gap for place in row]
    for want, size in zip(targets, sizes, strict=True):
        groups.append([want - size / 2, 1, size])
        while len(groups) > 1 and group_start(groups[-2]) + groups[-2][2] > group_start(groups[-1]):
            total, members, width = groups.pop()
            groups[-1] = [
                groups[-1][0] + total - members * groups[-1][2],
                groups[-1][1] + members,
                groups[-1][2] + width,
            ]
    x: dict[Place, float] = {}
    at = 0
    for group in groups:
        begin = group_start(group)
        for place, size in list(zip(row, sizes, strict=True))[at : at + int(group[1])]:
            x[place], begin = begin + size / 2, begin + size
        at += int(group[1])
    return x


def group_start(group: Sequence[float]) -> float:
    """Where a group begins."""
    return group[0] / group[1]

"""The forest that depends most: of all pairs those that gain most, without a circle (Chow and Liu 1968).

>>> find_forest(np.array([[0, 9, 4], [9, 0, 7], [4, 7, 0.0]]), range(3))
[(1, 0), (1, 2)]
"""

from collections.abc import Iterable

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.ties import count_steps

Pair = tuple[int, int]


def find_forest(strength: Floats, part: Iterable[int], least: float = 0.0) -> list[Pair]:
    """Arcs (parent, child) away from the node with most neighbours; part[v]: nodes of a part are joined already."""
    n, parts = len(strength), list(part)
    above = enumerate(zip(strength.tolist(), count_steps(strength).tolist(), strict=True))
    pairs = [(-steps[v], u, v) for u, (row, steps) in above for v, gain in enumerate(row) if v > u and gain > least]
    edges: list[Pair] = []
    for _, u, v in sorted(pairs):
        old, new = parts[v], parts[u]
        if old != new:
            parts = [new if p == old else p for p in parts]
            edges.append((u, v))
            if len(edges) == n - 1:
                break
    return direct_from_hubs(edges, n)


def direct_from_hubs(edges: list[Pair], n: int) -> list[Pair]:
    """The edges of a forest as arcs, each tree from its node with most neighbours."""
    near: list[list[int]] = [[] for _ in range(n)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    arcs: list[Pair] = []
    seen: set[int] = set()
    for root in sorted(range(n), key=lambda v: -len(near[v])):
        waiting = [] if root in seen else [root]
        seen.update(waiting)
        while waiting:
            u = waiting.pop()
            fresh = [v for v in near[u] if v not in seen]
            seen.update(fresh)
            waiting += fresh
            arcs += [(u, v) for v in fresh]
    return arcs


def find_parts(links: Links) -> list[int]:
    """For each node the number of the part that it is in, joined by arcs of whatever direction."""
    part = list(range(len(links)))
    for u, v in np.argwhere(links):
        old, new = part[v], part[u]
        part = [new if p == old else p for p in part]
    return part


def find_tree(gain: Floats, rules: Rules, least: float = 0.0) -> Links:
    """The required arcs and a forest of the pairs that gain most beside them, each arc as the rules let it point.

    No arc closes a circle: it joins two parts that nothing joined.
    """
    links, many = rules.required.copy(), rules.required.sum(0).tolist()
    either = np.where(rules.allowed, gain, -np.inf)
    for u, v in find_forest(np.maximum(either, either.T), find_parts(links), least):
        for a, b in ((u, v), (v, u)):
            if rules.allowed[a, b] and many[b] < rules.most:
                links[a, b] = True
                many[b] += 1
                break
    return links


def creates_circle(links: Links, tail: int, head: int) -> bool:
    """Whether the arc tail -> head would close a circle: a path leads from head to tail."""
    waiting, seen = [head], {head}
    while waiting:
        v = waiting.pop()
        if v == tail:
            return True
        fresh = [int(w) for w in np.flatnonzero(links[v]) if w not in seen]
        seen.update(fresh)
        waiting += fresh
    return False

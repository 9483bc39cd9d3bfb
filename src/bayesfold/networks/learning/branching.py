"""The best forest under rules: each node has at most one parent, and not every arc may be there.

Without rules Chow and Liu's forest is the best, whichever way its arcs point. With them it need not be: two arcs may
have to point into the same node. What is looked for then is a branching of the largest sum (Edmonds 1967): each node
takes its best parent, a circle that comes of it is made one node, and so on, until there is none.

>>> find_branching(np.array([[-np.inf, 9, 4], [-np.inf, -np.inf, -np.inf], [-np.inf, 7, -np.inf]]))
[-1, 0, 0]
"""

from collections.abc import Sequence

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.ties import count_steps
from bayesfold.networks.learning.tree import creates_circle, find_tree


def find_best_forest(gain: Floats, rules: Rules, least: float = 0.0) -> Links:
    """The required arcs, and the arcs that gain most beside them: at most one into each node that has none required.

    gain[u, v]: what u -> v adds to the score.
    """
    forest = find_tree(gain, rules, least)
    free = ~rules.required.any(0)
    if is_unruled(rules) and np.allclose(gain, gain.T, rtol=1e-9, atol=1e-9):
        return forest
    steps = count_steps(gain)  # whole numbers, whose sums are exact
    chosen = join_branching(np.where(rules.allowed & free & (gain > least), steps, -np.inf), rules.required)
    legal = (forest.sum(0) <= np.where(free, 1, rules.required.sum(0))).all()
    return forest if legal and steps[forest & free].sum() >= steps[chosen & free].sum() else chosen


def is_unruled(rules: Rules) -> bool:
    """Whether any arc may be there, and none must."""
    return bool(rules.allowed.sum() == len(rules.names) * (len(rules.names) - 1) and not rules.required.any())


def join_branching(weight: Floats, required: Links) -> Links:
    """The required arcs and the best branching beside them; where both close a circle, without its weakest arc."""
    weight = weight.copy()
    certain = 1.0 + weight[weight > 0].sum()
    while True:
        parents = find_branching(np.where(required, certain, weight))
        links = required.copy()
        circle = False
        arcs = [(u, v) for v, u in enumerate(parents) if u >= 0 and not required[u, v]]
        for u, v in sorted(arcs, key=lambda arc: -weight[arc]):
            if creates_circle(links, u, v):  # through a second parent that is required
                weight[u, v], circle = -np.inf, True
                break
            links[u, v] = True
        if not circle:
            return links


def find_branching(weight: Floats) -> list[int]:
    """The parent of each node, or -1, so that the arcs close no circle and weigh most together; [u, v] of u -> v."""
    layers = []
    while True:
        parents = [int(u) if weight[u, v] > 0 else -1 for v, u in enumerate(weight.argmax(0))]
        circle = find_circle(parents)
        if not circle:
            break
        inside, outside = np.array(circle), np.array([v for v in range(len(parents)) if v not in set(circle)], int)
        own = weight[[parents[v] for v in circle], inside]
        into = weight[np.ix_(outside, inside)] - own + own.min()  # beside a circle without its weakest arc
        out = weight[np.ix_(inside, outside)]
        m = len(outside)
        smaller = np.full((m + 1, m + 1), -np.inf)
        smaller[:m, :m] = weight[np.ix_(outside, outside)]
        smaller[:m, m], smaller[m, :m] = into.max(1), out.max(0)
        layers.append((inside, outside, parents, into.argmax(1), out.argmax(0), int(own.argmin())))
        weight = smaller
    for inside, outside, before, entry, exit_, weakest in reversed(layers):
        whole, m = list(before), len(outside)
        for i, v in enumerate(outside):
            u = parents[i]
            whole[v] = -1 if u < 0 else int(inside[exit_[i]]) if u == m else int(outside[u])
        u = parents[m]
        whole[inside[weakest if u < 0 else entry[u]]] = -1 if u < 0 else int(outside[u])
        parents = whole
    return parents


def find_circle(parents: Sequence[int]) -> list[int]:
    """The nodes of a circle of child and parent, or none.

    >>> find_circle([1, 2, 1]), find_circle([-1, 0, 1])
    ([2, 1], [])
    """
    done: set[int] = set()
    for start in range(len(parents)):
        path: dict[int, None] = {}
        v = start
        while v >= 0 and v not in done and v not in path:
            path[v] = None
            v = parents[v]
        if v in path:
            way = list(path)
            return way[way.index(v) :][::-1]
        done |= set(path)
    return []

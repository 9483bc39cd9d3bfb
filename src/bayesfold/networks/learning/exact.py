"""The network of the best score of all, for few columns: 2^n sets of nodes are looked at.

>>> codes = np.array([[0, 0, 1, 1] * 5, [0, 1, 1, 1] * 5, [0, 1, 0, 1] * 5], np.uint16)
>>> scores = LocalScores(codes, [2, 2, 2], "bic")
>>> links, score = find_best_network(scores, Rules.of("abc"))
>>> links.astype(int).tolist(), round(score, 3)
([[0, 1, 0], [0, 0, 0], [0, 1, 0]], -36.713)
"""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.structure import exact
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.ties import count_steps

MOST = 25
"""Columns up to which all networks are looked at: 2^25 sets take a few seconds and 300 million bytes."""

ROOM = 1 << 20
"""Parent sets of one node that may be listed; room is made for fewer at first."""

ROOMS = 1 << 10, 1 << 15

SLICE = 1 << 18
"""Sets of nodes between which the search can be stopped."""

Sets = NDArray[np.uint64]


def find_best_network(scores: LocalScores, rules: Rules) -> tuple[Links, float]:
    """The arcs of the best network that the rules allow, and its score."""
    n = len(rules.names)
    refuse_many(n)
    scores.make_room(ROOM)
    lists = [list_parent_sets(scores, rules, v) for v in range(n)]
    begins = np.cumsum([0, *(len(sets) for sets, _ in lists)], dtype=np.intp)
    sets = np.concatenate([sets for sets, _ in lists])
    local = np.concatenate([values for _, values in lists])
    best, end = np.zeros(1 << n), np.full(1 << n, -1, np.int8)
    for first in range(1, 1 << n, SLICE):
        exact.best_orders(begins, sets, local, first, min(first + SLICE, 1 << n), best, end)
    return trace_arcs(lists, end), float(best[-1])


def pause() -> None:
    """Nothing: but Python looks for an interrupt whenever a function of its own is called."""


def refuse_many(columns: int) -> None:
    """Refuse what would take too long, and say what to do."""
    if columns > MOST:
        raise ValueError(
            f"the exact search looks at all 2^{columns} sets of {columns} columns: it takes at most {MOST}. Name fewer "
            'columns, or take search="climb"'
        )


def list_parent_sets(scores: LocalScores, rules: Rules, v: int) -> tuple[Sets, Floats]:
    """The parent sets of a node that can be in a best network, as bitsets, and their scores; the best first."""
    n = len(rules.names)
    allowed = np.ascontiguousarray(rules.allowed.T, np.uint8)
    required = sum(1 << int(u) for u in np.flatnonzero(rules.required[:, v]))
    for room in sorted({min(few, ROOM) for few in ROOMS} | {ROOM}):  # most nodes need little
        queue = np.empty(room, np.uint64), np.empty(room), np.full(2 * room, -1, np.int32)
        sets, values = np.empty(room, np.uint64), np.empty(room)
        scratch = np.zeros((2, n, n), np.uint8), np.empty((n, n)), *queue
        listed = exact.list_parents(scores.kernel, v, allowed, required, rules.most, *scratch, sets, values, pause)
        if listed >= 0:
            break
    else:
        raise ValueError(
            f"{rules.names[v]!r} has more than {ROOM:,} sets of parents to look at: limit them with max_parents"
        )
    order = np.argsort(-count_steps(values[:listed]), kind="stable")
    return sets[order], values[order]


def trace_arcs(lists: list[tuple[Sets, Floats]], end: NDArray[np.int8]) -> Links:
    """The arcs, from the node that comes last in the best order of all to the first."""
    n = len(lists)
    links, left = np.zeros((n, n), bool), (1 << n) - 1
    while left:
        v = int(end[left])
        left ^= 1 << v
        chosen = next(int(parents) for parents in lists[v][0] if int(parents) & left == int(parents))
        links[[u for u in range(n) if chosen >> u & 1], v] = True
    return links

"""How probable is an arc given the rows? The sum over all networks that have it, each by prior times P(rows | network).

The score is log P(rows | network), exactly (bdeu, k2) or nearly (bic). Each order of the nodes, and each network that
agrees with it, is as probable as any other before rows are seen: a network that agrees with more orders, one of fewer
arcs, has more of the prior (Koivisto and Sood 2004). Up to 20 columns all orders are summed over. Of more, orders are
visited by two walks, as often as they are probable (Friedman and Koller 2003), and each node's parents are sets of the
columns that tell most about it; how far the walks are apart says how far to trust them.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.structure import orders
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.strengths import ArcStrengths
from bayesfold.networks.learning.ties import count_steps
from bayesfold.runtime.threads import each

PROBABILITIES = ("bic", "bdeu", "k2")
"""Scores that are the log of P(rows | network)."""

MOST_EXACT = 20
"""Columns up to which all orders are summed over: 20 tables of 2^20 numbers."""

MOST_SETS = 1 << 17
"""Parent sets of all nodes together that are scored; this limits how many parents one may have."""

CANDIDATES = 16
"""Columns that a node may depend on where orders are visited, beside those that it was found to depend on."""

ORDERS = 16_000
"""Orders that are looked at by default, between which as many swaps are proposed as there are nodes."""

ROOM = 1 << 20
NEVER = -1e300
Sets = NDArray[np.uint64]


def find_arc_posterior(
    scores: LocalScores, rules: Rules, start: Links, how: bool | int, draw: np.random.Generator
) -> ArcStrengths:
    """P(arc | rows), for a sum over all orders or so many of them; start: a good network, where a walk may begin."""
    if scores.kind not in PROBABILITIES:
        raise ValueError(
            f"the score {scores.kind} is no probability of the rows, so arcs have no posterior by it: take "
            f"score={' or '.join(map(repr, PROBABILITIES))}"
        )
    if how is not True and how < 2:
        raise ValueError(f"posterior must be True, or a number of orders to look at of at least 2, not {how}")
    if how is True and len(rules.names) <= MOST_EXACT:
        return sum_over_orders(scores, rules)
    return walk_over_orders(scores, rules, start, ORDERS if how is True else how, draw)


def sum_over_orders(scores: LocalScores, rules: Rules) -> ArcStrengths:
    """P(arc | rows), exactly."""
    n = len(rules.names)
    most = limit_parents(rules, [n - 1] * n)
    scores.make_room(ROOM)
    alpha, everything = np.full((n, 1 << n), NEVER), np.arange(n, dtype=np.intp)
    lists = [np.fromiter(list_parent_sets(rules, v, everything, most), np.uint64) for v in range(n)]
    values = [score_sets(scores, v, everything, sets) for v, sets in enumerate(lists)]

    def below(v: int) -> None:
        alpha[v, lists[v].astype(np.intp)] = values[v]
        orders.sum_below(alpha[v])

    each(below, range(n))
    before, after, arcs = np.empty(1 << n), np.empty(1 << n), np.zeros((n, n))
    orders.sum_orders(alpha, before, after)
    each(lambda v: orders.arcs_into(v, lists[v], values[v], before, after, alpha[v], arcs), range(n))
    return ArcStrengths.of(rules.names, arcs, 0, 0.5, f"P(arc | rows) by {scores.kind}, at most {most} parents each")


def walk_over_orders(
    scores: LocalScores, rules: Rules, start: Links, looks: int, draw: np.random.Generator
) -> ArcStrengths:
    """P(arc | rows) over so many orders, half of them of each of two walks."""
    n = len(rules.names)
    candidates = find_candidates(scores, rules, start)
    most = limit_parents(rules, (candidates >= 0).sum(1))
    scores.make_room(ROOM)
    lists = []
    for v in range(n):
        chosen = candidates[v][candidates[v] >= 0]
        own = sum(1 << t for t, u in enumerate(chosen) if start[u, v])
        sets = np.array(sorted({own, *list_parent_sets(rules, v, chosen, most)}), np.uint64)
        values = score_sets(scores, v, chosen, sets)
        best_first = np.argsort(-values, kind="stable")
        lists.append((sets[best_first], values[best_first]))
    begins = np.cumsum([0, *(len(sets) for sets, _ in lists)], dtype=np.intp)
    sets, values = (np.concatenate([pair[k] for pair in lists]) for k in (0, 1))

    def walked(beginning: tuple[Links, np.random.Generator]) -> Floats:
        links, own = beginning
        scratch = np.empty(n, np.intp), np.empty(n), np.empty(n)
        walk = orders.Walk(draw_order(links, own), candidates, begins, sets, values, *scratch)
        arcs, times = np.zeros((n, n)), looks // 2
        for k in range(2 * times):  # the first half leads away from where it began
            walk.go(own.random((n, 3)))
            if k >= times:
                walk.look(arcs)
        return arcs / times

    one, other = each(walked, zip((start, rules.required), draw.spawn(2), strict=True))
    apart = float(np.abs((one + one.T) - (other + other.T)).max(initial=0.0))
    title = f"P(arc | rows) by {scores.kind} over {looks:,} orders, at most {most} parents each"
    far = f"the two walks differ by at most {apart:.3f}"
    return ArcStrengths.of(rules.names, (one + other) / 2, looks, 0.5, f"{title}; {far}")


def limit_parents(rules: Rules, candidates: Sequence[int]) -> int:
    """How many parents a node may have, so that all sets of so many candidates can be scored."""
    most = 1
    while most < rules.most and most < max(candidates, default=1):
        if sum(comb(int(c), k) for c in candidates for k in range(most + 2)) > MOST_SETS:
            break
        most += 1
    return max(most, int(rules.required.sum(0).max(initial=0)))


def list_parent_sets(rules: Rules, v: int, candidates: NDArray[np.intp], most: int) -> Iterator[int]:
    """The parent sets of a node that the rules allow, as bitsets of its candidates."""
    required = sum(1 << t for t, u in enumerate(candidates) if rules.required[u, v])
    free = [t for t, u in enumerate(candidates) if rules.allowed[u, v] and not rules.required[u, v]]
    for size in range(most - required.bit_count() + 1):
        for members in combinations(free, size):
            yield required | sum(1 << t for t in members)


def score_sets(scores: LocalScores, v: int, candidates: NDArray[np.intp], sets: Sets) -> Floats:
    """The score of each parent set."""
    n, values = scores.columns, np.empty(len(sets))
    scratch = np.zeros((2, n, n), np.uint8), np.empty((n, n))
    orders.score_sets(scores.kernel, v, candidates, sets, *scratch, values)
    return values


def find_candidates(scores: LocalScores, rules: Rules, start: Links) -> NDArray[np.intp]:
    """The columns that a node may depend on: those found beside it, and those that tell most; -1: none."""
    n = len(rules.names)
    joined = start | start.T
    rows = []
    for v in range(n):
        gain = scores.around(v)[1] + 1e9 * joined[:, v] + 1e12 * (start[:, v] | rules.required[:, v])
        allowed = np.flatnonzero(rules.allowed[:, v])
        rows.append(
            allowed[np.argsort(-count_steps(gain[allowed]), kind="stable")][: max(CANDIDATES, int(start[:, v].sum()))]
        )
    wide = np.full((n, max(map(len, rows))), -1, np.intp)
    for v, nearest in enumerate(rows):
        wide[v, : len(nearest)] = nearest
    return wide


def draw_order(links: Links, draw: "np.random.Generator") -> NDArray[np.intp]:
    """An order of the nodes, drawn at random, in which parents stand before children."""
    left, order = set(range(len(links))), list[int]()
    while left:
        free = [v for v in sorted(left) if not any(u in left for u in np.flatnonzero(links[:, v]))]
        order.append(free[int(draw.integers(len(free)))])
        left.remove(order[-1])
    return np.array(order, np.intp)

"""Looking for arcs between categories and numbers: climbing, tabu and restarts, as for categories, or all networks.

The moves and the stages are those of `learning.search`; scores come one by one from Python, so tables are of tens of
columns rather than hundreds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from bayesfold.kernels.structure import exact
from bayesfold.networks.learning.branching import find_best_forest
from bayesfold.networks.learning.exact import SLICE, trace_arcs
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.search import FAILURES, PATIENCE, Search, Watch
from bayesfold.networks.learning.ties import LEAST, count_steps
from bayesfold.networks.learning.tree import creates_circle, find_tree
from bayesfold.networks.mixed.scores import MixedScores

MOST_SETS = 1 << 18
"""Sets of parents that the exact search may look at."""

TURNED = 0.25
"""The share of arcs that are turned or taken out before a restart, at least two."""

Move = list[tuple[int, int, bool]]
"""Arcs that are set, or taken out."""


class MixedClimber:
    """A network on the way, links[parent, child], what toggling each arc would gain, and the best met."""

    def __init__(self, scores: MixedScores, rules: Rules, links: Links) -> None:
        self.scores, self.rules = scores, rules
        n = len(rules.names)
        self.links, self.gain, self.local = np.zeros((n, n), bool), np.full((n, n), -np.inf), np.zeros(n)
        self.seen: set[bytes] = set()
        for v in range(n):
            self.refresh(v)
        self.stand_at(links)
        self.best, self.top = self.links.copy(), -np.inf

    @property
    def score(self) -> float:
        """The score of the network."""
        return float(self.local.sum())

    def refresh(self, v: int) -> None:
        """The score of a node, and what toggling each arc to it would gain; minus infinity where the rules forbid."""
        above = frozenset(np.flatnonzero(self.links[:, v]).tolist())
        self.local[v] = self.scores.of(v, above)
        full = len(above) >= self.rules.most
        for u in np.flatnonzero(self.rules.allowed[:, v] | self.links[:, v]).tolist():
            there = u in above
            self.gain[u, v] = -np.inf if full and not there else self.scores.of(v, above ^ {u}) - self.local[v]

    def stand_at(self, links: Links) -> None:
        """Go to a network; nodes whose parents differ are looked at again."""
        changed = np.flatnonzero((links != self.links).any(0)).tolist()
        self.links = links.copy()
        for v in changed:
            self.refresh(v)

    def moves(self) -> Iterator[tuple[float, Move]]:
        """What each move that the rules allow gains, and the move, the best first; circles are not looked at yet."""
        links, rules, gain, many = self.links, self.rules, self.gain, self.links.sum(0)
        free, room = links & ~rules.required, many < rules.most
        add = np.where(rules.allowed & ~links & ~links.T & room, gain, -np.inf)
        drop = np.where(free, gain, -np.inf)
        turn = np.where(free & rules.allowed.T & room[:, None], gain + gain.T, -np.inf)
        gains = np.concatenate([add.ravel(), drop.ravel(), turn.ravel()])
        for at in np.argsort(-count_steps(gains), kind="stable").tolist():
            kind, place = divmod(at, links.size)
            u, v = divmod(place, len(links))
            move = [(u, v, True)], [(u, v, False)], [(u, v, False), (v, u, True)]
            yield float(gains[at]), move[kind]

    def step(self, least: float) -> bool:
        """Make the move that gains most, and more than `least`; whether there was one that leads to somewhere new."""
        for gain, move in self.moves():
            if not gain > least:
                return False
            after = self.made(move)
            if after is not None and (least > 0 or after.tobytes() not in self.seen):
                self.stand_at(after)
                return True
        return False

    def made(self, move: Move) -> Links | None:
        """The arcs after a move; None where it closes a circle."""
        links = self.links.copy()
        for u, v, there in move:
            if there and creates_circle(links, u, v):
                return None
            links[u, v] = there
        return links

    def climb(self) -> bool:
        """Move while that gains; whether the end is the best met."""
        while self.step(LEAST):
            pass
        return self.offer()

    def wander(self, patience: int) -> bool:
        """Always move on, never to a network seen before, until so many moves in a row met no better one."""
        self.seen, vain, better = {self.links.tobytes()}, 0, False
        while vain < patience and self.step(-np.inf):
            self.seen.add(self.links.tobytes())
            vain += 1
            if self.offer():
                better, vain = True, 0
        return better

    def offer(self) -> bool:
        """Keep the network if it is the best met."""
        if self.score <= self.top + LEAST:
            return False
        self.best, self.top = self.links.copy(), self.score
        return True

    def shake(self, draw: "np.random.Generator") -> None:
        """Go to the best network met, with some arcs turned or taken out."""
        links = self.best.copy()
        free = np.argwhere(links & ~self.rules.required)
        many = min(len(free), max(2, int(TURNED * len(free))))
        for u, v in draw.permutation(free)[:many].tolist():
            links[u, v] = False
            turned = self.rules.allowed[v, u] and links[:, u].sum() < self.rules.most and draw.random() < 0.5
            if turned and not creates_circle(links, v, u):
                links[v, u] = True
        self.stand_at(links)


@dataclass(frozen=True)
class MixedTask:
    """What is looked for: the best score under the rules; where to begin, beside other places."""

    scores: MixedScores
    rules: Rules
    given: Links | None
    draw: "np.random.Generator"
    watch: Watch | None = None


def judge_network(task: MixedTask, links: Links, stage: str) -> Search:
    """A network that was found in whatever way, with its score and gains."""
    walk = MixedClimber(task.scores, task.rules, links)
    return Search(links, walk.gain, walk.score, [(stage, walk.score)])


def by_climbing(task: MixedTask) -> Search:
    """The best network that climbing from several starts, tabu and restarts find; an interruption gives it so far."""
    rules, draw = task.rules, task.draw
    walk = MixedClimber(task.scores, rules, rules.required)
    result = Search(rules.required, np.zeros(rules.required.shape))

    def take(stage: str, better: bool) -> bool:
        if better:
            result.links, result.score = walk.best.copy(), walk.top
            result.path.append((stage, walk.top))
            if task.watch is not None:
                task.watch(stage, walk.top)
        return better

    try:
        starts = [rules.required, find_tree(walk.gain, rules, LEAST)]
        starts += [] if task.given is None else [task.given | rules.required]
        for k, start in enumerate(starts):
            walk.stand_at(start)
            take(f"start {k + 1}", walk.climb())
        walk.stand_at(walk.best)
        take("tabu", walk.wander(PATIENCE))
        vain = 0
        while vain < FAILURES:
            walk.shake(draw)
            vain = 0 if take("restart", walk.climb()) else vain + 1
    except KeyboardInterrupt:
        if not result.path:
            raise
        result.interrupted = True
    walk.stand_at(result.links)
    result.gains = walk.gain
    return result


def by_tree(task: MixedTask) -> Search:
    """The required arcs and the forest that gains most beside them."""
    empty = MixedClimber(task.scores, task.rules, task.rules.required)
    return judge_network(task, find_best_forest(empty.gain, task.rules, LEAST), "tree")


def by_exact(task: MixedTask) -> Search:
    """The best of all networks, for few columns."""
    rules = task.rules
    n = len(rules.names)
    refuse_many(rules)
    lists = []
    for v in range(n):
        must = frozenset(np.flatnonzero(rules.required[:, v]).tolist())
        may = [u for u in np.flatnonzero(rules.allowed[:, v]).tolist() if u not in must]
        parent_sets = [must.union(more) for k in range(rules.most - len(must) + 1) for more in combinations(may, k)]
        values = np.array([task.scores.of(v, above) for above in parent_sets])
        order = np.argsort(-count_steps(values), kind="stable")
        sets = np.array([sum(1 << u for u in above) for above in parent_sets], np.uint64)
        lists.append((sets[order], values[order]))
    begins = np.cumsum([0, *(len(sets) for sets, _ in lists)], dtype=np.intp)
    best, end = np.zeros(1 << n), np.full(1 << n, -1, np.int8)
    sets, local = (np.concatenate([pair[i] for pair in lists]) for i in range(2))
    for first in range(1, 1 << n, SLICE):
        exact.best_orders(begins, sets, local, first, min(first + SLICE, 1 << n), best, end)
    result = judge_network(task, trace_arcs(lists, end), "exact")
    result.optimal = True
    return result


def refuse_many(rules: Rules) -> None:
    """Refuse what would take too long, and say what to do."""
    wide = rules.allowed.sum(0).tolist()
    sets = sum(comb(m, k) for m in wide for k in range(min(m, rules.most) + 1))
    if sets > MOST_SETS:
        raise ValueError(
            f"the exact search would look at {sets:,} sets of parents, and with numbers as nodes it takes at most "
            f'{MOST_SETS:,}: name fewer columns, limit max_parents, or take search="climb"'
        )


SEARCHES: dict[str, Callable[[MixedTask], Search]] = {"climb": by_climbing, "tree": by_tree, "exact": by_exact}


def mixed_strategy(name: str) -> Callable[[MixedTask], Search]:
    """The way of that name."""
    if name not in SEARCHES:
        raise ValueError(f"there is no search {name!r} with numbers as nodes; there are {', '.join(SEARCHES)}")
    return SEARCHES[name]

"""Hill climbing over networks: add, take out or turn one arc at a time, and go on where a climb ends.

gain[u, v] is what toggling the arc u -> v changes in the score of v; turning an arc is two toggles. A climb ends where
no move gains. From the best of several starts, moves that lose are then taken too, never to a network seen before
(tabu), and at last arcs are turned at random and climbed from again, until that has failed often enough.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks.learning.rules import Mask, Rules
from bayesfold.networks.learning.scores import LocalScores

Move = tuple[Literal["toggle", "turn"], int, int]
LEAST = 1e-6
"""A move must gain so much: less is rounding, or a tie."""

PATIENCE = 20
"""Moves of the tabu search, one after another, that may be in vain."""

FAILURES = 30
"""Restarts in a row that may gain nothing, at least; three times as many where they cost little."""

SMALL = 25
"""Nodes up to which restarts cost little."""


@dataclass
class State:
    """A network on the way: links[u, v] is the arc u -> v, gain[u, v] what toggling it would change."""

    scores: LocalScores
    rules: Rules
    links: Mask
    local: Floats
    gain: Floats
    ties: Floats

    @classmethod
    def of(cls, scores: LocalScores, rules: Rules, links: Mask, ties: Floats) -> "State":
        """The state of a graph; `ties` says which of two moves that gain the same is taken."""
        n = len(rules.names)
        state = cls(scores, rules, links.copy(), np.zeros(n), np.zeros((n, n)), ties)
        state.refresh(range(n))
        return state

    @property
    def score(self) -> float:
        """The score of the whole network."""
        return float(self.local.sum())

    def copy(self) -> "State":
        """The same, to be changed by itself."""
        return State(self.scores, self.rules, self.links.copy(), self.local.copy(), self.gain.copy(), self.ties)

    def refresh(self, nodes: Iterable[int]) -> None:
        """Scores around nodes whose parents have changed, all counted in one pass."""
        nodes = list(nodes)
        n = len(self.local)
        wanted, places = [], []
        for v in nodes:
            parents = frozenset(np.flatnonzero(self.links[:, v]).tolist())
            wanted.append((v, parents))
            places.append((v, -1))
            for u in range(n):
                if u in parents:
                    wanted.append((v, parents - {u}))
                elif self.rules.allowed[u, v] and len(parents) < self.rules.most:
                    wanted.append((v, parents | {u}))
                else:
                    continue
                places.append((v, u))
        self.gain[:, nodes] = -np.inf
        for (v, u), score in zip(places, self.scores.of(wanted), strict=True):
            if u < 0:
                self.local[v] = score
            else:
                self.gain[u, v] = score - self.local[v]

    def moves(self) -> tuple[Floats, Floats]:
        """What each toggle and each turn gains; minus infinity where that makes a circle or breaks a rule."""
        reach = reaching(self.links)
        free = self.links & ~self.rules.required
        toggle = np.where(self.links, np.where(free, self.gain, -np.inf), np.where(reach.T, -np.inf, self.gain))
        around = (reach.astype(np.float32) @ self.links.astype(np.float32)) > 0  # u reaches v by another parent of v
        turned = np.where(free & ~around & self.rules.allowed.T, self.gain + self.gain.T, -np.inf)
        full = self.links.sum(0) >= self.rules.most
        turned[full, :] = -np.inf
        return toggle, turned

    def best(self, apart: "set[bytes] | None" = None) -> tuple[Move, float] | None:
        """The move that gains most; `apart` are networks that it must not lead to."""
        toggle, turned = self.moves()
        n = len(self.local)
        gains = np.concatenate([(toggle + self.ties).ravel(), (turned + self.ties.T).ravel()])
        order = np.argsort(-gains, kind="stable") if apart is not None else [int(gains.argmax())]
        for at in order:
            if gains[at] == -np.inf:
                return None
            u, v = divmod(int(at) % (n * n), n)
            move: Move = ("toggle" if at < n * n else "turn", u, v)
            if apart is None or self.after(move).tobytes() not in apart:
                return move, float((toggle if at < n * n else turned)[u, v])
        return None

    def after(self, move: Move) -> Mask:
        """The arcs after a move."""
        kind, u, v = move
        links = self.links.copy()
        links[u, v] = not links[u, v]
        if kind == "turn":
            links[v, u] = True
        return links

    def take(self, move: Move) -> None:
        """Make a move."""
        self.links = self.after(move)
        self.refresh([move[2]] if move[0] == "toggle" else [move[1], move[2]])


def reaching(links: Mask) -> Mask:
    """Whether there is a path from u to v, not counting the empty one."""
    reach = links.copy()
    while True:
        further = reach | ((reach.astype(np.float32) @ reach.astype(np.float32)) > 0)
        if (further == reach).all():
            return reach
        reach = further


def climb(state: State) -> State:
    """The state where no move gains."""
    while (found := state.best()) is not None and found[1] > LEAST:
        state.take(found[0])
    return state


def tabu(state: State, patience: int = PATIENCE) -> State:
    """The best state on a walk that always moves on, and never to a network that it has seen."""
    best, now, seen, vain = state.copy(), state.copy(), {state.links.tobytes()}, 0
    while vain < patience and (found := now.best(seen)) is not None:
        now.take(found[0])
        seen.add(now.links.tobytes())
        vain += 1
        if now.score > best.score + LEAST:
            best, vain = now.copy(), 0
    return best


def wandered(state: State, draw: np.random.Generator) -> State:
    """Another network that says the same: covered arcs, whose ends have the same other parents, turned at random.

    What is one move away differs from network to network of a class (Chickering 1995).
    """
    fresh = state.copy()
    links, changed = fresh.links, set[int]()
    turnable = state.rules.allowed.T & ~state.rules.required
    for _ in range(len(links)):
        apart = links.sum(0)[None, :] - links.T.astype(np.intp) @ links  # parents of v that are not parents of u
        covered = np.argwhere(links & turnable & (apart == 1) & (links.sum(0)[:, None] + 1 == links.sum(0)[None, :]))
        if not len(covered):
            break
        u, v = (int(x) for x in draw.choice(covered))
        links[u, v], links[v, u] = False, True
        changed |= {u, v}
    fresh.refresh(sorted(changed))
    return fresh


def shaken(state: State, draw: np.random.Generator) -> State:
    """One arc turned, if that may be, and its two ends without their other parents but for those required."""
    fresh = wandered(state, draw)
    arcs = np.argwhere(fresh.links & ~state.rules.required)
    if not len(arcs):
        return fresh
    u, v = (int(x) for x in draw.choice(arcs))
    fresh.links[:, [u, v]] &= state.rules.required[:, [u, v]]
    if state.rules.allowed[v, u] and fresh.links[:, u].sum() < state.rules.most and not reaching(fresh.links)[u, v]:
        fresh.links[v, u] = True
    fresh.refresh([u, v])
    return fresh


def starts(scores: LocalScores, rules: Rules, given: Mask | None, draw: np.random.Generator) -> Iterator[State]:
    """Where climbs begin: the network given, a tree of the strongest dependencies, and nothing, with ties both ways."""
    n = len(rules.names)
    nothing = rules.required.copy()
    noise = draw.random((n, n)) * LEAST
    if given is not None:
        yield State.of(scores, rules, given | rules.required, noise)
    empty = State.of(scores, rules, nothing, noise)
    yield State.of(scores, rules, tree(empty), noise)
    strength = np.where(np.isfinite(empty.gain), np.maximum(empty.gain, 0), 0).sum(0)
    rank = np.argsort(np.argsort(strength))  # a leaf, which depends on little, points to a hub first
    yield State.of(scores, rules, nothing, (rank[None, :] - rank[:, None] + n) * LEAST / (4 * n))
    yield empty


def tree(state: State) -> Mask:
    """The required arcs, and a forest of the pairs that gain most (Chow and Liu 1968), away from the busiest nodes."""
    links = state.links.copy()
    n = len(links)
    pairs = np.maximum(state.gain, state.gain.T)
    part = list(range(n))

    def root(v: int) -> int:
        while part[v] != v:
            v = part[v]
        return v

    for u, v in np.argwhere(links):
        part[root(int(v))] = root(int(u))
    edges: list[tuple[int, int]] = []
    upper = np.triu_indices(n, 1)
    for at in np.argsort(-pairs[upper], kind="stable"):
        u, v = int(upper[0][at]), int(upper[1][at])
        if not pairs[u, v] > LEAST:
            break
        if root(u) != root(v):
            part[root(v)] = root(u)
            edges.append((u, v))
    near: dict[int, list[int]] = {}
    for u, v in edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    seen: set[int] = set()
    for first in sorted(near, key=lambda v: -len(near[v])):
        waiting = [first] if first not in seen else []
        seen.update(waiting)
        while waiting:
            u = waiting.pop()
            for v in near[u]:
                if v not in seen:
                    seen.add(v)
                    waiting.append(v)
                    if state.rules.allowed[u, v] and links[:, v].sum() < state.rules.most and not reaching(links)[v, u]:
                        links[u, v] = True
    return links


@dataclass
class Search:
    """The best network so far, what the score was after each stage, and whether it was stopped."""

    best: State | None = None
    path: list[tuple[str, float]] = field(default_factory=list)
    interrupted: bool = False

    def offer(self, stage: str, state: State) -> bool:
        """Keep a state that is better; whether it is."""
        better = self.best is None or state.score > self.best.score + LEAST
        if better:
            self.best = state.copy()
            self.path.append((stage, state.score))
        return better


def search(scores: LocalScores, rules: Rules, given: NDArray[np.bool_] | None, draw: np.random.Generator) -> Search:
    """The best network found; an interruption ends the search, not its result."""
    found = Search()
    try:
        for k, start in enumerate(starts(scores, rules, given, draw)):
            found.offer(f"start {k + 1}", climb(start))
        assert found.best is not None
        found.offer("tabu", climb(tabu(found.best)))
        failures = 0
        few = len(rules.names) <= SMALL
        while failures < max(FAILURES * (3 if few else 1), len(rules.names)):
            better = found.offer("restart", climb(shaken(found.best, draw)))
            failures = 0 if better else failures + 1
    except KeyboardInterrupt:
        if found.best is None:
            raise
        found.interrupted = True
    return found

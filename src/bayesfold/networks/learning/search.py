"""Hill climbing over networks: add, take out or turn one arc at a time, and go on where a climb ends.

A climb ends where no move gains. From the best of several starts, moves that lose are then taken too, never to a
network seen before (tabu), and at last arcs are turned at random and climbed from again, until that has failed often
enough. There is no clock in it: the same seed gives the same network.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.kernels.structure import climb
from bayesfold.networks.learning.constraint import Tested
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import LocalScores, draw_hashes
from bayesfold.networks.learning.ties import LEAST, count_steps
from bayesfold.networks.learning.tree import find_tree

PATIENCE = 20
"""Moves of the tabu search, one after another, that may be in vain."""

FAILURES = 30
"""Restarts in a row that may gain nothing, at least; three times as many where they cost little."""

SMALL = 25
"""Nodes up to which restarts cost little, and ..."""

MANY = 2_000
"""... rows from which they cost little beside counting."""

DRIFTS = 3
"""Times that all arcs are tried to be turned without changing what the network says, before a restart."""

TOGETHER = 32
"""Restarts between which the search cannot be stopped."""

SEEN = 1 << 12
"""Networks that a tabu search may see, twice."""


Watch = Callable[[str, float], None]


class Climber:
    """One network on the way and the best that it met; arcs as links[parent, child]."""

    def __init__(self, scores: LocalScores, rules: Rules) -> None:
        n = len(rules.names)
        by_child = (np.ascontiguousarray(x.T, np.uint8) for x in (rules.allowed, rules.required))
        self.parents, self.gain = np.zeros((n, n), np.uint8), np.zeros((n, n))
        self.ties = np.zeros((n, n))
        self.best, self.best_gain = np.zeros((n, n), np.uint8), np.zeros((n, n))
        state = (np.zeros(n), np.ones(n, np.uint8), np.zeros(n, np.intp), np.zeros((n, -(-n // 64)), np.uint64))
        self.kernel = climb.Climber(
            scores.kernel,
            (*by_child, rules.most),
            (self.parents, self.gain, *state),
            self.ties,
            (self.best, self.best_gain, np.zeros(n)),
            (draw_hashes(1, (n, n)), np.zeros(SEEN, np.uint64)),
            np.empty((2, n * n + 1), np.intp),
        )

    def stand_at(self, links: Links) -> None:
        """Go to a network."""
        self.kernel.start(np.ascontiguousarray(links.T, np.uint8))

    def gains(self) -> Floats:
        """What toggling each arc, [parent, child], would add to the score; a large negative number where it may not."""
        return self.gain.T.copy()

    @property
    def best_links(self) -> Links:
        """The best network that it met."""
        return self.best.T.astype(bool)

    @property
    def score(self) -> float:
        """The score of the best network that it met."""
        return float(self.kernel.top)


@dataclass
class Search:
    """The best network found and its score.

    gains[u, v]: what toggling u -> v would add. path: the score after each stage that found a better network.
    interrupted: whether it was stopped before it ended. optimal: whether no other network has a higher score.
    tested: the tests that it rests on. watch: told of each stage that found a better network, and its score.
    """

    links: Links
    gains: Floats
    score: float = -np.inf
    path: list[tuple[str, float]] = field(default_factory=list)
    interrupted: bool = False
    optimal: bool = False
    tested: Tested | None = None
    watch: Watch | None = None

    def take(self, stage: str, climber: Climber, better: bool) -> bool:
        """Keep the climber's best after a stage if that made it better; whether it did."""
        if better:
            self.links = climber.best_links
            self.tell(stage, climber.score)
        return better

    def tell(self, stage: str, score: float) -> None:
        """Note what a stage has reached."""
        self.score = score
        self.path.append((stage, score))
        if self.watch is not None:
            self.watch(stage, score)


def list_starts(climber: Climber, rules: Rules, given: Links | None, draw: "np.random.Generator") -> Iterator[Links]:
    """Where climbs begin: the network given, a tree of the strongest dependencies, and nothing, with ties both ways."""
    n = len(rules.names)
    noise = draw.random((n, n)) * LEAST
    climber.ties[:] = noise
    if given is not None:
        yield given | rules.required
    climber.stand_at(rules.required)
    gain = climber.gains()
    yield find_tree(gain, rules, LEAST)
    strength = np.maximum(gain, 0).sum(0)
    places = np.argsort(count_steps(strength), kind="stable")
    rank = np.argsort(places)  # a leaf, which depends on little, points to a hub first
    climber.ties[:] = ((rank[:, None] - rank[None, :] + n) * LEAST + noise) / (4 * n)
    yield rules.required
    climber.ties[:] = noise
    yield rules.required


def search(
    scores: LocalScores, rules: Rules, given: Links | None, draw: "np.random.Generator", watch: Watch | None = None
) -> Search:
    """The best network found; an interruption ends the search, not its result."""
    climber, best = Climber(scores, rules), Search(rules.required, np.zeros(rules.required.shape), watch=watch)
    climber.stand_at(rules.required)
    best.tell("required arcs" if rules.required.any() else "no arcs", float(climber.kernel.score))
    try:
        for k, start in enumerate(list_starts(climber, rules, given, draw)):
            climber.stand_at(start)
            best.take(f"start {k + 1}", climber, climber.kernel.climb())
        climber.stand_at(best.links)
        best.take("tabu", climber, climber.kernel.wander(PATIENCE))
        cheap = len(rules.names) <= SMALL or scores.count >= MANY
        restart(climber, best, draw, FAILURES * (3 if cheap else 1))
    except KeyboardInterrupt:
        if len(best.path) < 2:  # no climb has ended
            raise
        best.interrupted = True
    best.gains = climber.best_gain.T.copy()
    return best


def restart(climber: Climber, best: Search, draw: "np.random.Generator", most: int) -> None:
    """Climb again and again from the best network with some arcs turned, until that has failed often enough."""
    failures, limit = 0, max(most, len(best.links))
    while failures < limit:
        tries = min(limit - failures, TOGETHER)
        chances = draw.random((tries, DRIFTS, max(1, int(best.links.sum()))))
        vain = climber.kernel.again(chances)
        failures = 0 if best.take("restart", climber, vain < tries) else failures + vain

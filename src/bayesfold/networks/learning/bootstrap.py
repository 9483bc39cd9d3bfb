"""How sure is an arc? Rows are drawn again with replacement, and a network is learned from each such sample.

    strength(a, b)    the share of the networks that join a and b
    direction(a, b)   the share of those that say a -> b; one that cannot tell counts half to each side

(Friedman, Goldszmidt and Wyner 1999.) Arcs are taken for real above a threshold that splits the strengths into those
near 0 and those near 1 as well as they can be (Scutari and Nagarajan 2013).

>>> threshold(np.array([0.05, 0.1, 0.9, 1.0]))
0.9
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.equivalence import pattern
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.tree import creates_circle
from bayesfold.runtime.text_table import text_table
from bayesfold.runtime.threads import each

Rows = np.ndarray[tuple[int], np.dtype[np.intp]]


@dataclass(frozen=True)
class ArcStrengths:
    """Shares of `samples` networks: strength[u, v], the same both ways, and direction[u, v], of u -> v where joined."""

    names: tuple[str, ...]
    strength: Floats
    direction: Floats
    samples: int
    threshold: float

    def pairs(self, least: float = 0.0) -> list[tuple[str, str, float, float]]:
        """(a, b, strength, direction) of the pairs that some network joins, strongest first, each as it points most."""
        found = []
        for u, v in np.argwhere(np.triu(self.strength > 0, 1)):
            a, b = (u, v) if self.direction[u, v] >= 0.5 else (v, u)
            found.append((self.names[a], self.names[b], float(self.strength[u, v]), float(self.direction[a, b])))
        return sorted((pair for pair in found if pair[2] >= least), key=lambda pair: -pair[2])

    def averaged(self, rules: Rules, least: float | None = None) -> Links:
        """The pairs that are strong enough, strongest first, each as it points most unless that closes a circle."""
        links, index = rules.required.copy(), {v: i for i, v in enumerate(self.names)}
        for a, b, strength, _ in self.pairs():
            u, v = index[a], index[b]
            if strength < (self.threshold if least is None else least) or links[u, v] or links[v, u]:
                continue
            for tail, head in ((u, v), (v, u)):
                free = rules.allowed[tail, head] and links[:, head].sum() < rules.most
                if free and not creates_circle(links, tail, head):
                    links[tail, head] = True
                    break
        return links

    def __str__(self) -> str:
        title = f"{self.samples} samples; an arc is taken for real from a strength of {self.threshold:.3g} on"
        lines = [
            (f"{a} -> {b}", f"{strength:.3f}", f"{direction:.3f}", "" if strength >= self.threshold else "weak")
            for a, b, strength, direction in self.pairs()
        ]
        return f"{title}\n{text_table(('arc', 'strength', 'direction', ''), lines)}"


def bootstrap(
    learn: Callable[[Rows, np.random.Generator], Links],
    names: tuple[str, ...],
    rows: int,
    samples: int,
    draw: np.random.Generator,
) -> ArcStrengths:
    """Strengths over networks of so many samples of the rows; learn(rows, draw) gives the arcs of one."""
    if samples < 1:
        raise ValueError(f"a bootstrap needs at least 1 sample, not {samples}")
    n = len(names)

    def one(own: np.random.Generator) -> tuple[Floats, Floats]:
        links = learn(own.integers(0, rows, rows), own)
        found = pattern(Dag(names, tuple(tuple(np.flatnonzero(column).tolist()) for column in links.T)))
        to = np.zeros((n, n))
        index = {v: i for i, v in enumerate(names)}
        for a, b in found.arrows:
            to[index[a], index[b]] = 1.0
        for a, b in found.lines:
            to[index[a], index[b]] = to[index[b], index[a]] = 0.5
        return to + to.T, to

    shares = each(one, draw.spawn(samples))
    strength: Floats = np.sum([joined for joined, _ in shares], axis=0) / samples
    to: Floats = np.sum([directed for _, directed in shares], axis=0) / samples
    direction = np.divide(to, strength, out=np.zeros((n, n)), where=strength > 0)
    return ArcStrengths(names, strength, direction, samples, threshold(strength[np.triu_indices(n, 1)]))


def threshold(strengths: Floats) -> float:
    """The strength from which arcs are real: where all were 0 or 1, their distribution would be nearest to this one.

    That is the step of height p for which the integral of |F - p| is least: p is the median of F by length.
    """
    knots = np.unique(np.concatenate([[0.0], strengths, [1.0]]))
    share = np.searchsorted(np.sort(strengths), knots[:-1], side="right") / max(len(strengths), 1)
    length = np.cumsum(np.diff(knots))
    if not len(length):
        return 1.0
    p = share[int(np.searchsorted(length, length[-1] / 2))]
    above = np.sort(strengths)[int(np.floor(p * len(strengths))) :] if len(strengths) else strengths
    return float(above[0]) if len(above) else 1.0

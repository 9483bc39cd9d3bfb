"""How sure each arc is, in shares: of samples, or of what is probable given the rows."""

from dataclasses import dataclass, replace

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.tree import creates_circle
from bayesfold.runtime.text_table import text_table


@dataclass(frozen=True)
class ArcStrengths:
    """strength[u, v]: how sure it is that the two are joined, the same both ways; direction[u, v]: of u -> v if so.

    samples: networks, or orders of the nodes, that this is a mean of (0: it is exact). threshold: the strength from
    which an arc is taken for real. caption: where the shares come from.
    """

    names: tuple[str, ...]
    strength: Floats
    direction: Floats
    samples: int
    threshold: float
    caption: str

    @classmethod
    def of(cls, names: tuple[str, ...], to: Floats, samples: int, threshold: float, caption: str) -> "ArcStrengths":
        """From how sure each direction is by itself: to[u, v] of u -> v."""
        strength = to + to.T
        direction = np.divide(to, strength, out=np.zeros(to.shape), where=strength > 0)
        return cls(names, strength, direction, samples, threshold, caption)

    def with_names(self, names: tuple[str, ...]) -> "ArcStrengths":
        """The same with the names in another order."""
        index = {v: i for i, v in enumerate(self.names)}
        order = [index[v] for v in names]
        strength, direction = (np.ascontiguousarray(x[np.ix_(order, order)]) for x in (self.strength, self.direction))
        return replace(self, names=names, strength=strength, direction=direction)

    def pairs(self, least: float = 0.0) -> list[tuple[str, str, float, float]]:
        """(a, b, strength, direction) of the pairs that some network joins, strongest first, each as it points most."""
        joined = []
        for u, v in np.argwhere(np.triu(self.strength > 0, 1)):
            u, v = sorted((u, v), key=self.names.__getitem__)  # where the shares tie, names decide
            a, b = (u, v) if self.direction[u, v] >= 0.5 - ROUNDING else (v, u)
            joined.append((self.names[a], self.names[b], float(self.strength[u, v]), float(self.direction[a, b])))
        return sorted(
            (pair for pair in joined if pair[2] >= least), key=lambda pair: (-round(pair[2], 9), *sorted(pair[:2]))
        )

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
        title = f"{self.caption}; an arc is taken for real from a strength of {self.threshold:.3g} on"
        shown = self.pairs(SHOWN)
        lines = [
            (f"{a} -> {b}", f"{strength:.3f}", f"{direction:.3f}", "" if strength >= self.threshold else "weak")
            for a, b, strength, direction in shown
        ]
        weaker = len(self.pairs()) - len(shown)
        rest = f"\nand {weaker:,} below {SHOWN}" if weaker else ""
        return f"{title}\n{text_table(('arc', 'strength', 'direction', ''), lines)}{rest}"


ROUNDING = 1e-9
"""Shares that differ by less tie."""

SHOWN = 0.005
"""The strength below which a pair is not listed."""

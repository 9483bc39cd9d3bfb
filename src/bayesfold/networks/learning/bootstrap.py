"""How sure is an arc? Rows are drawn again with replacement, and a network is learned from each such sample.

    strength(a, b)    the share of the networks that join a and b
    direction(a, b)   the share of those that say a -> b; one that cannot tell counts half to each side

(Friedman, Goldszmidt and Wyner 1999.) Arcs are taken for real above a threshold that splits the strengths into those
near 0 and those near 1 as well as they can be (Scutari and Nagarajan 2013).

>>> find_threshold(np.array([0.05, 0.1, 0.9, 1.0]))
0.9
"""

from collections.abc import Callable
from threading import Event

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.equivalence import find_pattern
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.strengths import ArcStrengths
from bayesfold.runtime.threads import each

Rows = np.ndarray[tuple[int], np.dtype[np.intp]]


def bootstrap(
    learn: Callable[[Rows, np.random.Generator], Links],
    rules: Rules,
    rows: int,
    samples: int,
    draw: "np.random.Generator",
) -> ArcStrengths:
    """Strengths over networks of so many samples of the rows; learn(rows, draw) gives the arcs of one."""
    names, n, stopped = rules.names, len(rules.names), Event()

    def learn_again(own: "np.random.Generator") -> Floats:
        if stopped.is_set():  # an interrupt reaches one thread, and the others have samples to go
            raise KeyboardInterrupt
        try:
            links = learn(own.integers(0, rows, rows), own)
        except KeyboardInterrupt:
            stopped.set()
            raise
        arcs = find_pattern(Dag(names, tuple(tuple(np.flatnonzero(column).tolist()) for column in links.T)))
        to = np.zeros((n, n))
        index = {v: i for i, v in enumerate(names)}
        for a, b in arcs.arrows:
            to[index[a], index[b]] = 1.0
        for u, v in ((index[a], index[b]) for a, b in arcs.lines):
            either = rules.allowed[u, v] and rules.allowed[v, u]  # what the rules direct is no tie
            to[u, v], to[v, u] = (0.5, 0.5) if either else (links[u, v], links[v, u])
        return to

    to: Floats = np.sum(each(learn_again, draw.spawn(samples)), axis=0) / samples
    strength = (to + to.T)[np.triu_indices(n, 1)]
    many = "1 sample" if samples == 1 else f"{samples} samples"
    return ArcStrengths.of(names, to, samples, find_threshold(strength), many)


def find_threshold(strengths: Floats) -> float:
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

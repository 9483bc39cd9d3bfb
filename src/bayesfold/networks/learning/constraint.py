"""PC-stable: arcs from tests of independence (Spirtes and Glymour 1991; Colombo and Maathuis 2014).

All pairs are joined at first. A pair that is independent given some neighbours of one of its ends is parted, first
given none, then one, then two; neighbours are those at the beginning of each round, and of sets of one size the one of
the largest p-value parts, so that the order of the columns does not matter. Where two arms of an open fork meet in a
node that did not part their ends, the arms are arrows into it; what follows from these is directed too (Meek 1995).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np

from bayesfold.networks.learning.equivalence import Pattern, apply_meek_rules
from bayesfold.networks.learning.independence import IndependenceTests
from bayesfold.networks.learning.rules import Links, Rules

Pair = tuple[int, int]

ROUNDING = 1e-9
"""P-values that differ by less tie."""


@dataclass(frozen=True)
class Skeleton:
    """Which pairs are joined, and why.

    p_values[u, v], u < v: of the test that parted them, otherwise the largest of those that did not. separators[u, v]:
    what parted them. tests: how many there were.
    """

    joined: Links
    p_values: Mapping[Pair, float]
    separators: Mapping[Pair, tuple[int, ...]]
    tests: int


@dataclass(frozen=True)
class Tested:
    """A skeleton by name: p-values and separators of pairs, and the class of networks that the tests say."""

    p_values: Mapping[frozenset[str], float]
    separators: Mapping[frozenset[str], tuple[str, ...]]
    pattern: Pattern
    tests: int

    @classmethod
    def of(cls, skeleton: Skeleton, arrows: Links, names: tuple[str, ...]) -> "Tested":
        """The same with names."""

        def pair(u: int, v: int) -> frozenset[str]:
            return frozenset((names[u], names[v]))

        one_way = arrows & ~arrows.T
        lines = frozenset(pair(u, v) for u, v in np.argwhere(skeleton.joined & ~one_way & ~one_way.T).tolist())
        return cls(
            {pair(u, v): p for (u, v), p in skeleton.p_values.items()},
            {pair(u, v): tuple(names[w] for w in given) for (u, v), given in skeleton.separators.items()},
            Pattern(frozenset((names[u], names[v]) for u, v in np.argwhere(one_way).tolist()), lines),
            skeleton.tests,
        )


def find_skeleton(tests: IndependenceTests, rules: Rules, significance: float) -> Skeleton:
    """Pairs that no set of at most `rules.most` neighbours makes independent; required arcs are not tested."""
    if not 0 < significance < 1:
        raise ValueError(f"significance must lie between 0 and 1, not {significance}")
    joined = rules.allowed | rules.allowed.T
    required = rules.required | rules.required.T
    p_values: dict[Pair, float] = {}
    separators: dict[Pair, tuple[int, ...]] = {
        (int(u), int(v)): () for u, v in np.argwhere(~joined & ~required) if u < v
    }
    joined |= required
    size = 0
    while size <= joined.sum(0).max(initial=0) - 1 and size <= rules.most:
        near = [set(np.flatnonzero(row).tolist()) for row in joined]
        for u, v in np.argwhere(np.triu(joined & ~required)).tolist():
            best: tuple[float, tuple[int, ...]] | None = None
            for given in list_separators(near, u, v, size):
                p = tests.p_value(u, v, given)
                if p != p and not given:
                    p = 1.0  # one of the two never varies
                p_values[u, v] = max(p_values.get((u, v), 0.0), p if p == p else 0.0)
                if p >= significance and (best is None or p > best[0] + ROUNDING):
                    best = p, given
            if best is not None:
                joined[u, v] = joined[v, u] = False
                p_values[u, v], separators[u, v] = best
        size += 1
    return Skeleton(joined, p_values, separators, tests.tests)


def list_separators(near: list[set[int]], u: int, v: int, size: int) -> Iterator[tuple[int, ...]]:
    """Sets of so many neighbours of u, then of v, each once."""
    first, second = sorted(near[u] - {v}), sorted(near[v] - {u})
    seen = set()
    for given in chain(combinations(first, size), combinations(second, size)):
        if given not in seen:
            seen.add(given)
            yield given


def direct_edges(skeleton: Skeleton, rules: Rules) -> Links:
    """Arrows [u, v] of the class: by the rules, by forks that meet, and what follows; of two at odds the first."""
    n = len(skeleton.joined)
    near = [set(np.flatnonzero(row).tolist()) for row in skeleton.joined]
    into: list[set[int]] = [set() for _ in range(n)]
    for u, v in np.argwhere(skeleton.joined & ~rules.allowed.T).tolist():
        into[v].add(u)  # the other way is ruled out
    for u, v in np.argwhere(rules.required).tolist():
        into[v].add(u)
    for (u, v), given in sorted(skeleton.separators.items()):
        for w in sorted(near[u] & near[v]):
            if w not in given and not skeleton.joined[u, v] and not into[u] & {w} and not into[v] & {w}:
                into[w] |= {u, v}
    apply_meek_rules(near, into)
    links = np.zeros((n, n), bool)
    for v, above in enumerate(into):
        links[list(above), v] = True
    return links


def extend_to_dag(joined: Links, arrows: Links, rules: Rules) -> Links:
    """A network without cycles that has these arrows and directs the lines, without new forks that meet if it can.

    One sink after another is taken away (Dor and Tarsi 1992); where there is none that would do, the one that does
    least harm. An arc that the rules do not allow is left out.
    """
    links, left = np.zeros(joined.shape, bool), set(range(len(joined)))
    one_way = arrows & ~arrows.T
    while left:

        def harm(x: int) -> tuple[int, int, int, int, int]:
            near = [y for y in left if joined[x, y]]
            lines = [y for y in near if not one_way[x, y] and not one_way[y, x]]
            open_forks = sum(not joined[y, z] for y in lines for z in near if z != y)
            lost = sum(bool(rules.required[x, y]) for y in near)  # 0 of some node: what is required has no circle
            ruled_out = sum(not rules.allowed[y, x] for y in near)
            return lost, ruled_out, sum(bool(one_way[x, y]) for y in near), open_forks, -x

        sink = min(left, key=harm)
        left.remove(sink)
        for y in left:
            links[y, sink] = joined[sink, y] and rules.allowed[y, sink]
    return links

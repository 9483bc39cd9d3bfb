"""Which arcs data can tell the direction of: networks with the same independencies, and how far two of them are apart.

>>> chain, fork = Dag.of([("a", "b"), ("b", "c")]), Dag.of([("b", "a"), ("b", "c")], "abc")
>>> meet = Dag.of([("a", "b"), ("c", "b")], "abc")
>>> distance(chain, fork), distance(chain, meet)                  # the first two say the same
(0, 2)
>>> sorted(find_pattern(meet).arrows)
[('a', 'b'), ('c', 'b')]
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bayesfold.networks.dag import Dag


@dataclass(frozen=True)
class Pattern:
    """A class of networks (CPDAG): arrows that all of them have, and lines whose direction they differ in."""

    arrows: frozenset[tuple[str, str]]
    lines: frozenset[frozenset[str]]

    def between(self, a: str, b: str) -> str:
        """How two nodes are joined: "->", "<-", "-", or "" if they are not."""
        if (a, b) in self.arrows or (b, a) in self.arrows:
            return "->" if (a, b) in self.arrows else "<-"
        return "-" if frozenset((a, b)) in self.lines else ""


def find_pattern(dag: Dag) -> Pattern:
    """The class of a network: heads that meet unmarried keep their arrows, and so does what follows (Meek 1995)."""
    n = len(dag.names)
    near: list[set[int]] = [{*dag.parents[v], *dag.children[v]} for v in range(n)]
    into: list[set[int]] = [set() for _ in range(n)]  # parents by an arrow that is certain
    for v in range(n):
        for a, b in combinations(dag.parents[v], 2):
            if b not in near[a]:
                into[v] |= {a, b}

    apply_meek_rules(near, into)
    name = dag.names
    arrows = frozenset((name[a], name[b]) for b in range(n) for a in into[b])
    lines = frozenset(frozenset((name[a], name[b])) for b in range(n) for a in near[b] - into[b] if b not in into[a])
    return Pattern(arrows, lines)


def apply_meek_rules(near: Sequence[set[int]], into: Sequence[set[int]]) -> None:
    """Direct the lines whose other direction would make a new meeting of heads, or a circle (Meek's four rules).

    near[v]: the neighbours of v; into[v]: its parents by an arrow that is certain, which are added to.
    """

    def undirected(a: int, b: int) -> bool:
        return b in near[a] and a not in into[b] and b not in into[a]

    def must(a: int, b: int) -> bool:
        """Whether a -> b must hold."""
        if any(c not in near[b] and c != b for c in into[a]):
            return True
        if any(a in into[c] for c in into[b]):
            return True
        between = [c for c in into[b] if undirected(a, c)]
        if any(d not in near[c] for c, d in combinations(between, 2)):
            return True
        return any(c not in near[b] and c in near[a] for d in into[b] if d in near[a] for c in into[d])

    changed = True
    while changed:
        changed = False
        for b in range(len(near)):
            for a in sorted(near[b]):
                if undirected(a, b) and must(a, b):
                    into[b].add(a)
                    changed = True


def distance(one: Dag, other: Dag) -> int:
    """Pairs of nodes that the classes of two networks join differently: the structural Hamming distance of CPDAGs."""
    if set(one.names) != set(other.names):
        odd = min(set(one.names) ^ set(other.names))
        raise ValueError(f"only one of the networks has the node {odd!r}; compare networks of the same nodes")
    first, second = find_pattern(one), find_pattern(other)
    pairs = {*joined_pairs(first), *joined_pairs(second)}
    return sum(first.between(*sorted(pair)) != second.between(*sorted(pair)) for pair in pairs)


def joined_pairs(pattern: Pattern) -> Iterable[frozenset[str]]:
    """The pairs that a class joins."""
    return {*pattern.lines, *(frozenset(arrow) for arrow in pattern.arrows)}

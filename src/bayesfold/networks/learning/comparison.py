"""What two networks of the same nodes say differently, directions that data cannot tell aside.

>>> one, other = Dag.of([("a", "b"), ("c", "b")]), Dag.of([("a", "b"), ("b", "d")], "abcd")
>>> print(compare(Dag.of(one.edges, "abcd"), other))
3 pairs are joined differently
  c -> b  only in the first
  b - d   only in the second
  a -> b  in the second a - b
"""

from dataclasses import dataclass

from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.equivalence import Pattern, distance, find_pattern, joined_pairs

Pair = tuple[str, str]

LEAST = 1e-4
"""Difference of scores that is worth a word."""


@dataclass(frozen=True)
class Comparison:
    """Pairs that only one of two networks joins, and those that they join differently: [how the first, the second].

    distance: how many these are altogether, the structural Hamming distance of the classes. ahead: by how much the
    first scores higher on the rows that it was learned from, where that is known, by the score called `kind`.
    """

    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    differently: tuple[Pair, ...]
    distance: int
    ahead: float | None = None
    kind: str = ""

    def __str__(self) -> str:
        many = "1 pair is" if self.distance == 1 else f"{self.distance} pairs are"
        title = f"{many} joined differently" if self.distance else "the networks say the same"
        if self.ahead is not None and abs(self.ahead) >= LEAST:
            title += f"; the first scores {abs(self.ahead):.4g} {'more' if self.ahead > 0 else 'less'} ({self.kind})"
        notes = [
            *((pair, "only in the first") for pair in self.only_first),
            *((pair, "only in the second") for pair in self.only_second),
            *((one, f"in the second {other}") for one, other in self.differently),
        ]
        wide = max((len(pair) for pair, _ in notes), default=0)
        return "\n".join([title, *(f"  {pair:{wide}}  {note}" for pair, note in notes)])


def compare(one: Dag, other: Dag) -> Comparison:
    """How two networks of the same nodes differ."""
    apart = distance(one, other)
    first, second = find_pattern(one), find_pattern(other)
    pairs = sorted(tuple(sorted(pair)) for pair in {*joined_pairs(first), *joined_pairs(second)})
    drawn = [(print_arc(first, a, b), print_arc(second, a, b)) for a, b in pairs]
    return Comparison(
        tuple(mine for mine, theirs in drawn if not theirs),
        tuple(theirs for mine, theirs in drawn if not mine),
        tuple((mine, theirs) for mine, theirs in drawn if mine and theirs and mine != theirs),
        apart,
    )


def print_arc(pattern: Pattern, a: str, b: str) -> str:
    """A pair as it is joined: "a -> b", "b -> a", "a - b" or ""."""
    sign = pattern.between(a, b)
    return f"{b} -> {a}" if sign == "<-" else f"{a} {sign} {b}" if sign else ""

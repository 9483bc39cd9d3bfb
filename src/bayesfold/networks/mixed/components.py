"""What a question has to look at: the nodes that matter, and the numbers in groups that only categories join.

Once it is known which nodes are observed, an observed number is a value to its children, so that it joins nothing.
The regressions of a group then speak of numbers that no other group has, and of categories: given these, groups are
independent, and each is one normal distribution for every combination of its categories.

>>> from bayesfold.networks.dag import Dag
>>> axes = {"sex": ("f", "m"), "height": (), "weight": ()}
>>> kinds = Kinds(Dag.of([("sex", "height"), ("sex", "weight"), ("height", "weight")]), axes)
>>> find_components(kinds, seen={1}, needed={0, 1, 2})                      # height is observed: two groups
[Component(hidden=(), families=(1,), keys=(0,)), Component(hidden=(2,), families=(2,), keys=(0,))]
"""

from collections.abc import Collection
from dataclasses import dataclass

from bayesfold.networks.mixed.kinds import Kinds


@dataclass(frozen=True)
class Component:
    """A group: hidden numbers, the numbers whose lines speak of them, and the hidden categories of these lines."""

    hidden: tuple[int, ...]
    families: tuple[int, ...]
    keys: tuple[int, ...]


def find_components(kinds: Kinds, seen: Collection[int], needed: Collection[int]) -> list[Component]:
    """The groups of the numbers among the nodes that matter, parents before children in each."""
    order = [v for v in kinds.dag.order if v in needed and not kinds.cards[v]]
    group = {v: {v} for v in order}  # families that belong together
    first: dict[int, int] = {}  # a family that speaks of each hidden number
    for v in order:
        for u in (*kinds.numbers_above(v), v):
            if u in seen:
                continue
            other = group[first.setdefault(u, v)]
            if other is not group[v]:
                other |= group[v]
                for w in tuple(other):
                    group[w] = other
    groups: list[Component] = []
    done: set[int] = set()
    for v in order:
        if v in done:
            continue
        done |= group[v]
        families = tuple(w for w in order if w in group[v])
        keys = {p for w in families for p in kinds.categories_above(w) if p not in seen}
        groups.append(Component(tuple(w for w in families if w not in seen), families, tuple(sorted(keys))))
    return groups

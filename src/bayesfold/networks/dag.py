"""Directed acyclic graphs by name outside and by number inside.

>>> sprinkler = Dag.of([("rain", "sprinkler"), ("rain", "grass"), ("sprinkler", "grass")])
>>> sprinkler.names, sprinkler.parents
(('rain', 'sprinkler', 'grass'), ((), (0,), (0, 1)))
>>> Dag.of([("a", "b"), ("b", "c"), ("c", "a")])
Traceback (most recent call last):
ValueError: the edges form a cycle: a -> b -> c -> a; remove or turn one of them
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from bayesfold.networks.factor_states import check_name, name_of


@dataclass(frozen=True)
class Dag:
    """names[i] and, by number, the parents of node i in the order of its table's axes."""

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            twice = next(n for n in self.names if self.names.count(n) > 1)
            raise ValueError(f"two nodes are named {twice!r}; rename one")
        if len(self.order) < len(self.names):
            raise ValueError(f"the edges form a cycle: {' -> '.join(self._circle())}; remove or turn one of them")

    @classmethod
    def of(cls, edges: Iterable[tuple[str, str]], nodes: Iterable[str] = ()) -> "Dag":
        """A graph of (parent, child) pairs; `nodes` come first, then the others in the order of the edges."""
        pairs = [check_edge(edge) for edge in edges]
        index: dict[str, int] = {}
        for name in [*map(name_of, nodes), *(end for pair in pairs for end in pair)]:
            index.setdefault(name, len(index))
        parents: list[list[int]] = [[] for _ in index]
        for parent, child in pairs:
            if index[parent] in parents[index[child]]:
                raise ValueError(f"the edge {parent} -> {child} is given twice; give it once")
            parents[index[child]].append(index[parent])
        return cls(tuple(index), tuple(map(tuple, parents)))

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each node."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each node."""
        children: list[list[int]] = [[] for _ in self.names]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                children[parent].append(child)
        return tuple(map(tuple, children))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Parents before children, otherwise as given; shorter than the graph if it has a circle."""
        waiting = [len(p) for p in self.parents]
        ready = [i for i, left in enumerate(waiting) if not left]
        done: list[int] = []
        while ready:
            node = heappop(ready)
            done.append(node)
            for child in self.children[node]:
                waiting[child] -= 1
                if not waiting[child]:
                    heappush(ready, child)
        return tuple(done)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """(parent, child) pairs by name."""
        return tuple((self.names[p], self.names[c]) for c, parents in enumerate(self.parents) for p in parents)

    def number(self, name: str) -> int:
        """The number of a node; an unknown name is refused with the nearest there is."""
        return self.index[check_name("node", name, self.index)]

    def numbers(self, names: str | Iterable[str]) -> frozenset[int]:
        """The numbers of one node or of several."""
        if isinstance(names, str) or not isinstance(names, Iterable):
            return frozenset([self.number(names)])
        return frozenset(map(self.number, names))

    def ancestors(self, nodes: Iterable[int]) -> set[int]:
        """These nodes and everything above them."""
        return closure(nodes, self.parents)

    def descendants(self, nodes: Iterable[int]) -> set[int]:
        """These nodes and everything below them."""
        return closure(nodes, self.children)

    def blanket(self, node: int) -> set[int]:
        """Parents, children and the children's other parents: given these, the rest says nothing more of it."""
        around = {*self.parents[node], *self.children[node]}
        for child in self.children[node]:
            around.update(self.parents[child])
        return around - {node}

    def moral(self, within: Iterable[int] | None = None) -> list[set[int]]:
        """Neighbours once parents of a common child are married and arrows dropped; `within` must hold every parent."""
        near: list[set[int]] = [set() for _ in self.names]
        for child in range(len(self.names)) if within is None else within:
            family = {child, *self.parents[child]}
            for node in family:
                near[node] |= family - {node}
        return near

    def _circle(self) -> list[str]:
        """One circle, by name: from a node that was never ready, up through parents that were not either."""
        stuck = set(range(len(self.names))) - set(self.order)
        walk = [min(stuck)]
        while (above := next(p for p in self.parents[walk[-1]] if p in stuck)) not in walk:
            walk.append(above)
        ring = [*walk[walk.index(above) :], above][::-1]
        return [self.names[i] for i in ring]


def closure(nodes: Iterable[int], step: tuple[tuple[int, ...], ...]) -> set[int]:
    """Everything that can be reached from these nodes by `step`, themselves included."""
    reached = set(nodes)
    waiting = list(reached)
    while waiting:
        for other in step[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached


def check_edge(edge: tuple[str, str]) -> tuple[str, str]:
    """A pair of names, whatever wrote it; an edge from a node to itself is refused."""
    if isinstance(edge, str) or not isinstance(edge, Collection) or len(edge) != 2:
        raise ValueError(f"an edge is a pair (parent, child), not {edge!r}")
    parent, child = map(name_of, edge)
    if parent == child:
        raise ValueError(f"{parent!r} cannot be its own parent")
    return parent, child

"""Directed acyclic graphs over the class and the features: a classifier is a mixture of them.

>>> naive = (Node(("y",)), Node(("x1",), ("y",)), Node(("x2",), ("y",)))
>>> factorization(naive)
'P(y) P(x1 | y) P(x2 | y)'
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias


@dataclass(frozen=True)
class Node:
    """Children that depend on parents; `power` is the exponent on their likelihood (1: as in the textbook).

    Parents stand in the order in which a table with too few rows gives them up, the last first; the class is the last
    of them and never given up.
    """

    children: tuple[str, ...]
    parents: tuple[str, ...] = ()
    power: float = 1.0


Network: TypeAlias = tuple[Node, ...]


MOST_BELOW = 4_096
"""Nodes below the same parents that are kept."""


class NodesBelow(dict[str, Node]):
    """The nodes of columns that each depend on the same parents, by name, made when one is asked for.

    >>> NodesBelow(("a", "y"))["b"]
    Node(children=('b',), parents=('a', 'y'), power=1.0)
    """

    def __init__(self, parents: tuple[str, ...]) -> None:
        self.parents = parents

    def __missing__(self, name: str) -> Node:
        if len(self) >= MOST_BELOW:
            self.clear()
        node = self[name] = Node((name,), self.parents)
        return node


@lru_cache(maxsize=256)
def nodes_below(parents: tuple[str, ...]) -> NodesBelow:
    """The nodes below these parents, the same ones for all networks: every fold asks for hundreds of pairs again."""
    return NodesBelow(parents)


@dataclass(frozen=True)
class Mixture:
    """Networks whose joint probabilities are combined; naive Bayes is a mixture of one.

    combine="mean" averages their joint probabilities by `weights`, "product" multiplies them, each to the power of its
    weight. A network whose `root` (the feature all others depend on) is missing in a row, or shows a value that fewer
    than `minimum` rows have shown, has no say. A value that always comes with another one, which at least
    `subsumption` rows have shown, adds nothing and is read as missing in rows that show both (0: never).
    """

    networks: tuple[Network, ...]
    weights: tuple[float, ...] | None = None
    combine: str = "mean"
    roots: tuple[tuple[str, ...], ...] = ()
    minimum: float = 0.0
    sum_out: bool = True  # a missing parent is summed out of a single network; else its children do without it
    subsumption: float = 0.0


def factorization(network: Network, called: Mapping[str, str] | None = None) -> str:
    """The joint probability as a product, in print; nodes by their names, or as they are `called`."""

    def listed(nodes: Iterable[str]) -> str:
        return ", ".join((called or {}).get(node, node) for node in nodes)

    def factor(node: Node) -> str:
        given = f" | {listed(node.parents)}" if node.parents else ""
        power = f"^{node.power:.3g}" if node.power != 1 else ""
        return f"P({listed(node.children)}{given}){power}"

    return " ".join(factor(node) for node in network)

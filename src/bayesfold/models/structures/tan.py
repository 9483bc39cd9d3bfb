"""Tree-augmented naive Bayes (Friedman 1997): every column but one depends on the class and on one other column.

The tree is the maximum spanning tree of I(X_i; X_j | Y) (Chow and Liu), rooted at the column that tells most about the
class; of all such trees it makes the learned rows most likely.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from bayesfold.data.frame import Floats
from bayesfold.data.graph import Mixture, Node
from bayesfold.data.schema import Schema
from bayesfold.tally.mutual_information import between, with_class
from bayesfold.tally.statistic import Clique, Tally


@dataclass(frozen=True)
class Tan:
    """Nothing is to be set."""

    def learn(self, schema: Schema, count: Callable[[tuple[Clique, ...]], Tally]) -> Mixture:
        """Count every pair of columns once and keep the best tree."""
        target, names = schema.target.name, schema.tables
        tally = count(pairs(schema))
        parent = tree(with_class(tally, names), between(tally, names))
        nodes = [Node((target,))]
        for column in schema.features:
            up = parent.get(names.index(column.name)) if column.name in names else None
            nodes.append(Node((column.name,), (target,) if up is None else (names[up], target)))
        return Mixture((tuple(nodes),))


def pairs(schema: Schema) -> tuple[Clique, ...]:
    """The tables of each column, and of each two columns, by class."""
    target, names = schema.target.name, schema.tables
    some = [*((n,) for n in names), *combinations(names, 2)]
    return (Clique((target,)), *(Clique((*keys, target)) for keys in some))


def tree(telling: Floats, shared: Floats) -> dict[int, int]:
    """Each column's parent in the maximum spanning tree from the most telling column (Prim)."""
    if not len(telling):
        return {}
    root = int(telling.argmax())
    best, up = shared[root].copy(), dict.fromkeys(range(len(telling)), root)
    parent: dict[int, int] = {}
    left = set(range(len(telling))) - {root}
    while left:
        child = max(sorted(left), key=lambda j: best[j])
        parent[child] = up[child]
        left.discard(child)
        for j in left:
            if shared[child, j] > best[j]:
                best[j], up[j] = shared[child, j], child
    return parent

"""Tree-augmented naive Bayes (Friedman 1997): every column but one depends on the class and on one other column.

The tree is the maximum spanning tree of I(X_i; X_j | Y) (Chow and Liu), rooted at the column that tells most about the
class; of all such trees it makes the learned rows most likely.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bayesfold.data.frame import Floats
from bayesfold.data.graph import Mixture, Node
from bayesfold.data.schema import Schema
from bayesfold.models.structures._pairs import pair_cliques
from bayesfold.tally.layout import Clique
from bayesfold.tally.mutual_information import rank_columns
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class Tan:
    """TAN has no parameters."""

    def learn(self, schema: Schema, count: Callable[[tuple[Clique, ...]], Tally]) -> Mixture:
        """Count every pair of columns once and keep the best tree."""
        target, names = schema.target.name, schema.tables
        names, _, shared = rank_columns(count(pair_cliques(schema)), names)
        parents = {names[child]: names[parent] for child, parent in maximum_spanning_tree(shared).items()}
        nodes = [Node((target,))]
        for column in schema.features:
            up = parents.get(column.name)
            nodes.append(Node((column.name,), (target,) if up is None else (up, target)))
        return Mixture((tuple(nodes),))


def maximum_spanning_tree(shared: Floats) -> dict[int, int]:
    """Each column's parent in the maximum spanning tree from the first column (Prim)."""
    if not len(shared):
        return {}
    best, up = shared[0].copy(), dict.fromkeys(range(len(shared)), 0)
    parent: dict[int, int] = {}
    left = set(range(1, len(shared)))
    while left:
        child = max(sorted(left), key=lambda j: best[j])
        parent[child] = up[child]
        left.discard(child)
        for j in left:
            if shared[child, j] > best[j]:
                best[j], up[j] = shared[child, j], child
    return parent

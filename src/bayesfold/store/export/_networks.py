"""The networks of a plan: what columns say of each class where they depend on each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats


@dataclass(frozen=True)
class NodeTable:
    """log[cell][class], the cell by the slots of the parents and then of the child, the child's running fastest.

    `columns` are places in the grid. In a grid an unseen value is missing.
    """

    columns: tuple[int, ...]
    log: Floats


@dataclass(frozen=True)
class ImplicationTables:
    """forth[x][y]: with x in the first column, y in the second says nothing more; back[x][y]: the reverse."""

    first: int
    second: int
    forth: NDArray[np.bool_]
    back: NDArray[np.bool_]


@dataclass(frozen=True)
class Networks:
    """Networks with feature parents, over a grid of columns with slots.

    Without `roots` there is one network. Its missing parents that a value depends on, by way of missing columns, are
    summed out if that takes from 1 to `most_sums` terms; otherwise slot 0 has the table without that parent.
    With `roots` a network has a say if each of its roots shows a slot that is `heard`. "mean": the log of the mean of
    those that have a say, by weight; "product": the sum of weight times log, a network without a say speaking as the
    mean of the others. With none that has a say (or weight) `naive` speaks.
    """

    columns: tuple[int, ...]
    slots: tuple[int, ...]
    networks: tuple[tuple[NodeTable, ...], ...]
    naive: tuple[NodeTable, ...]
    roots: tuple[tuple[int, ...], ...]
    heard: tuple[tuple[bool, ...], ...]
    weights: tuple[float, ...]
    combine: str
    implications: tuple[ImplicationTables, ...]
    most_sums: int


def parents_of(networks: Networks) -> list[int]:
    """The columns of the grid that have children in the first network, children before their parents."""
    nodes = networks.networks[0]
    parents = {c for node in nodes for c in node.columns[:-1]}
    ordered: list[int] = []
    while len(ordered) < len(parents):
        for c in sorted(parents - set(ordered)):
            below = {node.columns[-1] for node in nodes if c in node.columns[:-1]}
            if (below & parents).issubset(ordered):
                ordered.append(c)
    return ordered

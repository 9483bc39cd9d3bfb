"""The nodes of networks that have a feature among their parents, or are such a parent: what is looked up for each row.

>>> nodes = (Node(("y",)), Node(("y", "a")), Node(("b",), ("a", "y")), Node(("c",), ("y",)))
>>> [parent_node_of(node, "y", {"a": 0, "b": 1}) for node in leaves_of(nodes, "y")]
[ParentNode(name='a', parents=(), columns=(0,), power=1.0, root=True), \
ParentNode(name='b', parents=('a',), columns=(0, 1), power=1.0, root=False)]
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.graph import Network, Node
from bayesfold.kernels.scoring import node_records
from bayesfold.runtime.identity_cache import kept_by_identity
from bayesfold.tally.layout import Layout


class ParentNode(NamedTuple):
    """A node below the class with feature parents, or a super-parent; its columns are rows of a grid, its own last."""

    name: str
    parents: tuple[str, ...]
    columns: tuple[int, ...]
    power: float = 1.0
    root: bool = False


Program = tuple[NDArray[np.intp], NDArray[np.intp], tuple[int, int, int]]
"""One record per leaf; where each begins; the numbers of rows, cells and totals."""


def leaves_of(network: Network, target: str) -> Network:
    """The nodes that have a feature among their parents, are such a parent, or stand beside the class."""
    shallow = ((), (target,))
    below = [len(n.children) > 1 or n.parents not in shallow for n in network]
    parents = set[str]().union(*(n.parents for n, is_deep in zip(network, below, strict=True) if is_deep)) - {target}
    return tuple([n for n, is_deep in zip(network, below, strict=True) if is_deep or n.children[0] in parents])


@kept_by_identity
def all_leaves(networks: tuple[Network, ...], target: str) -> tuple[Network, ...]:
    """Those nodes of each network; several ask for them."""
    return tuple([leaves_of(network, target) for network in networks])


def parent_node_of(node: Node, target: str, at: dict[str, int]) -> ParentNode:
    """A node with feature parents as the kernels need it, its columns by their places in a grid."""
    child = node.children[-1]  # a super-parent stands behind the class
    parents = node.parents[:-1]
    return ParentNode(child, parents, (*[at[p] for p in parents], at[child]), node.power, len(node.children) > 1)


def order_parents_first(leaves: Sequence[ParentNode], chosen: Sequence[int]) -> list[int]:
    """The chosen leaves, parents before their children."""
    done: set[int] = set()
    ordered: list[int] = []
    while len(ordered) < len(chosen):
        for k in chosen:
            *parents, child = leaves[k].columns
            if child not in done and done.issuperset(parents):
                ordered.append(k)
                done.add(child)
    return ordered


def compile_program(layout: Layout, leaves: Sequence[ParentNode]) -> Program:
    """The records of leaves, one after another (kernels/scoring/record.pxd says what is in one)."""
    schema, firsts = layout.schema, layout.firsts
    columns, ends, roots, names, keys = list_columns(leaves, tuple(schema.position))
    slots, places = (np.array([of.get(name, 0) for name in names], np.intp) for of in (schema.axes, schema.position))
    sources = np.array([firsts[own] for own in keys], np.intp)
    begins, sizes = np.empty(len(leaves), np.intp), np.empty(3, np.intp)
    program = np.empty(6 * len(leaves) + 5 * len(columns), np.intp)  # 11 for each node and 5 for each parent
    width = schema.target.slots
    node_records.fill(columns, ends, roots, sources, slots, places, width, begins, program, sizes)
    rows, cells, totals = sizes.tolist()
    return program, begins, (rows, cells, totals)


@kept_by_identity
def places_by_name(leaves: Sequence[ParentNode]) -> dict[str, list[int]]:
    """The places of each column's leaves."""
    by_name: dict[str, list[int]] = {}
    for k, leaf in enumerate(leaves):
        by_name.setdefault(leaf.name, []).append(k)
    return by_name


@kept_by_identity
def children(leaves: Sequence[ParentNode]) -> tuple[NDArray[np.intp], int]:
    """For each column of the grid a leaf of which it is the child, or -1; and how many parents a leaf has at most."""
    every = [leaf.columns for leaf in leaves]
    found = np.full(max([column for columns in every for column in columns], default=-1) + 1, -1, np.intp)
    found[[columns[-1] for columns in reversed(every)]] = np.arange(len(every) - 1, -1, -1)  # the first is set last
    return found, max(map(len, every), default=1) - 1


def keys_in_order(names: tuple[str, ...], place: dict[str, int], target: str) -> tuple[str, ...]:
    """The keys of a table of these columns: in the order of their places, the target last.

    >>> keys_in_order(("b", "a"), {"a": 0, "b": 1}, "y"), keys_in_order(("a",), {"a": 0}, "y")
    (('a', 'b', 'y'), ('a', 'y'))
    """
    if len(names) == 2:  # a wide table has thousands of pairs
        a, b = names
        return (a, b, target) if place[a] < place[b] else (b, a, target)
    return (*sorted(names, key=place.__getitem__), target)


class ColumnLists(NamedTuple):
    """The columns of all leaves one after another, where each leaf's end, whether each is a super-parent, the columns
    of the grid by name, and the keys of each leaf's table."""

    columns: NDArray[np.intp]
    ends: NDArray[np.intp]
    roots: NDArray[np.uint8]
    names: tuple[str, ...]
    keys: list[tuple[str, ...]]


@kept_by_identity
def list_columns(leaves: Sequence[ParentNode], order: tuple[str, ...]) -> ColumnLists:
    """What of the leaves depends on names alone; `order` are all columns, the target last: that of a table's keys."""
    place, target = {name: i for i, name in enumerate(order)}, order[-1]
    owns = [(*leaf.parents, leaf.name) for leaf in leaves]
    columns = [column for leaf in leaves for column in leaf.columns]
    names = [""] * (1 + max(columns, default=-1))
    for column, name in zip(columns, [name for own in owns for name in own], strict=True):
        names[column] = name
    ends = np.cumsum([0, *map(len, owns)], dtype=np.intp)
    keys = [keys_in_order(own, place, target) for own in owns]
    roots = np.array([leaf.root for leaf in leaves], np.uint8)
    return ColumnLists(np.array(columns, np.intp), ends, roots, tuple(names), keys)

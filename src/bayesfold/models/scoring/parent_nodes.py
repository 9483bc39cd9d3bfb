"""The nodes of networks that have a feature among their parents, or are such a parent: what is looked up for each row.

>>> nodes = (Node(("y",)), Node(("y", "a")), Node(("b",), ("a", "y")), Node(("c",), ("y",)))
>>> [parent_node_of(node, "y", {"a": 0, "b": 1}) for node in leaves_of(nodes, "y")]
[ParentNode(name='a', parents=(), columns=(0,), power=1.0, root=True), \
ParentNode(name='b', parents=('a',), columns=(0, 1), power=1.0, root=False)]
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.graph import Network, Node
from bayesfold.runtime.identity_cache import kept_by_identity
from bayesfold.runtime.unique import distinct
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
    """The records of leaves (kernels/scoring/record.pxd says what is in one), those with as many parents together."""
    schema, firsts, width = layout.schema, layout.firsts, layout.schema.target.slots
    deep, names, by_depth = sort_by_depth(leaves, tuple(schema.position))
    begins = exclusive_sums(11 + 5 * deep)
    sizes = np.empty((3, len(leaves)), np.intp)  # rows, cells, totals
    slots_of, place_of = (
        np.array([of.get(name, 0) for name in names], np.intp) for of in (schema.axes, schema.position)
    )
    records = {}
    for m, (at, columns, root, keys) in by_depth.items():
        slots, place = slots_of[columns], place_of[columns]
        first = [firsts[row] for row in keys]
        step = np.full((len(at), m + 1), width, np.intp)  # a key's step: the slots of all keys behind it
        for i in range(m + 1):
            for j in range(m + 1):
                step[:, i] *= np.where(place[:, j] > place[:, i], slots[:, j], 1)
        own, many = slots[:, m], np.cumprod(slots[:, :m], axis=1)
        cells = np.column_stack([own, own * width, many * (own * width)[:, None]])
        totals = np.column_stack([np.ones_like(own), np.full_like(own, width), many * width])
        sizes[:, at] = slots.prod(1), cells.sum(1), totals.sum(1)
        records[m] = at, columns, root, slots, first, step, cells, totals
    rows0, cells0, totals0 = (exclusive_sums(size) for size in sizes)
    program = np.empty(int((11 + 5 * deep).sum()), np.intp)
    for m, (at, columns, root, slots, first, step, cells, totals) in records.items():
        cells, totals = (np.cumsum(x, axis=1) - x + x0[at, None] for x, x0 in ((cells, cells0), (totals, totals0)))
        record: list[Any] = [columns[:, m], slots[:, m], step[:, m], [m] * len(at), root, first, rows0[at]]
        record += [cells[:, 0], totals[:, 0], cells[:, 1], totals[:, 1]]
        for k in range(m):
            record += [columns[:, k], slots[:, k], step[:, k], cells[:, k + 2], totals[:, k + 2]]
        program[begins[at][:, None] + np.arange(11 + 5 * m)] = np.column_stack(record)
    rows, in_all, sums = sizes.sum(1).tolist()
    return program, begins, (rows, in_all, sums)


Depths = dict[int, tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_], list[tuple[str, ...]]]]
"""By number of parents: places of leaves, their columns in the grid, whether each is a root, the keys of its table."""


@kept_by_identity
def sort_by_depth(
    leaves: Sequence[ParentNode], order: tuple[str, ...]
) -> tuple[NDArray[np.intp], tuple[str, ...], Depths]:
    """How many parents each leaf has, the names of the grid's columns, and the leaves with as many parents together.

    `order` are all columns, the target last: the order of the keys of a table.
    """
    place, target = {name: i for i, name in enumerate(order)}.__getitem__, order[-1]
    deep = np.array([len(leaf.parents) for leaf in leaves], np.intp)
    names = [""] * (1 + max((max(leaf.columns) for leaf in leaves), default=-1))
    by_depth: Depths = {}
    for m in distinct(deep).tolist():
        at = np.flatnonzero(deep == m)
        of_depth = [leaves[k] for k in at.tolist()]
        keys = []
        for leaf in of_depth:
            own = (*leaf.parents, leaf.name)
            for name, column in zip(own, leaf.columns, strict=True):
                names[column] = name
            keys.append((*sorted(own, key=place), target))
        columns = np.array([leaf.columns for leaf in of_depth], np.intp)
        by_depth[m] = at, columns, np.array([leaf.root for leaf in of_depth], bool), keys
    return deep, tuple(names), by_depth


def exclusive_sums(sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """The sum of all sizes before each: where each of several parts begins."""
    return np.asarray(np.cumsum(sizes) - sizes, np.intp)

"""The nodes of networks that have a feature among their parents, or are such a parent: what is looked up for each row.

>>> nodes = (Node(("y",)), Node(("y", "a")), Node(("b",), ("a", "y")), Node(("c",), ("y",)))
>>> leaves = Leaves.of_nodes(leaves_of(nodes, "y"))
>>> leaves.names, leaves.child.tolist(), leaves.parents_of_each.tolist(), leaves[1]
(('a', 'b'), [0, 1], [0, 1], ParentNode(name='b', parents=('a',), columns=(0, 1), power=1.0, root=False))
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
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


@dataclass(frozen=True, eq=False)
class Leaves(Sequence[ParentNode]):
    """Such nodes one after another, as arrays: a wide table has thousands, which every fold makes anew.

    `names` are the columns of the grid, `columns` those of all leaves by place, the parents of each before itself, and
    `ends` where each leaf's begin and end. A leaf that is asked for is made then.
    """

    names: tuple[str, ...]
    columns: NDArray[np.intp]
    ends: NDArray[np.intp]
    roots: NDArray[np.uint8]
    powers: Floats

    @classmethod
    def of(cls, leaves: Sequence[ParentNode]) -> "Leaves":
        """Leaves that are known one by one."""
        columns = [column for leaf in leaves for column in leaf.columns]
        names = [""] * (1 + max(columns, default=-1))
        for leaf in leaves:
            for name, column in zip((*leaf.parents, leaf.name), leaf.columns, strict=True):
                names[column] = name
        ends = np.cumsum([0, *(len(leaf.columns) for leaf in leaves)], dtype=np.intp)
        roots = np.array([leaf.root for leaf in leaves], np.uint8)
        powers = np.array([leaf.power for leaf in leaves], np.float64)
        return cls(tuple(names), np.array(columns, np.intp), ends, roots, powers)

    @classmethod
    def of_nodes(cls, nodes: Sequence[Node]) -> "Leaves":
        """The nodes of networks, in which the class is the last parent and a super-parent stands beside it."""
        names = tuple(dict.fromkeys([node.children[-1] for node in nodes]))
        at = {name: i for i, name in enumerate(names)}
        columns = [at[name] for node in nodes for name in (*node.parents[:-1], node.children[-1])]
        ends = np.cumsum([0, *[len(node.parents) or 1 for node in nodes]], dtype=np.intp)
        roots = np.array([len(node.children) > 1 for node in nodes], np.uint8)
        powers = np.array([node.power for node in nodes], np.float64)
        return cls(names, np.array(columns, np.intp), ends, roots, powers)

    @classmethod
    def alone(cls, names: tuple[str, ...]) -> "Leaves":
        """Columns without parents."""
        many = len(names)
        return cls(names, np.arange(many), np.arange(many + 1), np.zeros(many, np.uint8), np.ones(many))

    def __len__(self) -> int:
        return len(self.roots)

    @overload
    def __getitem__(self, k: int) -> ParentNode: ...
    @overload
    def __getitem__(self, k: slice) -> list[ParentNode]: ...
    def __getitem__(self, k: int | slice) -> ParentNode | list[ParentNode]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        columns = tuple(self.columns[self.ends[k] : self.ends[k + 1]].tolist())
        *parents, name = [self.names[i] for i in columns]
        return ParentNode(name, tuple(parents), columns, float(self.powers[k]), bool(self.roots[k]))

    def __iter__(self) -> Iterator[ParentNode]:
        return map(self.__getitem__, range(len(self)))

    def with_powers(self, powers: Floats) -> "Leaves":
        """The same leaves with these exponents."""
        return replace(self, powers=np.asarray(powers, np.float64))

    def take(self, at: NDArray[np.intp]) -> "Leaves":
        """Some of the leaves, in this order; the grid stays."""
        many = np.diff(self.ends)[at]
        ends = np.zeros(len(at) + 1, np.intp)
        np.cumsum(many, out=ends[1:])
        columns = self.columns[np.repeat(self.ends[at] - ends[:-1], many) + np.arange(ends[-1])]
        return Leaves(self.names, columns, ends, self.roots[at], self.powers[at])

    @cached_property
    def parents_of_each(self) -> NDArray[np.intp]:
        """How many parents each leaf has, beside the class."""
        return np.diff(self.ends) - 1

    @cached_property
    def child(self) -> NDArray[np.intp]:
        """The column of each leaf itself."""
        return self.columns[self.ends[1:] - 1]

    @property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The columns of the leaves that have one parent: their own, and those of the parents."""
        one = self.parents_of_each == 1
        return self.child[one], self.columns[self.ends[:-1][one]]

    @cached_property
    def leaf_of_each(self) -> NDArray[np.intp]:
        """For each column of the grid the first leaf of which it is the child, or -1."""
        found = np.full(self.columns.max(initial=-1) + 1, -1, np.intp)
        found[self.child[::-1]] = np.arange(len(self) - 1, -1, -1)  # the first is set last
        return found

    @cached_property
    def children(self) -> tuple[str, ...]:
        """The names of the columns that are a leaf's child."""
        return tuple([self.names[i] for i in np.flatnonzero(self.leaf_of_each >= 0).tolist()])


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


def order_parents_first(leaves: Leaves, chosen: Sequence[int]) -> list[int]:
    """The chosen leaves, parents before their children."""
    done: set[int] = set()
    ordered: list[int] = []
    while len(ordered) < len(chosen):
        for k in chosen:
            *parents, child = leaves.columns[leaves.ends[k] : leaves.ends[k + 1]].tolist()
            if child not in done and done.issuperset(parents):
                ordered.append(k)
                done.add(child)
    return ordered


def compile_program(layout: Layout, leaves: Leaves) -> Program:
    """The records of leaves, one after another (kernels/scoring/record.pxd says what is in one)."""
    schema = layout.schema
    slots, places = (np.array([of.get(n, 0) for n in leaves.names], np.intp) for of in (schema.axes, schema.position))
    begins, sizes = np.empty(len(leaves), np.intp), np.empty(3, np.intp)
    program = np.empty(6 * len(leaves) + 5 * len(leaves.columns), np.intp)  # 11 for each node and 5 for each parent
    own = leaves.columns, leaves.ends, leaves.roots, sources(layout, leaves)
    node_records.fill(*own, slots, places, schema.target.slots, begins, program, sizes)
    rows, cells, totals = sizes.tolist()
    return program, begins, (rows, cells, totals)


def sources(layout: Layout, leaves: Leaves) -> NDArray[np.intp]:
    """The first cell in the tally of each leaf's table."""
    many, found = leaves.parents_of_each, np.empty(len(leaves), np.intp)
    parent, few = np.where(many > 0, leaves.columns[leaves.ends[:-1]], -1), many < 2
    found[few] = layout.first_cells(leaves.names, leaves.child[few], parent[few])
    place, target = layout.schema.position, layout.schema.target.name
    for k in np.flatnonzero(~few).tolist():
        found[k] = layout.firsts[keys_in_order((*leaves[k].parents, leaves[k].name), place, target)]
    return found


def keys_in_order(names: tuple[str, ...], place: Mapping[str, int], target: str) -> tuple[str, ...]:
    """The keys of a table of these columns: in the order of their places, the target last.

    >>> keys_in_order(("b", "a"), {"a": 0, "b": 1}, "y")
    ('a', 'b', 'y')
    """
    return (*sorted(names, key=place.__getitem__), target)

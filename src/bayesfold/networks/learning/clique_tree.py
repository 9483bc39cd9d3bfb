"""A tree of cliques that serves every row: where tables are multiplied, what messages hold, where families are read.

>>> tree = CliqueTree.of((2, 2, 3), ((), (0,), (1,)))
>>> tree.cliques, tree.parent.tolist()
(((1, 2), (0, 1)), [1, -1])
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.inference import expected
from bayesfold.networks.evidence import Codes
from bayesfold.networks.inference import TooLarge
from bayesfold.runtime.threads import spread

Places = NDArray[np.intp]
LANES = 16
ROWS = 1 << 11
"""Rows that one thread folds; sums of such pieces are added in order, so their bits do not depend on the threads."""

MOST_BYTES = 2.0**30
"""Bytes that the tables of sixteen rows may have."""


@dataclass(frozen=True)
class CliqueTree:
    """cliques[c]: variables in order, children before parents; parent[c], -1 for the root; the rest as `expected.fold`.

    homes[v]: the clique of v's family.
    """

    cards: tuple[int, ...]
    families: tuple[tuple[int, ...], ...]
    cliques: tuple[tuple[int, ...], ...]
    parent: Places
    home: Places
    homes: tuple[int, ...]
    starts: Places
    down: NDArray[np.int32]
    up: NDArray[np.int32]

    @classmethod
    def of(cls, cards: Sequence[int], parents: Sequence[Sequence[int]]) -> "CliqueTree":
        """The tree for a network's graph."""
        families = tuple((*above, v) for v, above in enumerate(parents))
        cliques, parent = join_cliques(eliminate(cards, families))
        sizes = [prod(cards[v] for v in clique) for clique in cliques]
        if 8.0 * LANES * sum(map(float, sizes)) > MOST_BYTES:
            raise TooLarge(8.0 * LANES * sum(map(float, sizes)), MOST_BYTES)
        separators = [
            tuple(v for v in clique if p >= 0 and v in cliques[p]) for clique, p in zip(cliques, parent, strict=True)
        ]
        steps = [
            (size, prod(cards[v] for v in separator), sizes[p] if p >= 0 else 0)
            for size, separator, p in zip(sizes, separators, parent, strict=True)
        ]
        homes = tuple(find_smallest(cliques, sizes, family) for family in families)
        places = [
            (c := find_smallest(cliques, sizes, (v,)), stride_of(cards, cliques[c], v)) for v in range(len(cards))
        ]
        return cls(
            tuple(cards),
            families,
            cliques,
            np.array(parent, np.intp),
            np.array(places, np.intp).reshape(-1, 2),
            homes,
            np.cumsum([(0, 0, 0), *steps], axis=0, dtype=np.intp),
            lay_out([map_onto(cards, clique, s) for clique, s in zip(cliques, separators, strict=True)]),
            lay_out([map_onto(cards, cliques[p], s) for p, s in zip(parent, separators, strict=True) if p >= 0]),
        )

    def product(self, tables: Sequence[Floats]) -> Floats:
        """The product of the tables, clique by clique, flat; table v has the axes of its family."""
        potentials = [np.ones([self.cards[v] for v in clique]) for clique in self.cliques]
        for table, family, home in zip(tables, self.families, self.homes, strict=True):
            clique = self.cliques[home]
            order = sorted(range(len(family)), key=lambda k: family[k])
            shape = [self.cards[v] if v in family else 1 for v in clique]
            potentials[home] = potentials[home] * table.transpose(order).reshape(shape)
        return np.concatenate([table.ravel() for table in potentials])

    def family(self, counts: Floats, node: int) -> Floats:
        """The counts of a node's family, axes (*parents, node), out of those of the cliques."""
        home, family = self.homes[node], self.families[node]
        clique = self.cliques[home]
        table = counts[self.starts[home, 0] : self.starts[home + 1, 0]].reshape([self.cards[v] for v in clique])
        inside: Floats = table.sum(tuple(k for k, v in enumerate(clique) if v not in family))
        order = sorted(family)
        return inside.transpose([order.index(v) for v in family])

    def expect(self, tables: Sequence[Floats], codes: Codes, weight: Floats) -> tuple[list[Floats], Floats]:
        """The expected counts of each family, and log P of each row; codes [row, variable], -1 is missing."""
        base, logs = self.product(tables), np.empty(len(codes))
        size = [int(self.starts[-1, 0]), int(self.starts[-1, 1])]

        def piece(begin: int, end: int) -> Floats:
            counts = np.zeros(size[0])
            scratch = np.empty((size[0], LANES)), np.empty((size[1], LANES)), np.empty((size[1], LANES))
            expected.fold(
                codes, weight, begin, end, np.array(self.cards, np.intp), self.home, self.starts, self.parent,
                self.down, self.up, base, *scratch, np.empty((4, LANES)), counts, logs,
            )  # fmt: skip
            return counts

        total = np.zeros(size[0])
        for counts in spread(piece, len(codes), ROWS):
            total += counts
        return [self.family(total, v) for v in range(len(self.cards))], logs


def eliminate(cards: Sequence[int], families: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Cliques of an order of elimination, next always the variable whose table is smallest; none is within another."""
    near: list[set[int]] = [set() for _ in cards]
    for family in families:
        for v in family:
            near[v] |= set(family) - {v}
    left, cliques = set(range(len(cards))), list[tuple[int, ...]]()
    while left:
        v = min(left, key=lambda v: (prod(cards[u] for u in near[v]) * cards[v], v))
        clique = tuple(sorted({v, *near[v]}))
        if not any(set(clique) <= set(other) for other in cliques):
            cliques.append(clique)
        for u in near[v]:
            near[u] |= near[v] - {u}
            near[u].discard(v)
        left.remove(v)
    return cliques


def join_cliques(cliques: list[tuple[int, ...]]) -> tuple[tuple[tuple[int, ...], ...], list[int]]:
    """Cliques with children before parents, and each one's parent: the tree whose cliques share most (Prim).

    Then what two cliques share is shared by all between them.
    """
    inside = [set(clique) for clique in cliques]
    order, above = [0], [-1]  # in the order in which they join
    most = [(len(inside[0] & other), 0) for other in inside]
    left = set(range(1, len(cliques)))
    while left:
        c = max(left, key=lambda c: (most[c][0], -c))
        order.append(c)
        above.append(most[c][1])
        left.remove(c)
        for k in left:
            most[k] = max(most[k], (len(inside[c] & inside[k]), len(order) - 1))
    last = len(order) - 1
    return tuple(cliques[c] for c in reversed(order)), [last - p if p >= 0 else -1 for p in reversed(above)]


def find_smallest(cliques: Sequence[tuple[int, ...]], sizes: Sequence[int], inside: tuple[int, ...]) -> int:
    """The smallest clique that holds some variables."""
    return min((c for c, clique in enumerate(cliques) if set(inside) <= set(clique)), key=lambda c: sizes[c])


def stride_of(cards: Sequence[int], clique: tuple[int, ...], v: int) -> int:
    """How far apart two states of v stand in the table of a clique."""
    return prod(cards[u] for u in clique[clique.index(v) + 1 :])


def map_onto(cards: Sequence[int], clique: tuple[int, ...], separator: tuple[int, ...]) -> NDArray[np.int32]:
    """For each entry of a clique's table the entry of the separator's that it agrees with."""
    places = np.zeros([cards[v] for v in clique], np.int32)
    for v in separator:
        axis = clique.index(v)
        shape = [-1 if k == axis else 1 for k in range(len(clique))]
        places += (np.arange(cards[v], dtype=np.int32) * stride_of(cards, separator, v)).reshape(shape)
    return places.ravel()


def lay_out(parts: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """All parts one after another."""
    return np.concatenate([np.zeros(0, np.int32), *parts])

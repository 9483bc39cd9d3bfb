"""Cliques as arrays: what depends on the names of their columns alone, worked out once for all layouts of them.

A wide table has thousands of pairs of columns, which every fold and every way to cut the columns lays out anew.

>>> index = index_cliques((Clique(("y",)), Clique(("a", "y")), Clique(("y",), ("t",), 1)))
>>> index.names, index.sizes({"y": 3, "a": 5}.__getitem__).tolist(), index.summed
(('y', 'a'), [3, 15, 3], (2,))
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.runtime.identity_cache import kept_by_identity


@dataclass(frozen=True)
class Clique:
    """One GROUP BY: the key columns (the target last) and the columns summed in each cell.

    order 0 keeps the row count, order 1 also S t, order 2 also S t^2, for each term column t.
    """

    keys: tuple[str, ...]
    terms: tuple[str, ...] = ()
    order: int = 0

    def __hash__(self) -> int:
        return hash((self.keys, self.terms) if self.terms else self.keys)  # of a wide table there are many thousands


MOST_PAIRS = 4_096
"""Tables of pairs with the same first column that are kept."""


class PairsWith(dict[str, Clique]):
    """The tables of a column, another one behind it, by name, and the target; each made when it is asked for.

    >>> PairsWith("a", "y")["b"].keys
    ('a', 'b', 'y')
    """

    def __init__(self, first: str, target: str) -> None:
        self.first, self.target = first, target

    def __missing__(self, other: str) -> Clique:
        if len(self) >= MOST_PAIRS:
            self.clear()
        clique = self[other] = Clique((self.first, other, self.target))
        return clique


@lru_cache(maxsize=256)
def pairs_with(first: str, target: str) -> PairsWith:
    """The tables of pairs that begin with this column: every fold and structure asks for the same, by the hundred."""
    return PairsWith(first, target)


@dataclass(frozen=True)
class CliqueIndex:
    """`columns` [clique, key] are places among `names`, one behind them for a key that a clique does not have.

    `plain` are the cliques without terms and `keys` theirs, `summed` the others. `many` is how many keys each clique
    has, and `last` the place of the last one.
    """

    names: tuple[str, ...]
    columns: NDArray[np.intp]
    plain: NDArray[np.intp]
    keys: tuple[tuple[str, ...], ...]
    summed: tuple[int, ...]
    many: NDArray[np.intp]
    last: NDArray[np.intp]

    def tables_over(self, target: str) -> NDArray[np.bool_]:
        """Which cliques are tables of several columns and this one, the last."""
        found: NDArray[np.bool_] = (self.many > 2) & (
            self.last == (self.names.index(target) if target in self.names else -1)
        )
        found[list(self.summed)] = False
        return found

    def pairs_by(self, target: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The tables of one column, or two, and this one, the last: their places, and in order what they are found by:
        the lesser place of a column times one more than there are, and the larger, or that number for none."""
        gap, plain = len(self.names), self.plain
        last = self.names.index(target) if target in self.names else -1
        some = plain[(self.last[plain] == last) & (self.many[plain] > 1) & (self.many[plain] < 4)]
        a = self.columns[some, 0]
        b = np.where(self.many[some] > 2, self.columns[some, 1], gap)
        code = np.minimum(a, b) * (gap + 1) + np.maximum(a, b)
        order = np.argsort(code)
        return code[order], some[order]

    def slots(self, axis: Callable[[str], int]) -> NDArray[Any]:
        """The slots of each name, and 1 behind them; of huge ones Python's own integers, which hold any product."""
        slots = [*map(axis, self.names), 1]
        safe = max(slots) ** self.columns.shape[1] * max(len(self.columns), 1) < 2**62
        return np.array(slots, np.intp if safe else object)

    def sizes(self, axis: Callable[[str], int]) -> NDArray[Any]:
        """The cells of each clique."""
        return np.asarray(self.slots(axis)[self.columns].prod(axis=1))


@kept_by_identity
def index_cliques(cliques: Sequence[Clique]) -> CliqueIndex:
    """The index of these cliques."""
    flat = [key for clique in cliques for key in clique.keys]
    place = {key: i for i, key in enumerate(dict.fromkeys(flat))}
    many = np.array([len(clique.keys) for clique in cliques], np.intp)
    columns = np.full((len(cliques), int(many.max(initial=0 if len(many) else 1))), len(place), np.intp)
    columns[np.arange(columns.shape[1]) < many[:, None]] = [place[key] for key in flat]
    last = np.full(len(cliques), -1, np.intp)
    last[many > 0] = columns[many > 0, many[many > 0] - 1]
    plain = [i for i, clique in enumerate(cliques) if not clique.terms]
    return CliqueIndex(
        tuple(place),
        columns,
        np.array(plain, np.intp),
        tuple([cliques[i].keys for i in plain]),
        tuple([i for i, clique in enumerate(cliques) if clique.terms]),
        many,
        last,
    )


@kept_by_identity
def places_of(cliques: Sequence[Clique]) -> dict[Clique, int]:
    """The place of each of these cliques."""
    return {clique: i for i, clique in enumerate(cliques)}


@kept_by_identity
def columns_alone(cliques: Sequence[Clique], target: str) -> tuple[dict[str, int], dict[str, int]]:
    """The places of the cliques of one column and the target: of those by its slots, and of those with its sums.

    The target's own is among the first, under its name.
    """
    by_slots: dict[str, int] = {}
    with_sums: dict[str, int] = {}
    for i, clique in enumerate(cliques):
        if clique.terms:
            if clique.order and clique.keys == (target,):
                with_sums[clique.terms[0]] = i
        elif len(clique.keys) <= 2 and clique.keys[-1:] == (target,):
            by_slots[clique.keys[0]] = i
    return by_slots, with_sums

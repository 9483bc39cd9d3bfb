"""What is asked of: the numbers of states, the parents and the tables of a network, and how asking can fail.

>>> a, b = np.array([0.2, 0.8]), np.array([[0.9, 0.1], [0.15, 0.85]])
>>> InferenceProblem(cards=(2, 2), parents=((), (0,)), tables=(a, b))
InferenceProblem(2 variables, 6 table entries)
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks import factor

Integers = NDArray[np.intp]


class ContradictoryEvidence(factor.ImpossibleEvidence):
    """The evidence (of a row, if it came from a table) has probability zero; `variables` contradict each other."""

    def __init__(self, row: int | None = None, variables: Iterable[int] = ()) -> None:
        self.row, self.variables = row, tuple(variables)
        where = "the evidence" if row is None else f"row {row}"
        which = f": variables {', '.join(map(str, self.variables))} contradict each other" if self.variables else ""
        super().__init__(f"{where} has probability zero{which}")


class TooLarge(MemoryError):
    """A query whose tables would not fit, refused before anything was allocated; `size` is in bytes."""

    def __init__(self, size: float, limit: float) -> None:
        self.size, self.limit = size, limit
        need = f"{size:.3g} bytes" if size < math.inf else "more than 1e+308 bytes"
        super().__init__(
            f"this query needs tables of {need}, above the limit of {limit:.3g}: "
            "observe more variables, ask for fewer at once, or sample instead (approximate)"
        )


@dataclass(frozen=True, eq=False, repr=False)
class InferenceProblem:
    """Variable i has cards[i] states, and tables[i] has the axes (*parents[i], i)."""

    cards: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[Floats, ...]

    def __post_init__(self) -> None:
        if not len(self.cards) == len(self.parents) == len(self.tables):
            raise ValueError("cards, parents and tables must be equally many")
        for i, table in enumerate(self.tables):
            expected = tuple(self.cards[j] for j in (*self.parents[i], i))
            if table.shape != expected:
                raise ValueError(f"the table of variable {i} has the shape {table.shape} instead of {expected}")
            if not (np.isfinite(table).all() and (table >= 0).all()):
                raise ValueError(f"the table of variable {i} has an entry that is negative or not finite")

    def __repr__(self) -> str:
        return f"InferenceProblem({len(self.cards)} variables, {sum(t.size for t in self.tables)} table entries)"

    @cached_property
    def families(self) -> tuple[tuple[int, ...], ...]:
        """Parents, then the variable itself: the axes of its table."""
        return tuple((*p, i) for i, p in enumerate(self.parents))

    @cached_property
    def card(self) -> Integers:
        """Numbers of states."""
        return np.array(self.cards, np.intp)

    @cached_property
    def states(self) -> Integers:
        """Where each variable's states begin when all are laid side by side."""
        return offsets_of(self.cards)

    @cached_property
    def starts(self) -> Integers:
        """Where each family begins in `members` and `strides`."""
        return offsets_of(map(len, self.families))

    @cached_property
    def members(self) -> Integers:
        """The families, one after another."""
        return np.array([j for family in self.families for j in family], np.intp)

    @cached_property
    def children(self) -> tuple[Integers, Integers]:
        """Where the children of each variable begin, and all of them."""
        children_of: list[list[int]] = [[] for _ in self.cards]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                children_of[parent].append(child)
        return offsets_of(map(len, children_of)), np.array([c for group in children_of for c in group], np.intp)

    @cached_property
    def order(self) -> Integers:
        """Parents before children."""
        begins, children = (every.tolist() for every in self.children)
        waiting = [len(parents) for parents in self.parents]
        done = [v for v, left in enumerate(waiting) if left == 0]
        for v in done:
            for child in children[begins[v] : begins[v + 1]]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    done.append(child)
        return np.array(done, np.intp)

    @cached_property
    def strides(self) -> Integers:
        """Beside `members`: how far one state moves in the table."""
        steps: list[int] = []
        for family in self.families:
            shape = [self.cards[j] for j in family]
            steps += [int(np.prod(shape[k + 1 :], dtype=np.intp)) for k in range(len(shape))]
        return np.array(steps, np.intp)

    @cached_property
    def begins(self) -> Integers:
        """Where each table begins in `values`."""
        return offsets_of(t.size for t in self.tables)[:-1].copy()

    @cached_property
    def values(self) -> Floats:
        """The tables, one after another."""
        return np.concatenate([np.zeros(0), *(np.asarray(t, np.float64).ravel() for t in self.tables)])

    @cached_property
    def density(self) -> Floats:
        """The share of each table that is not zero; then ones, for the likelihoods of soft evidence."""
        shares = [np.count_nonzero(t) / max(t.size, 1) for t in self.tables]
        return np.array(shares + [1.0] * len(shares), np.float64)


def offsets_of(sizes: Iterable[int]) -> Integers:
    """0 and the sums of the first 1, 2, ... sizes."""
    return np.concatenate([[0], np.cumsum(list(sizes))]).astype(np.intp)

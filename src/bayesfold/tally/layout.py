"""Where the cells and sums of each table stand, side by side in one array."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.schema import Schema
from bayesfold.tally.clique_index import Clique as Clique
from bayesfold.tally.clique_index import index_cliques, places_of

MOST_BYTES = 4 << 30
"""Tables larger than this are refused before they are allocated."""


class TooLargeError(ValueError):
    """Tables that would not fit in memory, refused before they are allocated."""


@dataclass(frozen=True)
class Span:
    """Where the cells of several cliques, which stand side by side and share their parents, begin and end."""

    cells: slice
    sums: slice
    shape: tuple[int, int, int]  # rows (a slot, or a real column), groups, sums in a cell
    starts: NDArray[np.intp]
    column: Any = None  # of a block


@dataclass(frozen=True)
class Layout:
    """Where each clique's cells and sums stand in the flat arrays of a tally; known before anything is counted.

    `plans` is a place for the paths to keep what they work out once for a layout.
    """

    schema: Schema
    cliques: tuple[Clique, ...]
    plans: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "plans": {}}  # a copy works them out again

    def shape(self, clique: Clique) -> tuple[int, ...]:
        """Number of slots along each key."""
        return tuple(self.schema.axis(key) for key in clique.keys)

    def sums_in_cell(self, clique: Clique) -> int:
        """Float sums per cell."""
        return sum(self.schema.sums(term, clique.order) for term in clique.terms)

    @cached_property
    def starts(self) -> tuple[list[int], list[int]]:
        """The first cell and the first sum of each clique, and behind them how many there are in all."""
        index = index_cliques(self.cliques)
        sizes = index.sizes(self.schema.axis)
        sums = [0] * (len(sizes) + 1)
        for i in index.summed:
            sums[i + 1] = int(sizes[i]) * self.sums_in_cell(self.cliques[i])
        return [0, *sizes.cumsum().tolist()], [*accumulate(sums)]

    @cached_property
    def places(self) -> dict[Clique, int]:
        """The place of each clique among all."""
        return places_of(self.cliques)

    @cached_property
    def offsets(self) -> dict[Clique, tuple[int, int]]:
        """First cell and first sum of each clique."""
        return dict(zip(self.cliques, zip(*self.starts, strict=True), strict=False))

    @cached_property
    def firsts(self) -> dict[tuple[str, ...], int]:
        """The first cell of each clique without terms, by its keys."""
        index, cells = index_cliques(self.cliques), self.starts[0]
        return dict(zip(index.keys, [cells[i] for i in index.plain.tolist()], strict=True))

    def first_cells(self, names: Sequence[str], column: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.intp]:
        """The first cell of the table of each two columns by the target: places among `names`, -1 for none other."""
        index, target = index_cliques(self.cliques), self.schema.target.name
        known, gap, at = index.pairs_by(target), len(index.names), {name: i for i, name in enumerate(index.names)}
        of_names = np.array([*(at.get(name, gap + 1) for name in names), gap], np.intp)
        a, b = of_names[column], of_names[other]
        wanted = np.minimum(a, b) * (gap + 1) + np.maximum(a, b)
        found = np.searchsorted(known[0], wanted)
        if (known[0][np.minimum(found, len(known[0]) - 1)] != wanted).any():
            raise KeyError(f"some tables of {names} are not counted")
        return np.asarray(self.starts[0], np.intp)[known[1][found]]

    def lengthened(self, schema: Schema, at: NDArray[np.intp]) -> "Layout":
        """The layout of a schema with more levels, whose cells go in at these places, in order; sums stay."""
        longer = Layout(schema, self.cliques)
        cells, sums = self.starts
        longer.__dict__["starts"] = (np.asarray(cells) + np.searchsorted(at, cells, side="right")).tolist(), sums
        return longer

    def runs(self, place: int) -> tuple[slice, slice]:
        """The cells and the sums of the clique at a place."""
        cells, sums = (slice(*side[place : place + 2]) for side in self.starts)
        return cells, sums

    @property
    def size(self) -> tuple[int, int]:
        """Cells and sums in all."""
        cells, sums = self.starts
        return cells[-1], sums[-1]

    def span(self, cliques: Sequence[Clique]) -> Span:
        """The span of these cliques, which stand side by side."""
        first, at = cliques[0], self.places[cliques[0]]
        behind = at + len(cliques)
        assert self.cliques[at:behind] == tuple(cliques), "the cliques of a span stand side by side"
        groups, within = prod(self.shape(first)[not first.terms :]), self.sums_in_cell(first)
        (cells, sums), end = (side[at] for side in self.starts), self.starts[0][behind]
        places = (np.array(self.starts[0][at : behind + 1], np.intp) - cells) // groups
        rows = int(places[-1])
        term = self.schema.columns[first.terms[0]] if first.terms else None
        return Span(
            slice(cells, end),
            slice(sums, sums + rows * groups * within),
            (rows, groups, within),
            places,
            term,
        )

    def check(self, most: float = MOST_BYTES) -> None:
        """Refuse what would not fit in memory, naming the largest table."""
        cells, sums = self.size
        most = min(most, MOST_BYTES)
        if 8 * cells + 16 * sums > most:
            worst = max(self.cliques, key=lambda c: prod(self.shape(c)) * (1 + 2 * self.sums_in_cell(c)))
            raise TooLargeError(
                f"the tables would need {(8 * cells + 16 * sums) / 2**30:.3g} GiB (limit {most / 2**30:.3g}); "
                f"the largest is over {' x '.join(worst.keys)}. Leave that column out, or give it fewer levels"
            )

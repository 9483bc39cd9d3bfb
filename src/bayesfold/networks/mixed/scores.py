"""What a node's parents are worth where some columns are numbers: BIC and AIC of counts, and of regressions.

A number's score needs the moments of each combination of the categories above it. The tally sums those of all numbers
at once, so they are summed once for each set of categories, whichever numbers are looked at.

>>> codes, values = np.array([[0, 0, 0, 1, 1, 1]], np.uint16), np.array([[0.1, 0.0, -0.1, 1.1, 1.0, 0.9]]).T
>>> scores = MixedScores((2, 0), codes, values, np.ones(1), "bic", None)
>>> round(scores.of(1, frozenset()), 2), round(scores.of(1, frozenset({0})), 2)          # the number, without and with
(-6.23, 2.93)
"""

from collections import OrderedDict
from math import prod

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Scaled, Vector
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.mixed.regression import GroupSums, local_score
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import cut

KINDS = ("bic", "aic")
NUMBERS, ROWS = "numbers\0", "rows\0"
MOST_SUMS = 1 << 24
"""Sums that are kept of one set of categories; a larger family is not looked at."""

REMEMBERED = 256
"""Sets of categories whose sums are remembered."""


class MixedScores:
    """Scores of families over rows without holes: codes [category, row], values [row, number] about 0 and of unit 1.

    Columns are numbered as `cards` has them, 0 for a number; units: what 1 of each number means.
    """

    def __init__(
        self,
        cards: tuple[int, ...],
        codes: NDArray[np.uint16],
        values: Floats,
        units: Floats,
        kind: str,
        weight: Floats | None,
    ) -> None:
        if kind not in KINDS:
            raise ValueError(f"the score {kind!r} needs counts; with numbers as nodes take one of {', '.join(KINDS)}")
        self.kind, self.cards = kind, cards
        self.categories = [v for v, card in enumerate(cards) if card]
        self.numbers = [v for v, card in enumerate(cards) if not card]
        self.rows = float(len(values) if weight is None else weight.sum())
        self.offsets = self.rows * np.log(units)
        sizes = [cards[v] for v in self.categories]
        self.discrete = LocalScores(codes, sizes, kind, 1.0, weight) if self.categories else None
        panel = Panel(tuple(map(str, self.categories)), codes.T.astype(np.int32) + 1)
        vector = Panel((NUMBERS,), np.ascontiguousarray(values))
        ones = np.ones(len(values), np.int32)
        self.batch = Batch(len(values), (panel,) if self.categories else (), (), (vector,), ones, weight)
        columns = (Categories(str(v), tuple(range(cards[v]))) for v in self.categories)
        axes = tuple(Scaled(str(v)) for v in self.numbers)
        self.schema = Schema(Categories(ROWS, (True,)), (*columns, Vector(NUMBERS, axes)))
        self.known: dict[tuple[int, frozenset[int]], float] = {}
        self.summed: OrderedDict[tuple[int, ...], GroupSums | None] = OrderedDict()

    def of(self, node: int, parents: frozenset[int]) -> float:
        """The score of a node with these parents."""
        score = self.known.get((node, parents))
        if score is None:
            score = self.known[node, parents] = self._of(node, parents)
        return score

    def _of(self, node: int, parents: frozenset[int]) -> float:
        above = tuple(v for v in self.categories if v in parents)
        if self.cards[node]:
            if len(above) < len(parents):  # no network of ours has a number above a category
                return -np.inf
            assert self.discrete is not None
            place = self.categories.index
            return self.discrete.of(place(node), [place(p) for p in above])
        sums = self.sums(above)
        if sums is None:
            return -np.inf
        chosen = [self.numbers.index(v) for v in (node, *(u for u in self.numbers if u in parents))]
        return local_score(self.kind, sums.of(chosen), self.rows) - float(self.offsets[chosen[0]])

    def sums(self, above: tuple[int, ...]) -> GroupSums | None:
        """The moments of all numbers for each combination of some categories; None where there are too many."""
        if above in self.summed:
            self.summed.move_to_end(above)
            return self.summed[above]
        width, groups = len(self.numbers), prod(self.cards[v] + 1 for v in above)
        moments = None
        if 2 * groups * (width + width * width) <= MOST_SUMS:
            clique = Clique((*map(str, above), ROWS), (NUMBERS,), 2)
            moments = self._counted(clique, (slice(1, None),) * len(above))
        self.summed[above] = moments
        if len(self.summed) > REMEMBERED:
            self.summed.popitem(last=False)
        return moments

    def _counted(self, clique: Clique, inner: tuple[slice, ...]) -> GroupSums:
        tally = count(self.schema, (clique,), self.batch)
        shape, width = tally.layout.shape(clique), len(self.numbers)
        mass = tally.weights.sum(0) if tally.weighted else tally.counts
        weight = np.asarray(cut(mass, 0, shape)[inner][..., 1], np.float64).reshape(-1)
        sums = cut(tally.sums.sum(0), 0, (*shape, width + width * width))[inner][..., 1, :].reshape(len(weight), -1)
        return GroupSums(weight, sums[:, :width], sums[:, width:].reshape(-1, width, width))

"""What a node's parents are worth to the data: local scores, whose sum over all nodes is the score of a network.

With N the count of a cell, M of its row of parents, n of all rows, q rows of parents and r states:

    aic    sum N log (N / M) - q (r - 1)
    bic    sum N log (N / M) - q (r - 1) log(n) / 2
    bdeu   log P(data) under a Dirichlet prior worth s rows: s / (q r) for each cell
    k2     the same with 1 for each cell

BIC, AIC and BDeu are the same for networks that say the same of independence (Heckerman, Geiger and Chickering 1995).

>>> counts = np.array([[8.0, 2.0], [1.0, 9.0]])
>>> round(local("bic", counts, 20.0), 4), round(local("k2", counts, 20.0), 4)
(-11.2506, -10.905)
"""

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np
from scipy.special import gammaln

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.tally.counter import count
from bayesfold.tally.statistic import Clique, cut

Family = tuple[int, frozenset[int]]
"""A node and its parents, by number."""

MOST_CELLS = 1 << 22
"""So many cells are counted in one pass."""


def local(kind: str, counts: Floats, rows: float, equivalent_sample_size: float = 1.0) -> float:
    """The score of one family, its counts as [rows of parents, states]."""
    q, r = counts.shape
    if kind in ("bic", "aic"):
        price = np.log(rows) / 2 if kind == "bic" else 1.0
        return float(entropies(counts) - entropies(counts.sum(1)) - price * q * (r - 1))
    a = 1.0 if kind == "k2" else equivalent_sample_size / (q * r)
    total = counts.sum(1)
    cells = gammaln(counts + a) - gammaln(a)
    return float(cells.sum() - (gammaln(total + r * a) - gammaln(r * a)).sum())


def entropies(counts: Floats) -> float:
    """Sum of N log N; nothing for an empty cell."""
    some = counts[counts > 0]
    return float(some @ np.log(some))


KINDS: Sequence[str] = ("bic", "aic", "bdeu", "k2")


class LocalScores:
    """Scores of families, each counted once; many are counted in one pass over the rows."""

    def __init__(self, schema: Schema, batch: Batch, kind: str, equivalent_sample_size: float) -> None:
        if kind not in KINDS:
            raise ValueError(f"there is no score {kind!r}; there are {', '.join(KINDS)}")
        self.schema, self.batch, self.kind, self.size = schema, batch, kind, equivalent_sample_size
        self.names = [c.name for c in schema.features]
        self.cards = [schema.axis(name) - 1 for name in self.names]
        self.rows = float(batch.weights.sum())
        self.known: dict[Family, float] = {}

    def of(self, families: Iterable[Family]) -> list[float]:
        """The scores of these families, in order."""
        wanted = list(families)
        fresh = list(dict.fromkeys(f for f in wanted if f not in self.known))
        for part in self._passes(fresh):
            self._count(part)
        return [self.known[f] for f in wanted]

    def cells(self, family: Family) -> int:
        """How many cells the table of a family has, each axis with the slot of the missing."""
        return 2 * prod(self.cards[v] + 1 for v in (family[0], *family[1]))

    def _passes(self, families: list[Family]) -> Iterable[list[Family]]:
        part: list[Family] = []
        size = 0
        for family in families:
            if part and size + self.cells(family) > MOST_CELLS:
                yield part
                part, size = [], 0
            part.append(family)
            size += self.cells(family)
        if part:
            yield part

    def _count(self, families: list[Family]) -> None:
        last = self.schema.target.name
        keys = [(*(self.names[p] for p in sorted(parents)), self.names[v], last) for v, parents in families]
        cliques = {key: Clique(key) for key in keys}
        tally = count(self.schema, tuple(cliques.values()), self.batch)
        numbers = tally.weights.sum(0) if tally.weighted else tally.counts
        for (v, parents), key in zip(families, keys, strict=True):
            shape = tally.layout.shape(cliques[key])
            table = cut(numbers, tally.layout.offsets[cliques[key]][0], shape)
            inner = np.asarray(table[(slice(1, None),) * len(shape)], np.float64).reshape(-1, self.cards[v])
            self.known[v, parents] = local(self.kind, inner, self.rows, self.size)

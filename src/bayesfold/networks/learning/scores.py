"""What a node's parents are worth to the data: local scores, whose sum over all nodes is the score of a network.

With N the count of a cell, M of its row of parents, n of all rows, q rows of parents and r states:

    aic        sum N log (N / M) - q (r - 1)
    bic        sum N log (N / M) - q (r - 1) log(n) / 2
    bdeu       log P(data) under a Dirichlet prior worth s rows: s / (q r) for each cell
    k2         the same with 1 for each cell
    left_out   sum N log ((N - 1 + a) / (M - 1 + r a)): each row's probability by all the others, a added to each cell

BIC, AIC and BDeu are the same for networks that say the same of independence (Heckerman, Geiger and Chickering 1995).

>>> counts = np.array([[8.0, 2.0], [1.0, 9.0]])
>>> round(score_family("bic", counts, 20.0), 4), round(score_family("k2", counts, 20.0), 4)
(-11.2506, -10.905)
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.kernels.structure import families

KINDS: Sequence[str] = ("bic", "aic", "bdeu", "k2", "left_out")
PLAIN, EQUIVALENT, EVEN, LEFT_OUT = range(4)
"""What is summed over cells, by the kernel's numbers."""

SUMMED = {"bic": PLAIN, "aic": PLAIN, "bdeu": EQUIVALENT, "k2": EVEN, "left_out": LEFT_OUT}
MOST_BITMAPS = 16
"""States up to which a column has a bitmap for each, and ..."""

BASES = 64
"""... cells of a family that have one while candidates are counted against it."""

CELLS = 1 << 20
"""Cells of a table up to which it is laid out; larger ones are counted by the cells that occur. So are ..."""

CELLS_PER_ROW = 8
"""... tables of more cells for each row, most of which are empty."""

LEAST_CELLS = 1 << 12
"""Cells that there is always room for: the kernel numbers up to 64 rows of parents without looking which occur."""

MEMO = 32
"""Sums remembered for each pair of columns, ..."""

MOST_MEMO = 1 << 22
"""... but no more than so many altogether."""


def score_family(kind: str, counts: Floats, rows: float, size: float = 1.0) -> float:
    """The score of one family, its counts as [rows of parents, states]; size: s for BDeu, a for left_out."""
    from scipy.special import gammaln, xlogy  # it takes longer to load than a search of a small table

    q, r = counts.shape
    total = counts.sum(1)
    if kind in ("bic", "aic"):
        price = np.log(max(rows, 1.0)) / 2 if kind == "bic" else 1.0
        return float(xlogy(counts, counts).sum() - xlogy(total, total).sum() - price * q * (r - 1))
    if kind == "left_out":
        cells, sums = xlogy(counts, np.maximum(counts - 1, 0) + size), xlogy(total, np.maximum(total - 1, 0) + r * size)
        return float(cells.sum() - sums.sum())
    a = 1.0 if kind == "k2" else size / (q * r)
    grown = gammaln(counts + a) - gammaln(a)
    return float(grown.sum() - (gammaln(total + r * a) - gammaln(r * a)).sum())


class LocalScores:
    """Scores of families over one table of codes [column, row] without holes; each set of columns is counted once."""

    def __init__(
        self,
        codes: NDArray[np.uint16],
        cards: Sequence[int],
        kind: str,
        size: float = 1.0,
        weight: Floats | None = None,
    ) -> None:
        refuse_kind(kind, size, weight)
        self.kind, self.size, self.cards = kind, size, tuple(cards)
        self.codes, self.weight = codes, weight
        self.columns, self.count = codes.shape
        self.rows = float(self.count if weight is None else weight.sum())
        self.price = {"bic": np.log(max(self.rows, 1.0)) / 2, "aic": 1.0}.get(kind, 0.0)
        self.kernel = families.Families(
            (codes, np.empty(0) if weight is None else weight, np.array(cards, np.intp)),
            *make_bitmaps(codes, cards),
            self._summed(weight),
            make_hashes(cards, SUMMED[kind] in (EVEN, LEFT_OUT)),
            make_memo(min(MEMO * self.columns**2, MOST_MEMO)),
            make_scratch(self.columns, self.count, max(cards)),
        )

    def around(self, node: int, parents: Iterable[int] = (), most: int | None = None) -> tuple[float, Floats]:
        """The score of a node with these parents, and what toggling each other node would add to it."""
        links, gain = np.zeros((self.columns,) * 2, np.uint8), np.empty((self.columns,) * 2)
        links[node, list(parents)] = 1
        everything = np.ones_like(links)
        score = self.kernel.fill(node, links, everything, self.columns if most is None else most, gain)
        return score, gain[node]

    def of(self, node: int, parents: Iterable[int] = ()) -> float:
        """The score of a node with these parents."""
        return self.around(node, parents, 0)[0]

    def make_room(self, sums: int) -> None:
        """Remember so many sums from now on; those known are forgotten."""
        self.kernel.remember_in(*make_memo(sums))

    def _summed(self, weight: Floats | None) -> tuple[int, float, float, Floats]:
        """What the kernel sums: the kind, its number, the price of a parameter, and N log N of each count."""
        powers = np.empty(0)
        if SUMMED[self.kind] == PLAIN and weight is None:
            powers = np.arange(self.count + 1, dtype=np.float64)
            powers[1:] *= np.log(powers[1:])
        return SUMMED[self.kind], 1.0 if self.kind == "k2" else self.size, float(self.price), powers


def refuse_kind(kind: str, size: float, weight: Floats | None) -> None:
    """Refuse a score that there is not, or that cannot be of these rows."""
    if kind not in KINDS:
        raise ValueError(f"there is no score {kind!r}; there are {', '.join(KINDS)}")
    if not 0 < size < np.inf:
        raise ValueError(f"a prior must be worth a finite number of rows above 0, not {size}")
    if kind == "left_out" and weight is not None:
        raise ValueError("the score left_out leaves out whole rows, one by one: it takes no weights; repeat the rows")


def make_bitmaps(codes: NDArray[np.uint16], cards: Sequence[int]) -> tuple[Any, Any]:
    """Where each column's bitmaps begin and the bitmaps; where its counts begin and the counts."""
    *first, every = accumulate((r - 1 if r <= MOST_BITMAPS else 0 for r in cards), initial=0)
    bits = np.zeros((every, -(-codes.shape[1] // 64)), np.uint64)
    begin = np.array([at if r <= MOST_BITMAPS else -1 for at, r in zip(first, cards, strict=True)], np.intp)
    *margin, every = accumulate(cards, initial=0)
    counts, margins = np.zeros(every), np.array(margin, np.intp)
    families.spread(codes, begin, bits, margins, counts)
    return (begin, bits), (margins, counts)


def make_hashes(cards: Sequence[int], apart: bool) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """A number for each column and for nothing; `apart`: numbers for lower sums, which depend on the node's states."""
    of_columns = draw_hashes(0, (len(cards) + 1,))
    if not apart:
        return of_columns, np.zeros(len(cards), np.uint64)
    _, which = np.unique(np.array(cards), return_inverse=True)
    return of_columns, draw_hashes(2, (int(which.max()) + 1,))[which]


@lru_cache(maxsize=16)
def draw_hashes(seed: int, shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """Random numbers of 64 bits, none of them 0, that nobody writes on."""
    hashes = np.random.default_rng(seed).integers(0, 1 << 63, shape, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    hashes.flags.writeable = False
    return hashes


def make_memo(sums: int) -> tuple[NDArray[np.uint64], Floats, Floats]:
    """Room for so many sums, by the numbers of their sets: a power of two."""
    room = max(1 << 12, 1 << (sums - 1).bit_length())
    return np.zeros(room, np.uint64), np.empty(room), np.empty(room)


def make_scratch(columns: int, rows: int, most_states: int) -> list[Any]:
    """Room for the kernel: memory is taken where it is written to."""
    laid_out = min(CELLS, max(CELLS_PER_ROW * rows, LEAST_CELLS))
    cells = max(laid_out, rows)
    return [
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty(most_states, np.int32),
        np.empty(most_states, np.int32),
        np.empty(rows + BASES + 1, np.int32),
        np.empty(cells + 1, np.intp),
        np.empty(columns + 2, np.intp),
        np.empty((BASES, -(-rows // 64)), np.uint64),
        np.empty(laid_out),
        np.empty(cells + 1),
    ]

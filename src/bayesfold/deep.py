"""Nodes with feature parents: log P(child | parents, class) as tables, looked up for rows, or with each row left out.

A table with too few rows leans on the one with a parent fewer, x | c,p1,p2 -> x | c,p1 -> x | c -> x: with
`MEstimate`, m pseudo rows of the coarser table are added at every step; with Laplace's `Categorical` each table stands
by itself. A parent that is missing in a row ends the chain before it.

>>> N = np.zeros((3, 3, 2))                                             # [parent, child, class]; slot 0 is missing
>>> N[1, 1:, 1], N[2, 1:, 1] = (4, 0), (1, 3)
>>> np.exp(log_table(N, Smoothing(laplace=1.0)))[:, 1:, 0].round(3)     # parent missing, and its two levels
array([[0.6  , 0.4  ],
       [0.833, 0.167],
       [0.333, 0.667]])
"""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bayesfold.count import Grid
from bayesfold.families.categorical import Categorical, best_alpha
from bayesfold.families.m_estimate import MEstimate
from bayesfold.forms import ZERO
from bayesfold.frame import Floats
from bayesfold.kernels import deep
from bayesfold.schema import Schema
from bayesfold.tally import Clique, Tally, cut


@dataclass(frozen=True)
class Smoothing:
    """Laplace's alpha, or (laplace=None) the pseudo rows taken from the coarser table: of x | c, and of deeper ones."""

    laplace: float | None = None
    first: float = 1.0
    deeper: float = 1.0

    @classmethod
    def of(cls, family: object, table: Floats) -> "Smoothing":
        """A family's smoothing; alpha="auto" is settled on the table itself."""
        if isinstance(family, MEstimate):
            return cls(None, family.m, family.m if family.deeper is None else family.deeper)
        if isinstance(family, Categorical) and isinstance(family.alpha, str):
            flat = np.moveaxis(table[..., 1:, :], -2, 0).reshape(table.shape[-2] - 1, -1)
            return cls(best_alpha(flat, flat > 0))
        if isinstance(family, Categorical):
            assert not isinstance(family.alpha, tuple)
            return cls(float(family.alpha))
        raise TypeError(f"a column with parents is a table: {family!r} is not a family of tables")

    @property
    def numbers(self) -> Floats:
        """As the kernel reads them."""
        laplace = self.laplace is not None
        return np.array([self.laplace if laplace else 0.0, -1.0 if laplace else self.first, self.deeper], np.float64)


def clique_of(schema: Schema, child: str, parents: tuple[str, ...]) -> Clique:
    """What is counted for a node: its features in the order of the schema, then the class."""
    family = {child, *parents} - {schema.target.name}
    return Clique((*(c.name for c in schema.features if c.name in family), schema.target.name))


def counts_of(tally: Tally, child: str, parents: tuple[str, ...]) -> Floats:
    """The weights of a node's table, [parents..., child, class]; the class's slot 0 included."""
    clique = clique_of(tally.schema, child, parents)
    flat = tally.weights[0] if tally.weighted else tally.counts
    table = cut(flat, tally.layout.offsets[clique][0], tally.layout.shape(clique))
    order = [clique.keys.index(name) for name in (*parents, child)]
    return np.ascontiguousarray(table.transpose(*order, len(order)), np.float64)


def coarser(table: Floats) -> list[Floats]:
    """The tables of x | c, x | c,p1, ... that a table sums to."""
    steps = [table]
    for _ in range(table.ndim - 2):
        steps.append(steps[-1].sum(axis=-3))
    return steps[::-1]


def log_table(table: Floats, smoothing: Smoothing) -> Floats:
    """log P(child | parents, class), [parents..., child, class without slot 0]; a missing child has the factor 1."""
    levels = table.shape[-2] - 1
    p: Floats = np.empty(0)
    for depth, n in enumerate(coarser(table)):
        n = n[..., 1:, 1:]
        total = n.sum(axis=-2, keepdims=True)
        if smoothing.laplace is not None:
            finer = laplace(n, total, levels, smoothing.laplace)
        elif depth == 0:
            alone = n.sum(axis=-1, keepdims=True)
            finer = (n + smoothing.first * (alone + 1) / (alone.sum() + levels)) / (total + smoothing.first)
        else:
            finer = (n + smoothing.deeper * p[..., None, :, :]) / (total + smoothing.deeper)
        if depth:
            stopped = np.broadcast_to(p[..., None, :, :], finer.shape)
            for axis in range(depth):
                at = (slice(None),) * axis + (0,)
                finer[at] = stopped[at]
        p = finer
    out = np.zeros((*table.shape[:-1], table.shape[-1] - 1))
    with np.errstate(divide="ignore"):
        out[..., 1:, :] = np.maximum(np.log(p), ZERO)
    return out


def laplace(n: Floats, total: Floats, levels: int, alpha: float) -> Floats:
    """(n + alpha) / (total + levels alpha); uniform where nothing is known."""
    below = total + levels * alpha
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, (n + alpha) / below, 1.0 / max(levels, 1))


class Table:
    """One node's table, ready for rows: `columns` are rows of a grid, the parents' and then the child's."""

    def __init__(self, tally: Tally, child: str, parents: tuple[str, ...], family: object, at: dict[str, int]) -> None:
        self.child, self.parents, self.family, self.tally = child, parents, family, tally
        self.columns = np.array([at[name] for name in (*parents, child)], np.intp)

    @cached_property
    def counts(self) -> Floats:
        """[parents..., child, class]."""
        return counts_of(self.tally, self.child, self.parents)

    @cached_property
    def smoothing(self) -> Smoothing:
        """How the counts become probabilities."""
        return Smoothing.of(self.family, self.counts)

    @cached_property
    def log(self) -> Floats:
        """log P by cell, a row a cell of (parents, child)."""
        return np.ascontiguousarray(log_table(self.counts, self.smoothing).reshape(-1, self.counts.shape[-1] - 1))

    @cached_property
    def strides(self) -> NDArray[np.intp]:
        """What a code of each column moves the cell by."""
        return np.cumprod((1, *self.counts.shape[-2:0:-1]), dtype=np.intp)[::-1].copy()

    def add(self, grid: Grid, begin: int, end: int, out: Floats, power: float = 1.0) -> None:
        """out[i - begin] += power log P of row i."""
        deep.look_up(grid, self.columns, self.strides, self.log, power, begin, end, out)

    def draw(self, codes: Grid, label: NDArray[np.intp], draw: np.random.Generator) -> NDArray[np.int32]:
        """A slot of the child for each row, given its parents' codes and its class."""
        slots = self.counts.shape[-2]
        first = (self.strides[:-1, None] * codes[self.columns[:-1]]).sum(0)
        p = np.exp(self.log[first[:, None] + np.arange(1, slots), label[:, None]]).cumsum(1)
        height = draw.random(len(label)) * p[:, -1]
        slot: NDArray[np.int32] = np.minimum((height[:, None] > p).sum(1) + 1, slots - 1).astype(np.int32)
        return slot

    @cached_property
    def _levels(self) -> tuple[Floats, Floats, NDArray[np.intp], NDArray[np.intp]]:
        """Cells and totals of every coarser table one after another, and where each begins."""
        steps = coarser(self.counts)
        alone = steps[0].sum(axis=-1)
        cells = [alone, *steps]
        totals = [alone[1:].sum(keepdims=True), *(n[..., 1:, :].sum(axis=-2) for n in steps)]
        places = [np.cumsum([0, *(part.size for part in parts)])[:-1].astype(np.intp) for parts in (cells, totals)]
        flat = [np.concatenate([part.ravel() for part in parts]) for parts in (cells, totals)]
        return flat[0], flat[1], places[0], places[1]

    def with_family(self, family: object) -> "Table":
        """The same counts under another smoothing."""
        assert self._levels  # worked out once, for all
        other = copy(self)
        other.family = family
        for name in ("smoothing", "log", "_numbers"):
            other.__dict__.pop(name, None)
        return other

    @cached_property
    def _numbers(self) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp], float]:
        """What the kernel reads of the table beside its cells."""
        shape = self.counts.shape
        slots = np.array([shape[-2], *shape[:-2]], np.intp)
        return self.smoothing.numbers, slots, np.ascontiguousarray(self.columns[:-1]), float(shape[-2] - 1)

    def left_out(
        self, grid: Grid, actual: Grid, own: NDArray[np.int32], weight: Floats, begin: int, end: int
    ) -> Floats:
        """log P of some rows, each out of the table it is in; `actual` are the codes as they were learned."""
        logs = np.empty((end - begin, self.counts.shape[-1] - 1))
        cells, totals, first_cell, first_total = self._levels
        smoothing, slots, parents, levels = self._numbers
        deep.left_out(
            grid, self.columns[-1], parents, slots, levels, actual, own, weight,
            cells, totals, first_cell, first_total, smoothing, begin, end, logs,
        )  # fmt: skip
        return logs


class Root(Table):
    """A super-parent beside the class: P(class, x) / P(class), so that the class's own factor is counted once.

    With Laplace's smoothing P(class, x) = (N_cx + alpha) / (N + K S alpha), as Webb (2005) and the textbooks have it.
    """

    @cached_property
    def log(self) -> Floats:
        """log P(class, x) - log P(class), a row a slot of x."""
        if self.smoothing.laplace is None:
            return Table.log.func(self)  # type: ignore[attr-defined,no-any-return]
        n = self.counts[1:, 1:]
        out = np.zeros((len(self.counts), n.shape[1]))
        out[1:] = self._log(n, n.sum(), n.sum(0))
        return out

    def _log(self, n: Floats, whole: Floats, by_class: Floats) -> Floats:
        """`whole` rows show x; the class's factor is smoothed by alpha, like its table."""
        alpha, levels, classes = self.smoothing.laplace, self.counts.shape[0] - 1, n.shape[-1]
        assert alpha is not None
        with np.errstate(divide="ignore", invalid="ignore"):
            joint = np.where(n + alpha > 0, np.log(n + alpha) - np.log(whole + classes * levels * alpha), ZERO)
            prior = np.log(by_class + alpha) - np.log(whole + classes * alpha)
        found: Floats = np.maximum(joint - np.where(np.isfinite(prior), prior, 0.0), ZERO)
        return found

    def left_out(
        self, grid: Grid, actual: Grid, own: NDArray[np.int32], weight: Floats, begin: int, end: int
    ) -> Floats:
        """As `log`, each row out of the table."""
        if self.smoothing.laplace is None:
            return super().left_out(grid, actual, own, weight, begin, end)
        x = grid[self.columns[-1], begin:end]
        seen = actual[self.columns[-1], begin:end] > 0
        w = np.where(seen, weight[begin:end], 0.0)
        n, by_class = (
            self.counts[x][:, 1:],
            np.broadcast_to(self.counts[1:, 1:].sum(0), (len(x), self.counts.shape[1] - 1)),
        )
        mine = np.zeros(n.shape)
        mine[np.arange(len(x)), own[begin:end] - 1] = w
        n, by_class = np.maximum(n - mine, 0.0), np.maximum(by_class - mine, 0.0)
        whole = by_class.sum(1, keepdims=True)
        return np.where(x[:, None] > 0, self._log(n, whole, by_class), 0.0)

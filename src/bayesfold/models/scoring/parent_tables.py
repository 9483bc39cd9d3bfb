"""Nodes with feature parents: log P(child | parents, class) as tables, looked up for rows, or with each row left out.

A table with too few rows leans on the one with a parent fewer, x | c,p1,p2 -> x | c,p1 -> x | c -> x: with
`MEstimate`, m pseudo rows of the coarser table are added at every step; with Laplace's `Categorical` each table stands
by itself. A parent that is missing in a row ends the chain before it. A super-parent stands beside the class: its
factor is P(class, x) / P(class), so that the class's own factor is counted once; with Laplace's smoothing
P(class, x) = (N_cx + alpha) / (N + K S alpha), as Webb (2005) and the textbooks have it.

The tables of all nodes stand one after another, so that one loop serves them all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.column_major import Grid
from bayesfold.data.frame import Floats
from bayesfold.families.categorical import Categorical, best_alpha
from bayesfold.families.m_estimate import MEstimate
from bayesfold.kernels.scoring import deep, levels, look_up, one_parent
from bayesfold.models.scoring.parent_nodes import Leaves, Program, compile_program
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class LeftOutRows:
    """The rows that are being left out: their classes' slots, and how much of each leaves."""

    own: NDArray[np.int32]
    weight: Floats


FEW = 1_024
"""Leaves times rows below which the loop for all kinds of tables is quicker than what would have to be prepared."""

MOST_PROGRAMS = 16
"""Programs that are kept of a layout: a pool has a few, and a stream may plan its leaves anew for ever."""


class ParentTables:
    """The tables of several leaves, ready for rows."""

    def __init__(self, tally: Tally, leaves: Leaves, families: Mapping[str, Any]) -> None:
        self.tally, self.leaves, self.families = tally, leaves, families
        self.classes = tally.schema.target.slots - 1
        self.powers = leaves.powers

    def _but(self, *gone: str, **changed: Any) -> "ParentTables":
        """The same but for this, without what was worked out from it."""
        other = object.__new__(ParentTables)
        other.__dict__.update(self.__dict__, **changed)
        for name in gone:
            other.__dict__.pop(name, None)
        return other

    def gather(self) -> None:
        """Work out what no smoothing changes."""
        _ = self.cells, self._sizes_with_one_parent

    def with_families(self, families: Mapping[str, Any]) -> "ParentTables":
        """The same counts under other smoothing."""
        return self._but("smoothing", "inverse", "logs", "powered", "_one_parent", families=families)

    def with_powers(self, powers: Floats) -> "ParentTables":
        """The same tables with these exponents."""
        if np.array_equal(powers, self.powers):
            return self
        leaves = self.leaves.with_powers(powers)
        return self._but("powered", "_one_parent", powers=leaves.powers, leaves=leaves)

    def of_leaves(self, at: NDArray[np.intp]) -> "ParentTables":
        """The tables of some leaves, from which rows are to be left out: they stand where they stood among all."""
        program, begins, sizes = self.program
        some = {"leaves": self.leaves.take(at), "powers": self.powers[at], "cells": self.cells}
        gone = ("smoothing", "inverse", "logs", "powered", "_one_parent", "_sizes_with_one_parent")
        return self._but(*gone, program=(program, begins[at], sizes), **some)

    def without_powers(self) -> "ParentTables":
        """The same tables, each counted once."""
        return self._but("powered", "_one_parent", powers=np.ones(len(self.leaves)))

    @cached_property
    def program(self) -> Program:
        """The leaves as the kernels read them; of the same leaves and layout the same one."""
        programs = self.tally.layout.plans.setdefault("programs", {})
        kept = programs.get(id(self.leaves))
        if kept is None:
            while len(programs) >= MOST_PROGRAMS:
                programs.pop(next(iter(programs), None), None)  # another thread may have been quicker
            kept = programs[id(self.leaves)] = self.leaves, compile_program(self.tally.layout, self.leaves)
        return cast(Program, kept[1])

    @property
    def sizes(self) -> NDArray[np.intp]:
        """The rows of each leaf's logs."""
        program, begins, (rows, _, _) = self.program
        return np.diff(np.append(program[begins + 6], rows))

    @cached_property
    def cells(self) -> tuple[Floats, Floats]:
        """The weights of every table and of the coarser ones that it sums to, and their totals over the child."""
        program, begins, (_, cells, totals) = self.program
        sums = np.zeros(cells), np.zeros(totals)
        source = self.tally.weights[0] if self.tally.weighted else self.tally.counts
        levels.gather(source, program, begins, self.classes + 1, *sums)
        return sums

    def shape(self, k: int) -> tuple[int, ...]:
        """The slots of a leaf's parents and its own."""
        leaf = self.leaves[k]
        return tuple(self.tally.schema.axis(name) for name in (*leaf.parents, leaf.name))

    def counts(self, k: int) -> Floats:
        """The weights of a leaf's table, [parents..., child, class]; the class's slot 0 included."""
        program, begins, _ = self.program
        shape = (*self.shape(k), self.classes + 1)
        last = begins[k] + 11 + 5 * (len(self.leaves[k].parents) - 1)
        first = program[last + 3] if self.leaves[k].parents else program[begins[k] + 9]
        return self.cells[0][first : first + prod(shape)].reshape(shape)

    @cached_property
    def smoothing(self) -> Floats:
        """[leaf, 3]: Laplace's alpha; or the pseudo rows of x | c (-1 with Laplace) and of deeper tables."""
        out = np.empty((len(self.leaves), 3))
        children = self.leaves.children
        families = [self.families[name] for name in children]
        if len({*map(id, families)}) == 1 and isinstance(families[0], MEstimate):
            out[:] = smoothing_of(families[0], np.empty(0))
            return out
        for name, family in zip(children, families, strict=True):
            places = np.flatnonzero(self.leaves.child == self.leaves.names.index(name))
            if isinstance(family, Categorical) and isinstance(family.alpha, str):
                out[places] = [smoothing_of(family, self.counts(k)) for k in places.tolist()]
            else:
                out[places] = smoothing_of(family, np.empty(0))
        return out

    @cached_property
    def _one_parent(self) -> NDArray[np.intp] | None:
        """A leaf of each column, where no leaf has two parents and all have pseudo rows and no exponent; else None."""
        plain = self._sizes_with_one_parent is not None and bool((self.powers == 1.0).all())
        return self.leaves.leaf_of_each if plain and (self.smoothing[:, 1:] > 0).all() else None

    @cached_property
    def _sizes_with_one_parent(self) -> tuple[int, int, NDArray[np.intp]] | None:
        """The cells of all leaves, the most of one, where a column's slots begin; None where one has two parents."""
        program, begins, _ = self.program
        child = self.leaves.leaf_of_each
        if self.leaves.parents_of_each.max(initial=0) > 1:
            return None
        slots, above = program[begins + 1], np.ones(len(begins), np.intp)
        has_parent = program[begins + 3] > 0
        above[has_parent] = program[begins[has_parent] + 12]
        cells = slots * above
        starts = np.zeros(len(child) + 1, np.intp)
        np.cumsum(np.where(child < 0, 0, slots[child]), out=starts[1:])
        return int(cells.sum()), int(cells.max()), starts

    @cached_property
    def inverse(self) -> Floats:
        """One over every total and its pseudo rows."""
        program, begins, (_, _, totals) = self.program
        out = np.zeros(totals)
        levels.inverses(program, begins, self.classes + 1, self.cells[1], self.smoothing, out)
        return out

    @cached_property
    def logs(self) -> Floats:
        """log P of every leaf, one row per cell of (parents, child); a missing child has the factor 1."""
        program, begins, (rows, _, _) = self.program
        out = np.empty((rows, self.classes))
        scratch = np.zeros((max(len(self.leaves.leaf_of_each), 1), 1), np.int32), np.empty(self.classes)
        deep.logs(program, begins, *self.cells, self.inverse, self.smoothing, *scratch, out)
        return out

    @cached_property
    def powered(self) -> Floats:
        """The logs times their leaf's exponent."""
        if (self.powers == 1.0).all():
            return self.logs
        return self.logs * np.repeat(self.powers, self.sizes)[:, None]

    def log(self, k: int) -> Floats:
        """A leaf's logs, [parents..., child, class]."""
        program, begins, _ = self.program
        first, shape = program[begins[k] + 6], self.shape(k)
        return self.logs[first : first + prod(shape)].reshape(*shape, self.classes)

    def said(self, networks: NDArray[np.intp], codes: Grid, begin: int, end: int) -> Floats:
        """[network, row, class]: the sum of power log P over leaves networks[n] to networks[n + 1]."""
        out = np.empty((len(networks) - 1, end - begin, self.classes))
        program, begins, _ = self.program
        look_up.look_up(program, begins, networks, self.powered, codes, begin, end, out)
        return out

    def left_out(
        self, networks: NDArray[np.intp], codes: Grid, actual: Grid, left: LeftOutRows, begin: int, end: int
    ) -> Floats:
        """As `said`, each row out of the tables it is in; `actual` are the codes as they were learned."""
        out = np.empty((len(networks) - 1, end - begin, self.classes))
        program, begins, _ = self.program
        tables = (*self.cells, self.inverse, self.smoothing)
        few = len(begins) * (end - begin) < FEW
        if actual is codes and not few and self._one_parent is not None:
            self._leave_out_one_parent(self._one_parent, networks, codes, left, begin, end, out)
            return out
        rows = (codes, actual, left.own, left.weight, begin, end)
        deep.left_out(program, begins, networks, self.powers, *tables, *rows, np.empty((2, self.classes)), out)
        return out

    def _leave_out_one_parent(
        self,
        nodes: NDArray[np.intp],
        networks: NDArray[np.intp],
        codes: Grid,
        left: LeftOutRows,
        begin: int,
        end: int,
        out: Floats,
    ) -> None:
        """Fill `out`, as `left_out`, where no leaf has two parents; `nodes` is a leaf of each column."""
        program, begins, _ = self.program
        tables, product = (*self.cells, self.inverse, self.smoothing), np.empty(out.shape[1:])
        own, weight = left.own, left.weight
        assert self._sizes_with_one_parent is not None
        size, largest, starts = self._sizes_with_one_parent
        if size <= len(begins) * (end - begin) and own.all() and (weight == weight[0]).all():
            alone, one = np.empty((starts[-1], 2, self.classes)), float(weight[0])
            table = np.empty(2 * self.classes * largest)
            one_parent.by_value(program, begins, nodes, *tables, one, starts, alone)
            asked = (codes, own, one, begin, end, starts, alone, table, product)
            one_parent.look_up(program, begins, networks, *tables, *asked, out)
            return
        rows = (codes, own, weight, begin, end)
        alone = np.empty((len(codes), end - begin, self.classes))
        one_parent.by_class(program, begins, nodes, *tables, *rows, alone)
        one_parent.left_out(program, begins, networks, *tables, *rows, alone, product, out)

    def draw(self, k: int, codes: Grid, label: NDArray[np.intp], draw: "np.random.Generator") -> NDArray[np.int32]:
        """A slot of a leaf for each row, given its parents' codes and its class."""
        p = np.exp(self.log(k)[(*codes[list(self.leaves[k].columns[:-1])], slice(1, None))])
        if p.ndim == 2:  # without parents, the same table for each row
            p = np.broadcast_to(p, (len(label), *p.shape))
        p = np.take_along_axis(p, label[:, None, None], 2)[:, :, 0].cumsum(1)
        height = draw.random(len(label)) * p[:, -1]
        slot: NDArray[np.int32] = np.minimum((height[:, None] > p).sum(1) + 1, p.shape[1]).astype(np.int32)
        return slot


def smoothing_of(family: object, table: Floats) -> tuple[float, float, float]:
    """A family's smoothing as the kernels read it; alpha="auto" is settled on the table itself."""
    if isinstance(family, MEstimate):
        return 0.0, family.m, family.m if family.deeper is None else family.deeper
    if isinstance(family, Categorical) and isinstance(family.alpha, str):
        flat = np.moveaxis(table[..., 1:, :], -2, 0).reshape(table.shape[-2] - 1, -1)
        return best_alpha(flat, flat > 0), -1.0, 1.0
    if isinstance(family, Categorical):
        assert not isinstance(family.alpha, tuple)
        return float(family.alpha), -1.0, 1.0
    raise TypeError(f"a column with parents is a table: {family!r} is not a family of tables")


def rows_by_slot(tally: Tally, names: Sequence[str]) -> list[Floats]:
    """How much weight each value of each of these columns has."""
    flat, target = tally.weights[0] if tally.weighted else tally.counts, tally.schema.target
    found = []
    for name in names:
        first, slots = tally.layout.firsts[name, target.name], tally.schema.axis(name)
        table = flat[first : first + slots * target.slots].reshape(slots, target.slots)
        found.append(table.sum(1).astype(np.float64))
    return found

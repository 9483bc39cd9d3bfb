"""The only scorer: log P(class, row) as a sum over nodes, with or without the row itself in the statistic.

A `Scorer` is a model turned into tables for the kernels: lookups for discrete columns, squares for normal ones, matrix
products for blocks of counts; any other family is asked for its log density.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.forms import Density, Linear, Lookup, Quadratic
from bayesfold.frame import Floats
from bayesfold.kernels import scores
from bayesfold.schema import Batch, Panel
from bayesfold.tally import Cells, Clique, Span, Tally
from bayesfold.threads import BLOCK, spread


@dataclass(frozen=True)
class Group:
    """Columns that share a family and their parents: held and fitted together."""

    names: tuple[str, ...]
    cliques: tuple[Clique, ...]
    span: Span
    family: Any
    powers: Floats

    def held(self, tally: Tally) -> tuple[Cells, Any]:
        """The group's cells and its family with what it learns from them fixed."""
        cells = tally.cells(self.span)
        return cells, self.family.hold(cells)


@dataclass
class Scorer:
    """Log tables of one network: the class, and the groups of columns."""

    prior: Floats
    groups: Sequence[Group]
    tally: Tally

    @cached_property
    def forms(self) -> list[Any]:
        """Each group's densities."""
        return [family.fit(cells) for cells, family in (g.held(self.tally) for g in self.groups)]

    def log_joint(self, batch: Batch, finish: Callable[[int, int, Floats], None] | None = None) -> Floats:
        """log P(class, row), one row a row, one column a class.

        Every column is added to one piece of rows while it is in the cache; `finish` is called on each piece.
        """
        out = np.empty((batch.rows, len(self.prior)))
        steps = [s for g, f in zip(self.groups, self.forms, strict=True) for s in self._steps(g, f, batch, out)]

        def piece(begin: int, end: int) -> None:
            out[begin:end] = self.prior
            for step in steps:
                step(begin, end)
            if finish is not None:
                finish(begin, end, out)

        spread(piece, batch.rows, BLOCK // 4)
        return out

    def _steps(self, group: Group, form: Any, batch: Batch, out: Floats) -> list[Callable[[int, int], None]]:
        """Functions that each add some columns' log densities to a piece of rows."""
        if isinstance(form, Lookup):
            return [self._lookup(group, form, *part, out) for part in chosen(batch.codes, group.names)]
        if isinstance(form, Linear):
            return [self._product(group, form, batch.column(group.names[0]), out)]
        if isinstance(form, Density):
            return [self._density(group, form, j, batch.column(name), out) for j, name in enumerate(group.names)]
        steps = [self._square(group, form, names, values, out) for _, names, values in chosen(batch.reals, group.names)]
        if hasattr(group.family, "base"):
            steps += [self._base(group, j, batch.column(name), out) for j, name in enumerate(group.names)]
        return steps

    def _lookup(
        self, group: Group, form: Lookup, panel: Panel, names: Sequence[str], values: Any, out: Floats
    ) -> Callable[[int, int], None]:
        starts = group.span.starts
        slots = np.diff(starts)
        table = form.table
        if (group.powers != 1).any():
            table = table * np.repeat(group.powers, slots + 1)[:, None]
        where = np.array([group.names.index(n) for n in names])
        rows, slots = (starts[:-1] + np.arange(len(slots)))[where], slots[where]
        return lambda begin, end: scores.lookup(values, panel.shift, slots, rows, table, begin, end, out)

    def _product(self, group: Group, form: Linear, block: Any, out: Floats) -> Callable[[int, int], None]:
        weights, constant = group.powers[0] * form.weights[:, 1:], group.powers[0] * form.constant[1:]

        def step(begin: int, end: int) -> None:
            out[begin:end] += np.asarray(block[begin:end] @ weights) + constant

        return step

    def _density(self, group: Group, form: Density, j: int, x: Floats, out: Floats) -> Callable[[int, int], None]:
        alone = one(form, j)

        def step(begin: int, end: int) -> None:
            some = x[begin:end].astype(np.float64)
            log_p = group.family.log_density(alone, some)[:, 1:]
            out[begin:end] += group.powers[j] * np.where(np.isnan(some)[:, None], 0.0, log_p)

        return step

    def _base(self, group: Group, j: int, x: Floats, out: Floats) -> Callable[[int, int], None]:
        def step(begin: int, end: int) -> None:
            out[begin:end] += group.powers[j] * np.nan_to_num(group.family.base(x[begin:end]))[:, None]

        return step

    def _square(
        self, group: Group, form: Quadratic, names: Sequence[str], values: Any, out: Floats
    ) -> Callable[[int, int], None]:
        where = np.array([group.names.index(n) for n in names])
        powers = group.powers[where][:, None]
        mean, precision, constant = form.mean[where], form.precision[where] * powers, form.constant[where] * powers

        def step(begin: int, end: int) -> None:
            scratch = np.empty((2, out.shape[1]))
            bad = scores.gaussian(values, mean, precision, constant, begin, end, scratch, out)
            if bad >= 0:
                row, column = divmod(bad, len(names))
                raise ValueError(
                    f"column {names[column]!r} is infinite in row {row}; make it missing (NaN) or a large finite number"
                )

        return step

    def contributions(self, batch: Batch) -> Floats:
        """What each column says: log P(x_j | class) to its power, [row, column, class], in the order of `names`."""
        parts = np.zeros((batch.rows, len(self.names), len(self.prior)))
        for group, form in zip(self.groups, self.forms, strict=True):
            for j, name in enumerate(group.names):
                single = Scorer(np.zeros(len(self.prior)), [self._alone(group, j)], self.tally)
                single.forms = [self._form_of(form, group, j)]
                parts[:, self.names.index(name)] = single.log_joint(batch)
        return parts

    def _alone(self, group: Group, j: int) -> Group:
        """A group's column j by itself."""
        clique = (group.cliques[j],)
        return Group((group.names[j],), clique, self.tally.layout.span(clique), group.family, group.powers[j : j + 1])

    def _form_of(self, form: Any, group: Group, j: int) -> Any:
        """The part of a group's densities that belongs to its column j."""
        if isinstance(form, Lookup):
            starts = group.span.starts
            return Lookup(form.table[starts[j] + j : starts[j + 1] + j + 1])
        return form if isinstance(form, Linear) else one(form, j)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The feature columns, group by group."""
        return tuple(name for group in self.groups for name in group.names)

    def left_out(self, batch: Batch) -> Floats:
        """`contributions` with each row taken out of the statistic before it is scored."""
        assert batch.labels is not None
        parts = self.contributions(batch)
        own = batch.labels.astype(np.intp)
        weight = leaving(batch)
        each_row = np.arange(batch.rows)
        for group in self.groups:
            cells, held = group.held(self.tally)
            for j, name in enumerate(group.names):
                x = batch.column(name)
                alone = column_of(cells, j)
                log_p = single_column(held, j, len(group.names)).left_out(alone, x, own, weight)
                place = self.names.index(name)
                if log_p.ndim == 2:
                    parts[:, place] = group.powers[j] * log_p[:, 1:]
                    continue
                if hasattr(held, "base"):
                    log_p = log_p + held.base(x)
                if isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind == "f":
                    log_p = np.where(np.isnan(x), 0.0, log_p)
                parts[each_row, place, own - 1] = group.powers[j] * log_p
        return parts


def leaving(batch: Batch) -> Floats:
    """How much of each row is left out: one copy, or less when it weighs less."""
    return np.ones(batch.rows) if batch.weight is None else np.minimum(batch.weight, 1.0)


def chosen(panels: Sequence[Panel], names: Sequence[str]) -> list[tuple[Panel, tuple[str, ...], Any]]:
    """Each panel that holds some of these columns, with those columns alone."""
    wanted = set(names)
    found = []
    for panel in panels:
        if wanted.issuperset(panel.names):
            found.append((panel, panel.names, panel.values))
            continue
        where = [i for i, name in enumerate(panel.names) if name in wanted]
        if where:
            values = np.ascontiguousarray(panel.values[:, where])
            found.append((panel, tuple(panel.names[i] for i in where), values))
    return found


def one(form: Any, j: int) -> Any:
    """A form of several columns, cut to its column j."""
    if isinstance(form, Quadratic):
        return Quadratic(*(part[j : j + 1] for part in (form.mean, form.precision, form.constant)))
    return Density(tuple(part[j : j + 1] for part in form.parameters))


def column_of(cells: Cells, j: int) -> Cells:
    """The cells of column j alone."""
    rows = slice(cells.starts[j], cells.starts[j + 1])
    starts: NDArray[np.intp] = np.array([0, rows.stop - rows.start], np.intp)
    return Cells(starts, cells.count[rows], cells.mass[rows], cells.high[rows], cells.low[rows])


def single_column(family: Any, j: int, columns: int) -> Any:
    """A held family of several columns, cut to its column j."""
    cut = {}
    for part in fields(family):
        value = getattr(family, part.name)
        if isinstance(value, np.ndarray | tuple) and len(value) == columns:
            cut[part.name] = value[j : j + 1]
    return replace(family, **cut)

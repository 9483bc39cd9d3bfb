"""The only scorer: log P(class, row) as a sum over nodes, with or without the row itself in the statistic.

A `Scorer` is a model turned into tables for the kernels: lookups for discrete columns, squares for normal ones, matrix
products for blocks of counts; any other family is asked for its log density.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings.numbers import refuse_infinity
from bayesfold.data.frame import Floats
from bayesfold.data.sparse import csr_parts
from bayesfold.families._forms import Density, Linear, Lookup, Others, Quadratic, Whole, parabola
from bayesfold.kernels.counting import blocks
from bayesfold.kernels.scoring import scores
from bayesfold.models.scoring.group import Group, group_columns, select_panels
from bayesfold.runtime.threads import BLOCK, one_at_a_time, spread
from bayesfold.tally.statistic import Cells, Tally


@dataclass
class Scorer:
    """Log tables of one network: the class, and the groups of columns."""

    prior: Floats
    groups: Sequence[Group]
    tally: Tally

    @cached_property
    def held(self) -> list[tuple[Cells, Any]]:
        """Each group's cells, and its family with what it learns from them fixed."""
        return [group.held(self.tally) for group in self.groups]

    @cached_property
    def forms(self) -> list[Any]:
        """Each group's densities."""
        return [family.fit(cells) for cells, family in self.held]

    @cached_property
    def _ready(self) -> dict[tuple[int, Sequence[str]], tuple[NDArray[Any], ...]]:
        """What a step needs of a group's densities for some of its columns: a row alone is read in less time than that
        takes to work out."""
        return {}

    def with_prior(self, prior: Floats) -> "Scorer":
        """The same tables under another log prior."""
        other = Scorer(prior, self.groups, self.tally)
        other.held, other.forms = self.held, self.forms
        return other

    def with_groups(self, groups: Sequence[Group]) -> "Scorer":
        """The same tables, of groups that differ in their powers alone."""
        other = Scorer(self.prior, groups, self.tally)
        other.held = self.held
        return other

    def log_joint(self, batch: Batch, finish: Callable[[int, int, Floats], None] | None = None) -> Floats:
        """log P(class, row), one line per row, one column per class.

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

        if self._has_whole:
            with one_at_a_time:
                spread(piece, batch.rows, BLOCK // 4)
        else:
            spread(piece, batch.rows, BLOCK // 4)
        return out

    @cached_property
    def _has_whole(self) -> bool:
        """Whether a group's densities are worked out by another library, which has threads of its own."""
        return any(isinstance(form, Whole) for form in self.forms)

    def _steps(self, group: Group, form: Any, batch: Batch, out: Floats) -> list[Callable[[int, int], None]]:
        """Functions that each add some columns' log densities to a piece of rows."""
        if isinstance(form, Lookup):
            return [self._lookup(group, form, *part, out) for part in select_panels(batch.codes, group.names)]
        if isinstance(form, Linear):
            return [self._product(group, form, batch.column(group.names[0]), out)]
        if isinstance(form, Whole):
            return [self._whole(group, form, batch.column(group.names[0]), out)]
        if isinstance(form, Density):
            return [self._density(group, form, j, batch.column(name), out) for j, name in enumerate(group.names)]
        steps = [
            self._square(group, form, names, values, out)
            for _, names, values in select_panels(batch.reals, group.names)
        ]
        if hasattr(group.family, "base"):
            steps += [self._base(group, j, batch.column(name), out) for j, name in enumerate(group.names)]
        return steps

    def _lookup(
        self, group: Group, form: Lookup, panel: Panel, names: Sequence[str], values: Any, out: Floats
    ) -> Callable[[int, int], None]:
        key = id(group), names
        if key not in self._ready:
            starts = group.span.starts
            slots = np.diff(starts)
            table = form.table
            if (group.powers != 1).any():
                table = table * np.repeat(group.powers, slots + 1)[:, None]
            where = group.places(names)
            self._ready[key] = (starts[:-1] + np.arange(len(slots)))[where], slots[where], table
        rows, slots, table = self._ready[key]
        return lambda begin, end: scores.lookup(values, panel.shift, slots, rows, table, begin, end, out)

    def _product(self, group: Group, form: Linear, block: Any, out: Floats) -> Callable[[int, int], None]:
        power, weights, constant = group.powers[0], form.by_class, form.constant[1:]

        def dense(begin: int, end: int) -> None:
            rows = block if end - begin == len(out) else block[begin:end]
            out[begin:end] += power * (np.asarray(rows @ weights) + constant)

        def sparse(begin: int, end: int) -> None:
            out[begin:end] += power * constant
            blocks.product(*parts, weights, power, begin, end, out)

        if isinstance(block, np.ndarray):
            return dense
        parts = csr_parts(block)
        return sparse

    def _whole(self, group: Group, form: Whole, block: Any, out: Floats) -> Callable[[int, int], None]:
        def step(begin: int, end: int) -> None:
            out[begin:end] += group.powers[0] * group.family.log_density(form, block[begin:end])[:, 1:]

        return step

    def _density(self, group: Group, form: Density, j: int, x: Floats, out: Floats) -> Callable[[int, int], None]:
        alone = cut_form(form, j)

        def step(begin: int, end: int) -> None:
            values = x[begin:end].astype(np.float64)
            if np.isinf(values).any():
                refuse_infinity(group.names[j], begin + int(np.flatnonzero(np.isinf(values))[0]))
            log_p = group.family.log_density(alone, values)[:, 1:]
            out[begin:end] += group.powers[j] * np.where(np.isnan(values)[:, None], 0.0, log_p)

        return step

    def _base(self, group: Group, j: int, x: Floats, out: Floats) -> Callable[[int, int], None]:
        def step(begin: int, end: int) -> None:
            out[begin:end] += group.powers[j] * np.nan_to_num(group.family.base(x[begin:end]))[:, None]

        return step

    def _square(
        self, group: Group, form: Quadratic, names: Sequence[str], values: Any, out: Floats
    ) -> Callable[[int, int], None]:
        key = id(group), names
        if key not in self._ready:
            where = group.places(names)
            powers = group.powers[where][:, None]
            self._ready[key] = form.mean[where], form.precision[where] * powers, form.constant[where] * powers
        mean, precision, constant = self._ready[key]

        def step(begin: int, end: int) -> None:
            scratch = np.empty((2, out.shape[1]))
            bad = scores.gaussian(values, mean, precision, constant, begin, end, scratch, out)
            if bad >= 0:
                refuse_infinity(names[bad % len(names)], bad // len(names))

        return step

    def contributions(self, batch: Batch) -> Floats:
        """What each column says: log P(x_j | class) to its power, [row, column, class], in the order of `names`."""
        parts = np.zeros((batch.rows, len(self.names), len(self.prior)))
        first = 0
        for group, form in zip(self.groups, self.forms, strict=True):
            for where, x in group_columns(batch, group):
                parts[:, first + where] = logs_of(group, form, where, x) * group.powers[where][:, None]
            first += len(group.names)
        return parts

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The feature columns, group by group."""
        return tuple(name for group in self.groups for name in group.names)

    def left_out(self, batch: Batch) -> Floats:
        """`contributions` with each row taken out of the statistic before it is scored."""
        parts = np.zeros((batch.rows, len(self.names), len(self.prior)))
        first = 0
        for i, group in enumerate(self.groups):
            if not getattr(group.family, "couples", False):  # what is said of other classes does not change
                cells, family = self.held[i]
                form = self.forms[i] if "forms" in self.__dict__ else family.fit(cells)
                for where, x in group_columns(batch, group):
                    parts[:, first + where] = logs_of(group, form, where, x) * group.powers[where][:, None]
            first += len(group.names)
        for places, power, own, log_p in self._own_left_out(batch, batch, 0):
            if log_p.ndim == 3:  # leaving a row out changes every class
                parts[:, places] = log_p[..., 1:] * power[:, None]
            else:
                parts[np.arange(batch.rows)[:, None], places, own[:, None]] = log_p * power
        return parts

    def joint_left_out(self, batch: Batch, everyone: Batch, first: int) -> Floats:
        """The sum of `left_out` over columns, of a batch that is `everyone` from row `first` on.

        Where leaving a row out changes its own class alone, the other classes come from the tables.
        """
        linear = any(isinstance(form, Linear) for form in self.forms)
        if linear or any(getattr(group.family, "couples", False) for group in self.groups):
            return np.asarray(self.left_out(batch).sum(1))
        joint = self.with_prior(np.zeros(len(self.prior))).log_joint(batch)
        assert batch.labels is not None
        alone = np.zeros(batch.rows)
        for _, power, _, log_p in self._own_left_out(batch, everyone, first):
            alone += log_p @ power
        joint[np.arange(batch.rows), batch.labels - 1] = alone
        return joint

    def _own_left_out(
        self, batch: Batch, everyone: Batch, first: int
    ) -> Iterator[tuple[NDArray[np.intp], Floats, NDArray[np.intp], Floats]]:
        """For columns side by side: their places in `names`, their powers, the rows' classes, log P left out."""
        assert batch.labels is not None
        assert everyone.labels is not None
        own, weight = batch.labels.astype(np.intp), leaving(batch)
        before = 0  # columns of the groups already done
        for group, (cells, held) in zip(self.groups, self.held, strict=True):
            for (where, x), (_, all_x) in zip(group_columns(batch, group), group_columns(everyone, group), strict=True):
                others = None
                if held.order == 2 and isinstance(x, np.ndarray) and len(where) == x.shape[1]:
                    others = Others(all_x, everyone.labels.astype(np.intp), everyone.weights, first)
                log_p = held.left_out(cells, x, own, weight, where, others)
                if isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.shape == log_p.shape:
                    log_p = np.where(np.isnan(x), 0.0, log_p)
                yield before + where, group.powers[where], own - 1, log_p
            before += len(group.names)

    def form_of(self, form: Any, group: Group, j: int) -> Any:
        """The part of a group's densities that belongs to its column j."""
        if isinstance(form, Lookup):
            starts = group.span.starts
            return Lookup(form.table[starts[j] + j : starts[j + 1] + j + 1])
        return form if isinstance(form, Linear | Whole) else cut_form(form, j)


def logs_of(group: Group, form: Any, where: NDArray[np.intp], x: Any) -> Floats:
    """log P(x_j | class) of some of a group's columns, [row, column, class]; 0 where x says nothing."""
    if isinstance(form, Lookup):
        starts = group.span.starts
        slots = np.diff(starts)[where]
        slot = np.where((x < 0) | (x > slots), slots, x)
        return np.asarray(form.table[starts[where] + where + slot][..., 1:])
    if isinstance(form, Linear):
        log_p = np.asarray(x @ form.weights[:, 1:]) + form.constant[1:]
        return log_p.reshape(len(log_p), 1, -1)
    if isinstance(form, Whole):
        return np.asarray(group.family.log_density(form, x)[:, None, 1:])
    if isinstance(form, Quadratic):
        mean, precision, constant = (part[where, 1:] for part in (form.mean, form.precision, form.constant))
        log_p = parabola(x[..., None], mean, precision, constant)
        if hasattr(group.family, "base"):
            log_p += group.family.base(x)[..., None]
    else:
        by_column = [group.family.log_density(cut_form(form, j), x[:, i]) for i, j in enumerate(where)]
        log_p = np.stack(by_column, axis=1)[..., 1:]
    return np.where(np.isnan(x)[..., None], 0.0, log_p)


def leaving(batch: Batch) -> Floats:
    """How much of each row is left out: all of it; of a weight that is a number of copies, one of them."""
    return np.minimum(batch.weights, 1.0) if batch.copies else batch.weights


def cut_form(form: Any, j: int) -> Any:
    """A form of several columns, cut to its column j."""
    if isinstance(form, Quadratic):
        return Quadratic(*(part[j : j + 1] for part in (form.mean, form.precision, form.constant)))
    return Density(tuple(part[j : j + 1] for part in form.parameters))

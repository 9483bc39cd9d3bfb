"""Scoring mixtures of networks with feature parents: SPODE, AODE, TAN, KDB.

log P(class, row) = log P(class) + the columns that depend on the class alone + the networks combined: the log of their
weighted mean, or the sum of their logs times their weights. A network whose super-parent is missing, unseen or rarer
than the gate has no say; with none left the row is scored by naive Bayes. In a single network a missing parent is
summed out, as long as that does not take too many terms; beyond that, and under exponents, its children fall back on
the table without it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.column_major import Grid, codes_by_column
from bayesfold.data.frame import Floats
from bayesfold.data.graph import Mixture
from bayesfold.data.own_names import OwnLine, own_name
from bayesfold.data.schema import Schema
from bayesfold.models.scoring import averaging as average
from bayesfold.models.scoring.asked_rows import Asked, leave_all_out
from bayesfold.models.scoring.averaging import HasSay
from bayesfold.models.scoring.missing_parents import sum_out
from bayesfold.models.scoring.network_lines import column_lines
from bayesfold.models.scoring.one_dependence import Spodes
from bayesfold.models.scoring.parent_tables import LeftOutRows, ParentTables, rows_by_slot
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.models.scoring.subsumption import Implication, find_redundant, pairs_once
from bayesfold.runtime.threads import spread

PIECE = 512
"""Rows scored at once by many networks, so that what each says of them stays in the cache."""
LONG_PIECE = 8_192
"""Rows scored at once by one network."""
AVERAGING, MISSING_PARENTS = "averaging", "missing parents"  # the lines of explanations that are no column's


@dataclass
class MixtureScorer:
    """`flat` scores the class and the columns below it alone; `stack` has the rest of each network, `ends` where each
    network begins in it and ends; `naive` is what rows without a network fall back on."""

    flat: Scorer
    mixture: Mixture
    schema: Schema
    columns: tuple[str, ...]
    stack: ParentTables
    ends: NDArray[np.intp]
    naive: ParentTables
    prior_power: float

    def with_families(self, families: Mapping[str, Any]) -> "MixtureScorer":
        """The same counts under other smoothing."""
        self.stack.gather()  # once, for all; the others only where rows fall back on them
        return replace(self, stack=self.stack.with_families(families), naive=self.naive.with_families(families))

    def of_networks(self, some: Sequence[int]) -> "MixtureScorer":
        """The mixture of some of the networks under super-parents, from which rows are to be left out."""
        mixture, leaves = self.mixture, [np.arange(self.ends[i], self.ends[i + 1]) for i in some]
        networks, roots = tuple(mixture.networks[i] for i in some), tuple(mixture.roots[i] for i in some)
        weights = None if mixture.weights is None else tuple(mixture.weights[i] for i in some)
        fewer = replace(mixture, networks=networks, roots=roots, weights=weights)
        ends = np.cumsum([0, *map(len, leaves)], dtype=np.intp)
        return replace(self, mixture=fewer, stack=self.stack.of_leaves(np.concatenate(leaves)), ends=ends)

    def with_powers(self, mixture: Mixture, flat: Scorer, powers: Floats, prior_power: float) -> "MixtureScorer":
        """The same tables in a mixture whose nodes have other exponents, those of its leaves being `powers`."""
        return replace(self, flat=flat, mixture=mixture, stack=self.stack.with_powers(powers), prior_power=prior_power)

    @property
    def prior(self) -> Floats:
        """log P(class), not yet to its power."""
        return self.flat.prior

    @cached_property
    def weights(self) -> Floats:
        """A weight for each network; the mean's sum to 1."""
        given, networks = self.mixture.weights, len(self.ends) - 1
        w = np.full(networks, 1.0 / networks) if given is None else np.array(given, np.float64)
        return w / w.sum() if self.mixture.combine == "mean" else w

    @property
    def power(self) -> float:
        """How often the prior and the flat columns are counted: once, or by every network of a product."""
        return 1.0 if self.mixture.combine == "mean" else float(self.weights.sum())

    @cached_property
    def roots(self) -> NDArray[np.intp]:
        """The super-parents of each network, as rows of the grid; none for a network without."""
        at = {name: i for i, name in enumerate(self.columns)}
        return np.array([[at[name] for name in roots] for roots in self.mixture.roots], np.intp)

    @cached_property
    def rows_shown(self) -> list[Floats]:
        """How much weight each value of each column has."""
        return rows_by_slot(self.naive.tally, self.columns)

    @cached_property
    def _slots(self) -> NDArray[np.intp]:
        return np.array([self.schema.axis(name) for name in self.columns], np.intp)

    # rows

    def log_joint(self, batch: Batch, finish: Callable[[int, int, Floats], None] | None = None) -> Floats:
        """log P(class, row)."""
        flat = self._flat_joint(batch)
        codes, actual = self._grids(batch)
        fast = self._spodes

        def piece(begin: int, end: int) -> None:
            said = self._combined(codes, actual, begin, end) if fast is None else self._quickly(fast, codes, begin, end)
            flat[begin:end] = self.power * flat[begin:end] + said
            if finish is not None:
                finish(begin, end, flat)

        spread(piece, batch.rows, self._piece)
        return flat

    @property
    def _piece(self) -> int:
        """Rows scored at once."""
        return PIECE if self.mixture.roots else LONG_PIECE

    def _grids(self, batch: Batch, out: LeftOutRows | None = None) -> tuple[Grid, Grid]:
        """The codes to score, in which a redundant value is missing, and the codes as they are."""
        actual = codes_by_column(batch, self.schema, self.columns)
        if not self.mixture.subsumption:
            return actual, actual
        rows = np.stack([n[x] for n, x in zip(self.rows_shown, actual, strict=True)])
        if out is not None:
            rows = rows - out.weight
        redundant = find_redundant(actual, rows >= self.mixture.subsumption - 1e-9, self.implications)
        return np.where(redundant, 0, actual).astype(np.int32), actual

    @cached_property
    def implications(self) -> list[Implication]:
        """The pairs of columns in which some value always comes with one of the other column."""
        counts = {leaf.columns: k for k, leaf in enumerate(self.stack.leaves) if len(leaf.columns) == 2}
        pairs = pairs_once(counts, self.columns)
        candidates = [Implication.of(a, b, self.stack.counts(k), self.rows_shown) for a, b, k in pairs]
        return [pair for pair in candidates if pair.forth.any() or pair.back.any()]

    def _flat_joint(self, batch: Batch) -> Floats:
        return self.flat.with_prior(self.prior_power * self.flat.prior).log_joint(batch)

    def _combined(
        self,
        codes: Grid,
        actual: Grid,
        begin: int,
        end: int,
        out: LeftOutRows | None = None,
        heard: HasSay | None = None,
    ) -> Floats:
        """What the networks together say of some rows; `heard` is which have a say, where that is known already."""
        said = self._said(self.stack, self.ends, codes, actual, begin, end, out)
        if self.mixture.roots:
            together = average.multiply_networks if self.mixture.combine == "product" else average.average_networks
            naively = partial(self._naively, codes, actual, begin, end, out)
            heard = self.has_say(codes, begin, end, out) if heard is None else heard
            return together(said, heard, self.weights, naively)
        joint: Floats = said[0]
        if self.sums_out:
            sum_out(self.stack, self._slots, codes, begin, end, out, joint)
        return joint

    def _said(
        self,
        stack: ParentTables,
        ends: NDArray[np.intp],
        codes: Grid,
        actual: Grid,
        begin: int,
        end: int,
        out: LeftOutRows | None,
    ) -> Floats:
        """[network, row, class]: the sum of each network's log factors."""
        if out is None:
            return stack.said(ends, codes, begin, end)
        return stack.left_out(ends, codes, actual, out, begin, end)

    def _naively(self, codes: Grid, actual: Grid, begin: int, end: int, out: LeftOutRows | None) -> Floats:
        """log P(row | class) of some rows under naive Bayes."""
        every = np.array([0, len(self.columns)], np.intp)
        return np.asarray(self._said(self.naive, every, codes, actual, begin, end, out)[0])

    @cached_property
    def sums_out(self) -> bool:
        """Whether missing parents are summed out: only in a network that is a probability, one without exponents."""
        return self.mixture.sum_out and bool((self.stack.powers == 1.0).all())

    # averages

    @cached_property
    def _spodes(self) -> Spodes | None:
        """The tables of networks with one super-parent each, arranged for a loop of their own."""
        if not self.mixture.roots or self.roots.shape[1] > 1:
            return None
        gate = self.mixture.minimum - 1e-9 if self.mixture.minimum > 0 else -np.inf
        has_say = [(n >= gate) & (np.arange(len(n)) > 0) for n in self.rows_shown]
        return Spodes.of(self.stack, self._slots, has_say, self.weights, self.mixture.combine)

    def _quickly(self, spodes: Spodes, codes: Grid, begin: int, end: int) -> Floats:
        """As `_combined`; the rows in which not all, or none, have a say take the long way."""
        joint, others = spodes.joint(codes, begin, end)
        if len(others):
            other_codes = np.ascontiguousarray(codes[:, begin + others])
            joint[others] = self._combined(other_codes, other_codes, 0, len(others))
        return joint

    def has_say(self, codes: Grid, begin: int, end: int, out: LeftOutRows | None = None) -> HasSay:
        """[network, row]: whether a network has a say."""
        shown = codes[:, begin:end] > 0
        if self.mixture.minimum > 0:
            for i, n in enumerate(self.rows_shown):
                rows = n[codes[i, begin:end]] - (0.0 if out is None else out.weight[begin:end])
                shown[i] &= rows >= self.mixture.minimum - 1e-9
        return np.asarray(shown[self.roots].all(axis=1))

    # rows left out

    def asked(self, batch: Batch, everyone: Batch, first: int) -> Asked:
        """Rows to be left out, which are `everyone` from row `first` on."""
        left = leave_all_out(batch)
        codes, actual = self._grids(batch, left)
        flat = np.zeros((batch.rows, len(self.flat.prior)))
        if self.flat.groups:
            flat = self.power * self.flat.joint_left_out(batch, everyone, first)
        heard = self.has_say(codes, 0, batch.rows, left) if self.mixture.roots else None
        return Asked(codes, actual, left, flat, heard)

    def joint_left_out(self, rows: Asked) -> Floats:
        """log P(row | class) of rows that are each left out, but for the prior."""
        joint = rows.flat.copy()

        def piece(begin: int, end: int) -> None:
            heard = None if rows.heard is None else rows.heard[:, begin:end]
            joint[begin:end] += self._combined(rows.codes, rows.actual, begin, end, rows.left, heard)

        spread(piece, len(joint), self._piece)
        return joint

    def parts_left_out(self, batch: Batch, prior: Floats) -> Floats:
        """[row, part, class], each row left out: the prior and every column, or every network with the prior in it."""
        left = leave_all_out(batch)
        codes, actual = self._grids(batch, left)
        flat = self.flat.left_out(batch) if self.flat.groups else np.zeros((batch.rows, 0, prior.shape[1]))
        if self.mixture.roots:
            parts = np.empty((batch.rows, len(self.ends) - 1, prior.shape[1]))
            common = prior + flat.sum(1)

            def piece(begin: int, end: int) -> None:
                said = self.stack.left_out(self.ends, codes, actual, left, begin, end)
                naively = partial(self._naively, codes, actual, begin, end, left)
                said = average.fill_silent(said, self.has_say(codes, begin, end, left), naively)
                parts[begin:end] = np.moveaxis(said, 0, 1) + common[begin:end, None]

            spread(piece, batch.rows, PIECE)
            return parts
        own = np.empty((batch.rows, len(self.stack.leaves), prior.shape[1]))
        alone, plain = np.arange(own.shape[1] + 1, dtype=np.intp), self.stack.without_powers()

        def leave_out(begin: int, end: int) -> None:
            own[begin:end] = np.moveaxis(plain.left_out(alone, codes, codes, left, begin, end), 0, 1)

        spread(leave_out, batch.rows, PIECE)
        return np.concatenate([prior[:, None], flat, own], axis=1)

    # reasons

    @property
    def names(self) -> tuple[str, ...]:
        """The lines of `contributions`: the columns, then what is no single column's doing."""
        more: tuple[str, ...] = (AVERAGING,) if self.mixture.roots and self.mixture.combine == "mean" else ()
        more += (MISSING_PARENTS,) if not self.mixture.roots and self.sums_out else ()
        taken = {*self.schema.sources, *self.schema.columns}
        return (*self.flat.names, *self.columns, *(OwnLine(own_name(taken, kind), kind) for kind in more))

    def contributions(self, batch: Batch) -> Floats:
        """[row, line, class]: log P(class, row) less the prior, line by line.

        For a mean of networks log sum_i p_i = sum_i r_i log p_i + H(r), r_i = p_i / sum p: a column gets
        sum_i r_i log P(x_j | ...), and H(r) with the networks' weights is the line "averaging".
        """
        codes, _ = self._grids(batch)
        parts = np.zeros((batch.rows, len(self.names), len(self.flat.prior)))
        if self.flat.groups:
            parts[:, : len(self.flat.names)] = self.power * self.flat.contributions(batch)
        first = len(self.flat.names)
        for begin in range(0, batch.rows, PIECE):
            end = min(begin + PIECE, batch.rows)
            exact = self._combined(codes, codes, begin, end)
            parts[begin:end, first:] = column_lines(self, exact, codes, begin, end)
        return parts

"""Scoring mixtures of networks with feature parents: SPODE, AODE, TAN, KDB.

log P(class, row) = log P(class) + the columns that depend on the class alone + the networks combined: the log of their
weighted mean, or the sum of their logs times their weights. A network whose super-parent is missing, unseen or rarer
than the gate has no say; with none left the row is scored by naive Bayes. In a single network a missing parent is
summed out, as long as that takes no more than `MOST_SUMS` terms; beyond that, and under exponents, its children fall
back on the table without it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.count import Grid, grid
from bayesfold.deep import Root, Table
from bayesfold.frame import Floats
from bayesfold.graph import Mixture, Network, Node
from bayesfold.schema import Batch, Schema
from bayesfold.score import Scorer, leaving
from bayesfold.subsumption import Implication, implied
from bayesfold.tally import Tally
from bayesfold.threads import spread

MOST_SUMS = 4_096
PIECE = 512
"""Rows scored at once, so that what every network says of them stays in the cache."""
AVERAGING, MISSING_PARENTS = "averaging", "missing parents"  # the lines of explanations that are no column's


@dataclass(frozen=True)
class Leaf:
    """A node below the class with feature parents, or a super-parent: its column, its table, its exponent."""

    name: str
    table: Table
    power: float


@dataclass
class MixtureScorer:
    """`flat` scores the class and the columns below it alone; `networks` are the rest, `naive` their fallback."""

    flat: Scorer
    mixture: Mixture
    schema: Schema
    columns: tuple[str, ...]
    networks: list[list[Leaf]]
    naive: list[Leaf]
    prior_power: float

    def with_families(self, families: Mapping[str, Any]) -> "MixtureScorer":
        """The same counts under other smoothing."""

        def again(leaves: list[Leaf]) -> list[Leaf]:
            return [replace(leaf, table=leaf.table.with_family(families[leaf.name])) for leaf in leaves]

        return replace(self, networks=[again(leaves) for leaves in self.networks], naive=again(self.naive))

    @property
    def prior(self) -> Floats:
        """log P(class), not yet to its power."""
        return self.flat.prior

    @cached_property
    def weights(self) -> Floats:
        """A weight for each network; the mean's sum to 1."""
        given = self.mixture.weights
        w = np.full(len(self.networks), 1.0 / len(self.networks)) if given is None else np.array(given, np.float64)
        return w / w.sum() if self.mixture.combine == "mean" else w

    @property
    def power(self) -> float:
        """How often the prior and the flat columns are counted: once, or by every network of a product."""
        return 1.0 if self.mixture.combine == "mean" else float(self.weights.sum())

    @cached_property
    def _roots(self) -> NDArray[np.intp]:
        """The super-parents of each network, as rows of the grid; none for a network without."""
        at = {name: i for i, name in enumerate(self.columns)}
        return np.array([[at[name] for name in roots] for roots in self.mixture.roots], np.intp)

    @cached_property
    def _rows_shown(self) -> list[Floats]:
        """How much weight each value of each column has."""
        return [leaf.table.counts.sum(axis=-1) for leaf in self.naive]

    # rows

    def log_joint(self, batch: Batch, finish: Callable[[int, int, Floats], None] | None = None) -> Floats:
        """log P(class, row)."""
        flat = self._flat_joint(batch)
        codes, actual = self._grids(batch)

        def piece(begin: int, end: int) -> None:
            flat[begin:end] = self.power * flat[begin:end] + self._combined(codes, actual, begin, end)
            if finish is not None:
                finish(begin, end, flat)

        spread(piece, batch.rows, PIECE)
        return flat

    def _grids(self, batch: Batch, out: "Left | None" = None) -> tuple[Grid, Grid]:
        """The codes to score, in which a redundant value is missing, and the codes as they are."""
        actual = grid(batch, self.schema, self.columns)
        if not self.mixture.subsumption:
            return actual, actual
        rows = np.stack([n[x] for n, x in zip(self._rows_shown, actual, strict=True)])
        if out is not None:
            rows = rows - out.weight
        redundant = implied(actual, rows >= self.mixture.subsumption - 1e-9, self._implications)
        return np.where(redundant, 0, actual).astype(np.int32), actual

    @cached_property
    def _implications(self) -> list[Implication]:
        """The pairs of columns in which some value always comes with one of the other column."""
        found = []
        for table in (leaf.table for leaves in self.networks for leaf in leaves if len(leaf.table.columns) == 2):
            first, second = (int(i) for i in table.columns)
            if first < second:  # AODE has every pair twice
                found.append(Implication.of(first, second, table.counts, self._rows_shown))
        return [pair for pair in found if pair.forth.any() or pair.back.any()]

    def _flat_joint(self, batch: Batch) -> Floats:
        return self.flat.with_prior(self.prior_power * self.flat.prior).log_joint(batch)

    def _combined(self, codes: Grid, actual: Grid, begin: int, end: int, out: "Left | None" = None) -> Floats:
        """What the networks together say of some rows."""
        said = np.stack([self._said(leaves, codes, actual, begin, end, out) for leaves in self.networks])
        if self.mixture.roots:
            return self._averaged(said, codes, actual, begin, end, out)
        joint: Floats = said[0]
        if self._sums_out:
            for rows, exact in self._summed_out(codes, begin, end, out):
                joint[rows - begin] = exact
        return joint

    def _said(self, leaves: list[Leaf], codes: Grid, actual: Grid, begin: int, end: int, out: "Left | None") -> Floats:
        """The sum of one network's log factors."""
        total = np.zeros((end - begin, len(self.flat.prior)))
        for leaf in leaves:
            if out is None:
                leaf.table.add(codes, begin, end, total, leaf.power)
            else:
                total += leaf.power * leaf.table.left_out(codes, actual, out.own, out.weight, begin, end)
        return total

    # averages

    def heard(self, codes: Grid, begin: int, end: int, out: "Left | None" = None) -> NDArray[np.bool_]:
        """[network, row]: whether a network has a say."""
        shown = codes[:, begin:end] > 0
        if self.mixture.minimum > 0:
            for i, n in enumerate(self._rows_shown):
                rows = n[codes[i, begin:end]] - (0.0 if out is None else out.weight[begin:end])
                shown[i] &= rows >= self.mixture.minimum - 1e-9
        return np.asarray(shown[self._roots].all(axis=1))

    def _averaged(self, said: Floats, codes: Grid, actual: Grid, begin: int, end: int, out: "Left | None") -> Floats:
        heard = self.heard(codes, begin, end, out)
        voices = heard.sum(0)
        if self.mixture.combine == "product":
            joint = np.tensordot(self.weights, self.filled(said, heard, codes, actual, begin, end, out), axes=1)
            return np.asarray(joint)
        top, shares = self._shares(said, heard)
        with np.errstate(divide="ignore", invalid="ignore"):
            whole = np.where(heard, self.weights[:, None], 0.0).sum(0)
            joint = top + np.log(shares.sum(axis=0)) - np.log(whole)[:, None]
        none = (voices == 0) | (whole <= 0)
        if none.any():
            joint[none] = self._said(self.naive, codes, actual, begin, end, out)[none]
        return np.asarray(joint)

    def _shares(self, said: Floats, heard: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """The largest weighed log of each row and class, and every network's probability in units of it."""
        with np.errstate(divide="ignore"):
            weighed = said + np.where(heard, np.log(self.weights)[:, None], -np.inf)[:, :, None]
        top = weighed.max(axis=0)
        top = np.where(np.isfinite(top), top, 0.0)
        return top, np.exp(weighed - top)

    def filled(
        self,
        said: Floats,
        heard: NDArray[np.bool_],
        codes: Grid,
        actual: Grid,
        begin: int,
        end: int,
        out: "Left | None",
    ) -> Floats:
        """A network that has no say speaks as the mean of those that have; with none, as naive Bayes."""
        voices = heard.sum(0)
        if heard.all():
            return said
        mean = np.where(heard[:, :, None], said, 0.0).sum(0) / np.maximum(voices, 1)[:, None]
        if (voices == 0).any():
            mean[voices == 0] = self._said(self.naive, codes, actual, begin, end, out)[voices == 0]
        return np.where(heard[:, :, None], said, mean)

    # holes

    @cached_property
    def _sums_out(self) -> bool:
        """Whether missing parents are summed out: only in a network that is a probability, one without exponents."""
        return self.mixture.sum_out and all(leaf.power == 1.0 for leaf in self.networks[0])

    def _summed_out(
        self, codes: Grid, begin: int, end: int, out: "Left | None"
    ) -> Iterator[tuple[NDArray[np.intp], Floats]]:
        """Rows with a missing parent, and what the network says of them with that parent summed out."""
        leaves = self.networks[0]
        holes = codes[:, begin:end] == 0
        inner = np.unique(np.concatenate([np.empty(0, np.intp), *(leaf.table.columns[:-1] for leaf in leaves)]))
        holed = np.flatnonzero(holes[inner].any(axis=0))
        if not len(holed):
            return
        patterns, which = np.unique(holes[:, holed], axis=1, return_inverse=True)
        for p in range(patterns.shape[1]):
            summed = self._relevant(patterns[:, p])
            sizes = [self.schema.axis(self.columns[i]) - 1 for i in summed]
            terms = int(np.prod(sizes, dtype=np.float64)) if summed else 0
            if not 0 < terms <= MOST_SUMS:
                continue
            values = np.stack(np.unravel_index(np.arange(terms), sizes)).astype(np.int32) + 1
            every = begin + holed[which.ravel() == p]
            for rows in np.array_split(every, -(-len(every) * terms // (1 << 18))):
                full = np.repeat(codes[:, rows], terms, axis=1)
                full[summed] = np.tile(values, len(rows))
                again, actual = None, full
                if out is not None:
                    again = Left(np.repeat(out.own[rows], terms), np.repeat(out.weight[rows], terms))
                    actual = np.repeat(codes[:, rows], terms, axis=1)
                logs = self._said(leaves, full, actual, 0, full.shape[1], again).reshape(len(rows), terms, -1)
                top = logs.max(axis=1, keepdims=True)
                yield rows, (top + np.log(np.exp(logs - top).sum(axis=1, keepdims=True)))[:, 0]

    def _relevant(self, missing: NDArray[np.bool_]) -> list[int]:
        """The missing columns that an observed column depends on, by way of missing ones."""
        found: set[int] = set()
        again = True
        while again:
            again = False
            for leaf in self.networks[0]:
                *parents, child = (int(i) for i in leaf.table.columns)
                if not missing[child] or child in found:
                    fresh = {i for i in parents if missing[i]} - found
                    found |= fresh
                    again |= bool(fresh)
        return sorted(found)

    # rows left out

    def joint_left_out(self, batch: Batch, everyone: Batch, first: int) -> Floats:
        """log P(row | class) of rows that are each left out, but for the prior; `batch` is `everyone` from `first`."""
        left = Left.of(batch)
        codes, actual = self._grids(batch, left)
        flat = np.zeros((batch.rows, len(self.flat.prior)))
        if self.flat.groups:
            flat = self.power * self.flat.joint_left_out(batch, everyone, first)

        def piece(begin: int, end: int) -> None:
            flat[begin:end] += self._combined(codes, actual, begin, end, left)

        spread(piece, batch.rows, PIECE)
        return flat

    def parts_left_out(self, batch: Batch, prior: Floats) -> Floats:
        """[row, part, class], each row left out: the prior and every column, or every network with the prior in it."""
        left = Left.of(batch)
        codes, actual = self._grids(batch, left)
        flat = self.flat.left_out(batch) if self.flat.groups else np.zeros((batch.rows, 0, prior.shape[1]))
        if self.mixture.roots:
            parts = np.empty((batch.rows, len(self.networks), prior.shape[1]))
            common = prior + flat.sum(1)

            def piece(begin: int, end: int) -> None:
                said = np.stack([self._said(leaves, codes, actual, begin, end, left) for leaves in self.networks])
                heard = self.heard(codes, begin, end, left)
                said = self.filled(said, heard, codes, actual, begin, end, left)
                parts[begin:end] = np.moveaxis(said, 0, 1) + common[begin:end, None]

            spread(piece, batch.rows, PIECE)
            return parts
        own = np.empty((batch.rows, len(self.networks[0]), prior.shape[1]))

        def some(begin: int, end: int) -> None:
            for j, leaf in enumerate(self.networks[0]):
                own[begin:end, j] = leaf.table.left_out(codes, codes, left.own, left.weight, begin, end)

        spread(some, batch.rows, PIECE)
        return np.concatenate([prior[:, None], flat, own], axis=1)

    # drawing rows

    def sample(self, label: NDArray[np.intp], draw: np.random.Generator) -> dict[str, NDArray[np.intp]]:
        """Slots of each column for rows of these classes: a network for each row, then parents before children."""
        if self.mixture.combine == "product":
            raise ValueError("a product of networks is not a distribution of rows: draw rows from combine='mean'")
        share = self.weights if self.mixture.roots else np.ones(1)
        which = draw.choice(len(self.networks), len(label), p=share / share.sum())
        codes = np.zeros((len(self.columns), len(label)), np.int32)
        for i, leaves in enumerate(self.networks):
            rows = np.flatnonzero(which == i)
            for leaf in in_order(leaves):
                codes[leaf.table.columns[-1], rows] = leaf.table.draw(codes[:, rows], label[rows], draw)
        return {name: codes[i].astype(np.intp) for i, name in enumerate(self.columns)}

    # reasons

    @property
    def names(self) -> tuple[str, ...]:
        """The lines of `contributions`: the columns, then what is no single column's doing."""
        more: tuple[str, ...] = (AVERAGING,) if self.mixture.roots and self.mixture.combine == "mean" else ()
        more += (MISSING_PARENTS,) if not self.mixture.roots and self._sums_out else ()
        return (*self.flat.names, *self.columns, *more)

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
            parts[begin:end, first:] = self._lines(codes, begin, end)
        return parts

    def _lines(self, codes: Grid, begin: int, end: int) -> Floats:
        """What each column of the grid says of some rows, and the line that is left."""
        lines = np.zeros((end - begin, len(self.names) - len(self.flat.names), len(self.flat.prior)))
        exact = self._combined(codes, codes, begin, end)
        voices = self._voices(codes, begin, end)
        for leaves, voice in zip((*self.networks, self.naive), voices, strict=True):
            for leaf in leaves:
                said = np.zeros(exact.shape)
                leaf.table.add(codes, begin, end, said, leaf.power)
                lines[:, leaf.table.columns[-1]] += voice * said
        if lines.shape[1] > len(self.columns):
            lines[:, -1] = exact - lines.sum(1)
        return lines

    def _voices(self, codes: Grid, begin: int, end: int) -> Floats:
        """[network and naive Bayes, row, class]: how much of each network's log is in the answer."""
        shape = (len(self.networks) + 1, end - begin, len(self.flat.prior))
        if not self.mixture.roots:
            return np.concatenate([np.ones((1, *shape[1:])), np.zeros((1, *shape[1:]))])
        heard = self.heard(codes, begin, end)
        none = heard.sum(axis=0) == 0
        voices = np.zeros(shape)
        voices[-1] = none[:, None]
        if self.mixture.combine == "product":
            silent = np.where(heard, 0.0, self.weights[:, None]).sum(0)
            voices[:-1] = np.where(heard, self.weights[:, None] + silent / np.maximum(heard.sum(0), 1), 0.0)[:, :, None]
            voices[-1] *= self.power
            return voices
        said = np.stack([self._said(leaves, codes, codes, begin, end, None) for leaves in self.networks])
        share = self._shares(said, heard)[1]
        voices[:-1] = share / np.maximum(share.sum(axis=0), 1e-300)
        return voices


@dataclass(frozen=True)
class Left:
    """The rows that are being left out: their classes' slots, and how much of each leaves."""

    own: NDArray[np.int32]
    weight: Floats

    @classmethod
    def of(cls, batch: Batch) -> "Left":
        """Every row of a batch."""
        assert batch.labels is not None
        return cls(batch.labels, leaving(batch))


def in_order(leaves: list[Leaf]) -> list[Leaf]:
    """Parents before their children."""
    done: set[int] = set()
    ordered: list[Leaf] = []
    while len(ordered) < len(leaves):
        for leaf in leaves:
            *parents, child = (int(i) for i in leaf.table.columns)
            if child not in done and done.issuperset(parents):
                ordered.append(leaf)
                done.add(child)
    return ordered


def leaves_of(network: Network, target: str) -> Network:
    """The nodes that have a feature among their parents, are such a parent, or stand beside the class."""
    deep = [len(n.children) > 1 or any(p != target for p in n.parents) for n in network]
    parents = {p for n, below in zip(network, deep, strict=True) if below for p in n.parents} - {target}
    return tuple(n for n, below in zip(network, deep, strict=True) if below or n.children[0] in parents)


def leaf_of(tally: Tally, node: Node, target: str, families: Mapping[str, Any], at: dict[str, int]) -> Leaf:
    """A deep node's table."""
    child = next(c for c in node.children if c != target)
    kind = Root if len(node.children) > 1 else Table
    parents = tuple(p for p in node.parents if p != target)
    return Leaf(child, kind(tally, child, parents, families[child], at), node.power)

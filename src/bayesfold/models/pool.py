"""Several models of one tally, joined by weights: log P(class | row) ~ sum_m w_m log(P_m(class | row) + doubt) + b.

The members share the tally, so a pool learns, forgets, merges and decays like a single model; its weights were learned
on held-out rows and stay until they are learned again. No member can veto a class, for none is surer than e^-30; and
none is surer than its rows can have made it, which `doubt` says.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats, Level
from bayesfold.data.schema import Schema
from bayesfold.models.credit import OFFSET, own_line
from bayesfold.models.model import Model
from bayesfold.models.posterior import log_posterior
from bayesfold.tally.forgetting import without_a_value
from bayesfold.tally.statistic import Tally

FLOOR = -30.0
CAP = "cap on certainty"  # the line of explanations that says what the floor and doubt change


def add_doubt(log_p: Floats, doubt: float) -> Floats:
    """log(P + doubt), of P no less than e^-30: what is far above the doubt hardly moves, what is below keeps its order.

    >>> add_doubt(np.array([-1.0, -20.0, -40.0]), np.exp(-10.0)).round(4).tolist()
    [-0.9999, -10.0, -10.0]
    >>> add_doubt(np.array([-1.0, -20.0, -40.0]), 0.0).tolist()
    [-1.0, -20.0, -30.0]
    """
    floored = np.maximum(log_p, FLOOR)
    return np.asarray(np.logaddexp(floored, np.log(doubt))) if doubt else floored


@dataclass
class Pool:
    """`members` by name with their weights; `bias` by class."""

    members: dict[str, Model]
    weights: tuple[float, ...]
    bias: tuple[tuple[Level, float], ...] = ()
    prior: Mapping[Level, float] | None = None  # as in a model, applied to what the members say together
    class_weight: Mapping[Level, float] | str | None = None
    doubt: float = 0.0  # what each member leaves to every class, however sure it is

    @property
    def first(self) -> Model:
        """The member that keeps the tally for all."""
        return next(iter(self.members.values()))

    @property
    def tally(self) -> Tally:
        """What all members are read from."""
        return self.first.tally

    @property
    def schema(self) -> Schema:
        """What the rows are: every column under every encoding that a member reads."""
        return self.first.schema

    @property
    def classes(self) -> tuple[Level, ...]:
        """The target's levels."""
        return self.first.classes

    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each class."""
        return self.first.class_counts()

    def class_weights(self) -> Floats:
        """Weight of the rows of each class."""
        return self.first.class_weights()

    def log_prior(self) -> Floats:
        """log P(class): given or learned, times the class weights."""
        return self._under_given_priors.log_prior()

    @property
    def _under_given_priors(self) -> Model:
        """The first member under the class probabilities and weights that were given."""
        first = self.first
        return Model(first.mixture, first.families, first.tally, self.prior, self.class_weight)

    def bias_of(self) -> Floats:
        """The bias of each class; one that joined later has none."""
        known = dict(self.bias)
        return np.array([known.get(c, 0.0) for c in self.classes])

    # answers

    def said(self, batch: Batch, leave_out: bool = False) -> Floats:
        """[row, member, class]: each member's log posterior, with its doubt."""
        every = [m.log_proba(batch, leave_out) for m in self.members.values()]
        return add_doubt(np.stack(every, axis=1), self.doubt)

    def log_joint(self, batch: Batch, leave_out: bool = False) -> Floats:
        """The weighed members; a row in which nothing is observed gets the prior."""
        joint = self._weighed(batch, leave_out) + self.bias_of()
        nothing = without_a_value(batch, self.schema)
        if len(nothing):
            prior = (
                self.first.log_prior_left_out(batch)
                if leave_out
                else np.broadcast_to(self.first.log_prior(), joint.shape)
            )
            joint[nothing] = prior[nothing]
        return joint + self._under_given_priors.shift(batch if leave_out else None)

    def _weighed(self, batch: Batch, leave_out: bool) -> Floats:
        """What the members say times their weights; one without weight is not asked."""
        heard = [(m, w) for m, w in zip(self.members.values(), self.weights, strict=True) if w]
        if not heard:
            return np.zeros((batch.rows, len(self.classes)))
        said = add_doubt(np.stack([m.log_proba(batch, leave_out) for m, _ in heard], axis=1), self.doubt)
        return np.asarray(np.matmul(np.array([w for _, w in heard]), said))

    def log_proba(self, batch: Batch, leave_out: bool = False, logs: bool = True) -> Floats:
        """log P(class | row), or P with `logs=False`."""
        return log_posterior(self.log_joint(batch, leave_out), logs)

    @property
    def parts(self) -> tuple[str, ...]:
        """The lines of `contributions`: those of the members, then the bias of classes and what the floor changes."""
        named: dict[str, None] = {}
        for member in self.members.values():
            named |= dict.fromkeys(part for part in member.parts if getattr(part, "kind", "") != OFFSET)
        return (*named, own_line(self.schema, OFFSET), own_line(self.schema, CAP))

    def contributions(self, batch: Batch, empty_rows: bool = True) -> Floats:
        """[row, line, class]: each member's lines times its weight; they sum to the log joint (as in a model)."""
        parts = self.parts
        place = {name: i for i, name in enumerate(parts)}
        lines = np.zeros((batch.rows, len(parts), len(self.classes)))
        lines[:, place[own_line(self.schema, OFFSET)]] = self.bias_of()
        for weight, member in zip(self.weights, self.members.values(), strict=True):
            own = member.contributions(batch, empty_rows)
            for i, name in enumerate(member.parts):
                lines[:, place[name]] += weight * own[:, i]
        if empty_rows:
            nothing = without_a_value(batch, self.schema)
            lines[nothing] = 0.0
            lines[nothing, 0] = self.first.log_prior()
        lines[:, 0] += self._under_given_priors.shift()
        lines[:, -1] = self.log_joint(batch) - lines.sum(1)
        return lines

    @property
    def names(self) -> tuple[str, ...]:
        """The lines but for the prior."""
        return self.parts[1:]

    def sample(self, rows: int, draw: "np.random.Generator") -> tuple[dict[str, Any], NDArray[Any]]:
        """A pool is no distribution of rows."""
        raise ValueError("a pool of models is not a distribution of rows; fit one of them: structure='naive'")

    # one row at a time

    def row_log_joint(self, row: Mapping[str, Any]) -> Floats:
        """The log joint of one row given as a dict."""
        return self.log_joint(self.schema.encode_row(row))

    def learn_row(self, row: Mapping[str, Any], label: Level, weight: float | None = None) -> "Pool":
        """A pool with one more row, given as a dict: as a table, since a member's own path is for that one alone."""
        schema = self.schema if self.schema.target.knows(label) else self.schema.with_classes([label])
        schema, other = schema.grown_by_row(row), self.twin()
        other.learn(schema.encode_row(row, label, weight), schema)
        return other

    # the group

    def twin(self) -> "Pool":
        """The same pool, to be changed while others still read this one."""
        return self.on(self.tally, self.first.decayed)

    def _share(self) -> None:
        """Every member reads the first one's tally."""
        for member in self.members.values():
            member.tally, member.decayed = self.first.tally, self.first.decayed
            member.changed()

    def learn(self, batch: Batch, schema: Schema) -> None:
        """Add rows."""
        self.first.learn(batch, schema)
        self._share()

    def forget(self, batch: Batch) -> None:
        """Subtract rows."""
        self.first.forget(batch)
        self._share()

    def trimmed(self, classes: bool = True) -> "Pool":
        """This pool without the levels, terms and classes that no row shows, and that nobody declared."""
        members = {name: member.trimmed(classes) for name, member in self.members.items()}
        if all(members[name] is member for name, member in self.members.items()):
            return self
        known = set(next(iter(members.values())).classes)
        bias = tuple(b for b in self.bias if b[0] in known)
        other = Pool(members, self.weights, bias, self.prior, self.class_weight, self.doubt)
        other._share()
        return other

    def decay(self, factor: float) -> None:
        """Multiply every row's weight."""
        self.first.decay(factor)
        self._share()

    def on(self, tally: Tally, decayed: bool) -> "Pool":
        """The same members reading another tally."""
        members = {name: member.on(tally, decayed) for name, member in self.members.items()}
        return Pool(members, self.weights, self.bias, self.prior, self.class_weight, self.doubt)

    def without(self, batch: Batch) -> "Pool":
        """A pool of the other rows."""
        return self.on(self.first.without(batch).tally, self.first.decayed)

    def blank(self) -> "Pool":
        """The same pool of no rows."""
        return self.on(self.first.blank().tally, decayed=False)

    def __add__(self, other: "Pool") -> "Pool":
        """A pool of both pools' rows; weights and doubt are the means of both, by rows."""
        if tuple(self.members) != tuple(other.members):
            raise ValueError(
                "the two pools have different members; let the second learn its rows into the first's: "
                "first.blank().partial_fit(X, y)"
            )
        sums = [a + b for a, b in zip(self.members.values(), other.members.values(), strict=True)]
        rows = np.array([self.class_weights().sum(), other.class_weights().sum()])
        share = rows / max(rows.sum(), 1e-300)
        weights = tuple(float(w) for w in np.array([self.weights, other.weights]).T @ share)
        mine, theirs = dict(self.bias), dict(other.bias)
        bias = tuple((c, float(np.dot([mine.get(c, 0.0), theirs.get(c, 0.0)], share))) for c in sums[0].classes)
        doubt = float(np.dot([self.doubt, other.doubt], share))
        members = dict(zip(self.members, sums, strict=True))
        both = Pool(members, weights, bias, self.prior, self.class_weight, doubt)
        both._share()
        return both

"""Exact answers by name: questions into numbers for the engine, numbers and errors back into names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import (
    Allowed,
    Codes,
    encode,
    first_impossible,
    is_row,
    observed_in,
)
from bayesfold.networks.factor import Factor, ImpossibleEvidence
from bayesfold.networks.factor_states import States, refuse_size
from bayesfold.networks.inference import ContradictoryEvidence, Engine, InferenceProblem
from bayesfold.networks.likelihoods import name_likelihoods, read_likelihoods, read_row_likelihoods
from bayesfold.networks.query import Query
from bayesfold.networks.sampling import sample_forward

NOTHING: Mapping[int, Floats] = {}
NO_LIKELIHOOD: Mapping[str, Any] = {}


@dataclass(frozen=True)
class MostProbable:
    """The likeliest states together, and their probability given what was observed."""

    states: dict[str, Level]
    probability: float


@dataclass(frozen=True)
class ExactAnswers:
    """Every table of a network, and the engine that answers about it."""

    dag: Dag
    axes: Mapping[str, States]
    tables: tuple[Floats, ...]

    @cached_property
    def engine(self) -> Engine:
        """The compiled inference, made when it is first asked."""
        return Engine(InferenceProblem(tuple(len(self.axes[v]) for v in self.dag.names), self.dag.parents, self.tables))

    @cached_property
    def codes(self) -> dict[str, dict[Level, int]]:
        """Where each state of each variable stands."""
        return {v: {state: code for code, state in enumerate(states)} for v, states in self.axes.items()}

    def numbers(self, evidence: Mapping[str, Level]) -> dict[int, int]:
        """Evidence as codes by variable number."""
        index, codes = self.dag.index, self.codes
        return {index[v]: codes[v][state] for v, state in evidence.items()}

    def soft(self, likelihood: Mapping[str, Any]) -> dict[int, Floats]:
        """Soft evidence by variable number."""
        for v in likelihood:
            self.dag.number(v)
        return {self.dag.index[v]: values for v, values in read_likelihoods(likelihood, self.axes).items()}

    # ---------------------------------------------------------------------------------------------------- one question

    def distribution(self, ask: Query, likelihood: Mapping[str, Any]) -> Factor:
        """P(targets, events | evidence) over the targets."""
        names = (*ask.targets, *ask.events) if ask.events else ask.targets
        index, axes = self.dag.index, self.axes
        targets = [index[v] for v in names]
        if len(names) > 1:
            refuse_size({v: axes[v] for v in names})
        seen, soft = self.numbers(ask.evidence), self.soft(likelihood) if likelihood else NOTHING
        try:
            values = self.engine.joint(targets, seen, soft)
        except ContradictoryEvidence as error:
            raise ImpossibleEvidence(self.complaint(error, seen, soft)) from None
        if soft:
            ask = ask._replace(likelihood=name_likelihoods(soft, self.dag.names, axes))
        whole = Factor.made({v: axes[v] for v in names}, values, ask.given)
        return replace(whole.condition(ask.events), given=ask.given, label=ask.label) if ask.events else whole

    def probability(self, ask: Query) -> float:
        """P(events | evidence)."""
        seen, events = self.numbers(ask.evidence), self.numbers(ask.events)
        with self.named(seen):
            below = self.engine.log_evidence(seen) if seen else 0.0
        try:
            return min(1.0, exp(self.engine.log_evidence({**seen, **events}) - below))
        except ImpossibleEvidence:
            return 0.0

    def most_probable(self, ask: Query) -> MostProbable:
        """The likeliest states of the targets together (of everything unobserved if there are none)."""
        seen = self.numbers(ask.evidence)
        targets = [self.dag.index[v] for v in ask.targets]
        with self.named(seen):
            below = self.engine.log_evidence(seen) if seen else 0.0
            if targets:
                best, log_p = self.engine.map(targets, seen)
            else:
                targets = [v for v in range(len(self.dag.names)) if v not in seen]
                codes, log_p = self.engine.mpe(seen)
                best = codes[targets]
        names = [self.dag.names[v] for v in targets]
        states = {v: self.axes[v][int(code)] for v, code in zip(names, best, strict=True)}
        return MostProbable(states, min(1.0, exp(log_p - below)))

    def information(self, ask: Query) -> dict[str, float]:
        """I(target; x | evidence) in bits for every other unobserved x, the largest first.

        sum_t P(t) sum_x P(x | t) log2 (P(x | t) / P(x)), all given the evidence: what asking for x is expected to tell.
        """
        seen, target = self.numbers(ask.evidence), self.dag.index[ask.targets[0]]
        with self.named(seen):
            alone = self.engine.marginals(seen)
        bits = np.zeros(len(self.dag.names))
        for state, weight in enumerate(alone[target]):
            if weight > 0:
                given = self.engine.marginals({**seen, target: state})
                for v, (p, q) in enumerate(zip(given, alone, strict=True)):
                    possible = (p > 0) & (q > 0)  # q may be too small for a double, and then it adds nothing
                    bits[v] += weight * float(p[possible] @ (np.log2(p[possible]) - np.log2(q[possible])))
        others = [v for v in np.argsort(-bits, kind="stable") if v not in seen and v != target]
        return {self.dag.names[v]: max(0.0, float(bits[v])) for v in others}

    # ------------------------------------------------------------------------------------------------------- many rows

    def posteriors(self, table: Any, likelihood: Mapping[str, Any]) -> dict[str, Floats]:
        """P(variable | row) of every variable, [row, state]."""
        if not likelihood and is_row(table):  # it is one question
            return self.posterior(observed_in(table, self.axes, self.dag.index))
        codes = encode(table, self.axes)
        soft = self.soft_rows(likelihood, len(codes))
        if len(codes) == 1 and not soft:
            return self.posterior(observed_codes(codes[0]))
        with self.named_rows(codes, soft):
            posteriors = self.engine.posteriors(codes, soft)
        return dict(zip(self.dag.names, posteriors, strict=True))

    def posterior(self, seen: Mapping[int, int]) -> dict[str, Floats]:
        """P(variable | evidence) of every variable, [0, state]."""
        try:
            side_by_side = self.engine.side_by_side(seen).reshape(1, -1)
        except ContradictoryEvidence as error:
            raise ImpossibleEvidence(self.complaint(error, seen, NOTHING)) from None
        return {v: side_by_side[part] for v, part in self.parts}

    @cached_property
    def parts(self) -> list[tuple[str, tuple[slice, slice]]]:
        """Where each variable's states stand in a row of all of them."""
        return [(v, (slice(None), slice(*span))) for v, span in zip(self.dag.names, self.engine.spans, strict=True)]

    def predict(self, table: Any, target: str, likelihood: Mapping[str, Any]) -> Floats:
        """P(target | the other cells of the row), [row, state]."""
        index = self.dag.number(target)
        codes = encode(table, self.axes, self.dag.names[index])
        soft = self.soft_rows(likelihood, len(codes))
        with self.named_rows(codes, soft):
            self.check_rows(codes)
            return self.engine.predict(codes, index, soft)

    def predict_codes(self, codes: Codes, target: int, first: int = 0) -> Floats:
        """The same for rows that are codes already; errors number them from `first` on."""
        with self.named_rows(codes, NOTHING, first):
            return self.engine.predict(codes, target)

    def soft_rows(self, likelihood: Mapping[str, Any], rows: int) -> dict[int, Floats]:
        """Soft evidence for each row: [row, state], or one row for all of them."""
        for v in likelihood:
            self.dag.number(v)
        return {self.dag.index[v]: values for v, values in read_row_likelihoods(likelihood, self.axes, rows).items()}

    def log_probabilities(self, table: Any, likelihood: Mapping[str, Any] = NO_LIKELIHOOD) -> Floats:
        """log P(what a row shows), minus infinity where that cannot happen."""
        codes = encode(table, self.axes)
        soft = self.soft_rows(likelihood, len(codes))
        out = np.zeros(len(codes))
        whole = (codes >= 0).all(1)
        full = codes[whole]
        with np.errstate(divide="ignore"):
            for v, values in enumerate(self.tables):
                out[whole] += np.log(values[tuple(full[:, u] for u in (*self.dag.parents[v], v))])
            for v, values in soft.items():
                out[whole] += np.log(values[whole, full[:, v]])
        known: dict[bytes, float] = {}
        for row in np.flatnonzero(~whole):
            likelihoods = {v: values[row] for v, values in soft.items()}
            key = b"".join((codes[row].tobytes(), *(values.tobytes() for values in likelihoods.values())))
            if key not in known:
                known[key] = self.log_evidence(codes[row], likelihoods)
            out[row] = known[key]
        return out

    def log_evidence(self, row: Codes, soft: Mapping[int, Floats]) -> float:
        """log P of one row."""
        try:
            return self.engine.log_evidence(observed_codes(row), soft)
        except ImpossibleEvidence:
            return -np.inf

    def sample(self, rows: int, draw: "np.random.Generator") -> Codes:
        """Rows drawn from the joint distribution."""
        return sample_forward(self.dag, self.tables, rows, draw, {})[0]

    # ---------------------------------------------------------------------------------------------------------- errors

    @contextmanager
    def named(self, seen: Mapping[int, int]) -> Iterator[None]:
        """Impossible evidence is reported by name: the part of it that contradicts itself."""
        try:
            yield
        except ContradictoryEvidence as error:
            raise ImpossibleEvidence(self.complaint(error, seen, NOTHING)) from None

    @contextmanager
    def named_rows(self, codes: Codes, soft: Mapping[int, Floats], first: int = 0) -> Iterator[None]:
        """The same for a table, with the row, counted from `first`."""
        try:
            yield
        except ContradictoryEvidence as error:
            assert error.row is not None
            seen = dict(enumerate(codes[error.row].tolist()))
            raise ImpossibleEvidence(f"row {first + error.row}: {self.complaint(error, seen, soft)}") from None

    def complaint(self, error: ContradictoryEvidence, seen: Mapping[int, int], soft: Mapping[int, Floats]) -> str:
        """Which observations contradict each other, in words."""
        names = {self.dag.names[v]: seen[v] for v in error.variables}
        text = ", ".join(f"{v}={self.axes[v][code]}" for v, code in names.items()) or "what was observed"
        beside = " with the likelihoods given" if soft else " together" if len(names) > 1 else ""
        return f"{text} cannot happen{beside}: its probability is 0"

    def check_rows(self, codes: Codes) -> None:
        """Refuse rows that cannot happen also where they say nothing about the target, as far as one table shows it."""
        row = first_impossible(codes, list(self.zeros.values()))
        if row is not None:
            seen = observed_codes(codes[row])
            try:
                self.engine.log_evidence(seen)
            except ContradictoryEvidence as error:
                raise ContradictoryEvidence(row, error.variables) from None

    @cached_property
    def zeros(self) -> dict[int, Allowed]:
        """What each table with a zero still allows; without such a table, nothing is impossible."""
        families = [(*parents, v) for v, parents in enumerate(self.dag.parents)]
        return {v: Allowed.by(families[v], table) for v, table in enumerate(self.tables) if not table.all()}


def observed_codes(row: Codes) -> dict[int, int]:
    """The cells of a row that are not missing."""
    return {v: code for v, code in enumerate(row.tolist()) if code >= 0}

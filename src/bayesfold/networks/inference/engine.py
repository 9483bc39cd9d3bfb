"""Answers: marginals, joints, the probability of evidence, and most probable states, one query or many rows.

>>> wet = Problem(cards=(2, 2), parents=((), (0,)), tables=(np.array([0.2, 0.8]), np.array([[0.9, 0.1], [0.15, 0.85]])))
>>> Engine(wet).marginal(0, {1: 0}).round(3)
array([0.6, 0.4])
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from bayesfold.frame import Floats
from bayesfold.networks.inference.problem import ImpossibleEvidence, Integers, Problem
from bayesfold.networks.inference.workspace import Workspace

NOTHING: Mapping[int, Floats] = {}
LIMIT = 2.0**31  # bytes


class Engine:
    """Exact answers about one network; safe to share between threads."""

    def __init__(self, problem: Problem, limit: float = LIMIT) -> None:
        self.problem, self.limit = problem, limit
        self._spare: list[Workspace] = []

    @contextmanager
    def _workspace(self) -> Iterator[Workspace]:
        work = self._spare.pop() if self._spare else Workspace(self.problem, self.limit)
        yield work
        self._spare.append(work)  # one that an error left behind is not used again

    def marginal(self, target: int, evidence: Mapping[int, int], likelihood: Mapping[int, Floats] = NOTHING) -> Floats:
        """P(target | evidence)."""
        if target in evidence:
            self.log_evidence(evidence, likelihood)
            out = np.zeros(self.problem.cards[target])
            out[evidence[target]] = 1.0
            return out
        with self._workspace() as work:
            work.observe(evidence, likelihood)
            program = work.plan(targets=(target,))
            if work.propagation.up(program) == -np.inf:
                raise ImpossibleEvidence
            size = self.problem.cards[target]
            end = program[4]
            return work.messages[end - size : end].copy()

    def marginals(self, evidence: Mapping[int, int], likelihood: Mapping[int, Floats] = NOTHING) -> list[Floats]:
        """P(variable | evidence) of every variable."""
        states = self.problem.states
        out = np.empty(states[-1])
        with self._workspace() as work:
            work.observe(evidence, likelihood)
            program = work.plan(everything=True, marginals=True)
            if work.propagation.both(program, out) == -np.inf:
                raise ImpossibleEvidence
        return np.split(out, states[1:-1])

    def joint(
        self, targets: Sequence[int], evidence: Mapping[int, int], likelihood: Mapping[int, Floats] = NOTHING
    ) -> Floats:
        """P(targets | evidence), one axis for each target in the order given."""
        free = tuple(v for v in targets if v not in evidence)
        out = np.zeros([self.problem.cards[v] for v in targets])
        seen = tuple(evidence.get(v, slice(None)) for v in targets)
        if not free:
            self.log_evidence(evidence, likelihood)
            out[seen] = 1.0
            return out
        with self._workspace() as work:
            work.observe(evidence, likelihood)
            program = work.plan(targets=free)
            if work.propagation.up(program) == -np.inf:
                raise ImpossibleEvidence
            order = root_separator(program)
            shape = [self.problem.cards[v] for v in order]
            values = work.messages[program[4] - math.prod(shape) : program[4]].reshape(shape)
            out[seen] = values.transpose([order.index(v) for v in free])
        return out

    def log_evidence(self, evidence: Mapping[int, int], likelihood: Mapping[int, Floats] = NOTHING) -> float:
        """log P(evidence); an error if that is minus infinity."""
        with self._workspace() as work:
            work.observe(evidence, likelihood)
            found: float = work.propagation.up(work.plan())
            if found == -np.inf:
                raise ImpossibleEvidence
            return found

    def posteriors(self, codes: NDArray[np.integer], likelihood: Mapping[int, Floats] = NOTHING) -> list[Floats]:
        """P(variable | row) of every variable, (rows, states) each; -1 is missing. likelihood: (rows, states) each."""
        out = [np.empty((len(codes), card)) for card in self.problem.cards]
        for i, row in enumerate(codes):
            try:
                found = self.marginals(observed(row), {v: w[i] for v, w in likelihood.items()})
            except ImpossibleEvidence:
                raise ImpossibleEvidence(row=i) from None
            for each, values in zip(out, found, strict=True):
                each[i] = values
        return out

    def predict(self, codes: NDArray[np.integer], target: int, likelihood: Mapping[int, Floats] = NOTHING) -> Floats:
        """P(target | the other cells of the row), (rows, states); -1 is missing."""
        out = np.empty((len(codes), self.problem.cards[target]))
        for i, row in enumerate(codes):
            known = observed(row)
            known.pop(target, None)
            try:
                out[i] = self.marginal(target, known, {v: w[i] for v, w in likelihood.items()})
            except ImpossibleEvidence:
                raise ImpossibleEvidence(row=i) from None
        return out

    def mpe(self, evidence: Mapping[int, int], likelihood: Mapping[int, Floats] = NOTHING) -> tuple[Integers, float]:
        """The most probable states of all variables together, and log P(states)."""
        return self._most((), evidence, likelihood)

    def map(
        self, targets: Sequence[int], evidence: Mapping[int, int], likelihood: Mapping[int, Floats] = NOTHING
    ) -> tuple[Integers, float]:
        """The most probable states of the targets together, the others summed out, and log P(states, evidence)."""
        free = tuple(v for v in targets if v not in evidence)
        if not free:
            return np.array([evidence[v] for v in targets], np.intp), self.log_evidence(evidence, likelihood)
        found, log_p = self._most(free, evidence, likelihood)
        return found[list(targets)], log_p

    def _most(
        self, targets: tuple[int, ...], evidence: Mapping[int, int], likelihood: Mapping[int, Floats]
    ) -> tuple[Integers, float]:
        with self._workspace() as work:
            work.observe(evidence, likelihood)
            program = work.plan(everything=True, targets=targets, asked_last=bool(targets), maximise=True)
            answer = work.code.copy()
            found: float = work.propagation.most(program, answer)
            if found == -np.inf:
                raise ImpossibleEvidence
            return answer, found


def observed(row: NDArray[np.integer]) -> dict[int, int]:
    """The cells of a row that are not missing."""
    return {v: int(code) for v, code in enumerate(row) if code >= 0}


def root_separator(program: Integers) -> list[int]:
    """The targets in the order of the root's message."""
    at = 9 + 18 * (program[1] - 1)
    begin = program[at] + program[at + 1]
    return [int(v) for v in program[begin : begin + program[at + 17]]]

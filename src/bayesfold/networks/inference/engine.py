"""Answers: marginals, joints, the probability of evidence, and most probable states, of one query or of many rows.

>>> rain = np.array([0.2, 0.8])
>>> wet = np.array([[0.9, 0.1], [0.15, 0.85]])
>>> engine = Engine(InferenceProblem(cards=(2, 2), parents=((), (0,)), tables=(rain, wet)))
>>> engine.marginal(0, {1: 0}).round(3)
array([0.6, 0.4])
>>> engine.predict([[-1, 0], [-1, 1]], target=0).round(3)
array([[0.6  , 0.4  ],
       [0.029, 0.971]])
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats
from bayesfold.kernels.inference import queries
from bayesfold.networks.inference import lanes, rows, unbounded, workspace
from bayesfold.networks.inference.contradiction import find_contradiction
from bayesfold.networks.inference.problem import ContradictoryEvidence, InferenceProblem, Integers
from bayesfold.networks.inference.program import AXES, CLIQUE, CLIQUES, HEADER, RANK, SEPARATOR
from bayesfold.networks.inference.table import EvidenceTable
from bayesfold.networks.inference.workspace import Workspace

Evidence = Mapping[int, int]
Likelihood = Mapping[int, ArrayLike]
NOTHING: Likelihood = {}
LIMIT = 2.0**31
"""Bytes that the tables of one query may have together; most of them are never held at the same time."""

SEARCH = 192.0, 16
"""How carefully that order is sought: as if an entry were so much dearer, until so many tries in a row are in vain."""


class Engine:
    """Exact answers about one network, for any number of threads.

    evidence: {variable: state}. likelihood: soft evidence, {variable: P(what was seen | state) for each state}.
    Evidence of probability zero is an error that names the observations which contradict each other. Where rows are
    asked for one target, a contradiction among what can say nothing about it may go unnoticed.
    """

    def __init__(self, problem: InferenceProblem, limit: float = LIMIT) -> None:
        self.problem, self.limit = problem, limit
        self._shelf: list[Workspace] = []
        self.width = int(problem.states[-1])
        self.spans = list(pairwise(problem.states.tolist()))

    def workspace(self) -> Workspace:
        """Buffers for one query, or for a thread's share of the rows."""
        try:
            return self._shelf.pop()
        except IndexError:
            return Workspace(self.problem, self.limit, self._shelf, self.known)

    @cached_property
    def known(self) -> Integers:
        """Where the variables stand in an order of elimination that is good for the whole network; found once."""
        work = Workspace(self.problem, self.limit, [])
        work.strive(*SEARCH)
        places = np.zeros(len(self.problem.cards), np.intp)
        work.graph.search(places)
        return places

    def marginal(self, target: int, evidence: Evidence, likelihood: Likelihood = NOTHING) -> Floats:
        """P(target | evidence)."""
        if target in evidence:
            return self.joint((target,), evidence, likelihood)
        out = np.empty(self.problem.cards[target])
        with self.workspace() as work:
            work.observe(evidence, likelihood)
            log_p = queries.one(work.tree, work.propagation, target, work.most, workspace.TILE, out)
            if log_p == math.inf:
                work.plan(targets=(target,))
                log_p = queries.one(work.tree, work.propagation, target, work.most, workspace.TILE, out)
            doubts = work.witness.doubts()
            if log_p != log_p or work.lossy:  # NaN: numbers became too small
                out, log_p = unbounded.find_root_message(work, (target,), evidence, likelihood, len(out))
        if log_p == -math.inf:
            raise self._impossible(evidence, likelihood)
        if doubts:
            self.log_evidence(evidence, likelihood)
        return out

    def joint(self, targets: Sequence[int], evidence: Evidence, likelihood: Likelihood = NOTHING) -> Floats:
        """P(targets | evidence), one axis for each target in the order given."""
        if len(targets) == 1 and targets[0] not in evidence:
            return self.marginal(targets[0], evidence, likelihood)
        cards = self.problem.cards
        free = tuple([v for v in targets if v not in evidence])
        if not free:
            self.log_evidence(evidence, likelihood)
            out = np.zeros([cards[v] for v in targets])
            out[tuple(evidence[v] for v in targets)] = 1.0
            return out
        if len(free) == 1:
            joint = self.marginal(free[0], evidence, likelihood)
        else:
            with self.workspace() as work:
                work.observe(evidence, likelihood)
                work.plan(targets=free)
                size = math.prod(cards[v] for v in free)
                log_p = queries.up(work.tree, work.propagation)
                doubts = work.witness.doubts()
                end = work.tree.needs()[2]
                joint = work.messages[end - size : end].copy()
                if log_p != log_p or work.lossy:
                    joint, log_p = unbounded.find_root_message(work, free, evidence, likelihood, size)
                if log_p == -math.inf:
                    raise self._impossible(evidence, likelihood)
                order = root_separator(work.program)
            if doubts:
                self.log_evidence(evidence, likelihood)
            joint = joint.reshape([cards[v] for v in order]).transpose([order.index(v) for v in free])
        if len(free) == len(targets):
            return joint
        out = np.zeros([cards[v] for v in targets])
        out[tuple(evidence.get(v, slice(None)) for v in targets)] = joint
        return out

    def marginals(self, evidence: Evidence, likelihood: Likelihood = NOTHING) -> list[Floats]:
        """P(variable | evidence) of every variable."""
        out = self.side_by_side(evidence, likelihood)
        return [out[begin:end] for begin, end in self.spans]

    def side_by_side(self, evidence: Evidence, likelihood: Likelihood = NOTHING) -> Floats:
        """The same in one array; `spans` says where each variable's states stand."""
        out = np.empty(self.width)
        with self.workspace() as work:
            work.observe(evidence, likelihood)
            log_p = queries.every(work.tree, work.propagation, work.most, workspace.TILE, out)
            if log_p == math.inf:
                work.plan(everything=True, marginals=True)
                log_p = queries.every(work.tree, work.propagation, work.most, workspace.TILE, out)
            if log_p != log_p or work.lossy:
                out, log_p = unbounded.find_marginals(work, evidence, likelihood)
        if log_p == -math.inf:
            raise self._impossible(evidence, likelihood)
        return out

    def log_evidence(self, evidence: Evidence, likelihood: Likelihood = NOTHING) -> float:
        """log P(evidence)."""
        log_p = self._log_evidence(evidence, likelihood)
        if log_p == -math.inf:
            raise self._impossible(evidence, likelihood)
        return log_p

    def _log_evidence(self, evidence: Evidence, likelihood: Likelihood) -> float:
        """The same, minus infinity if the evidence is impossible."""
        with self.workspace() as work:
            work.observe(evidence, likelihood)
            work.plan()
            log_p: float = queries.up(work.tree, work.propagation)
            if log_p != log_p or work.lossy:
                return unbounded.find_root_message(work, (), evidence, likelihood, 0)[1]
            return log_p + work.scale

    def mpe(self, evidence: Evidence, likelihood: Likelihood = NOTHING) -> tuple[Integers, float]:
        """The most probable states of all variables together, and log P(states)."""
        return self._most((), evidence, likelihood)

    def map(
        self, targets: Sequence[int], evidence: Evidence, likelihood: Likelihood = NOTHING
    ) -> tuple[Integers, float]:
        """The most probable states of the targets together, the others summed out, and log P(states, evidence)."""
        free = tuple(v for v in targets if v not in evidence)
        if not free:
            return np.array([evidence[v] for v in targets], np.intp), self.log_evidence(evidence, likelihood)
        states, log_p = self._most(free, evidence, likelihood)
        return states[list(targets)], log_p

    def _most(self, targets: tuple[int, ...], evidence: Evidence, likelihood: Likelihood) -> tuple[Integers, float]:
        with self.workspace() as work:
            work.observe(evidence, likelihood)
            work.plan(everything=True, targets=targets, asked_last=bool(targets), maximise=True)
            states = work.code.copy()
            log_p: float = queries.most(work.tree, work.propagation, states) + work.scale
            if log_p != log_p or work.lossy:
                states, log_p = unbounded.find_most_probable(work, targets, evidence, likelihood)
        if log_p == -math.inf:
            raise self._impossible(evidence, likelihood)
        return states, log_p

    def posteriors(self, codes: ArrayLike, likelihood: Likelihood = NOTHING) -> list[Floats]:
        """P(variable | row) of every variable, (rows, states) each; -1 is missing, likelihoods are (rows, states)."""
        out = self._rows(codes, likelihood, -1)
        return [out[:, begin:end] for begin, end in self.spans]

    def predict(self, codes: ArrayLike, target: int, likelihood: Likelihood = NOTHING) -> Floats:
        """P(target | the other cells of the row), (rows, states); -1 is missing, likelihoods are (rows, states)."""
        return self._rows(codes, likelihood, target)

    def _rows(self, codes: ArrayLike, likelihood: Likelihood, target: int) -> Floats:
        table = EvidenceTable.of(codes, likelihood, self.problem)
        width = self.width if target < 0 else self.problem.cards[target]
        out = np.empty((len(table.codes), width))
        alone = partial(self._alone, table.codes, likelihood, target)
        if table.lossy:
            bad = rows.answer_alone(alone, out)
        else:
            with self.workspace() as work:
                way, order = lanes.choose_way(work, table, target)
            bad = 0
            if way != "row by row":
                bad = lanes.answer_in_lanes(
                    self.workspace, self.problem, table, target, order, out, alone, cut=way == "groups"
                )
            if bad is not None:
                bad = rows.answer_by_row(self.workspace, table, target, out, alone)
        if bad is not None:
            raise self._impossible(*self._row(table.codes, likelihood, target, bad), bad)
        return out

    def _alone(self, codes: Integers, likelihood: Likelihood, target: int, row: int) -> Floats | None:
        """The answer for a row whose numbers became too small beside others, None if it is impossible."""
        evidence, soft = self._row(codes, likelihood, target, row)
        try:
            return self.side_by_side(evidence, soft) if target < 0 else self.marginal(target, evidence, soft)
        except ContradictoryEvidence:
            return None

    def _row(
        self, codes: Integers, likelihood: Likelihood, target: int, row: int
    ) -> tuple[dict[int, int], dict[int, Floats]]:
        """The evidence of one row, without the target's own cell, and its likelihoods as they were given."""
        evidence = {v: int(code) for v, code in enumerate(codes[row]) if code >= 0 and v != target}
        shapes = {v: (len(codes), self.problem.cards[v]) for v in likelihood}
        return evidence, {v: np.broadcast_to(weights, shapes[v])[row] for v, weights in likelihood.items()}

    def _impossible(self, evidence: Evidence, likelihood: Likelihood, row: int | None = None) -> ContradictoryEvidence:
        def possible(part: Evidence) -> bool:
            return self._log_evidence(part, likelihood) > -math.inf

        return ContradictoryEvidence(row, find_contradiction(possible, evidence))


def root_separator(program: Integers) -> list[int]:
    """The targets in the order of the root's message."""
    at = HEADER + (program[CLIQUES] - 1) * CLIQUE
    begin = program[at + AXES] + program[at + RANK]
    return [int(v) for v in program[begin : begin + program[at + SEPARATOR]]]

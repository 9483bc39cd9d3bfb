"""The arrays that one query at a time works in: evidence, plan, messages; kept and grown from query to query."""

from collections.abc import Mapping

import numpy as np

from bayesfold.frame import Floats
from bayesfold.kernels.bucket_tree import BucketTree
from bayesfold.kernels.elimination import Elimination
from bayesfold.kernels.propagation import Propagation
from bayesfold.networks.inference.problem import Integers, Problem, TooLarge

TILE = 1024
"""Entries of a clique that are multiplied as one dense run: small enough for the first cache."""

LENGTH, ENTRIES, STORED, MESSAGES, LARGEST, RECORDS = 0, 2, 3, 4, 5, 6
"""Where a program's header holds its sizes."""


class Workspace:
    """Buffers of one thread; `Engine` hands them out."""

    def __init__(self, problem: Problem, limit: float) -> None:
        n, links = len(problem.cards), problem.members.size
        self.problem, self.limit = problem, limit
        self.code = np.full(n, -1, np.intp)
        self.soft = np.zeros(n, np.uint8)
        self.asked = np.zeros(n, np.uint8)
        self.likelihood = np.ones(problem.states[-1])
        self.program = np.zeros(64 + 64 * n + 16 * links, np.intp)
        words = (n + 63) // 64
        graph = Elimination(
            problem.card,
            problem.starts,
            problem.members,
            np.log(problem.card),
            (self.code, self.soft, self.asked),
            [np.zeros(2 * n + 1, np.intp) for _ in range(8)],
            np.zeros(n),
            (np.zeros(n, np.uint8), np.zeros(n, np.uint8)),
            [np.zeros(n * words, np.uint64) for _ in range(4)],
        )
        self.tree = BucketTree(
            graph,
            problem.strides,
            problem.states,
            problem.density,
            self.program,
            [np.zeros(n + 1, np.intp) for _ in range(19)] + [np.zeros(2 * n + 1, np.intp) for _ in range(5)],
            (np.zeros(n + 1), np.zeros(n + 1)),
        )
        self.propagation = Propagation(
            problem.starts,
            problem.members,
            problem.strides,
            problem.begins,
            problem.states,
            problem.values,
            self.code,
            self.likelihood,
            [np.zeros(n + 1, np.intp) for _ in range(3)],
            np.zeros(n + 1),
        )
        self.held = (0, 0, 0)

    def observe(self, evidence: Mapping[int, int], likelihood: Mapping[int, Floats]) -> None:
        """Enter what is known."""
        self.code.fill(-1)
        cards = self.problem.cards
        for v, state in evidence.items():
            if not 0 <= state < cards[v]:
                raise ValueError(f"variable {v} has the states 0 to {cards[v] - 1}; evidence says {state}")
            self.code[v] = state
        if self.soft.any():
            self.soft.fill(0)
        for v, weights in likelihood.items():
            self.soft[v] = 1
            entered = self.likelihood[self.problem.states[v] : self.problem.states[v + 1]]
            entered[:] = weights
            if not (np.isfinite(entered).all() and (entered >= 0).all()):
                raise ValueError(f"the likelihood of variable {v} has an entry that is negative or not finite")

    def plan(
        self,
        *,
        everything: bool = False,
        targets: tuple[int, ...] = (),
        asked_last: bool = False,
        maximise: bool = False,
        marginals: bool = False,
    ) -> Integers:
        """A program for what was observed, refused when its tables would be too large."""
        for v in targets:
            self.asked[v] = 1
        try:
            while True:
                length = self.tree.make(everything, len(targets), asked_last, maximise, marginals, TILE)
                if length >= 0:
                    break
                self.program = np.zeros(-length, np.intp)
                self.tree.grow(self.program)
        finally:
            for v in targets:
                self.asked[v] = 0
        if length == 0 or 8 * self.program[ENTRIES] > self.limit:
            raise TooLarge(8e15 if length == 0 else 8.0 * self.program[ENTRIES], self.limit)
        self.hold(self.program)
        return self.program

    def hold(self, program: Integers) -> None:
        """Make the buffers large enough for a program."""
        tables, messages, records = (
            int(program[STORED] + program[LARGEST]),
            int(program[MESSAGES]),
            int(program[RECORDS]) + 1,
        )
        had = self.held
        if tables > had[0] or messages > had[1] or records > had[2]:
            self.held = max(tables, had[0]), max(messages, had[1]), max(records, had[2])
            self.messages = np.empty(self.held[1] + 1)
            self.propagation.hold(
                np.empty(self.held[0] + 1),
                self.messages,
                np.empty(self.held[1] + 1),
                np.empty(self.held[2] + 1, np.intp),
                np.empty(self.held[2] + 1, np.intp),
            )

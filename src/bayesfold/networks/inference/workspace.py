"""The arrays that one query at a time works in: evidence, plan, messages; kept and grown from query to query."""

import math
from collections.abc import Iterable, Mapping
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.kernels.inference.elimination import Elimination
from bayesfold.kernels.inference.layout import Layout
from bayesfold.kernels.inference.propagation import Propagation
from bayesfold.kernels.inference.witness import Witness
from bayesfold.networks.inference.problem import InferenceProblem, Integers, TooLarge
from bayesfold.networks.inference.table import scale_below_one

TILE = 1024
"""Entries of a clique that are multiplied as one dense run: small enough for the first cache."""

ONE_BY_ONE = 0
"""The tile of a plan for lanes, where every axis is walked state by state."""

NONE = np.zeros(0, np.intp)
"""No order is known."""


class Workspace:
    """Buffers for one thread at a time; at the end of a `with` block they go back to the shelf they are lent from."""

    def __init__(
        self, problem: InferenceProblem, limit: float, shelf: "list[Workspace]", known: Integers = NONE
    ) -> None:
        n = len(problem.cards)
        self.problem, self.limit, self.shelf, self.known = problem, limit, shelf, known
        self.most = limit / 8  # entries that a plan may have
        self.code = np.full(n, -1, np.intp)
        self.soft = np.zeros(n, np.uint8)
        self.asked = np.zeros(n, np.uint8)
        self.likelihood = np.ones(problem.states[-1])
        self.program = np.zeros(64 + 64 * n + 16 * problem.members.size, np.intp)
        self.softened: tuple[int, ...] = ()
        self.scale, self.lossy = 0.0, False
        integers = [np.zeros(2 * n + 1, np.intp) for _ in range(39)]
        self.graph = Elimination(
            problem.card,
            problem.starts,
            problem.members,
            np.log(problem.card),
            (self.code, self.soft, self.asked),
            integers[:8],
            np.zeros(n),
            (*(np.zeros(n, np.uint8) for _ in range(3)), (problem.density < 1.0)[:n].astype(np.uint8)),
            [np.zeros(n * -(-n // 64), np.uint64) for _ in range(4)],
        )
        self.strive()
        self.tree = Layout(
            self.graph,
            problem.strides,
            problem.states,
            problem.density,
            self.program,
            integers[8:32],
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
            integers[32:35],
            np.zeros(n + 1),
        )
        self.take(0, 0, 0)
        self.witness = Witness(
            self.graph,
            self.propagation,
            problem.order,
            *problem.children,
            (*integers[35:], *(np.zeros(problem.states[-1], np.intp) for _ in range(3))),
            (np.zeros(problem.states[-1], np.uint8), np.zeros(n, np.uint8), np.zeros(n, np.uint8)),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.shelf.append(self)

    def observe(
        self, evidence: Mapping[int, int], likelihood: Mapping[int, ArrayLike], *, exactly: bool = False
    ) -> None:
        """Enter what is known, in place of what was.

        Likelihoods are divided by a power of two that brings the largest below 1, `scale` is the sum of the logs, and
        `lossy` whether one became too small by that. exactly: they are not divided.
        """
        if (wrong := self.propagation.observe(evidence)) is not None:
            v, state = wrong
            raise ValueError(f"variable {v} has the states 0 to {self.problem.cards[v] - 1}; evidence says {state}")
        if likelihood or self.softened:
            self.soften(likelihood)
            self.scale, self.lossy = 0.0, False
        for v, weights in likelihood.items():
            entered = self.likelihood[self.problem.states[v] : self.problem.states[v + 1]]
            entered[:] = weights
            if not (np.isfinite(entered).all() and (entered >= 0).all()):
                raise ValueError(f"the likelihood of variable {v} has an entry that is negative or not finite")
            if not exactly:
                scaled, exponent = scale_below_one(entered)
                self.scale += float(exponent[0]) * math.log(2.0)
                self.lossy |= bool((np.ldexp(scaled, exponent) != entered).any())
                entered[:] = scaled

    def soften(self, variables: Iterable[int]) -> None:
        """Say which variables have a likelihood."""
        for v in self.softened:
            self.soft[v] = 0
        self.softened = tuple(variables)
        for v in self.softened:
            self.soft[v] = 1

    def plan(
        self,
        *,
        everything: bool = False,
        targets: tuple[int, ...] = (),
        asked_last: bool = False,
        maximise: bool = False,
        marginals: bool = False,
        tile: int | None = None,
    ) -> None:
        """A tree for what was observed, refused when its tables would be too large.

        everything: no variable is left out. asked_last: the targets are eliminated after all others, as maximising over
        them needs; otherwise the tree is rooted at them. marginals: with the way back to every variable.
        """
        tile = TILE if tile is None else tile
        for v in targets:
            self.asked[v] = 1
        length = self.tree.make(everything, len(targets), asked_last, maximise, marginals, tile)
        if length < 0:
            self.grow(-length)
            length = self.tree.make(everything, len(targets), asked_last, maximise, marginals, tile)
        for v in targets:
            self.asked[v] = 0
        if length == 0:
            raise TooLarge(8 * self.tree.entries, self.limit)
        self.hold()

    def strive(self, dear: float = 1.0, patience: int = 4) -> None:
        """How carefully to plan from now on: `kernels/inference/elimination` says what the two are."""
        self.graph.strive(dear, patience, self.known)

    def grow(self, length: int) -> None:
        """Room for a longer program."""
        self.program = np.zeros(length, np.intp)
        self.tree.grow(self.program)

    @property
    def room(self) -> Integers:
        """What the buffers hold, and how many entries a plan may have."""
        return np.array([*self.held, min(self.limit / 8, 2.0**62)], np.intp)

    def hold(self) -> None:
        """Make the buffers large enough for the program, or refuse it."""
        entries, tables, messages, records = self.tree.needs()
        if 8 * entries > self.limit:
            raise TooLarge(8 * entries, self.limit)
        had = self.held
        if tables > had[0] or messages > had[1] or records > had[2]:
            self.take(max(tables, had[0]), max(messages, had[1]), max(records, had[2]))

    def take(self, tables: int, messages: int, records: int) -> None:
        """Buffers for so many entries of tables and of messages, and records of a clique."""
        self.held = tables, messages, records
        self.messages = np.empty(messages)
        self.propagation.hold(
            np.empty(tables),
            self.messages,
            np.empty(messages),
            np.empty(records, np.intp),
            np.empty(records, np.intp),
        )

"""Markov chains: P(x_t | everything before) = P(x_t | the last k states), counted from sequences.

P(next | context) = (N_context,next + alpha) / (N_context + S alpha), with S the number of states. The counts are a
tally like any other: chains of different sequences add up, and sequences can be taken out again. A place before the
first state is the missing slot, so how sequences begin is counted in the same table.

>>> weather = MarkovChain.fit([["sun", "sun", "rain", "sun"], ["rain", "rain", "sun"]], alpha=0)
>>> print(weather.transitions())
P(next | back 1)
             next=rain  next=sun
back 1=rain  0.333333   0.666667
back 1=sun   0.5        0.5
>>> print(weather.stationary())
P(state)
state=rain  0.428571
state=sun   0.571429
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats, Level
from bayesfold.data.schema import Schema
from bayesfold.networks.factor import Factor
from bayesfold.networks.factor_states import States, check_added, find_state
from bayesfold.networks.long_run import expected_steps, many_steps, share_of_time
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.sampling import pick_states
from bayesfold.networks.sequences import contexts, read_sequences
from bayesfold.runtime.counts import check_count
from bayesfold.runtime.messages import listed, ordered
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally
from bayesfold.tally.trimming import restrict, rows_by_level

MOST_CONTEXTS = 4_096
"""Questions about the long run solve a linear system over contexts; more than this are refused."""
FAR = 10_000
"""Steps up to which a chain is walked one by one."""


@dataclass(frozen=True, eq=False, repr=False)
class MarkovChain:
    """A Markov chain of order k: counts of (k states, next state), and the smoothing of its probabilities."""

    tally: Tally
    order: int = 1
    alpha: float = 1.0
    declared: frozenset[Level] = frozenset()
    """States that somebody has named; the others go with the last sequence that shows them."""

    @classmethod
    def fit(
        cls, sequences: Iterable[Sequence[Level]], order: int = 1, alpha: float = 1.0, states: Iterable[Level] = ()
    ) -> "MarkovChain":
        """Count sequences, each a list of states; `states` may name more than they show."""
        order = check_count("order", order, 1)
        check_added(alpha)
        rows = list(read_sequences(sequences))
        named = frozenset(states)
        every = ordered(list(dict.fromkeys([*named, *(x for row in rows for x in row)])))
        if not every:
            raise ValueError("there is no state in these sequences; name some in states=")
        schema = make_schema(every, order)
        slot = schema.target.slot
        codes = [contexts(np.array([slot[x] for x in row], np.int32), order) for row in rows]
        whole = np.concatenate([np.zeros((0, order + 1), np.int32), *codes])
        panel = Panel(tuple(c.name for c in schema.features), np.ascontiguousarray(whole[:, :-1]))
        batch = Batch(len(whole), (panel,), labels=np.ascontiguousarray(whole[:, -1]))
        return cls(count(schema, list_cliques(schema), batch), order, alpha, named)

    def __repr__(self) -> str:
        return f"<MarkovChain of order {self.order}: {len(self.states)} states, {self.counts.sum()} steps>"

    def __add__(self, other: "MarkovChain") -> "MarkovChain":
        """The chain of both's sequences, smoothed as the first."""
        mine, theirs = self._aligned(other)
        return MarkovChain(mine + theirs, self.order, self.alpha, self.declared | other.declared)

    def __sub__(self, other: "MarkovChain") -> "MarkovChain":
        """The chain without the other's sequences, which must all have been counted, and without their own states."""
        mine, theirs = self._aligned(other)
        rest = mine - theirs
        if (rest.counts < 0).any():
            table = rest.table(*(c.name for c in rest.schema.features), rest.schema.target.name)
            cell = np.unravel_index(int(table.argmin()), table.shape)
            names = ["(start)", *rest.schema.target.levels]
            path = " -> ".join(str(names[i]) for i in cell)
            raise ValueError(f"the step {path} was counted fewer times than it is to be taken away")
        rows = rows_by_level(rest, rest.schema.target)
        left = [s for s, n in zip(rest.schema.target.levels, rows, strict=True) if n or s in self.declared]
        if 0 < len(left) < len(rows):
            rest = restrict(rest, make_schema(tuple(left), self.order))
        return MarkovChain(rest, self.order, self.alpha, self.declared)

    def _aligned(self, other: "MarkovChain") -> tuple[Tally, Tally]:
        if self.order != other.order:
            raise ValueError(f"a chain of order {self.order} and one of order {other.order} count different things")
        schema = make_schema(ordered(list(dict.fromkeys([*self.states, *other.states]))), self.order)
        return self.tally.on(schema), other.tally.on(schema)

    # ------------------------------------------------------------------------------------------------- probabilities

    @property
    def states(self) -> States:
        """The states, in order."""
        return self.tally.schema.target.levels

    @property
    def counts(self) -> NDArray[np.int64]:
        """Steps by context and next state; slot 0 of a context is the place before the first state."""
        names = (*(c.name for c in self.tally.schema.features), self.tally.schema.target.name)
        return self.tally.table(*names)[..., 1:]

    @cached_property
    def chances(self) -> Floats:
        """P(next | context), smoothed; uniform where nothing was counted."""
        n = self.counts + self.alpha
        total = n.sum(-1, keepdims=True)
        uniform = np.full(n.shape, 1 / len(self.states))
        shares: Floats = np.divide(n, total, out=uniform, where=total > 0)
        return shares

    def transitions(self, steps: int = 1) -> Factor:
        """P(next | the last k states), or the state after so many steps."""
        names = [c.name for c in self.tally.schema.features]
        steps = check_count("steps", steps, 1)
        last = self.tally.schema.target.name if steps == 1 else f"after {steps}"
        inner = self.chances[(slice(1, None),) * self.order]
        if steps > 1:
            S = len(self.states)
            far = many_steps(self.lifted, steps).reshape([S] * (2 * self.order))
            inner = far.sum(tuple(range(self.order, 2 * self.order - 1)))
        label = f"P({last} | {', '.join(names)})"
        return Factor({**dict.fromkeys(names, self.states), last: self.states}, inner, label=label)

    def initial(self) -> Factor:
        """P(first state)."""
        return Factor({"first": self.states}, self.chances[(0,) * self.order])

    def after(self, steps: int, start: Sequence[Level] = ()) -> Factor:
        """The state after so many steps, from the last states given; from the start of a sequence if none are."""
        steps = check_count("steps", steps)
        now: Floats = np.zeros(self.chances.shape[:-1])
        now[self.context(start)] = 1.0
        leaps = steps > FAR and len(self.states) ** self.order <= MOST_CONTEXTS
        far = steps - self.order if leaps else 0  # behind the first k steps no state of a context is missing
        for _ in range(steps - far):
            moved = (now[..., None] * self.chances).sum(0)
            now = np.concatenate([np.zeros_like(moved[..., :1]), moved], axis=-1)
        if far:
            inner = now[(slice(1, None),) * self.order]
            inner[...] = (inner.ravel() @ many_steps(self.lifted, far)).reshape(inner.shape)
        last = now.reshape(-1, now.shape[-1]).sum(0)
        if last[0] > 0:
            raise ValueError("at the start of a sequence no state has been reached: ask for steps >= 1, or give start=")
        return Factor({f"after {steps}": self.states}, last[1:])

    def context(self, start: Sequence[Level]) -> tuple[int, ...]:
        """The slots of the last k states; missing before the first."""
        if isinstance(start, str) and len(start) > 1 and start in self.states:
            raise TypeError(f"{start!r} is one state; give a list of states, as in start=[{start!r}]")
        slots = [1 + find_state("the chain", self.states, x) for x in start][-self.order :]
        return (0,) * (self.order - len(slots)) + tuple(slots)

    def log_likelihood(self, sequences: Iterable[Sequence[Level]]) -> float:
        """log P(sequences), their first states included."""
        total = 0.0
        for sequence in read_sequences(sequences):
            slots = np.array([1 + find_state("the chain", self.states, x) for x in sequence], np.int32)
            rows = contexts(slots, self.order)
            with np.errstate(divide="ignore"):
                total += float(np.log(self.chances[(*rows[:, :-1].T, rows[:, -1] - 1)]).sum())
        return total

    def sample(self, length: int, random_state: "int | np.random.Generator | None" = None) -> list[Level]:
        """One sequence drawn from the chain."""
        draw = np.random.default_rng(random_state)
        context, drawn = (0,) * self.order, []
        for _ in range(check_count("length", length)):
            state = int(pick_states(self.chances[context][None], draw)[0])
            drawn.append(self.states[state])
            context = (*context[1:], state + 1)
        return drawn

    def to_network(self, length: int) -> BayesianNetwork:
        """x0 -> x1 -> ..., each with the k before it as parents: a head-to-tail chain as a Bayesian network."""
        names = [f"x{t}" for t in range(check_count("length", length, 1))]
        edges, tables = [], {}
        for t, name in enumerate(names):
            near = names[max(0, t - self.order) : t]
            edges += [(parent, name) for parent in near]
            tables[name] = self.chances[(0,) * (self.order - len(near)) + (slice(1, None),) * len(near)]
        return BayesianNetwork.from_edges(edges, names, tables, dict.fromkeys(names, self.states), "Markov chain")

    # --------------------------------------------------------------------------------------------------- the long run

    @cached_property
    def lifted(self) -> Floats:
        """The matrix of steps between contexts of k states."""
        S = len(self.states)
        size = S**self.order
        if size > MOST_CONTEXTS:
            raise ValueError(
                f"{S} states and order {self.order} make {size} contexts; at most {MOST_CONTEXTS} are solved: "
                "lower the order"
            )
        inner = self.chances[(slice(1, None),) * self.order].reshape(size, S)
        matrix = np.zeros((size, size))
        before = np.arange(size)
        for state in range(S):
            matrix[before, before * S % size + state] = inner[:, state]
        return matrix

    def stationary(self) -> Factor:
        """The stationary distribution, pi P = pi; an error if it is not unique."""
        reach = find_reachable(self.lifted)
        closed = [i for i in range(len(reach)) if (reach[:, i] | ~reach[i]).all()]  # what it reaches can reach it
        parts = {tuple(np.flatnonzero(reach[i])) for i in closed}
        if len(parts) > 1:
            ends = [listed(dict.fromkeys(self.contexts[i][-1] for i in part)) for part in sorted(parts)]
            shown = " or ".join(f"{{{end}}}" for end in ends)
            raise ValueError(
                f"there is no single stationary distribution: the chain may stay in {shown} for ever; ask after(steps)"
            )
        mass = np.zeros(len(self.lifted))
        mass[closed] = share_of_time(self.lifted[np.ix_(closed, closed)])
        return Factor({"state": self.states}, mass.reshape(-1, len(self.states)).sum(0))

    def hitting_times(self, *targets: Level) -> dict[Any, float]:
        """Expected steps until one of these states is reached, from each state (each context if k > 1)."""
        aims = {find_state("the chain", self.states, x) for x in targets}
        if not aims:
            raise ValueError("name at least one state to be reached")
        hit = np.array([i % len(self.states) in aims for i in range(len(self.lifted))])
        stopped = np.where(hit[:, None], np.eye(len(hit)), self.lifted)
        reach = find_reachable(stopped)
        lost = ~reach[:, hit].any(1)
        never = reach[:, lost].any(1)
        inside = ~hit & ~never
        times = np.where(never, np.inf, 0.0)
        times[inside] = expected_steps(self.lifted[np.ix_(inside, inside)], self.lifted[np.ix_(inside, hit)].sum(1))
        keys = [context if self.order > 1 else context[0] for context in self.contexts]
        return {key: float(t) for key, t in zip(keys, times, strict=True)}

    @property
    def contexts(self) -> list[tuple[Level, ...]]:
        """Every k states, in the order of `lifted`."""
        return list(product(self.states, repeat=self.order))


def make_schema(states: States, order: int) -> Schema:
    """The columns of a chain: the k states before, and the next."""
    return Schema(Categories("next", states), tuple(Categories(f"back {j}", states) for j in range(order, 0, -1)))


def list_cliques(schema: Schema) -> tuple[Clique, ...]:
    """One table over context and next state (and the counter's own, over next states alone)."""
    target = schema.target.name
    return Clique((target,)), Clique((*(c.name for c in schema.features), target))


def find_reachable(matrix: Floats) -> NDArray[np.bool_]:
    """Whether j can be reached from i in any number of steps, none included."""
    reach = (matrix > 0) | np.eye(len(matrix), dtype=bool)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return reach
        reach = further

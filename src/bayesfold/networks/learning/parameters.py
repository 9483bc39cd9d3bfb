"""Tables from counts, and networks that go on learning: P(x | parents) = (N_x + a) / (N + states a).

    mle      a = 0: what was seen; a row of parents that was never seen is even
    lambda   a = alpha, the same for every cell (Laplace at 1)
    bdeu     a = s / (rows of the table times states): the prior is worth s rows, however large the table
    backoff  s rows are shared out as the table without one parent says, which is made likewise, down to even shares

A row of parents that was seldom seen so says what is known of rows like it. The parent that goes first is the one
without which the rest are least surprised.

The counts are kept, so rows can be added, taken out again and made to fade, and networks of the same graph added up:
each equals the fit of the rows that are then in it. Rows with a hole in a family are not counted for that family.
(Heckerman, Geiger and Chickering 1995.)

>>> estimate = Estimate("bdeu", equivalent_sample_size=4.0)
>>> estimate.table("wet", np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
[[0.3333333333333333, 0.6666666666666666], [0.5, 0.5]]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import MOST_ADDED, States, check_name, key_by_name
from bayesfold.networks.learning.counts import count_table, read_family
from bayesfold.tally.forgetting import refuse_never_learned
from bayesfold.tally.statistic import Tally

METHODS = ("mle", "lambda", "bdeu", "backoff")


@dataclass(frozen=True)
class Estimate:
    """How tables are made of counts; alpha and equivalent_sample_size may differ from node to node."""

    method: str = "lambda"
    alpha: float | Mapping[str, float] = 1.0
    equivalent_sample_size: float | Mapping[str, float] = 1.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"there is no method {self.method!r}; there are {', '.join(METHODS)}")
        for option in ("alpha", "equivalent_sample_size"):
            given = getattr(self, option)
            numbers = key_by_name(given) if isinstance(given, Mapping) else {"": given}
            if not all(isinstance(x, float | int | np.number) and 0 <= x <= MOST_ADDED for x in numbers.values()):
                raise ValueError(
                    f"{option} must be a finite number of at least 0 and at most {MOST_ADDED:g}, or one for each node, "
                    f"not {given!r}"
                )
            object.__setattr__(self, option, numbers if isinstance(given, Mapping) else float(given))

    def check(self, names: Sequence[str]) -> None:
        """Refuse options for nodes that are not among these."""
        for given in (self.alpha, self.equivalent_sample_size):
            for v in given if isinstance(given, Mapping) else ():
                check_name("node", v, names)

    def pseudocount(self, node: str, shape: tuple[int, ...]) -> float:
        """What is added to each cell of a node's table; a node that is not named in the options has 1."""
        if self.method == "mle":
            return 0.0
        if self.method == "lambda":
            return self._of(self.alpha, node)
        return self._of(self.equivalent_sample_size, node) / float(np.prod(shape))

    def _of(self, given: float | Mapping[str, float], node: str) -> float:
        return given.get(node, 1.0) if isinstance(given, Mapping) else given

    def table(self, node: str, counts: Floats) -> Floats:
        """P(node | parents) from counts with the node's own axis last."""
        if self.method == "backoff":
            return back_off(counts, self._of(self.equivalent_sample_size, node))
        cells = counts + self.pseudocount(node, counts.shape)
        total = cells.sum(-1, keepdims=True)
        even = np.full(cells.shape, 1 / cells.shape[-1])
        shares: Floats = np.divide(cells, total, out=even, where=total > 0)
        return shares


def back_off(counts: Floats, rows: float) -> Floats:
    """P(node | parents), each row of parents with so many rows more that are shared out by the table of fewer parents.

    >>> back_off(np.array([[3.0, 1.0], [0.0, 0.0]]), 2.0).round(3).tolist()      # never seen: the shares of all rows
    [[0.722, 0.278], [0.667, 0.333]]
    """
    shares = np.full(counts.shape, 1 / counts.shape[-1])
    if counts.ndim > 1:
        fewer = {axis: counts.sum(axis) for axis in range(counts.ndim - 1)}
        axis = max(fewer, key=lambda axis: (max_log_likelihood(fewer[axis]), axis))
        shares = np.broadcast_to(np.expand_dims(back_off(fewer[axis], rows), axis), counts.shape).copy()
    total = counts.sum(-1, keepdims=True) + rows
    table: Floats = np.divide(counts + rows * shares, total, out=shares, where=total > 0)
    return table


def max_log_likelihood(counts: Floats) -> float:
    """sum N log (N / M), M the count of a row of parents."""
    total = counts.sum(-1)
    return float(sum(sign * (x * np.log(np.where(x > 0, x, 1.0))).sum() for sign, x in ((1, counts), (-1, total))))


@dataclass(frozen=True)
class LearnedCounts:
    """What a network has counted, and how its tables were made of that; `found`: nodes with states found in rows."""

    tally: Tally
    estimate: Estimate = field(default_factory=Estimate)
    decayed: bool = False
    found: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, table: Any, dag: Dag, axes: Mapping[str, States], estimate: Estimate, weight: ArrayLike | None
    ) -> "LearnedCounts":
        """The counts of a table."""
        estimate.check(dag.names)
        return cls(count_table(table, dag, axes, weight)[0], estimate)

    def tables(self, dag: Dag) -> dict[str, Floats]:
        """P(node | parents) of every node."""
        return {v: self.estimate.table(v, read_family(self.tally, dag, i)) for i, v in enumerate(dag.names)}

    def more(self, table: Any, dag: Dag, axes: Mapping[str, States], weight: ArrayLike | None) -> "LearnedCounts":
        """With the rows of one more table."""
        return replace(self, tally=add_tallies(self.tally, count_table(table, dag, axes, weight)[0], 1))

    def less(self, table: Any, dag: Dag, axes: Mapping[str, States], weight: ArrayLike | None) -> "LearnedCounts":
        """Without the rows of a table, all of which must have been learned."""
        fresh, batch = count_table(table, dag, axes, weight)
        refuse_never_learned(self.tally, fresh, batch, self.decayed)
        return replace(self, tally=add_tallies(self.tally, fresh, -1))

    def with_other(self, other: "LearnedCounts") -> "LearnedCounts":
        """Both's rows; tables are made as this one's are."""
        return replace(self, tally=add_tallies(self.tally, other.tally, 1), decayed=self.decayed or other.decayed)


def add_tallies(tally: Tally, other: Tally, sign: int) -> Tally:
    """Both's rows, or the first's without the second's, on the axes of the first: states keep their order."""
    fresh = tally.copy()
    fresh.add(other.on(tally.schema, tally.layout.cliques), sign)
    return fresh


def refuse_other(mine: Dag, my_axes: Mapping[str, States], theirs: Dag, their_axes: Mapping[str, States]) -> None:
    """Only counts of the same families over the same states add up; say what differs."""
    ours, others = set(mine.edges), set(theirs.edges)
    if lost := [v for v in (*mine.names, *theirs.names) if (v in mine.index) is not (v in theirs.index)]:
        raise ValueError(
            f"only one of the networks has the node {lost[0]!r}; only networks of the same graph can be merged"
        )
    if apart := sorted(ours ^ others):
        raise ValueError(
            f"only one of the networks has the edge {' -> '.join(apart[0])}; only networks of the same graph merge"
        )
    for i, v in enumerate(mine.names):
        if set(my_axes[v]) != set(their_axes[v]):
            raise ValueError(f"the networks have different states of {v!r}: {my_axes[v]} and {their_axes[v]}")
        if [mine.names[p] for p in mine.parents[i]] != [theirs.names[p] for p in theirs.parents[theirs.index[v]]]:
            raise ValueError(f"the parents of {v!r} stand in different orders in the two networks")

"""A network learned from rows: which arcs, found by a search for the best score, and its tables.

>>> rows = {"rain": ["no", "no", "yes", "yes"] * 30, "wet": ["no", "no", "yes", "yes"] * 30, "day": ["mo", "tu"] * 60}
>>> print(learn_network(rows))
bic -175.93 of 120 rows and 3 columns: 1 arcs
  rain - wet       +80.78  the data cannot tell which way it points
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesfold.data import tables as memory
from bayesfold.data.frame import Floats, Level
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import States
from bayesfold.networks.learning.constraint import Tested
from bayesfold.networks.learning.counts import batch_of, checked_weights, count_families, states_in, whole_columns
from bayesfold.networks.learning.equivalence import distance, pattern
from bayesfold.networks.learning.parameters import Estimate, Learned
from bayesfold.networks.learning.rules import Arcs, Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import Search
from bayesfold.networks.learning.strategies import Task, strategy
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import listed

ONE_WAY = "this way by the rules"
MOST_LEVELS = 4_096
"""So many states may a column have whose arcs are looked for."""


@dataclass(frozen=True)
class LearnedNetwork:
    """The network, its score, and what each arc adds to it; print it for a summary.

    gains: by how much the score would fall without the arc. path: the score after each stage of the search that found
    something better. one_way: arcs that the rules do not let turn. interrupted: whether it was stopped before it ended.
    optimal: whether no other network has a higher score. tested: p-values and separators, where tests were made.
    """

    network: BayesianNetwork
    score: float
    kind: str
    rows: float
    gains: Mapping[tuple[str, str], float]
    path: tuple[tuple[str, float], ...]
    required: tuple[tuple[str, str], ...] = ()
    one_way: tuple[tuple[str, str], ...] = ()
    interrupted: bool = False
    optimal: bool = False
    tested: Tested | None = None

    def distance(self, other: BayesianNetwork) -> int:
        """Pairs of nodes that this network and another join differently, directions that data cannot tell aside."""
        return distance(self.network.dag, other.dag)

    def __str__(self) -> str:
        found = pattern(self.network.dag)
        title = f"{self.kind} {self.score:.6g} of {self.rows:,.6g} rows and {len(self.network.nodes)} columns"
        how = " (interrupted: the best so far)" if self.interrupted else " (no network scores higher)" * self.optimal
        lines = [f"{title}: {len(self.gains)} arcs{how}"]
        wide = max((len(f"{u} -> {v}") for u, v in self.gains), default=0)
        for (u, v), gain in sorted(self.gains.items(), key=lambda pair: -pair[1]):
            sign = "->" if (u, v) in found.arrows or (u, v) in self.one_way else "-"
            note = "required" if (u, v) in self.required else "" if (u, v) in found.arrows else ONE_WAY
            note = note if sign == "->" else "the data cannot tell which way it points"
            lines.append(f"  {f'{u} {sign} {v}':{wide}}  {gain:+10.4g}  {note}".rstrip())
        still = [v for v in self.network.nodes if len(self.network.states(v)) == 1]
        lines += [f"  {v} has one value in all rows, so nothing depends on it: leave it out" for v in still]
        return "\n".join(lines)


def learn_network(
    table: Any,
    columns: Iterable[str] | None = None,
    *,
    score: str = "bic",
    search: str = "climb",
    require: Arcs = (),
    forbid: Arcs = (),
    tiers: Sequence[Iterable[str]] = (),
    max_parents: int | None = None,
    start: BayesianNetwork | Arcs | None = None,
    significance: float = 0.01,
    states: Mapping[str, Sequence[Level]] | None = None,
    method: str = "lambda",
    alpha: float | Mapping[str, float] = 1.0,
    equivalent_sample_size: float | Mapping[str, float] = 1.0,
    weight: ArrayLike | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> LearnedNetwork:
    """The network of the best score that a search finds, with its tables; an interruption gives the best so far.

    columns: which to use (all). score: "bic", "aic", "bdeu", "k2" or "left_out", the probability of each row by all the
    others. search: "climb" over networks, the best "tree", the "exact" best of all, for up to 25 columns, "pc", by
    tests of independence at a level of `significance`, or "hybrid", climbing among the pairs that these leave joined.
    require, forbid: arcs (parent, child). tiers: lists of columns in their order in time; no arc runs from a later list
    to an earlier one. max_parents: of a node, or for "pc" neighbours that a test is given. start: a network to begin
    from, beside the others. method, alpha and equivalent_sample_size: how the tables are made, as in
    `BayesianNetwork.fit`; they are the priors of the scores "left_out" (alpha) and "bdeu".
    """
    look = strategy(search)
    frame = memory.frame(table)
    names = tuple(frame.names if columns is None else columns)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"name one or more distinct columns, not {listed(names)}")
    frame.require(names)
    rules = Rules.of(names, require, forbid, tiers, max_parents)
    estimate = Estimate(method, alpha, equivalent_sample_size)
    estimate.check(Dag.of([], names))
    axes = states_in(frame, Dag.of([], names), {v: tuple(s) for v, s in (states or {}).items()})
    for v in names:
        refuse_levels(v, len(axes[v]))
    codes = whole_columns(frame, axes)
    weights = None if weight is None else checked_weights(weight, frame.rows)
    scores = LocalScores(codes, [len(axes[v]) for v in names], score, prior_of(score, estimate), weights)
    draw = np.random.default_rng(random_state)
    found = look(Task(scores, rules, given_links(start, rules), draw, significance))
    return summary(found, scores, rules, network_of(found.links, axes, codes, weights, estimate))


def refuse_levels(name: str, levels: int) -> None:
    """Refuse a column of which no table could be learned, and say what to do."""
    if levels > MOST_LEVELS:
        raise ValueError(
            f"the column {name!r} has {levels:,} different values, too many to learn its arcs: put rare values "
            "together, cut numbers into intervals, or leave the column out"
        )


def prior_of(score: str, estimate: Estimate) -> float:
    """The number that a score's prior has."""
    option = {"bdeu": "equivalent_sample_size", "left_out": "alpha"}.get(score)
    given = getattr(estimate, option) if option else 1.0
    if isinstance(given, Mapping):
        raise ValueError(
            f"the score {score} has one prior for all nodes: give one number for {option}, not one for each"
        )
    return float(given)


def given_links(start: "BayesianNetwork | Arcs | None", rules: Rules) -> Any:
    """The arcs to begin from, as a matrix; what the rules do not allow is left out."""
    if start is None:
        return None
    edges = start.edges if isinstance(start, BayesianNetwork) else tuple(start)
    dag = Dag.of(edges, rules.names)
    if set(dag.names) != set(rules.names):
        raise ValueError(f"the start has the node {(set(dag.names) - set(rules.names)).pop()!r}, which is no column")
    links = np.zeros((len(rules.names),) * 2, bool)
    index = {v: i for i, v in enumerate(rules.names)}
    for u, v in dag.edges:
        if rules.allowed[index[u], index[v]] and links[:, index[v]].sum() < rules.most:
            links[index[u], index[v]] = True
    Dag.of([(rules.names[i], rules.names[j]) for i, j in np.argwhere(links | rules.required)], rules.names)
    return links


def summary(found: Search, scores: LocalScores, rules: Rules, network: BayesianNetwork) -> LearnedNetwork:
    """The network, and what each arc adds."""
    name = rules.names
    arcs = [(int(u), int(v)) for u, v in np.argwhere(found.links)]
    return LearnedNetwork(
        network,
        found.score,
        scores.kind,
        scores.rows,
        {(name[u], name[v]): -float(found.gains[u, v]) for u, v in arcs},
        tuple(found.path),
        tuple((name[u], name[v]) for u, v in np.argwhere(rules.required)),
        tuple((name[u], name[v]) for u, v in arcs if rules.required[u, v] or not rules.allowed[v, u]),
        found.interrupted,
        found.optimal,
        found.tested,
    )


def network_of(
    links: Links, axes: Mapping[str, States], codes: NDArray[np.uint16], weight: Floats | None, estimate: Estimate
) -> BayesianNetwork:
    """A network of these arcs with its tables, counted from codes [column, row]."""
    dag = Dag(tuple(axes), tuple(tuple(np.flatnonzero(column).tolist()) for column in links.T))
    learned = Learned(count_families(dag, axes, batch_of(dag.names, codes.T, weight)), estimate)
    return BayesianNetwork(dag, axes, learned.tables(dag), learned=learned)

"""A network learned from rows: which arcs, found by a search for the best score, and its tables.

>>> rows = {"rain": ["no", "no", "yes", "yes"] * 30, "wet": ["no", "no", "yes", "yes"] * 30, "day": ["mo", "tu"] * 60}
>>> print(learn_network(rows))
bic -175.93 of 120 rows and 3 columns: 1 arc
  rain - wet       +80.78  the data cannot tell which way it points
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesfold.data import tables as memory
from bayesfold.data.frame import Floats, Level
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import States
from bayesfold.networks.learning.bootstrap import bootstrap as drawn_again
from bayesfold.networks.learning.counts import batch_of, checked_weights, count_families, states_in, whole_columns
from bayesfold.networks.learning.parameters import Estimate, Learned
from bayesfold.networks.learning.result import Counted, LearnedNetwork
from bayesfold.networks.learning.rules import Arcs, Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import Search
from bayesfold.networks.learning.strategies import Task, strategy
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import listed

MOST_LEVELS = 4_096
"""So many states may a column have whose arcs are looked for."""


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
    bootstrap: int = 0,
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
    from, beside the others. bootstrap: so many times rows are drawn again, to say how sure each arc is. method, alpha
    and equivalent_sample_size: how the tables are made, as in `BayesianNetwork.fit`; they are the priors of the scores
    "left_out" (alpha) and "bdeu".
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
    cards, prior, given = [len(axes[v]) for v in names], prior_of(score, estimate), given_links(start, rules)

    def task(rows: Any, draw: np.random.Generator) -> Task:
        some = np.ascontiguousarray(codes[:, rows])
        weight_of = None if weights is None else np.ascontiguousarray(weights[rows])
        return Task(LocalScores(some, cards, score, prior, weight_of), rules, given, draw, significance)

    draw = np.random.default_rng(random_state)
    whole = task(slice(None), draw)
    found = look(whole)
    learned = summary(found, whole.scores, rules, axes, partial(network_of, axes, codes, weights, estimate))
    if not bootstrap:
        return learned

    def arcs(rows: Any, own: np.random.Generator) -> Links:
        again = look(task(rows, own))
        if again.interrupted:
            raise KeyboardInterrupt
        return again.links

    try:
        strengths = drawn_again(arcs, names, frame.rows, bootstrap, draw)
    except KeyboardInterrupt:
        return replace(learned, interrupted=True)
    return replace(learned, strengths=strengths, sure=dag_of(names, strengths.averaged(rules)))


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


def summary(
    found: Search, scores: LocalScores, rules: Rules, axes: Mapping[str, States], count: Counted
) -> LearnedNetwork:
    """The arcs that were found, and what each adds."""
    name = rules.names
    arcs = [(int(u), int(v)) for u, v in np.argwhere(found.links)]
    return LearnedNetwork(
        dag_of(name, found.links),
        axes,
        count,
        found.score,
        scores.kind,
        scores.rows,
        {(name[u], name[v]): -float(found.gains[u, v]) for u, v in arcs},
        tuple(found.path),
        tuple((name[u], name[v]) for u, v in np.argwhere(rules.required)),
        tuple((name[u], name[v]) for u, v in arcs if rules.required[u, v] or not rules.allowed[v, u]),
        int((~rules.allowed).sum()) - len(name),
        found.interrupted,
        found.optimal,
        found.tested,
    )


def dag_of(names: tuple[str, ...], links: Links) -> Dag:
    """The graph of some arcs [parent, child]."""
    return Dag(names, tuple(tuple(np.flatnonzero(column).tolist()) for column in links.T))


def network_of(
    axes: Mapping[str, States], codes: NDArray[np.uint16], weight: Floats | None, estimate: Estimate, dag: Dag
) -> BayesianNetwork:
    """A network of these arcs with its tables, counted from codes [column, row]."""
    learned = Learned(count_families(dag, axes, batch_of(dag.names, codes.T, weight)), estimate)
    return BayesianNetwork(dag, axes, learned.tables(dag), learned=learned)

"""A network learned from rows: which arcs, found by a search for the best score, and its tables.

>>> rows = {"rain": ["no", "no", "yes", "yes"] * 30, "wet": ["no", "no", "yes", "yes"] * 30, "day": ["mo", "tu"] * 60}
>>> print(learn_network(rows))
bic -175.93 of 120 rows and 3 columns: 1 arc
  rain - wet       +80.78  the data cannot tell which way it points
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesfold.data import tables as memory
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import Codes, encode
from bayesfold.networks.factor_states import States
from bayesfold.networks.graphical import Graphical
from bayesfold.networks.learning.bootstrap import bootstrap as drawn_again
from bayesfold.networks.learning.counts import encode_whole_rows, find_states
from bayesfold.networks.learning.em import EM, read_em
from bayesfold.networks.learning.found_states import mark_found
from bayesfold.networks.learning.options import check_columns, check_states, check_total
from bayesfold.networks.learning.parameters import Estimate
from bayesfold.networks.learning.posterior import find_arc_posterior as arc_posterior
from bayesfold.networks.learning.result import Counted, LearnedNetwork
from bayesfold.networks.learning.rules import Arcs, Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import Search, Watch
from bayesfold.networks.learning.search_rows import has_holes, refuse_levels, rows_to_search
from bayesfold.networks.learning.strategies import Task, find_strategy
from bayesfold.networks.learning.structural_em import search_with_holes
from bayesfold.networks.learning.summary import count_tables, fit_tables, summarize, to_dag
from bayesfold.networks.learning.ties import order_rows
from bayesfold.networks.learning.weightless_rows import blank_weightless
from bayesfold.networks.mixed.search import MixedTask, mixed_strategy
from bayesfold.networks.mixed.structure import MixedRows, count_mixed, mixed_states, refuse_with_numbers
from bayesfold.runtime.counts import check_count


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
    start: Graphical | Arcs | None = None,
    significance: float = 0.01,
    bootstrap: int = 0,
    posterior: bool | int = False,
    em: bool | EM = False,
    holes: str = "refuse",
    states: Mapping[str, Sequence[Level]] | None = None,
    numbers: str | Iterable[str] = "states",
    method: str = "lambda",
    alpha: float | Mapping[str, float] = 1.0,
    equivalent_sample_size: float | Mapping[str, float] = 1.0,
    weight: ArrayLike | None = None,
    random_state: int | np.random.Generator | None = 0,
    watch: Watch | None = None,
) -> LearnedNetwork:
    """Learn the structure and the tables of a Bayesian network from rows; Ctrl-C returns the best network so far.

    - columns: the columns to use (all).
    - score: "bic", "aic", "bdeu", "k2" or "left_out" (leave-one-out log-likelihood).
    - search: "climb" (hill climbing, tabu search, restarts), "tree" (Chow-Liu), "exact" (the global optimum, up to 25
      columns), "pc" (PC-stable, independence tests at the level `significance`) or "hybrid" (hill climbing among the
      pairs that the tests leave joined).
    - require, forbid: arcs (parent, child).
    - tiers: lists of columns in temporal order; no arc runs from a later list to an earlier one.
    - max_parents: the most parents of a node; with "pc", the largest conditioning set of a test.
    - start: one more network to start the search from.
    - bootstrap: the number of bootstrap samples for the strengths of arcs.
    - posterior: compute P(arc | rows): True, or the number of orders to sample.
    - em: structural EM, for rows with missing values.
    - holes: without `em`, "refuse" rows with missing values, or "leave_out": the search uses complete rows, and each
      table the rows that have all of its columns, as in `fit_network`.
    - numbers: with "states" every value is a state, so discretise columns of many numbers first; with "gaussian" a
      column of more than 12 distinct numbers is a linear Gaussian node, and the result a `MixedNetwork`; or the names
      of such columns.
    - method, alpha, equivalent_sample_size: the estimator of the tables, as in `BayesianNetwork.fit`; also the priors
      of the scores "left_out" (alpha) and "bdeu" (equivalent_sample_size).
    - watch: called with each stage of the search that finds a better network, and its score.
    """
    frame = memory.frame(table)
    columns, fixed = check_columns(columns, frame), check_states(states, frame)
    samples, iterated = check_count("bootstrap", bootstrap), read_em(em)
    names = tuple(sorted(columns))  # whatever order they stand in, ties are broken alike
    rules = Rules.of(names, require, forbid, tiers, max_parents)
    estimate = Estimate(method, alpha, equivalent_sample_size)
    estimate.check(names)
    frame, weights = blank_weightless(frame, names, weight)
    check_total(weights)
    if numbers != "states":
        refuse_with_numbers(posterior, iterated)
    axes = mixed_states(frame, names, numbers, fixed) if numbers != "states" else find_states(frame, names, fixed)
    for v in columns:
        refuse_levels(v, len(axes[v]))
    searched, times = rows_to_search(frame, columns, weights, holes, iterated is not None)
    count: Counted
    if numbers == "states":
        ask = search, score, start, significance, iterated, watch
        look_in, count = prepare_search(searched, rules, axes, times, estimate, *ask)
        if searched is not frame:
            count = partial(fit_tables, axes, frame, weights, estimate, None)
    else:
        mixed = MixedRows.of(searched, axes, times)
        rules, count = mixed.rules(rules), partial(count_mixed, axes, frame, weights, estimate)
        look_in = partial(mixed.look, mixed_strategy(search), rules, score, read_start(start, rules), watch=watch)
    count = partial(count_found, frozenset(names) - fixed.keys(), count)
    draw = np.random.default_rng(random_state)
    result, whole = look_in(slice(None), draw)
    learned = replace(summarize(result, whole.scores, rules, axes, count), left_out=frame.rows - searched.rows)
    if result.interrupted:
        return learned.with_nodes(columns)

    order = order_rows(searched, axes, times) if samples else np.empty(0, np.intp)

    def arcs(rows: Any, own: "np.random.Generator") -> Links:
        again, _ = look_in(order[rows], own)
        if again.interrupted:
            raise KeyboardInterrupt
        return again.links

    try:
        if posterior is not False and isinstance(whole, Task):
            learned = replace(learned, posterior=arc_posterior(whole.scores, rules, result.links, posterior, draw))
        if samples:
            strengths = drawn_again(arcs, rules, searched.rows, samples, draw)
            learned = replace(learned, strengths=strengths, sure=to_dag(names, strengths.averaged(rules)))
    except KeyboardInterrupt:
        learned = replace(learned, interrupted=True)
    return learned.with_nodes(columns)


def count_found(found: frozenset[str], count: Counted, dag: Dag) -> Any:
    """A network of these arcs, some of whose states were found in rows."""
    return mark_found(found, count(dag))


LookIn = Callable[[Any, np.random.Generator], tuple[Search, Task | MixedTask]]
"""Looks for arcs in some of the rows."""


def prepare_search(
    frame: Frame,
    rules: Rules,
    axes: Mapping[str, States],
    weights: Floats | None,
    estimate: Estimate,
    search: str,
    score: str,
    start: Graphical | Arcs | None,
    significance: float,
    em: EM | None,
    watch: Watch | None,
) -> tuple[LookIn, Counted]:
    """Where every column is one of states: what looks for arcs in some of the rows, and what counts the tables."""
    look, names = find_strategy(search), rules.names
    cards, prior, given = [len(axes[v]) for v in names], read_prior(score, estimate), read_start(start, rules)

    def task(codes: NDArray[np.uint16], often: Floats | None, begin: Links | None, own: "np.random.Generator") -> Task:
        return Task(LocalScores(codes, cards, score, prior, often), rules, begin, own, significance)

    def watch_for(rows: Any) -> Watch | None:
        return watch if isinstance(rows, slice) else None  # not of samples

    def whole_rows(rows: Any, own: "np.random.Generator") -> tuple[Search, Task]:
        often = None if weights is None else np.ascontiguousarray(weights[rows])
        ready = replace(task(np.ascontiguousarray(codes[:, rows]), often, given, own), watch=watch_for(rows))
        return look(ready), ready

    def rows_with_holes(rows: Any, own: "np.random.Generator") -> tuple[Search, Task]:
        def prepared(filled: Codes, often: Floats, links: Links | None) -> Task:
            return task(np.ascontiguousarray(filled.T, np.uint16), often, given if links is None else links, own)

        often = np.ones(holes.shape[0]) if weights is None else weights
        return search_with_holes(holes[rows], often[rows], axes, rules, prepared, look, own, watch_for(rows))

    if em and has_holes(frame, names, weights):
        refuse_left_out(score)
        holes = encode(frame, axes)
        return rows_with_holes, partial(fit_tables, axes, frame, weights, estimate, em)
    codes = encode_whole_rows(frame, axes, weights)
    return whole_rows, partial(count_tables, axes, codes, weights, estimate)


def refuse_left_out(score: str) -> None:
    """Refuse a score that holes do not go with."""
    if score == "left_out":
        raise ValueError(
            "the score left_out leaves out whole rows, one by one, and rows with holes are spread over what "
            'might stand there: take another score with em, for example "bic"'
        )


def read_prior(score: str, estimate: Estimate) -> float:
    """The number that a score's prior has."""
    option = {"bdeu": "equivalent_sample_size", "left_out": "alpha"}.get(score)
    given = getattr(estimate, option) if option else 1.0
    if isinstance(given, Mapping):
        raise ValueError(
            f"the score {score} has one prior for all nodes: give one number for {option}, not one for each"
        )
    return float(given)


def read_start(start: Graphical | Arcs | None, rules: Rules) -> Any:
    """The arcs to begin from, as a matrix; what the rules do not allow is left out."""
    if start is None:
        return None
    edges = start.edges if isinstance(start, Graphical) else tuple(start)
    dag = Dag.of(edges, rules.names)
    if set(dag.names) != set(rules.names):
        raise ValueError(
            f"the start has the node {(set(dag.names) - set(rules.names)).pop()!r}, which is no column of the table"
        )
    links = np.zeros((len(rules.names),) * 2, bool)
    index = {v: i for i, v in enumerate(rules.names)}
    for u, v in dag.edges:
        if rules.allowed[index[u], index[v]] and links[:, index[v]].sum() < rules.most:
            links[index[u], index[v]] = True
    Dag.of([(rules.names[i], rules.names[j]) for i, j in np.argwhere(links | rules.required)], rules.names)
    return links

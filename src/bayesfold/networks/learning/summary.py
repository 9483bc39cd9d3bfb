"""What a search found, as a network: its arcs with what each adds, and its tables once they are asked for."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.counts import count_families, make_batch
from bayesfold.networks.learning.em import EM
from bayesfold.networks.learning.parameters import Estimate, LearnedCounts
from bayesfold.networks.learning.result import Counted, LearnedNetwork
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import LocalScores
from bayesfold.networks.learning.search import Search
from bayesfold.networks.mixed.scores import MixedScores
from bayesfold.networks.network import BayesianNetwork


def summarize(
    result: Search, scores: LocalScores | MixedScores, rules: Rules, axes: Mapping[str, States], count: Counted
) -> LearnedNetwork:
    """The arcs that were found, and what each adds."""
    name = rules.names
    arcs = [(u, v) for u, row in enumerate(result.links.tolist()) for v, there in enumerate(row) if there]
    return LearnedNetwork(
        to_dag(name, result.links),
        axes,
        count,
        partial(score_arcs, name, scores if isinstance(scores, MixedScores) else pack_scores(scores)),
        result.score,
        scores.kind,
        scores.rows,
        {(name[u], name[v]): -float(result.gains[u, v]) for u, v in arcs},
        tuple(result.path),
        tuple((name[u], name[v]) for u, v in np.argwhere(rules.required)),
        tuple((name[u], name[v]) for u, v in arcs if rules.required[u, v] or not rules.allowed[v, u]),
        int((~rules.allowed).sum()) - len(name),
        result.interrupted,
        result.optimal,
        result.tested,
    )


def pack_scores(scores: LocalScores) -> tuple[Any, ...]:
    """What scores are made of: little, beside what they remember."""
    return scores.codes, scores.cards, scores.kind, scores.size, scores.weight


def score_arcs(names: tuple[str, ...], prepared: tuple[Any, ...] | MixedScores, dag: Dag) -> float:
    """The score of a network of these nodes, in whatever order it has them; prepared: what `LocalScores` is made of."""
    scores = prepared if isinstance(prepared, MixedScores) else LocalScores(*prepared)
    place = {v: i for i, v in enumerate(names)}
    families = ((place[v], frozenset(place[dag.names[u]] for u in dag.parents[dag.index[v]])) for v in dag.names)
    return sum(scores.of(v, parents) for v, parents in families)


def to_dag(names: tuple[str, ...], links: Links) -> Dag:
    """The graph of some arcs [parent, child]."""
    return Dag(names, tuple(tuple(u for u, there in enumerate(column) if there) for column in links.T.tolist()))


def count_tables(
    axes: Mapping[str, States], codes: NDArray[np.uint16], weight: Floats | None, estimate: Estimate, dag: Dag
) -> BayesianNetwork:
    """A network of these arcs with its tables, counted from codes [column, row], columns as in `axes`."""
    if dag.names != tuple(axes):
        codes = codes[[[*axes].index(v) for v in dag.names]]
        axes = {v: axes[v] for v in dag.names}
    learned = LearnedCounts(count_families(dag, axes, make_batch(dag.names, codes.T, weight)), estimate)
    return BayesianNetwork(dag, axes, learned.tables(dag), learned=learned)


def fit_tables(
    axes: Mapping[str, States], frame: Frame, weight: Floats | None, estimate: Estimate, em: EM | None, dag: Dag
) -> BayesianNetwork:
    """A network of these arcs with tables by EM or, without it, each of the rows that show all of its columns."""
    method, alpha, rows = estimate.method, estimate.alpha, estimate.equivalent_sample_size
    bare = BayesianNetwork(dag, {v: axes[v] for v in dag.names})
    return bare.fit(frame, method=method, alpha=alpha, equivalent_sample_size=rows, weight=weight, em=em or False)

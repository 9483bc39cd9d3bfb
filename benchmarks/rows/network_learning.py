"""Structures of six published networks from samples of 1,000, 5,000 and 20,000 rows, beside pyAgrum's hill climbing."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
from tests.networks.published import PATHS

from bayesfold import learn_network, read_network
from bayesfold.data import tables as memory
from bayesfold.networks.learning.counts import encode_whole_rows, find_states
from bayesfold.networks.learning.scores import LocalScores
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, at_least
from benchmarks.timing import alternate

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder")
ROWS = (1_000, 5_000, 20_000)
SCORES = {"bic": "useScoreBIC", "bdeu": "useScoreBDeu"}


def peer_arcs(table: pd.DataFrame, score: str) -> list[tuple[int, int]]:
    """The peer's arcs, by the numbers of the columns."""
    import pyagrum as gum

    learner = gum.BNLearner(table)
    getattr(learner, SCORES[score])()
    learner.useGreedyHillClimbing()
    return list(learner.learnDAG().arcs())


def score_of(table: pd.DataFrame, score: str, arcs: list[tuple[int, int]]) -> float:
    """What some arcs are worth, both sides' by the same scorer."""
    frame: Any = memory.frame(table)
    axes = find_states(frame, frame.names, {})
    scores = LocalScores(encode_whole_rows(frame, axes), [len(s) for s in axes.values()], score)
    return sum(scores.of(v, [u for u, w in arcs if w == v]) for v in range(len(axes)))


def run(options: Options) -> Iterator[Line]:
    """One sample of each size for each score; an answer disagrees where the peer's arcs score higher than ours."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    for name in NETWORKS:
        net = read_network(PATHS[name])
        for rows in ROWS[:1] if options.quick else ROWS:
            table = pd.DataFrame(net.sample(rows, random_state=40)).astype(str)
            place = {v: i for i, v in enumerate(table.columns)}
            for score in SCORES:
                ours_time, peer_time = alternate(
                    partial(learn_network, table, score=score), partial(peer_arcs, table, score), peer_repeats=3
                )
                found = learn_network(table, score=score)
                ours = score_of(table, score, [(place[u], place[v]) for u, v in found.dag.edges])
                lacking = score_of(table, score, peer_arcs(table, score)) - ours
                yield Line(
                    f"{name} {rows:,} rows, {score}",
                    "pyAgrum",
                    ours_time,
                    peer_time,
                    at_least(2.5),
                    Agreement(max(0.0, lacking), 1e-6),
                    note="both start from a pandas frame of text; the difference is by how much the peer's arcs score "
                    "higher; both end with arcs",
                )

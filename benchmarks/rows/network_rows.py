"""Posteriors of 10,000 rows with 20 % of the cells missing, four published networks, beside pyAgrum row by row."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from tests.networks.peers import as_pyagrum
from tests.networks.published import PATHS

from bayesfold import BayesianNetwork, read_network
from benchmarks.rows import Options
from benchmarks.table import Line, at_least, compare
from benchmarks.timing import alternate

NETWORKS = ("alarm", "insurance", "hailfinder", "win95pts")
MISSING = 0.2
PEER_ROWS = 60


def table(net: BayesianNetwork, rows: int, target: str) -> pa.Table:
    """Rows drawn from the network, with holes, as text in Arrow's columns: what reading a file gives."""
    draw = np.random.default_rng(0)
    columns = net.sample(rows, draw)
    for column in columns.values():
        column[draw.random(rows) < MISSING] = None
    columns[target][:] = None
    return pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})


def row_by_row(engine: Any, rows: list[dict[str, str]], targets: tuple[str, ...]) -> np.ndarray[Any, Any]:
    """The peer has no batch: evidence, inference, posteriors, again and again; it answers for the last target."""
    answers = []
    for row in rows:
        engine.setEvidence(row)
        engine.makeInference()
        answers.append([engine.posterior(v).toarray() for v in targets][-1])
    return np.array(answers)


def run(options: Options) -> Iterator[Line]:
    """Every variable, then one target; the peer's faster engine does the first 60 rows and is scaled up."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    for name in NETWORKS:
        net = read_network(PATHS[name])
        peer, rows, target = as_pyagrum(net), options.rows(10_000), net.nodes[-1]
        cells = table(net, rows, target)
        part = [{v: s for v, s in row.items() if s is not None} for row in cells.slice(0, PEER_ROWS).to_pylist()]
        for what, targets, goal in (("all nodes", net.nodes, at_least(100)), ("one target", (target,), at_least(50))):
            engines = []
            for kind in (gum.LazyPropagation, gum.ShaferShenoyInference):
                engine = kind(peer)
                if len(targets) == 1:
                    engine.eraseAllTargets()
                    engine.addTarget(target)
                engines.append(partial(row_by_row, engine, part, targets))
            ours = partial(net.posteriors, cells) if len(targets) > 1 else partial(net.predict_proba, cells, target)
            timed = [alternate(ours, engine, peer_repeats=3) for engine in engines]
            ours_time, peer_time = min(timed, key=lambda pair: pair[1].median)
            answer = ours()[target] if len(targets) > 1 else ours()
            agreement = compare(answer[: len(part)], engines[0](), 1e-12)
            yield Line(
                f"{name} {rows:,} rows, 20 % missing, {what}",
                "pyAgrum",
                ours_time,
                peer_time.times(rows / len(part)),
                goal,
                agreement,
                note=f"the peer's faster engine does {len(part)} rows, one thread, and its time is scaled up to all; "
                "ours starts from text, the peer from dicts",
            )

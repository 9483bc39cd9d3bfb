"""Twenty questions with new evidence each, every published network, beside pyAgrum's faster engine."""

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from tests.networks.peers import as_pyagrum
from tests.networks.published import NODES, PATHS

from bayesfold import BayesianNetwork, read_network
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, at_least
from benchmarks.timing import alternate

QUESTIONS = 20
SLOWEST = {"munin1", "link"}
"""All nodes of these take the peer minutes: they are asked with --full only."""
SLOW = 2.0
"""Where the peer takes so many seconds a question, it is asked fewer."""


def questions(net: BayesianNetwork, count: int) -> list[tuple[str, dict[str, Any]]]:
    """A target and a few observations, drawn together so that they can happen."""
    draw = np.random.default_rng(3)
    drawn = net.sample(count, draw)
    found = []
    for i in range(count):
        target, *observed = draw.permutation(net.nodes)[: min(6, len(net.nodes) - 1)].tolist()
        found.append((target, {v: drawn[v][i] for v in observed}))
    return found


def ours_one(net: BayesianNetwork, asked: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """One target each."""
    return [net.query(target, evidence=evidence).values for target, evidence in asked]


def ours_all(net: BayesianNetwork, asked: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Every variable; the answer about the target is kept."""
    return [net.posteriors(evidence)[target][0] for target, evidence in asked]


def peer_one(engine: Any, asked: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """One target each."""
    answers = []
    for target, evidence in asked:
        engine.eraseAllTargets()
        engine.addTarget(target)
        engine.setEvidence(evidence)
        engine.makeInference()
        answers.append(engine.posterior(target).toarray())
    return answers


def peer_all(engine: Any, asked: list[tuple[str, dict[str, Any]]], nodes: tuple[str, ...]) -> list[Any]:
    """Every variable."""
    answers = []
    for target, evidence in asked:
        engine.setEvidence(evidence)
        engine.makeInference()
        answers.append({v: engine.posterior(v).toarray() for v in nodes}[target])
    return answers


def run(options: Options) -> Iterator[Line]:
    """One target and all variables of each network, smallest first; the time is that of one question."""
    import pyagrum as gum

    gum.setNumberOfThreads(1)
    for name in ("asia", "alarm") if options.quick else NODES:
        net = read_network(PATHS[name])
        peer, asked = as_pyagrum(net), questions(net, QUESTIONS)
        for what, goal in (("one target", at_least(8)), ("all nodes", at_least(10 if len(net.nodes) <= 100 else 2))):
            if what == "all nodes" and name in SLOWEST and not options.full:
                continue
            kinds = [gum.LazyPropagation] if len(net.nodes) > 150 else [gum.LazyPropagation, gum.ShaferShenoyInference]
            best, count = None, QUESTIONS
            for kind in kinds:
                engine = kind(peer)
                task = partial(peer_one, engine) if what == "one target" else partial(peer_all, engine, nodes=net.nodes)
                task(asked[:1])
                begin = time.perf_counter()
                task(asked[1:2])
                took = time.perf_counter() - begin
                if best is None or took < best[0]:
                    best = took, task
            assert best is not None
            if best[0] > SLOW / QUESTIONS:
                count = 3 if best[0] < SLOW else 1
            ours = partial(ours_one if what == "one target" else ours_all, net, asked[:count])
            ours_time, peer_time = alternate(
                ours, partial(best[1], asked[:count]), peer_repeats=2 if count < 4 else None
            )
            far = max(float(np.abs(a - b).max()) for a, b in zip(ours(), best[1](asked[:count]), strict=True))
            yield Line(
                f"{name} ({len(net.nodes)} nodes), new evidence, {what}",
                "pyAgrum",
                ours_time.times(1 / count),
                peer_time.times(1 / count),
                goal,
                Agreement(far, 1e-12),
                note="from names to names, no plan is kept but an order of elimination for the whole network; "
                "the peer's faster engine (Lazy, Shafer-Shenoy), one thread",
            )

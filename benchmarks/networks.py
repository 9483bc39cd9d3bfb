"""Inference alone, question by question beside pyAgrum: `python -m benchmarks.networks [alarm,water] [--rows]`.

The rows `network_query` and `network_rows` of the table time everything from names to names; here both sides start from
codes, and each question is timed by itself, because a median can hide that some question is slower than the peer's.
Times are processor time, pyAgrum's on one thread and of its faster engine for each question.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyagrum as gum
from tests.networks.peers import as_pyagrum
from tests.networks.published import NODES, PATHS

from bayesfold import BayesianNetwork, read_network
from bayesfold.networks.inference import Engine, InferenceProblem

OBSERVED = 5
ROWS, PEER_ROWS, ROW_NETWORKS = 10_000, 60, ("alarm", "child", "insurance", "hailfinder", "win95pts", "hepar2")
FEW = {"link": 2, "munin1": 3, "barley": 10}
"""Questions where the peer takes minutes; five for other networks above 300 nodes, twenty otherwise."""


@dataclass(frozen=True)
class Case:
    """One question: a target, or all variables, given a few observations that can happen together."""

    target: int
    evidence: dict[int, int]


class Sides:
    """The same network on both sides, asked by numbers."""

    def __init__(self, name: str) -> None:
        net = read_network(PATHS[name])
        self.net, self.nodes = net, net.nodes
        index = {v: i for i, v in enumerate(net.nodes)}
        parents = tuple(tuple(index[p] for p in net.parents(v)) for v in net.nodes)
        cards = tuple(len(net.states(v)) for v in net.nodes)
        self.ours = Engine(
            InferenceProblem(cards, parents, tuple(net.table(v).values for v in net.nodes)), limit=2.0**34
        )
        kinds = (
            (gum.LazyPropagation,) if name in ("link", "munin1") else (gum.LazyPropagation, gum.ShaferShenoyInference)
        )
        peer = as_pyagrum(net)
        self.peers = [kind(peer) for kind in kinds]

    def peer(self, engine: Any, evidence: dict[int, int], targets: list[int]) -> list[Any]:
        """Posteriors of the targets; both index variables and states alike."""
        engine.setEvidence({self.nodes[v]: state for v, state in evidence.items()})
        engine.setTargets({self.nodes[v] for v in targets})
        engine.makeInference()
        return [engine.posterior(self.nodes[v]).toarray() for v in targets]


def codes(net: BayesianNetwork, rows: int, draw: np.random.Generator) -> np.ndarray[Any, Any]:
    """Rows drawn from the network."""
    drawn = net.sample(rows, draw)
    places = [{state: k for k, state in enumerate(net.states(v))} for v in net.nodes]
    return np.array([[place[s] for s in drawn[v]] for v, place in zip(net.nodes, places, strict=True)]).T


def cases(net: BayesianNetwork, count: int) -> Iterator[Case]:
    """New evidence each time."""
    draw = np.random.default_rng(5)
    for row in codes(net, count, draw):
        target, *observed = draw.permutation(len(row))[: min(OBSERVED + 1, len(row) - 1)].tolist()
        yield Case(target, {v: int(row[v]) for v in observed})


def clock(task: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """The shortest of a few runs, and the answer."""
    best, answer = float("inf"), None
    for _ in range(repeats):
        begin = time.process_time()
        answer = task()
        best = min(best, time.process_time() - begin)
        if best > 1.0:
            break
    return best, answer


def questions(name: str) -> Iterator[str]:
    """One target, then all variables."""
    sides = Sides(name)
    every = list(range(len(sides.nodes)))
    asked = list(cases(sides.net, FEW.get(name, 5 if len(every) > 300 else 20)))
    for what in ("one target", "all nodes"):
        ours_times, ratios, difference = [], [], 0.0
        for case in asked:
            targets = [case.target] if what == "one target" else every
            if what == "one target":
                ours, found = clock(lambda case=case: [sides.ours.marginal(case.target, case.evidence)], 3)
            else:
                ours, found = clock(lambda case=case: sides.ours.marginals(case.evidence), 3)
            timed = [clock(lambda p=p, c=case, t=targets: sides.peer(p, c.evidence, t), 3) for p in sides.peers]
            peer, expected = min(timed, key=lambda pair: pair[0])
            ours_times.append(ours)
            ratios.append(peer / ours)
            difference = max(difference, *(float(np.abs(a - b).max()) for a, b in zip(found, expected, strict=True)))
        yield (
            f"{name:11} {len(every):5} {what:11} {len(asked):3} {statistics.median(ours_times) * 1e3:10.3f} ms "
            f"{statistics.median(ratios):8.1f}x {min(ratios):7.2f}x {sum(r < 1 for r in ratios):3} {difference:9.1e}"
        )


def rows(name: str) -> Iterator[str]:
    """Many rows with missing cells; the peer does the first few."""
    sides, draw = Sides(name), np.random.default_rng(3)
    every, whole = list(range(len(sides.nodes))), codes(sides.net, ROWS, draw)
    target = next(v for v in every if not sides.net.parents(sides.nodes[v]))
    for missing in (0.2, 0.5, 0.8):
        table = np.where(draw.random(whole.shape) < missing, -1, whole)
        for what, targets in (("one target", [target]), ("all nodes", every)):
            hidden = target if what == "one target" else -1
            if hidden >= 0:
                ours, found = clock(lambda table=table: [sides.ours.predict(table, target)], 3)
            else:
                ours, found = clock(lambda table=table: sides.ours.posteriors(table), 3)
            part = [{v: int(c) for v, c in enumerate(r) if c >= 0 and v != hidden} for r in table[:PEER_ROWS]]
            timed = [
                clock(lambda p=p, part=part, t=targets: [sides.peer(p, evidence, t) for evidence in part], 2)
                for p in sides.peers
            ]
            peer, expected = min(timed, key=lambda pair: pair[0])
            difference = max(
                float(np.abs(found[k][i] - values).max())
                for i, row in enumerate(expected)
                for k, values in enumerate(row)
            )
            ratio = peer / PEER_ROWS * ROWS / ours
            yield f"{name:11} {missing:4.0%} {what:11} {ROWS / ours:9.0f} rows/s {ratio:8.1f}x {difference:9.1e}"


def main() -> None:
    """Print one of the two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.networks", description="Inference beside pyAgrum.")
    parser.add_argument("networks", nargs="?", help="which, separated by commas (default: all)")
    parser.add_argument("--rows", action="store_true", help="tables with missing cells instead of single questions")
    chosen = parser.parse_args()
    gum.setNumberOfThreads(1)
    names = (
        chosen.networks.split(",") if chosen.networks else ROW_NETWORKS if chosen.rows else sorted(NODES, key=NODES.get)
    )
    if chosen.rows:
        print("network     miss  what         ours, one core     ratio  difference")
    else:
        print("network     nodes what        asked   ours, median   median    worst slower  difference")
    for name in names:
        for line in rows(name) if chosen.rows else questions(name):
            print(line, flush=True)


if __name__ == "__main__":
    main()

"""Arcs from rows with holes: structural EM (Friedman 1997).

Rows are completed as the network so far expects them: a row with holes is spread over what might stand there, each
completion by its posterior. A search over the completed rows finds a network of a higher expected score, whose tables
say anew what stands in the holes, until the arcs so far are the best that the search finds. A row that has very many
completions has some of its holes filled by a draw from their posterior first.

>>> net = BayesianNetwork.from_edges([("a", "b")], tables={"a": {"x": 0.5, "y": 0.5}, "b": [[0.75, 0.25], [0.1, 0.9]]},
...                                  states={"b": ("x", "y")})
>>> rows, weight = complete_rows(net, np.array([[0, -1], [1, 1]], np.int32), np.ones(2), np.random.default_rng(0))
>>> rows.tolist(), weight.round(9).tolist()
([[0, 0], [0, 1], [1, 1]], [0.75, 0.25, 1.0])
"""

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import Codes
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.clique_tree import CliqueTree
from bayesfold.networks.learning.em import EM, fold_repeated_rows, iterate_em, start_tables
from bayesfold.networks.learning.parameters import Estimate
from bayesfold.networks.learning.rules import Links, Rules
from bayesfold.networks.learning.scores import score_family
from bayesfold.networks.learning.search import Search, Watch
from bayesfold.networks.learning.strategies import Strategy, Task, score_network
from bayesfold.networks.learning.ties import LEAST
from bayesfold.networks.learning.tree import find_tree
from bayesfold.networks.network import BayesianNetwork

MOST_COMPLETIONS = 16
"""Completions that a row is spread over; of a row that has more, some holes are filled first."""

TURNS = 20
"""Searches, one after another, that there may be."""

STEPS = 5
"""Turns of EM on the same arcs between two searches."""

WHOLE = 0.2
"""Share of rows without holes from which these alone say where to begin."""

Prepare = Callable[[Codes, Floats, Links | None], Task]
"""The search over some rows, without holes, of some weight each, and where it is to begin."""


def search_with_holes(
    codes: Codes,
    weight: Floats,
    axes: Mapping[str, States],
    rules: Rules,
    prepare: Prepare,
    look: Strategy,
    draw: "np.random.Generator",
    watch: Watch | None = None,
) -> tuple[Search, Task]:
    """The network that the search finds again on rows completed by itself, and the search that ended with it."""
    rows, times = fold_repeated_rows(codes, weight)
    path: list[tuple[str, float]] = []
    links, net = None, find_first_network(rows, times, axes, rules, prepare, look)
    for turn in range(TURNS):
        filled, often = complete_rows(net, rows, times, draw)
        task = prepare(filled, often, links)
        result = look(task)
        if links is not None:
            before = score_network(task, links, "the same")
            if result.score <= before.score + LEAST:
                before.path, before.tested = path, result.tested
                return before, task
        path.append((f"turn {turn + 1}", result.score))
        if watch is not None:
            watch(*path[-1])
        result.path, links = path, result.links
        if result.interrupted:
            break
        net = fit_arcs(links, filled, often, rows, times, axes)
    return result, task


def find_first_network(
    rows: Codes, times: Floats, axes: Mapping[str, States], rules: Rules, prepare: Prepare, look: Strategy
) -> BayesianNetwork:
    """Where to begin: what whole rows say if they are many, otherwise a tree of what the rows say of each pair."""
    whole = (rows >= 0).all(1)
    if times[whole].sum() < WHOLE * times.sum():
        return fit_arcs(find_tree(score_pairs(rows, times, axes), rules, LEAST), rows, times, rows, times, axes)
    result = look(prepare(rows[whole], times[whole], None))
    return fit_arcs(result.links, rows[whole], times[whole], rows, times, axes)


def score_pairs(rows: Codes, times: Floats, axes: Mapping[str, States]) -> Floats:
    """What an arc between two nodes would add to the BIC of the rows that show both."""
    cards = [len(states) for states in axes.values()]
    gains = np.zeros((len(cards), len(cards)))
    for u, v in combinations(range(len(cards)), 2):
        both = (rows[:, u] >= 0) & (rows[:, v] >= 0)
        place = rows[both, u] * cards[v] + rows[both, v]
        cells: Floats = np.bincount(place, times[both], cards[u] * cards[v]).astype(np.float64).reshape(cards[u], -1)
        seen = float(cells.sum())
        alone = score_family("bic", cells.sum(0, keepdims=True), seen)
        gains[u, v] = gains[v, u] = score_family("bic", cells, seen) - alone
    return gains


def fit_arcs(
    links: Links, first_rows: Codes, often: Floats, rows: Codes, times: Floats, axes: Mapping[str, States]
) -> BayesianNetwork:
    """The network of some arcs, its tables those of some rows improved by a few turns of EM on all of them."""
    dag = Dag(tuple(axes), tuple(tuple(np.flatnonzero(column).tolist()) for column in links.T))
    cliques = CliqueTree.of([len(axes[v]) for v in dag.names], dag.parents)
    start = start_tables(cliques, dag, first_rows, often, (), np.random.default_rng(0))
    tables, _ = iterate_em(cliques, start, rows, times, dag.names, Estimate("mle"), EM(iterations=STEPS))
    return BayesianNetwork(dag, axes, dict(zip(dag.names, tables, strict=True)))


def complete_rows(
    net: BayesianNetwork, codes: Codes, weight: Floats, draw: np.random.Generator
) -> tuple[Codes, Floats]:
    """Rows without holes: each one spread over its completions by their posterior."""
    cards = np.array([len(net.axes[v]) for v in net.nodes])
    rows = fill_holes(MOST_COMPLETIONS, net, codes, cards, draw)
    origin = np.arange(len(rows))
    for v in np.flatnonzero((rows < 0).any(0)).tolist():
        times = np.where(rows[:, v] < 0, cards[v], 1)
        ends = np.cumsum(times)
        state = np.arange(ends[-1]) - np.repeat(ends - times, times)
        rows, origin = np.repeat(rows, times, axis=0), np.repeat(origin, times)
        rows[:, v] = np.where(rows[:, v] < 0, state, rows[:, v])
    logs = np.zeros(len(rows))
    with np.errstate(divide="ignore"):
        for node, name in enumerate(net.nodes):
            family = (*net.dag.parents[node], node)
            logs += np.log(net.tables[name])[tuple(rows[:, u] for u in family)]
    begins = np.flatnonzero(np.diff(origin, prepend=-1))
    share = np.exp(logs - np.maximum.reduceat(logs, begins)[origin])
    share *= (weight / np.add.reduceat(share, begins))[origin]
    kept = share > 0
    return np.ascontiguousarray(rows[kept]), np.ascontiguousarray(share[kept])


def fill_holes(
    most: int,
    net: BayesianNetwork,
    codes: Codes,
    cards: NDArray[np.intp],
    draw: "np.random.Generator",
) -> Codes:
    """Rows of at most so many completions: of others the hole that most of them have is filled, then the next."""
    rows = codes.copy()
    while len(many := np.flatnonzero(np.where(rows < 0, np.log(cards), 0.0).sum(1) > np.log(most) + 1e-9)):
        v = int((rows[many] < 0).sum(0).argmax())
        lacking = many[rows[many, v] < 0]
        shares = np.cumsum(net.answers.engine.predict(np.ascontiguousarray(rows[lacking]), v), axis=1)
        rows[lacking, v] = np.minimum((shares < draw.random((len(lacking), 1)) * shares[:, -1:]).sum(1), cards[v] - 1)
    return rows

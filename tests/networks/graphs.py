"""Random graphs, tables and networks for the tests of networks."""

import os
from itertools import pairwise

import numpy as np

from bayesfold.networks.dag import Dag
from bayesfold.networks.network import BayesianNetwork

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"


def times(full: int) -> int:
    """How many random cases to run: all of them in a soak, otherwise a tenth."""
    return full if SOAK else max(1, full // 10)


def random_edges(draw, nodes, density):
    """Edges of a random graph without cycles; names are shuffled, so that order says nothing."""
    names = [f"n{i}" for i in draw.permutation(nodes)]
    pairs = [(i, j) for j in range(nodes) for i in range(j)]
    chosen = draw.random(len(pairs)) < density
    return names, [(names[i], names[j]) for (i, j), take in zip(pairs, chosen, strict=True) if take]


def random_table(draw, shape, zeros=0.0):
    """P(child | parents), the child's axis last; some cells may be zero, never a whole row."""
    table = draw.dirichlet(np.ones(shape[-1]), shape[:-1] or None).reshape(shape)
    if zeros:
        holes = draw.random(shape) < zeros
        holes[..., 0] = False
        table = np.where(holes, 0.0, table)
        table /= table.sum(-1, keepdims=True)
    return table


def random_network(draw, nodes, zeros=0.0):
    """A network with two or three states a variable."""
    names, edges = random_edges(draw, nodes, 0.4)
    dag = Dag.of(edges, names)
    axes = {v: tuple("abc"[: draw.integers(2, 4)]) for v in dag.names}
    tables = {
        v: random_table(draw, (*(len(axes[dag.names[p]]) for p in above), len(axes[v])), zeros)
        for v, above in zip(dag.names, dag.parents, strict=True)
    }
    return BayesianNetwork(dag, axes, tables)


def many_children(count, seed=0, low=0.05, high=0.25):
    """A class and so many children that, all seen in state 0, have a probability beyond doubles; log P(class, seen)."""
    rows = np.random.default_rng(seed).uniform(low, high, (count, 2))
    tables = {"class": [0.3, 0.7], **{f"x{i}": np.stack([row, 1 - row], 1) for i, row in enumerate(rows)}}
    net = BayesianNetwork.from_edges([("class", f"x{i}") for i in range(count)], tables=tables)
    return net, {f"x{i}": 0 for i in range(count)}, np.log([0.3, 0.7]) + np.log(rows).sum(0)


def shares(logs):
    """Probabilities in proportion to these."""
    p = np.exp(logs - logs.max())
    return p / p.sum()


def chain(length):
    """x0 -> x1 -> ..., two states each."""
    names = [f"x{i}" for i in range(length)]
    tables = {names[0]: [0.5, 0.5], **{v: [[0.9, 0.1], [0.2, 0.8]] for v in names[1:]}}
    return BayesianNetwork.from_edges(list(pairwise(names)), tables=tables)

"""Random graphs, tables and networks for the tests of networks."""

import os

import numpy as np

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"


def times(full: int) -> int:
    """How many random cases to run: all of them in a soak, otherwise a tenth."""
    return full if SOAK else max(1, full // 10)


def random_edges(draw, nodes, density):
    """Edges of a random graph without circles; names are shuffled, so that order says nothing."""
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

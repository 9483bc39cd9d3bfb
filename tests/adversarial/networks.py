"""Networks as nobody would draw them: odd names and states, impossible parents, sure and tiny probabilities."""

from itertools import product
from typing import Any

import numpy as np

import bayesfold as bf

NAMES = [
    "a", "b", "given", "x y", "a,b", 'q"q', "it's", "é", "名", "🙂", "1", "-", "P(a)", "a=b", "evidence", "table", "|",
    "a|b", "probability", "<x>", "&amp;", "//", "/* c */", "{", "}", "\\", "%", "node", "(", "default",
]  # fmt: skip
STATES = [
    "yes",
    "no",
    "0",
    "1",
    "a b",
    "a,b",
    'q"q',
    "",
    " ",
    "é",
    "🙂",
    "true",
    "<b>",
    "1.5",
    "//",
    "{x}",
    "nan",
    "|",
    "=",
]


def network(seed: int) -> Any:
    """The network of this seed, of at most seven variables."""
    draw = np.random.default_rng([seed, 4])
    names = [str(n) for n in draw.choice(NAMES, int(draw.integers(1, 8)), replace=False)]
    states = {n: [str(s) for s in draw.choice(STATES, int(draw.integers(1, 4)), replace=False)] for n in names}
    edges = [(a, b) for j, b in enumerate(names) for a in names[:j] if draw.random() < 0.4]
    tables = {}
    for name in names:
        parents = [a for a, b in edges if b == name]
        shape = (*(len(states[p]) for p in parents), len(states[name]))
        tables[name] = rows(draw, shape)
    return bf.BayesianNetwork.from_edges(edges, nodes=names, states=states, tables=tables)


def rows(draw: np.random.Generator, shape: tuple[int, ...]) -> Any:
    """P(child | parents): usual rows, sure ones, and some with a cell that is nearly impossible."""
    table = draw.dirichlet(np.ones(shape[-1]), shape[:-1] or None).reshape(shape)
    kind = int(draw.integers(4))
    if kind == 1 and shape[-1] > 1:
        table = np.eye(shape[-1])[draw.integers(0, shape[-1], shape[:-1])].reshape(shape)
    elif kind == 2 and shape[-1] > 1:
        table[..., 0] = 10.0 ** draw.integers(-300, -5, shape[:-1])
        table[..., 1:] *= ((1 - table[..., 0]) / table[..., 1:].sum(-1))[..., None]
    return table


def brute(net: Any) -> tuple[list[str], Any]:
    """The variables, and the joint probability of all their states by the chain rule alone."""
    names = list(net.nodes)
    joint = np.ones([len(net.states(n)) for n in names])
    for name in names:
        table = net.table(name)
        for cell in product(*(range(size) for size in joint.shape)):
            joint[cell] *= table.values[tuple(cell[names.index(v)] for v in table.variables)]
    return names, joint

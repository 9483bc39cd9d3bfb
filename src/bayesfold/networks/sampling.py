"""Rows drawn from a network, parents first; observed variables are held, and the rows weighted by how likely that was.

>>> dag = Dag(("rain", "wet"), ((), (0,)))
>>> tables = (np.array([0.2, 0.8]), np.array([[0.9, 0.1], [0.15, 0.85]]))
>>> codes, log_weight = sample_forward(dag, tables, 10_000, np.random.default_rng(0), {1: 0})       # wet = yes
>>> weight = np.exp(log_weight)
>>> round(float(weight[codes[:, 0] == 0].sum() / weight.sum()), 1)                           # P(rain = yes | wet = yes)
0.6
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag

Codes = NDArray[np.int32]


def sample_forward(
    dag: Dag,
    tables: Sequence[Floats],
    rows: int,
    draw: "np.random.Generator",
    evidence: Mapping[int, int],
    only: Collection[int] | None = None,
) -> tuple[Codes, Floats]:
    """States by code, one row per draw, and log prod P(observed | parents) of each; `only` some nodes, with parents."""
    codes = np.full((rows, len(dag.names)), -1, np.int32)
    log_weight = np.zeros(rows)
    for node in dag.order if only is None else [v for v in dag.order if v in only]:
        parents = dag.parents[node]
        table = tables[node]
        chances = table[tuple(codes[:, p] for p in parents)] if parents else np.broadcast_to(table, (rows, len(table)))
        if node in evidence:
            codes[:, node] = evidence[node]
            with np.errstate(divide="ignore"):
                log_weight += np.log(chances[:, evidence[node]])
        else:
            codes[:, node] = pick_states(chances, draw)
    return codes, log_weight


def pick_states(chances: Floats, draw: "np.random.Generator") -> NDArray[np.intp]:
    """One state a row by inverting the distribution function; a state without a chance is never picked."""
    heights = chances.cumsum(1)
    states: NDArray[np.intp] = (draw.random(len(chances))[:, None] * heights[:, -1:] >= heights).sum(1)
    return np.minimum(states, last_possible(chances))


def last_possible(chances: Floats) -> NDArray[np.intp]:
    """The last state with a chance: where rounding would step past it."""
    places: NDArray[np.intp] = chances.shape[1] - 1 - (chances[:, ::-1] > 0).argmax(1)
    return places


def to_states(
    codes: Codes, names: Sequence[str], axes: Mapping[str, Sequence[object]]
) -> dict[str, NDArray[np.object_]]:
    """Columns of states by name."""
    columns = {}
    for j, name in enumerate(names):
        states = np.empty(len(axes[name]), object)
        states[:] = list(axes[name])
        columns[name] = states[codes[:, j]]
    return columns

"""Networks as people give them: which nodes are numbers, which states categories have, tables and lines checked.

>>> dag = Dag.of([("sex", "height")])
>>> axes_of(dag, {"height": {"f": LinearGaussian(165, 6), "m": LinearGaussian(178, 7)}}, {}, ())
{'height': (), 'sex': ('f', 'm')}
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import Factor
from bayesfold.networks.factor_states import States, check_name, refuse_holes
from bayesfold.networks.mixed.kinds import Kinds
from bayesfold.networks.mixed.lines import LinearGaussian as LinearGaussian
from bayesfold.networks.mixed.lines import Lines, has_lines, read_lines
from bayesfold.networks.query import read_state
from bayesfold.networks.tables import read_table, states_in
from bayesfold.runtime.messages import listed


def axes_of(
    dag: Dag, given: Mapping[str, Any], declared: Mapping[str, Any], numbers: Iterable[str]
) -> dict[str, States]:
    """The states of the nodes as far as they are said, () for a number."""
    for v in (*given, *declared):
        check_name("node", v, dag.index)
    axes: dict[str, States] = {check_name("node", v, dag.index): () for v in numbers}
    axes |= {v: () for v, table in given.items() if has_lines(table)}
    for v, states in declared.items():
        if v in axes:
            raise ValueError(f"{v!r} is a number, and a number has no states: leave it out of states=")
        axes[v] = tuple(states)
    for own in (True, False):  # a variable's own table comes before what its children say
        for v, table in given.items():
            above = [u for u in (dag.names[p] for p in dag.parents[dag.index[v]]) if axes.get(u) != ()]
            for u, own_states in states_in(table, v, above).items():
                if (u == v) is own:
                    axes.setdefault(u, own_states)
    for v, states in axes.items():
        if len(set(states)) < len(states):
            raise ValueError(f"the states of {v!r} must be distinct: {listed(states)}")
        refuse_holes(v, states)
    return axes


def refuse_backwards(dag: Dag, axes: Mapping[str, States]) -> None:
    """Refuse a category below a number; a node of which nothing is said is taken for a category."""
    Kinds(dag, {v: axes.get(v, (True,)) for v in dag.names})


def read_tables(dag: Dag, axes: Mapping[str, States], given: Mapping[str, Any]) -> dict[str, Floats | Lines]:
    """The table of each category and the lines of each number that was given."""
    read: dict[str, Floats | Lines] = {}
    for v, table in given.items():
        parents = [dag.names[p] for p in dag.parents[dag.index[v]]]
        if lacking := [u for u in (*parents, v) if u not in axes]:
            raise ValueError(
                f"what is given for {v!r} needs the states of {listed(lacking)}: give states=, or numbers="
            )
        above = {u: axes[u] for u in parents if axes[u]}
        if not axes[v]:
            read[v] = read_lines(table, v, above, [u for u in parents if not axes[u]])
            continue
        if isinstance(table, np.ndarray | Factor | Mapping | list):
            read[v] = read_table(table, v, parents, axes)
        else:
            raise TypeError(f"{v!r} is a category and needs a table of probabilities, not {table!r}")
    return read


def make_certain(name: str, states: States, given: Any) -> Floats | Lines:
    """The table or the line of a node that is set to a state or a number."""
    state = read_state(name, states, given)
    return np.eye(len(states))[states.index(state)] if states else Lines(np.array(state), np.zeros(0), np.zeros(()))

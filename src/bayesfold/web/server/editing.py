"""A network with other arcs and tables.

A new arc leaves every probability as it is: the child's table says the same for each state of the new parent. An arc
that goes takes its parent's place in the child's table by the mean over the parent's states, by their probability.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.network import BayesianNetwork

MOST_CELLS = 200_000


def add_arc(net: BayesianNetwork, parent: str, child: str) -> BayesianNetwork:
    """The network with one arc more; a circle is refused, and a table that would be too large."""
    net.states(parent)
    before = net.parents(child)
    if parent in before:
        raise ValueError(f"there is an arc {parent} -> {child} already")
    size = prod(len(net.states(v)) for v in (*before, parent, child))
    if size > MOST_CELLS:
        raise ValueError(f"the table of {child!r} would have {size:,} numbers; {MOST_CELLS:,} are allowed here")
    table = np.repeat(net.table(child).values[..., None, :], len(net.states(parent)), axis=-2)
    return change_family(net, child, (*before, parent), table)


def remove_arc(net: BayesianNetwork, parent: str, child: str) -> BayesianNetwork:
    """The network with one arc less."""
    before = net.parents(child)
    if parent not in before:
        raise ValueError(f"there is no arc {parent} -> {child}")
    table = np.average(net.table(child).values, axis=before.index(parent), weights=net.query(parent).values)
    return change_family(net, child, tuple(v for v in before if v != parent), np.asarray(table))


def set_table(net: BayesianNetwork, node: str, lines: Sequence[Sequence[float]]) -> BayesianNetwork:
    """The network with another table of a node: one line for each combination of its parents' states."""
    shape = tuple(len(net.states(v)) for v in (*net.parents(node), node))
    if len(lines) != prod(shape[:-1]) or any(len(line) != shape[-1] for line in lines):
        raise ValueError(f"the table of {node!r} has {prod(shape[:-1])} lines of {shape[-1]} numbers")
    return change_family(net, node, net.parents(node), np.array(lines, np.float64).reshape(shape))


def change_family(net: BayesianNetwork, child: str, parents: Sequence[str], table: Floats) -> BayesianNetwork:
    """The network with these parents and this table of a node; rows that do not sum to 1 are refused."""
    index = net.dag.index
    every = {v: tuple(index[p] for p in (parents if v == child else net.parents(v))) for v in net.nodes}
    tables: Mapping[str, Floats] = {**net.tables, child: table}
    return replace(net, dag=Dag(net.nodes, tuple(every[v] for v in net.nodes)), tables=tables)

"""States that rows have brought into a network: they come with the first row that shows them and go with the last.

So a network that forgets is the network of the rows that are left, and no name of a row that is gone stays in it. What
somebody has declared (states=, tables) stays. A node that no row shows any more keeps its states: it needs some.

>>> import bayesfold as bf
>>> net = bf.fit_network([("rain", "wet")], {"rain": ["no", "yes", "storm"], "wet": ["no", "yes", "yes"]})
>>> net.forget({"rain": ["storm"], "wet": ["yes"]}).states("rain")
('no', 'yes')
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bayesfold.data import tables as memory
from bayesfold.data.encodings import Categories
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import UNKNOWN, find_slot, is_row
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.counts import make_schema, refuse_states
from bayesfold.networks.learning.parameters import LearnedCounts
from bayesfold.networks.network import BayesianNetwork
from bayesfold.runtime.messages import ordered
from bayesfold.tally.trimming import restrict, rows_by_level

Counts = tuple[LearnedCounts, Mapping[str, States]]
"""What was counted, and the states that it was counted by."""


def mark_found(found: Iterable[str], net: BayesianNetwork) -> BayesianNetwork:
    """The network with a note of the nodes whose states were found in rows; one that keeps no counts as it is."""
    return net if net.learned is None else replace(net, learned=replace(net.learned, found=frozenset(found)))


def widen_states(learned: LearnedCounts, dag: Dag, axes: Mapping[str, States], table: Any) -> Counts:
    """With the states that these rows show and none before them did."""
    if not learned.found:
        return learned, axes
    frame = memory.frame({name: [value] for name, value in table.items()} if is_row(table) else table)
    fresh: dict[str, States] = {}
    for v in sorted(learned.found & frame.position.keys()):
        if new := [level for level in frame.coded(v).levels if find_slot(axes[v], level) == UNKNOWN]:
            fresh[v] = ordered([*axes[v], *new])
            refuse_states(v, fresh[v])
    return with_states(learned, dag, {**axes, **fresh}) if fresh else (learned, axes)


def narrow_states(learned: LearnedCounts, dag: Dag, axes: Mapping[str, States]) -> Counts:
    """Without the states that no row shows any more."""
    left: dict[str, States] = {}
    for v in learned.found:
        column = learned.tally.schema.columns[v]
        assert isinstance(column, Categories)
        rows = rows_by_level(learned.tally, column)
        shown = tuple(state for state, n in zip(axes[v], rows.tolist(), strict=True) if n)
        if 0 < len(shown) < len(axes[v]):
            left[v] = shown
    if not left:
        return learned, axes
    narrowed = {**axes, **left}
    return replace(learned, tally=restrict(learned.tally, make_schema(dag, narrowed))), narrowed


def unite_states(learned: LearnedCounts, dag: Dag, axes: Mapping[str, States], other: BayesianNetwork) -> Counts:
    """With the states that another network of the same nodes has found in its rows."""
    theirs = other.learned.found if other.learned is not None else frozenset()
    shared = {
        v: ordered(list(dict.fromkeys([*axes[v], *other.axes[v]])))
        for v in learned.found & theirs
        if set(axes[v]) != set(other.axes[v])
    }
    return with_states(learned, dag, {**axes, **shared}) if shared else (learned, axes)


def with_states(learned: LearnedCounts, dag: Dag, axes: Mapping[str, States]) -> Counts:
    """The same counts by more states."""
    return replace(learned, tally=learned.tally.on(make_schema(dag, axes))), axes

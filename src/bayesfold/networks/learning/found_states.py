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
from typing import Any, TypeVar

from bayesfold.data import tables as memory
from bayesfold.data.encodings import Categories
from bayesfold.data.schema import Schema
from bayesfold.networks.counting import Counting
from bayesfold.networks.evidence import UNKNOWN, find_slot, is_row
from bayesfold.networks.factor_states import States
from bayesfold.networks.learning.counts import refuse_states
from bayesfold.runtime.messages import ordered
from bayesfold.tally.trimming import restrict, rows_by_level

Counts = tuple[Any, Mapping[str, States]]
"""What was counted, and the states that it was counted by."""

Network = TypeVar("Network", bound=Counting)


def mark_found(found: Iterable[str], net: Network) -> Network:
    """The network with a note of the nodes whose states were found in rows; one that keeps no counts as it is."""
    if net.learned is None:
        return net
    whole: Any = net
    made: Network = replace(whole, learned=replace(net.learned, found=frozenset(v for v in found if net.axes.get(v))))
    return made


def widen_states(learned: Any, axes: Mapping[str, States], table: Any) -> Counts:
    """With the states that these rows show and none before them did."""
    if not learned.found:
        return learned, axes
    frame = memory.frame({name: [value] for name, value in table.items()} if is_row(table) else table)
    fresh: dict[str, States] = {}
    for v in sorted(learned.found & frame.position.keys()):
        if new := [level for level in frame.coded(v).levels if find_slot(axes[v], level) == UNKNOWN]:
            fresh[v] = ordered([*axes[v], *new])
            refuse_states(v, fresh[v])
    return with_states(learned, axes, fresh)


def narrow_states(learned: Any, axes: Mapping[str, States]) -> Counts:
    """Without the states that no row shows any more."""
    left: dict[str, States] = {}
    for v in learned.found:
        rows = rows_by_level(learned.tally, learned.tally.schema.columns[v])
        shown = tuple(state for state, n in zip(axes[v], rows.tolist(), strict=True) if n)
        if 0 < len(shown) < len(axes[v]):
            left[v] = shown
    if not left:
        return learned, axes
    narrowed = {**axes, **left}
    return replace(learned, tally=restrict(learned.tally, by_states(learned.tally.schema, left))), narrowed


def unite_states(learned: Any, axes: Mapping[str, States], other: Counting) -> Counts:
    """With the states that another network of the same nodes has found in its rows."""
    theirs = other.learned.found if other.learned is not None else frozenset()
    shared = {
        v: ordered(list(dict.fromkeys([*axes[v], *other.axes[v]])))
        for v in learned.found & theirs
        if set(axes[v]) != set(other.axes[v])
    }
    return with_states(learned, axes, shared)


def with_states(learned: Any, axes: Mapping[str, States], more: Mapping[str, States]) -> Counts:
    """The same counts by more states of some nodes."""
    if not more:
        return learned, axes
    return replace(learned, tally=learned.tally.on(by_states(learned.tally.schema, more))), {**axes, **more}


def by_states(schema: Schema, states: Mapping[str, States]) -> Schema:
    """The same columns, some of them of other states."""
    return replace(
        schema, features=tuple(Categories(c.name, states[c.name]) if c.name in states else c for c in schema.features)
    )

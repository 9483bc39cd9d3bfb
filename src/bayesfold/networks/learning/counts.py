"""The statistic of a network: how often each family, a node with its parents, shows each combination of states.

>>> dag = Dag(("rain", "wet"), ((), (0,)))
>>> axes = {"rain": ("no", "yes"), "wet": ("no", "yes")}
>>> tally, _ = count_table({"rain": ["no", "no", "yes", None], "wet": ["no", "yes", "yes", "no"]}, dag, axes)
>>> read_family(tally, dag, 1).tolist()                       # a row with a hole in a family is not counted there
[[1.0, 1.0], [0.0, 1.0]]
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesfold.data import tables as memory
from bayesfold.data.batch import Batch, Panel
from bayesfold.data.column_values import float_per_row
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.schema import Schema
from bayesfold.networks.dag import Dag
from bayesfold.networks.evidence import encode, encode_column
from bayesfold.networks.factor_states import States
from bayesfold.runtime.messages import listed, ordered
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally, cut

MOST_NUMBERS = 256
"""So many different numbers that are not whole may a column have before it is taken for a measurement."""

MOST_STATES = 65_536
"""A column with more states is an identifier, or text."""

MOST_WEIGHT = 1e100
"""The largest sum of weights: squares of sums, and their logarithms, still are numbers."""


def count_table(
    table: Any, dag: Dag, axes: Mapping[str, States], weight: ArrayLike | None = None
) -> tuple[Tally, Batch]:
    """The tally of every family, and the rows it was counted from: those that weigh something."""
    codes = encode(table, axes)
    batch = make_batch(dag.names, codes, None if weight is None else check_weights(weight, len(codes))).weighing()
    return count_families(dag, axes, batch), batch


def make_batch(names: tuple[str, ...], codes: NDArray[Any], weight: Floats | None) -> Batch:
    """Rows as codes [row, node], -1 for a hole, as the counter takes them: all of one class."""
    slots = Panel(names, np.add(codes, 1, dtype=np.int32, order="C"))
    return Batch(len(codes), (slots,), labels=np.ones(len(codes), np.int32), weight=weight)


def count_families(dag: Dag, axes: Mapping[str, States], batch: Batch) -> Tally:
    """The tally of every family."""
    return count(make_schema(dag, axes), list_cliques(dag), batch)


def make_schema(dag: Dag, axes: Mapping[str, States]) -> Schema:
    """Every node as a column. The counter wants a class too: all rows are of one."""
    everything = "rows"
    while everything in axes:
        everything += "_"
    return Schema(Categories(everything, (True,)), tuple(Categories(v, axes[v]) for v in dag.names))


def list_cliques(dag: Dag) -> tuple[Clique, ...]:
    """One table for each node: its parents, itself, and the class."""
    last = make_schema(dag, dict.fromkeys(dag.names, ())).target.name
    return tuple(
        Clique((*(dag.names[p] for p in parents), v, last)) for v, parents in zip(dag.names, dag.parents, strict=True)
    )


def read_family(tally: Tally, dag: Dag, node: int) -> Floats:
    """The weight of the rows that show each combination of states, axes (*parents, node); rows with a hole aside."""
    clique = tally.layout.cliques[node]
    numbers = tally.weights.sum(0) if tally.weighted else tally.counts
    cells = cut(numbers, tally.layout.offsets[clique][0], tally.layout.shape(clique))
    return np.asarray(cells[(slice(1, None),) * (len(dag.parents[node]) + 1)][..., 1], np.float64)


def find_states(table: Any, names: Sequence[str], known: Mapping[str, States]) -> dict[str, States]:
    """The states of every node: those known, otherwise the values that its column shows, in order."""
    lacking = [v for v in names if v not in known]
    if not lacking:
        return {v: known[v] for v in names}
    frame = memory.frame(table)
    if absent := [v for v in lacking if v not in frame.position]:
        raise ValueError(
            f"the table has no column {listed(absent)}, and nothing else says its states: add the column, or give "
            "states= to from_edges"
        )
    shown = {v: ordered(frame.coded(v).levels) for v in lacking}
    for v, states in shown.items():
        refuse_states(v, states)
    return {v: known.get(v) or shown[v] for v in names}


def encode_whole_rows(frame: Frame, axes: Mapping[str, States], weight: Floats | None = None) -> NDArray[np.uint16]:
    """The rows as codes [column, row]. A score compares families counted over the same rows: none that weighs anything
    may have a hole."""
    if not frame.rows:
        raise ValueError("the table has no rows; give at least one to learn from")
    codes = np.empty((len(axes), frame.rows), np.uint16)
    for j, (name, states) in enumerate(axes.items()):
        codes[j] = encode_column(frame, name, states, 0, np.uint16)
        if (row := first_hole(frame, name, weight)) is not None:
            raise ValueError(
                f"row {row} has no value of {name!r}: structures are learned from whole rows. Take em=True (structural "
                "EM), or leave out the rows or the columns with holes"
            )
    return codes


def first_hole(frame: Frame, name: str, weight: Floats | None) -> int | None:
    """The first row that weighs something and shows no value in a column."""
    row = frame.coded(name).first_missing()
    if row is None or weight is None:
        return row
    holes = (frame.coded(name).index < 0) & (weight > 0)
    return int(holes.argmax()) if holes.any() else None


def find_whole_rows(frame: Frame, names: Iterable[str]) -> NDArray[np.bool_]:
    """Which rows show a value in all of these columns."""
    shown = [shows_value(frame, name) for name in names]
    return np.logical_and.reduce(shown) if shown else np.ones(frame.rows, bool)


def shows_value(frame: Frame, name: str) -> NDArray[np.bool_]:
    """Which rows show a value in a column; an empty field is a hole too."""
    column = frame.column(name)
    if isinstance(column, np.ndarray) and column.dtype.kind == "f":
        return ~np.isnan(column)
    return frame.coded(name).index >= 0


def refuse_states(name: str, states: States) -> None:
    """Refuse a column that is no category, and say what to do."""
    if not states:
        raise ValueError(f"the column {name!r} has no value at all: leave the node out, or give its states")
    broken = sum(isinstance(s, float) and not s.is_integer() for s in states)
    if broken > MOST_NUMBERS:
        raise ValueError(
            f"the column {name!r} has {len(states):,} different numbers: cut it into intervals first, because every "
            "state of a node has a place in its table"
        )
    if len(states) > MOST_STATES:
        raise ValueError(f"the column {name!r} has {len(states):,} different values, so it names rows: leave it out")


def check_weights(weight: ArrayLike, rows: int) -> Floats:
    """How often each row counts."""
    try:
        weights = float_per_row(weight)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (rows,) or not np.all((weights >= 0) & np.isfinite(weights)):
        raise ValueError(f"weight must be one finite number of at least 0 for each of {rows} rows")
    if weights.max(initial=0.0) > MOST_WEIGHT / max(rows, 1):
        raise ValueError(f"the weights are too large to be summed: divide them, so that all are below {MOST_WEIGHT:g}")
    return weights

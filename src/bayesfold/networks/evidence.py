"""What was observed, as codes: one row per case, one column per variable, -1 where nothing was seen.

>>> encode([{"smoke": "yes"}, {"smoke": None, "age": 2}], {"smoke": ("yes", "no"), "age": (1, 2)})
array([[ 0, -1],
       [-1,  1]], dtype=int32)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data import tables as memory
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.row_cells import CELLS, own_cell
from bayesfold.networks.factor_states import States, find_state, place_state
from bayesfold.runtime.messages import refuse_strangers
from bayesfold.runtime.threads import each

Codes = NDArray[np.int32]
UNKNOWN = -2
PLAIN = (str, int, float, bool, type(None))
"""Values of Python's own that fill one cell; others of one cell (decimals, scalars of any library) have no length."""


def encode(table: Any, axes: Mapping[str, States], unread: str | None = None) -> Codes:
    """Any table, or one dict of states; a column that is no variable is passed over, a variable without one unseen.

    unread: a variable that is unseen whatever its column holds.
    """
    if is_row(table):
        return encode_row(blank(table, unread), axes)
    frame = memory.frame(table)
    refuse_strangers(dict.fromkeys(frame.names), tuple(axes))
    shown = [name for name in axes if name in frame.position and name != unread]
    places = {name: j for j, name in enumerate(axes)}
    codes = np.full((frame.rows, len(axes)), -1, np.int32)
    columns = each(lambda name: encode_column(frame, name, axes[name]), shown, frame.rows)
    for name, column in zip(shown, columns, strict=True):
        codes[:, places[name]] = column
    return codes


def encode_column(frame: Frame, name: str, states: States, missing: int = -1, kind: Any = np.int32) -> NDArray[Any]:
    """One column by the places of its states, `missing` where it shows none; an unknown one is refused with its row."""
    coded = frame.coded(name)
    if "" in states and coded.first_missing() is not None:
        refuse_empty(name, coded.first_missing())
    slots = [find_slot(states, level) for level in coded.levels]
    if UNKNOWN in slots:
        lost = slots.index(UNKNOWN)
        refuse_state(int(np.flatnonzero(coded.index == lost)[0]), name, states, coded.levels[lost])
    return coded.places(slots, missing, kind)


def encode_row(row: Mapping[str, Any], axes: Mapping[str, States]) -> Codes:
    """One row given as a dict: the same codes as `encode` makes of a table with that one row."""
    codes = np.full((1, len(axes)), -1, np.int32)
    for v, code in observed_in(row, axes, {name: j for j, name in enumerate(axes)}).items():
        codes[0, v] = code
    return codes


def blank(row: Mapping[Any, Any], unread: str | None) -> Mapping[Any, Any]:
    """A row with nothing in the cell of that name.

    >>> blank({"smoke": "yes", "age": 2}, "age")
    {'smoke': 'yes', 'age': None}
    """
    return row if unread is None else {name: None if str(name) == unread else value for name, value in row.items()}


def is_row(table: Any) -> bool:
    """Whether it is one dict of states, and no table of columns."""
    return isinstance(table, Mapping) and all(map(is_cell, table.values()))


def is_cell(value: Any) -> bool:
    """Whether this fills one cell.

    >>> is_cell("yes"), is_cell(np.array(2.5)), is_cell(["yes"])
    (True, True, False)
    """
    return isinstance(value, PLAIN) or not hasattr(value, "__len__") or getattr(value, "shape", None) == ()


def read_cell(value: Any) -> Any:
    """One cell as a table of it would hold it: Python's own, None where it is missing.

    >>> from decimal import Decimal
    >>> read_cell(Decimal("1.5")), read_cell(np.True_), read_cell(np.datetime64("NaT"))
    (1.5, True, None)
    """
    if type(value) in CELLS:
        return value
    value = own_cell(value)
    return None if type(value).__name__ in ("NAType", "NaTType") else value


def observed_in(row: Mapping[str, Any], axes: Mapping[str, States], index: Mapping[str, int]) -> dict[int, int]:
    """What one row shows: the place of the state, by the number of the variable.

    >>> axes = {"age": (1, 2), "smoke": ("yes", "no")}
    >>> observed_in({"smoke": "no", "age": None, "id": 7}, axes, {"age": 0, "smoke": 1})
    {1: 1}
    """
    seen = {}
    strange = bool(row)
    for name, value in row.items():
        if not isinstance(name, str):
            name = str(name)
        states = axes.get(name)
        if states is None:
            continue
        strange, value = False, read_cell(value)
        if value is None or value != value or value == "":
            if value == "" and "" in states:
                refuse_empty(name, 0)
            continue
        code = find_slot(states, value)
        if code == UNKNOWN:
            refuse_state(0, name, states, value)
        seen[index[name]] = code
    if strange:
        refuse_strangers(row, tuple(axes))
    return seen


def refuse_empty(name: str, row: int | None) -> None:
    """Refuse an empty cell of a variable that has an empty state: is that the state, or was nothing seen?"""
    raise ValueError(
        f"row {row}: {name!r} has an empty cell, which is a hole, and an empty state, which it may mean: give the "
        "state a name, or leave the column out"
    )


def refuse_state(row: int, name: str, states: States, value: Any) -> None:
    """Say where the unknown state stands, and which there are."""
    try:
        find_state(name, states, value)
    except ValueError as error:
        raise ValueError(f"row {row}: {error}") from None


def find_slot(states: States, level: Any) -> int:
    """Where a value stands among the states, as in a question; UNKNOWN if nowhere."""
    place = place_state(states, level)
    return UNKNOWN if place is None else place


@dataclass(frozen=True)
class Allowed:
    """Which states of a family one table allows together: a slot 0 on each axis stands for "anything"."""

    family: tuple[int, ...]
    steps: NDArray[np.intp]
    cells: NDArray[np.bool_]

    @classmethod
    def by(cls, family: tuple[int, ...], table: Floats) -> "Allowed":
        """What a table does not rule out."""
        cells = table > 0
        for axis in range(cells.ndim):
            cells = np.concatenate([cells.any(axis, keepdims=True), cells], axis)
        steps = np.array([prod(cells.shape[k + 1 :]) for k in range(cells.ndim)], np.intp)
        return cls(family, steps, cells.ravel())


def first_impossible(codes: Codes, allowed: Sequence[Allowed]) -> int | None:
    """The first row that one table alone rules out: every cell that agrees with it is 0.

    >>> copy = Allowed.by((0, 1), np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> first_impossible(np.array([[0, 0], [-1, 1], [0, 1]], np.int32), [copy])
    2
    """
    good = np.ones(len(codes), bool)
    columns = np.ascontiguousarray(codes.T, np.intp) + 1
    for one in allowed:
        cell = columns[one.family[0]] * one.steps[0]
        for v, step in zip(one.family[1:], one.steps[1:], strict=True):
            cell += columns[v] * step
        good &= one.cells[cell]
    return None if good.all() else int(good.argmin())

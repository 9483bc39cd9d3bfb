"""What `learn_network` is asked, checked before any row is counted.

>>> check_columns("age", Frame.of({"age": [1]}))
Traceback (most recent call last):
ValueError: columns must be a list of names: ['age']
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.factor_states import States, key_by_name, name_of
from bayesfold.runtime.messages import listed


def check_columns(columns: Iterable[Any] | None, frame: Frame) -> tuple[str, ...]:
    """The names of the columns to use, all if None; a table without rows is refused too."""
    if isinstance(columns, str):
        raise ValueError(f"columns must be a list of names: [{columns!r}]")
    names = frame.names if columns is None else tuple(map(name_of, columns))
    if not names or len(set(names)) < len(names):
        raise ValueError(f"name one or more distinct columns, not {listed(names) or 'none'}")
    frame.require(names)
    if not frame.rows:
        raise ValueError("the table has no rows; give at least one to learn from")
    return names


def check_states(states: Mapping[Any, Sequence[Any]] | None, frame: Frame) -> dict[str, States]:
    """The states that are given, by the name of their column."""
    given = key_by_name(states or {})
    frame.require(given)
    for name, levels in given.items():
        if isinstance(levels, str) or not len(levels) or len(set(levels)) < len(levels):
            raise ValueError(f"the states of {name!r} must be a list of one or more distinct values, not {levels!r}")
    return {name: tuple(levels) for name, levels in given.items()}


def check_total(weights: Floats | None) -> None:
    """Refuse weights that leave nothing to learn from."""
    if weights is not None and not weights.any():
        raise ValueError("all weights are zero, so there is nothing to learn; give some row a weight above 0")

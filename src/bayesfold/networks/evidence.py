"""What was observed, as codes: one row a case, one column a variable, -1 where nothing was seen.

>>> encode([{"smoke": "yes"}, {"smoke": None, "age": 2}], {"smoke": ("yes", "no"), "age": (1, 2)})
array([[ 0, -1],
       [-1,  1]], dtype=int32)
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.engines import memory
from bayesfold.factor import States, place
from bayesfold.schema import listed, refuse_strangers

Codes = NDArray[np.int32]


def encode(table: Any, axes: Mapping[str, States]) -> Codes:
    """Any table, or one dict of states; a column that is no variable is passed over, a variable without one unseen."""
    if isinstance(table, Mapping) and any(np.ndim(v) == 0 for v in table.values()):
        table = [table]
    frame = memory.frame(table)
    refuse_strangers(dict.fromkeys(frame.names), tuple(axes))
    codes = np.full((frame.rows, len(axes)), -1, np.int32)
    for j, (name, states) in enumerate(axes.items()):
        if name not in frame.position:
            continue
        coded = frame.coded(name)
        slots = [slot(states, level) for level in coded.levels]
        if -2 in slots:
            lost = slots.index(-2)
            row = int(np.flatnonzero(coded.index == lost)[0])
            try:
                place(name, states, coded.levels[lost])
            except ValueError as error:
                raise ValueError(f"row {row}: {error}") from None
        codes[:, j] = coded.places(slots, -1)
    return codes


def slot(states: States, level: Any) -> int:
    """Where a value stands among the states, by equality or as written (2.0 is also "2"); -2 if nowhere."""
    if level in states:
        return states.index(level)
    written = [str(s) for s in states]
    for text in (str(level), str(int(level)) if isinstance(level, float) and level.is_integer() else None):
        if text in written:
            return written.index(text)
    return -2


def contradiction(possible: Callable[[Sequence[Any]], bool], items: Sequence[Any]) -> list[Any]:
    """A smallest set of observations that cannot happen together: take one away and the rest can.

    Each round finds, by halving, the first observation that makes those before it impossible.

    >>> contradiction(lambda seen: not {2, 5} <= set(seen), range(10))
    [5, 2]
    """
    kept: list[Any] = []
    rest = list(items)
    while possible(kept):
        low, high = 0, len(rest)  # kept + rest[:low] is possible, kept + rest[:high] is not
        while high - low > 1:
            middle = (low + high) // 2
            if possible([*kept, *rest[:middle]]):
                low = middle
            else:
                high = middle
        kept.append(rest[low])
        rest = rest[:low]
    return kept


def in_words(names: Sequence[str], axes: Mapping[str, States], codes: Mapping[int, int]) -> str:
    """name=state for some variables by number."""
    return ", ".join(f"{names[v]}={axes[names[v]][s]}" for v, s in codes.items())


def likelihoods(soft: Mapping[str, Any], axes: Mapping[str, States]) -> dict[str, NDArray[np.float64]]:
    """Soft evidence, P(what was seen | state), as arrays in the order of the states."""
    found = {}
    for name, given in soft.items():
        states = axes[name]
        if isinstance(given, Mapping):
            values = np.zeros(len(states))
            for state, value in given.items():
                values[place(name, states, state)] = value
            if len(given) != len(states):
                raise ValueError(f"the likelihood of {name!r} needs a number for each of {listed(states)}")
        else:
            values = np.array(given, np.float64)
        if values.shape != (len(states),) or not np.all((values >= 0) & np.isfinite(values)):
            raise ValueError(f"the likelihood of {name!r} is one number of at least 0 for each of {listed(states)}")
        found[name] = values
    return found

"""The axes of factors: names, states, how many cells there are, and numbers in words."""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import prod
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.networks.interval import Interval
from bayesfold.runtime.messages import listed, nearest, suggest

States: TypeAlias = tuple[Level, ...]

MOST_AXES = 32
"""More variables than this in one table are refused: even of two states each they would not fit in memory."""

MOST_CELLS = 1 << 28
"""Tables of more cells than this are refused before they are allocated."""


MOST_ADDED = 1e100
"""The most that may be added to a count: sums over the cells of a table still are numbers."""


def shape_cells(values: Any, axes: Mapping[str, States]) -> Floats:
    """Numbers with an axis for each variable: given so, or one after another, the last variable's states innermost."""
    shape = tuple(map(len, axes.values()))
    cells = np.array(values, np.float64, order="C")
    if cells.shape in (shape, (prod(shape),)):
        return cells.reshape(shape)
    over = " x ".join(f"{name} ({len(states)})" for name, states in axes.items()) or "one number"
    if cells.size != prod(shape):
        raise ValueError(f"a table over {over} has {prod(shape)} cells, but {cells.size} values were given")
    raise ValueError(
        f"a table over {over} has the shape {shape}, but the values have the shape {cells.shape}: name the variables "
        "in the order of the axes, or give the values one after another"
    )


def read_scale(number: Any) -> float:
    """The one number that a table is to be scaled by, or moved by."""
    if isinstance(number, Real | Decimal | np.bool_) or (isinstance(number, np.ndarray) and number.ndim == 0):
        return float(number)
    raise TypeError(f"a table is multiplied by a table or by one number, not by {number!r}; so for + and /")


def scale_to_sum(values: Floats, axes: Mapping[str, States]) -> Floats:
    """The cells, smaller where their sum would be no number; what is no share of anything is refused."""
    right = np.isfinite(values) & (values >= 0)
    if not right.all():
        cell = np.unravel_index(int(np.argmin(right)), values.shape)
        where = ", ".join(f"{v}={states[i]}" for (v, states), i in zip(axes.items(), cell, strict=True)) or "the number"
        raise ValueError(f"{where} is {values[cell]:g}: only finite numbers of at least 0 can be divided by their sum")
    with np.errstate(over="ignore"):
        return values if np.isfinite(values.sum()) else np.asarray(values / values.max())


def check_added(alpha: float) -> None:
    """Refuse what cannot be added to every count."""
    if not 0 <= alpha <= MOST_ADDED:
        raise ValueError(
            f"alpha is added to every count and must be a finite number of at least 0 and at most {MOST_ADDED:g}, not "
            f"{alpha}"
        )


def divide(a: Any, b: Any) -> Floats:
    """a / b with 0 / 0 = 0; anything else over zero is refused."""
    a, b = np.broadcast_arrays(a, b)
    if np.any((b == 0) & (a != 0)):
        raise ZeroDivisionError("a cell that is not 0 would be divided by 0")
    ratio: Floats = np.divide(a, b, out=np.zeros(a.shape), where=b != 0)
    return ratio


def log_sum(logs: Floats, axis: tuple[int, ...] | None = None) -> Any:
    """log sum exp along some axes: sums of numbers that are too small for a double themselves.

    >>> round(float(log_sum(np.array([-1000.0, -1000.0]))), 4)
    -999.3069
    """
    top = logs.max(axis=axis, keepdims=True)
    safe = np.where(top > -np.inf, top, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(logs - safe).sum(axis=axis)) + safe.reshape(np.shape(logs.max(axis=axis)))


def refuse_size(axes: Mapping[str, States]) -> None:
    """Refuse a table that would not fit, with its size."""
    cells = prod(map(len, axes.values()))
    if cells > MOST_CELLS or len(axes) > MOST_AXES:
        raise ValueError(
            f"a table over {len(axes)} variables would have {shorten_count(cells)} cells "
            f"({shorten_count(8 * cells)} bytes; the limits are {MOST_AXES} variables and {MOST_CELLS} cells). Sum "
            "variables out first, or observe some"
        )


def shorten_count(count: int) -> str:
    """A count of any size in few characters.

    >>> shorten_count(2**40), shorten_count(2**5000)
    ('1.1e+12', '1.41e+1505')
    """
    if count < 10**300:
        return f"{count:.3g}"
    digits = count.bit_length() - 64
    power = math.log10(count >> digits) + digits * math.log10(2)
    return f"{10 ** (power % 1):.2f}e+{int(power)}"


def name_of(name: Any) -> str:
    """The name of a variable: text, or a number as it is written, so that 3 and "3" are the same variable.

    >>> name_of(3), name_of("rain")
    ('3', 'rain')
    """
    if isinstance(name, str | int | float | np.number | np.bool_):
        return str(name)
    raise TypeError(f"a variable is named by text or by a number, not by {name!r}, a {type(name).__name__}")


def write_pairs(given: Mapping[str, Any]) -> str:
    """What was observed, and set, as a question writes it; soft evidence, numbers by state, only by its name.

    >>> write_pairs({"smoke": "no", "do(dose)": 2, "likelihood of xray": {"yes": 0.7, "no": 0.2}})
    'smoke=no, do(dose=2), likelihood of xray'
    """
    set_to = {name: name[len("do(") : -1] for name in given if name.startswith("do(") and name.endswith(")")}
    return ", ".join(
        v if isinstance(s, Mapping) else f"do({set_to[v]}={s})" if v in set_to else f"{v}={s}" for v, s in given.items()
    )


def key_by_name(given: Mapping[Any, Any]) -> dict[str, Any]:
    """The same with names of variables as keys; two that are written alike are refused.

    >>> key_by_name({1: "a", "b": 2})
    {'1': 'a', 'b': 2}
    """
    by_name: dict[str, Any] = {}
    for name, value in given.items():
        if by_name.setdefault(name_of(name), value) is not value:
            raise ValueError(f"two variables are written {name_of(name)!r}; rename one")
    return by_name


def join_given(given: Mapping[Any, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
    """What was given as a dict and what as keywords, by name, to be read only; a variable that is in both is refused.

    >>> join_given({"rain": "yes"}, {"wet": "no"})
    {'rain': 'yes', 'wet': 'no'}
    """
    if type(given) is dict and not more and {str}.issuperset(map(type, given)):  # most questions
        return given
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"states are given as a dict, as in {{'rain': 'yes'}}, not as {given!r}")
    by_name = key_by_name(given or {})
    for name, state in more.items():
        if name in by_name:
            raise ValueError(f"{name!r} is named twice; name each variable once")
        by_name[name] = state
    return by_name


def as_arrow(states: States) -> Any:
    """States as an Arrow array; those of several kinds as they are written."""
    import pyarrow as pa

    try:
        return pa.array(states)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([str(state) for state in states])


def refuse_holes(variable: str, states: States) -> None:
    """Refuse a state that every table reads as a hole: what was observed would be passed over in rows.

    >>> refuse_holes("rain", ("yes", None))
    Traceback (most recent call last):
    ValueError: None cannot be a state of 'rain': in a table it is an empty cell. Give the state a name
    """
    for state in states:
        if state is None or state != state:
            raise ValueError(
                f"{state} cannot be a state of {variable!r}: in a table it is an empty cell. Give the state a name"
            )


def check_name(kind: str, name: Any, names: Iterable[Any]) -> Any:
    """The name itself if it is one of `names`, or is written so; otherwise an error with the nearest there is."""
    every = names if isinstance(names, Mapping) else list(names)
    if name in every:
        return name
    if not isinstance(name, str) and str(name) in every:
        return str(name)
    raise ValueError(f"there is no {kind} {name!r}; {suggest(name, every)}")


def find_state(variable: str, states: States, state: Any) -> int:
    """Where a state stands, found as `place_state` does; an unknown one is refused with the nearest there is.

    >>> find_state("dose", (1, 2), "2")
    1
    """
    place = place_state(states, state)
    if place is not None:
        return place
    near = nearest(state, [str(s) for s in states])
    hint = "" if near is None else f"did you mean {near!r}? "
    raise ValueError(f"{variable!r} has no state {state!r}; {hint}its states are {listed(states)}")


def place_state(states: States, state: Any) -> int | None:
    """Where a state stands: by equality, by how it is written, so that "1" finds 1, or as the interval of a number.

    A whole number is written with and without its ".0": pandas makes 1.0 of it where a column has holes.

    >>> place_state((1.0, 2.0), "2"), place_state(("1", "2"), 2.0), place_state((1, 2), "2.0"), place_state((1, 2), 3)
    (1, 1, 1, None)
    """
    try:
        return states.index(state)
    except (ValueError, TypeError):  # also of an array, or of pandas' NA, which are equal to nothing
        pass
    written = [str(s) for s in states]
    if str(state) in written:
        return written.index(str(state))
    ways = write_number(state)
    for place, one in enumerate(states):
        if not ways.isdisjoint(write_number(one)) or (isinstance(one, Interval) and one.holds(state)):
            return place
    return None


def write_number(value: Any) -> set[str]:
    """The ways in which a number may be written; text in its own alone.

    >>> sorted(write_number(2.0)), write_number("02"), write_number(True)
    (['2', '2.0'], {'02'}, {'True'})
    """
    if isinstance(value, float | int) and not isinstance(value, bool) and abs(value) < 2**53 and value == int(value):
        return {str(int(value)), str(float(value))}
    return {str(value)}


def print_number(x: float) -> str:
    """A cell in print: six digits, no trailing zeros."""
    return f"{float(x):.6g}"

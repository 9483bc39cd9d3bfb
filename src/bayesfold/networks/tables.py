"""P(child | parents) as people write it, an array, nested dicts or a factor, as one array with axes (*parents, child).

>>> axes = {"rain": ("yes", "no"), "wet": ("yes", "no")}
>>> read_table({"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.2, "no": 0.8}}, "wet", ("rain",), axes)
array([[0.9, 0.1],
       [0.2, 0.8]])
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.factor import Factor
from bayesfold.networks.factor_states import States, find_state
from bayesfold.runtime.messages import listed

SLACK = 1e-4
"""How far from 1 a row may sum before it is refused: files print a few digits. Rows are then divided by their sum."""


def read_table(given: Any, child: str, parents: Sequence[str], axes: Mapping[str, States]) -> Floats:
    """The table, checked: every cell there, at least 0, and every row summing to 1."""
    names = (*parents, child)
    shape = tuple(len(axes[v]) for v in names)
    if isinstance(given, Factor):
        if set(given.axes) != set(names):
            raise ValueError(f"the table of {child!r} must be over {listed(names)}, not over {listed(given.axes)}")
        cells = (Factor({v: axes[v] for v in names}, np.zeros(shape)) + given).values  # axes and states as in the first
    elif isinstance(given, Mapping):
        cells = np.full(shape, np.nan)
        fill(given, child, parents, axes, (), cells)
    else:
        cells = np.array(given, np.float64)
        if cells.shape != shape:
            raise ValueError(
                f"the table of {child!r} has the shape {cells.shape}; over {' x '.join(names)} it must be {shape}"
            )
    return check_rows(cells, child, parents, axes)


def fill(
    given: Any, child: str, parents: Sequence[str], axes: Mapping[str, States], path: tuple[int, ...], cells: Floats
) -> None:
    """Read nested dicts (by parent after parent, or by a tuple of their states) into the cells below `path`."""
    left = parents[len(path) :]
    if not left:
        row = given.items() if isinstance(given, Mapping) else zip(axes[child], given, strict=False)
        if len(given) != len(axes[child]):
            title = row_title(child, parents, axes, path)
            raise ValueError(f"{title} has {len(given)} entries; the states of {child!r} are {listed(axes[child])}")
        if not np.isnan(cells[path]).all():
            raise ValueError(f"{row_title(child, parents, axes, path)} is given twice; keep one")
        for state, value in row:
            cells[(*path, find_state(child, axes[child], state))] = value
        return
    if not isinstance(given, Mapping):
        raise TypeError(f"the table of {child!r} needs the states of {listed(left)} as keys, not {given!r}")
    for key, inner in given.items():
        if isinstance(key, tuple) and len(left) > 1:
            if len(key) != len(left):
                raise ValueError(f"the table of {child!r} has the key {key!r}; its parents are {listed(parents)}")
            more = tuple(find_state(v, axes[v], s) for v, s in zip(left, key, strict=True))
        else:
            more = (find_state(left[0], axes[left[0]], key),)
        fill(inner, child, parents, axes, (*path, *more), cells)


def states_in(given: Any, child: str, parents: Sequence[str]) -> dict[str, States]:
    """The states that a table names by itself, variable by variable; an array says only how many: 0, 1, ..."""
    names = (*parents, child)
    if isinstance(given, Factor):
        return {v: states for v, states in given.axes.items() if v in names}
    if not isinstance(given, Mapping):
        shape = np.shape(given)
        return dict(zip(names, (tuple(range(k)) for k in shape), strict=False)) if len(shape) == len(names) else {}
    states_of: dict[str, dict[Any, None]] = {}

    def look(part: Any, depth: int) -> None:
        if not isinstance(part, Mapping):
            return
        for key, inner in part.items():
            many = isinstance(key, tuple) and len(parents) - depth > 1
            keys = key if many else (key,)
            for v, state in zip(names[depth:], keys, strict=False):
                states_of.setdefault(v, {})[state] = None
            look(inner, depth + len(keys))

    look(given, 0)
    return {v: tuple(states) for v, states in states_of.items()}


def check_rows(cells: Floats, child: str, parents: Sequence[str], axes: Mapping[str, States]) -> Floats:
    """Rows that sum to exactly 1 (to rounding), or an error that names the first row that does not."""
    table = np.ascontiguousarray(cells, np.float64)
    rows = table.reshape(-1, table.shape[-1])
    total = rows.sum(1)
    good = (np.abs(total - 1) <= SLACK) & (rows >= 0).all(1)
    if not good.all():
        row = int(np.argmin(good))
        path = np.unravel_index(row, table.shape[:-1]) if parents else ()
        title = row_title(child, parents, axes, tuple(map(int, path)))
        if np.isnan(rows[row]).any():
            raise ValueError(f"{title} is not given for {child}={axes[child][int(np.isnan(rows[row]).argmax())]}")
        if (rows[row] < 0).any():
            raise ValueError(f"{title} has the probability {rows[row].min():g} below 0")
        raise ValueError(f"{title} sums to {total[row]:.6g}, not to 1: {', '.join(f'{p:g}' for p in rows[row][:8])}")
    off = np.abs(total - 1) > 1e-15 * table.shape[-1]  # what is right to rounding stays as it is, bit by bit
    exact: Floats = np.where(off[:, None], rows / total[:, None], rows).reshape(table.shape)
    exact.flags.writeable = False
    return exact


def row_title(child: str, parents: Sequence[str], axes: Mapping[str, States], path: tuple[int, ...]) -> str:
    """P(child | parents' states) of one row."""
    seen = ", ".join(f"{v}={axes[v][i]}" for v, i in zip(parents, path, strict=False))
    return f"P({child}{' | ' if seen else ''}{seen})"

"""What a file declares, checked as it is read: names, states and sizes first, so that nothing large is made in vain.

>>> d = Declared()
>>> d.variable("rain", ["yes", "no"])
>>> d.table("rain", [], [0.2, 0.8])
>>> d.network().table("rain").to_dict()
{'yes': 0.2, 'no': 0.8}
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor_states import States, check_name
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.tables import SLACK, check_rows, row_title

MOST_CELLS = 1 << 25
"""The tables of a file may have so many cells in all (256 MiB); a few bytes of text can declare far more."""

MOST_BYTES = 1 << 28
"""A file may be so long, once unpacked; a few bytes of gzip can hold far more."""


class FormatError(ValueError):
    """A file that is not what it says, with the line and column where that shows (both counted from 1)."""

    def __init__(self, message: str, line: int = 0, column: int = 0, path: str = "") -> None:
        where = ", ".join(filter(None, [path, f"line {line}, column {column}" if line else ""]))
        super().__init__(f"{where}: {message}" if where else message)
        self.message, self.line, self.column, self.path = message, line, column, path


class FormatWarning(UserWarning):
    """A file was read that had to be understood: the message says the line, and how it was."""


@dataclass
class Declared:
    """Variables and tables in the order of the file; errors are plain, and the reader adds where they stand.

    file: its name. notes: what had to be understood, by kind, as (line, what); `network` warns of each kind once.
    """

    file: str = ""
    name: str = ""
    axes: dict[str, States] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, Floats] = field(default_factory=dict)
    cells: int = 0
    notes: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def note(self, line: int, what: str, kind: str) -> None:
        """Remember what was found, and how that was understood."""
        self.notes.setdefault(kind, []).append((line, what))

    def variable(self, name: str, states: Sequence[Any]) -> None:
        """A variable and its states."""
        if not name:
            raise ValueError("a variable has no name; give it one")
        if name in self.axes:
            raise ValueError(f"the variable {name!r} is declared twice; keep one declaration")
        if not states or len(set(states)) < len(states):
            raise ValueError(f"{name!r} needs at least one state, and each of its states once")
        self.axes[name] = tuple(states)

    def shape(self, child: str, parents: Sequence[str]) -> tuple[int, ...]:
        """The axes of P(child | parents), all names known, small enough, and its first table."""
        for v in (child, *parents):
            check_name("variable", v, self.axes)
        if child in parents or len(set(parents)) < len(parents):
            raise ValueError(f"the table of {child!r} names a variable twice; name each once")
        if child in self.parents:
            raise ValueError(f"the table of {child!r} is given twice; keep one")
        shape = tuple(len(self.axes[v]) for v in (*parents, child))
        self.cells += prod(shape)
        if self.cells > MOST_CELLS or len(shape) > 32:
            raise ValueError(
                f"the table of {child!r} has {prod(shape)} cells over {len(shape)} variables; a file may hold "
                f"{MOST_CELLS} cells, and a table 32 variables"
            )
        self.parents[child] = tuple(parents)
        return shape

    def table(
        self, child: str, parents: Sequence[str], values: Sequence[float], line: int = 0, *, scaled: bool = False
    ) -> None:
        """P(child | parents) as a flat list, the child's states innermost; the rest as in `put`."""
        shape = self.shape(child, parents)
        if len(values) != prod(shape):
            over = " x ".join((*parents, child))
            raise ValueError(f"the table of {child!r} over {over} has {prod(shape)} cells, but {len(values)} numbers")
        self.put(child, np.array(values, np.float64).reshape(shape), line, scaled=scaled)

    def put(self, child: str, table: Floats, line: int = 0, *, scaled: bool = False) -> None:
        """A table whose shape was asked for; its rows are checked here, where the reader still knows the place.

        scaled: rows may sum to anything, as the format says. A row of zeros, for parents that never meet, says nothing.
        """
        parents = self.parents[child]
        rows = table.reshape(-1, table.shape[-1])
        total = rows.sum(1)
        lost = (rows == 0).all(1)
        odd = (np.abs(total - 1) > SLACK) & (total > 0) & (rows >= 0).all(1) & np.isfinite(total) & scaled
        for which, kind in (
            (odd, "rows were divided by their sums"),
            (lost, "these parents are taken to be impossible, and every state to be as likely"),
        ):
            if which.any():
                row = int(which.argmax())
                path = np.unravel_index(row, table.shape[:-1]) if parents else ()
                title = row_title(child, parents, self.axes, tuple(map(int, path)))
                self.note(line, f"{title} sums to {total[row]:.6g}, not to 1", kind)
        if odd.any() or lost.any():
            rows = np.where(lost[:, None], 1.0, rows)
            table = (rows / np.where(odd | lost, rows.sum(1), 1.0)[:, None]).reshape(table.shape)
        self.tables[child] = check_rows(table, child, parents, self.axes)

    def network(self) -> BayesianNetwork:
        """The network, with every variable's table."""
        if lacking := [v for v in self.axes if v not in self.tables]:
            raise ValueError(f"the variable {lacking[0]!r} has no table; add one")
        index = {v: i for i, v in enumerate(self.axes)}
        dag = Dag(tuple(self.axes), tuple(tuple(index[p] for p in self.parents[v]) for v in self.axes))
        network = BayesianNetwork(dag, self.axes, self.tables, self.name)
        for kind, places in self.notes.items():
            (line, what), *more = places
            where = ", ".join(filter(None, [self.file, f"line {line}" if line else ""]))
            rest = f" (and so on, {len(more)} times more)" if more else ""
            warnings.warn(f"{where}: {what}; {kind}{rest}" if where else f"{what}; {kind}{rest}", FormatWarning, 4)
        return network

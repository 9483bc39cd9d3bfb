"""What a file declares, checked as it is read: names, states and sizes first, so that nothing large is made in vain.

>>> d = Declared()
>>> d.variable("rain", ["yes", "no"])
>>> d.table("rain", [], [0.2, 0.8])
>>> d.network().table("rain").to_dict()
{'yes': 0.2, 'no': 0.8}
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import States, known
from bayesfold.networks.network import BayesianNetwork
from bayesfold.networks.tables import checked

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


@dataclass
class Declared:
    """Variables and tables in the order of the file; errors are plain, and the reader adds where they stand."""

    name: str = ""
    axes: dict[str, States] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, Floats] = field(default_factory=dict)
    cells: int = 0

    def variable(self, name: str, states: Sequence[Any]) -> None:
        """A variable and its states."""
        if not name:
            raise ValueError("a variable without a name")
        if name in self.axes:
            raise ValueError(f"the variable {name!r} is declared twice")
        if not states or len(set(states)) < len(states):
            raise ValueError(f"the states of {name!r} must be distinct, and at least one")
        self.axes[name] = tuple(states)

    def shape(self, child: str, parents: Sequence[str]) -> tuple[int, ...]:
        """The axes of P(child | parents), all names known, small enough, and its first table."""
        for v in (child, *parents):
            known("variable", v, self.axes)
        if child in parents or len(set(parents)) < len(parents):
            raise ValueError(f"the table of {child!r} names a variable twice")
        if child in self.parents:
            raise ValueError(f"the table of {child!r} is given twice")
        shape = tuple(len(self.axes[v]) for v in (*parents, child))
        self.cells += prod(shape)
        if self.cells > MOST_CELLS or len(shape) > 32:
            raise ValueError(
                f"the table of {child!r} has {prod(shape)} cells over {len(shape)} variables; a file may hold "
                f"{MOST_CELLS} cells, and a table 32 variables"
            )
        self.parents[child] = tuple(parents)
        return shape

    def table(self, child: str, parents: Sequence[str], values: Sequence[float]) -> None:
        """P(child | parents) as a flat list, the child's states innermost."""
        shape = self.shape(child, parents)
        if len(values) != prod(shape):
            over = " x ".join((*parents, child))
            raise ValueError(f"the table of {child!r} over {over} has {prod(shape)} cells, but {len(values)} numbers")
        self.put(child, np.array(values, np.float64).reshape(shape))

    def put(self, child: str, table: Floats) -> None:
        """A table whose shape was asked for; its rows are checked here, where the reader still knows the place."""
        self.tables[child] = checked(table, child, self.parents[child], self.axes)

    def network(self) -> BayesianNetwork:
        """The network, with every variable's table."""
        if lacking := [v for v in self.axes if v not in self.tables]:
            raise ValueError(f"the variable {lacking[0]!r} has no table")
        index = {v: i for i, v in enumerate(self.axes)}
        dag = Dag(tuple(self.axes), tuple(tuple(index[p] for p in self.parents[v]) for v in self.axes))
        return BayesianNetwork(dag, self.axes, self.tables, self.name)

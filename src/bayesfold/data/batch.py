"""Encoded rows: slots, numbers and blocks, with the labels and weights where these are known.

>>> rows = Batch(2, (Panel(("x",), np.array([[1], [2]])),), labels=np.array([1, 2], np.int32))
>>> rows.column("x").tolist(), rows.take(np.array([1])).labels.tolist()
([1, 2], [2])
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats


@dataclass(frozen=True)
class Panel:
    """Encoded columns that share one row-major array."""

    names: tuple[str, ...]
    values: Any
    shift: int = 0  # what turns a stored code into its slot


FEW = 4_096
"""Cells up to which columns are put side by side: of so few each panel costs more than its cells."""


def side_by_side(columns: Sequence[tuple[str, NDArray[Any]]], rows: int) -> Iterator[Panel]:
    """Encoded columns, (name, one value per row), as panels: those of few rows and the same type in one array.

    >>> columns = [("a", np.array([1, 2])), ("b", np.array([3, 4])), ("x", np.array([0.5, 1.5]))]
    >>> [panel.names for panel in side_by_side(columns, 2)]
    [('a', 'b'), ('x',)]
    """
    most = max(1, FEW // max(rows, 1))
    by_type: dict[np.dtype[Any], list[tuple[str, NDArray[Any]]]] = {}
    for column in columns:
        by_type.setdefault(column[1].dtype, []).append(column)
    for alike in by_type.values():
        if most == 1:
            for name, values in alike:
                yield Panel((name,), values.reshape(-1, 1))
            continue
        for begin in range(0, len(alike), most):
            together = alike[begin : begin + most]
            values = together[0][1].reshape(-1, 1) if len(together) == 1 else np.column_stack([x for _, x in together])
            yield Panel(tuple(name for name, _ in together), values)


@dataclass(frozen=True)
class Batch:
    """Encoded rows: slots, numbers and count blocks; the target's slots and the rows' weights when they are known."""

    rows: int
    codes: tuple[Panel, ...] = ()
    reals: tuple[Panel, ...] = ()
    counts: tuple[Panel, ...] = ()
    labels: NDArray[np.int32] | None = None
    weight: Floats | None = None
    copies: bool = False  # a weight is a number of equal rows, of which one is left out; else a row is left out whole

    @property
    def weights(self) -> Floats:
        """The rows' weights, 1 where none were given."""
        return np.ones(self.rows) if self.weight is None else self.weight

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """A place to keep what is worked out of these rows once, and asked for by several models."""
        return {}

    def place(self, name: str) -> tuple[Panel, int]:
        """The panel of a column, and where it stands there."""
        return self._places[name]

    @cached_property
    def _places(self) -> dict[str, tuple[Panel, int]]:
        panels = (*self.codes, *self.reals, *self.counts)
        return {name: (panel, j) for panel in panels for j, name in enumerate(panel.names)}

    def column(self, name: str) -> Any:
        """One column: its slots, its numbers or its block."""
        panel, j = self.place(name)
        if any(panel is p for p in self.counts):
            return panel.values
        values = panel.values[:, j]
        return values.astype(np.intp) + panel.shift if values.dtype.kind != "f" else values

    def weighing(self) -> "Batch":
        """The rows that weigh something: learning or forgetting the others changes nothing, their number included."""
        return self if self.weight is None else self.take(self.weight > 0)

    def take(self, rows: NDArray[Any]) -> "Batch":
        """The rows chosen by an index or a mask."""
        index = np.flatnonzero(rows) if rows.dtype == bool else rows

        def cut(panels: tuple[Panel, ...]) -> tuple[Panel, ...]:
            return tuple(replace(p, values=p.values[index]) for p in panels)

        return Batch(
            len(index),
            cut(self.codes),
            cut(self.reals),
            cut(self.counts),
            None if self.labels is None else self.labels[index],
            None if self.weight is None else self.weight[index],
            self.copies,
        )

"""Rows given as dicts, read one at a time: what each column needs to know is worked out once.

>>> reader = RowReader.of([Categories("colour", ("green", "red"))], [Real("dose")])
>>> reader.read({"colour": "red", "dose": 2})
(array([[2]], dtype=int32), array([[2.]]))
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Panel
from bayesfold.data.column_values import plain_cell
from bayesfold.data.dates import NAMED, column_of_one
from bayesfold.data.encodings import Binned, Categories, Presence, Real
from bayesfold.data.encodings.numbers import logarithm
from bayesfold.data.frame import Floats, Level, refuse_dates
from bayesfold.data.row_cells import plain_row
from bayesfold.kernels.counting import records
from bayesfold.runtime.messages import listed, refuse_strangers

PLACE = re.compile(r"column \d+( \(\d+\))?")
"""The name of a column without a name of its own."""


@dataclass(frozen=True)
class RowReader:
    """Sources, slots and markers of the columns, side by side; `numbers` are the real columns, then the binned ones."""

    keys: tuple[str, ...]
    slots: tuple[dict[Any, int], ...]
    behind: tuple[int, ...]
    numbers: tuple[str, ...]
    markers: tuple[frozenset[Level], ...]
    logarithms: tuple[int, ...]
    bounded: tuple[tuple[int, Real], ...]  # numbers of which some may not be learned
    marked: tuple[int, ...]
    holes: tuple[tuple[int, int], ...]  # categories whose missing is a level
    discrete: tuple[Categories, ...]  # for cells that are spelled in another way
    last: NDArray[np.int32]  # `behind`, to be compared with all codes at once
    binned: tuple[Binned, ...]
    presence: tuple[Presence, ...]
    names: tuple[str, ...]
    reals: tuple[str, ...]

    @classmethod
    def of(
        cls,
        discrete: Sequence[Categories],
        numeric: Sequence[Real],
        binned: Sequence[Binned] = (),
        presence: Sequence[Presence] = (),
    ) -> Self:
        """The reader of these columns; blocks are read elsewhere."""
        numbers: tuple[Real | Binned, ...] = (*numeric, *binned)
        return cls(
            keys=tuple(c.origin for c in discrete),
            slots=tuple(c.slot for c in discrete),
            behind=tuple(c.slots for c in discrete),
            numbers=tuple(c.origin for c in numbers),
            markers=tuple(c.missing for c in numbers),
            logarithms=tuple(i for i, c in enumerate(numeric) if c.transform),
            bounded=tuple((i, c) for i, c in enumerate(numeric) if c.least is not None),
            marked=tuple(i for i, c in enumerate(numbers) if c.missing),
            holes=tuple((j, c.hole) for j, c in enumerate(discrete) if c.hole),
            discrete=tuple(discrete),
            last=np.array([c.slots for c in discrete], np.int32),
            binned=tuple(binned),
            presence=tuple(presence),
            names=tuple(c.name for c in discrete),
            reals=tuple(c.name for c in numeric),
        )

    def grown(self, discrete: Sequence[Categories]) -> Self:
        """The reader of the same columns, of which some of the categories know more levels."""
        return replace(
            self,
            slots=tuple([c.slot for c in discrete]),
            behind=tuple([c.slots for c in discrete]),
            holes=tuple([(j, c.hole) for j, c in enumerate(discrete) if c.hole]),
            discrete=tuple(discrete),
            last=np.array([c.slots for c in discrete], np.int32),
        )

    @cached_property
    def columns(self) -> tuple[tuple[Any, ...], ...]:
        """What the kernel is told of them."""
        return self.keys, self.slots, self.behind, self.numbers, self.markers

    def read(
        self, row: Mapping[str, Any], known: Sequence[str] = (), to_learn: bool = False
    ) -> tuple[NDArray[np.int32], Floats]:
        """The slots of a row's categories and its numbers; a row with none of the `known` columns is refused."""
        codes = np.empty((1, len(self.keys)), np.int32)
        values = np.empty((1, len(self.numbers)))
        found = records.read(row, *self.columns, False, codes, values)
        if found < 0:
            row = plain_row(row)
            found = records.read(row, *self.columns, True, codes, values)
        if not found and row:
            refuse_strangers(row, known)
        for i in self.marked:
            if values[0, i] in self.markers[i]:
                values[0, i] = np.nan
        for i in self.logarithms:
            values[0, i : i + 1] = logarithm(values[0, i : i + 1])
        if found > 1:  # unseen, or spelled in another way
            for j in np.flatnonzero(codes[0] == self.last).tolist():
                codes[0, j] = self.discrete[j].slot_of(as_level(self.keys[j], row[self.keys[j]]))
        for j, hole in self.holes:
            codes[0, j] = codes[0, j] or hole
        if to_learn:
            for i, number in self.bounded:
                number.refuse(values[:, i])
        return codes, values

    def panels(
        self, row: Mapping[str, Any], codes: NDArray[np.int32], values: Floats
    ) -> tuple[tuple[Panel, ...], tuple[Panel, ...]]:
        """What was read as panels of a batch: the slots, and the numbers."""
        reals, binned = values[:, : len(self.reals)], values[:, len(self.reals) :]
        panels = [Panel(self.names, codes)] if self.names else []
        panels += [Panel((c.name,), c.place(binned[:, i]).reshape(1, 1)) for i, c in enumerate(self.binned)]
        panels += [Panel((c.name,), c.read(row.get(c.source))) for c in self.presence]
        return tuple(panels), (Panel(self.reals, np.ascontiguousarray(reals)),) if self.reals else ()

    def unseen(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The levels of this row that are new, by source column."""
        return {name: as_level(name, value) for name, value in records.unseen(row, self.keys, self.slots)}


def as_level(name: str, value: Any) -> Any:
    """A cell that may be a level; dates, and what a table cannot hold, are refused as a table of them is.

    >>> as_level("colour", "red")
    'red'
    """
    if not isinstance(value, str | float | int):
        refuse_dates(name, column_of_one(value))
        plain_cell(name, value)
    return value


def name_by_place(row: Mapping[str, Any], known: Sequence[str]) -> Mapping[str, Any]:
    """A row whose column without a name is called as in a table: by its place there, which a row cannot tell.

    >>> name_by_place({"": 3, "age": 41}, ["column 1", "age"])
    {'column 1': 3, 'age': 41}
    >>> name_by_place({"": "2024-02-29"}, ["column 1 (weekday)", "column 1 (month)"])
    {'column 1': '2024-02-29'}
    """
    origins = dict.fromkeys(part[1] if (part := NAMED.fullmatch(name)) else name for name in known)
    places = [name for name in origins if PLACE.fullmatch(name) and name not in row]
    if len(places) > 1:
        raise ValueError(f"a column of this row has no name; call it what the model calls it, one of {listed(places)}")
    return {name or next(iter(places), name): value for name, value in row.items()}

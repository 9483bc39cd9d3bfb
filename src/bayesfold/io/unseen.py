"""Values that a model has never learned, counted while rows are answered: they say nothing, and that should be said.

>>> from bayesfold.data.schema import Schema
>>> seen = Unseen(Schema(Categories("class", ("a", "b")), (Categories("sex", ("F", "M")),)))
>>> _ = seen.see(Frame.of({"sex": ["male", "female", None, "male"]}))
>>> seen.notes()
["column 'sex': no value of these rows was ever learned ('male', 'female'; the model knows 'F', 'M'); it is ignored"]
>>> _ = seen.see(Frame.of({"sex": ["F"]}))
>>> seen.notes(), seen.notes(few=True)
([], ["column 'sex': 3 of 5 rows have a value that was never learned ('male', 'female'); it is ignored there"])
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.batch import Batch, Panel
from bayesfold.data.date_parts import CLOCK_PART
from bayesfold.data.dates import MOSTLY, date_column_of, day_order_in, moments, part_of
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Frame, Level
from bayesfold.data.schema import Schema
from bayesfold.runtime.messages import listed

SHOWN = 3
FIRST = 20
"""Rows of a table that are looked at first: where one of them has a known value, nothing is to be said."""


def notes_of_unseen(schema: Schema, frame: Frame, batch: Batch) -> list[str]:
    """What to tell of a table of which some column has only values that were never learned; of a few rows nothing, as
    they may well be such.

    >>> from bayesfold.data.schema import Schema
    >>> schema, frame = Schema(Categories("y"), (Categories("sex", ("F", "M")),)), Frame.of({"sex": ["m"] * 30})
    >>> notes_of_unseen(schema, frame, schema.encode(frame))[0][:60]
    "column 'sex': no value of these rows was ever learned ('m'; "
    """
    if batch.rows < FIRST:
        return notes_of_dates(schema, frame)
    if not (schema.parts or (batch.codes and has_strange(schema, batch.codes)) or has_beyond(schema, batch)):
        return []
    return Unseen(schema).see(frame).notes()


def notes_of_dates(schema: Schema, frame: Frame) -> list[str]:
    """What to tell of rows that have no date where the model reads dates; other values may be new, or rare."""
    return Unseen(schema).see_dates(frame).notes() if schema.parts else []


def has_strange(schema: Schema, panels: Sequence[Panel]) -> bool:
    """Whether some column of codes shows values, and none that is known; bins know every number."""
    first = np.concatenate([p.values[0] + np.intp(p.shift) if p.shift else p.values[0] for p in panels])
    names = tuple(chain.from_iterable(panel.names for panel in panels))
    if is_known(first, schema.plan.limits(names)).all():  # most often the first row will do
        return False
    return any(has_strange_column(schema, panel) for panel in panels)


def has_beyond(schema: Schema, batch: Batch) -> bool:
    """Whether the first numbers of some column are all ones that its density rules out, or missing."""
    return any(
        not (batch.column(number.name)[:FIRST] >= (-np.inf if number.transform else number.least)).any()
        for number in schema.numbers
        if number.transform or number.least is not None
    )


def has_strange_column(schema: Schema, panel: Panel) -> bool:
    """The same of the columns of one panel, by all of its rows if need be."""
    limits = schema.plan.limits(panel.names)
    if is_known(slots_in(panel, panel.values[:FIRST]), limits).any(axis=0).all():
        return False
    slots = slots_in(panel, panel.values)
    doubtful = ~is_known(slots, limits).any(axis=0)
    return bool((slots[:, doubtful] >= limits[0, doubtful]).any())


def slots_in(panel: Panel, codes: Any) -> Any:
    """The slots of some codes of a panel."""
    return codes + np.intp(panel.shift) if panel.shift else codes


def is_known(slots: Any, limits: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each slot is that of a value that was learned."""
    behind, holes = limits
    return np.asarray((slots > 0) & (slots < behind) & (slots != holes))


def cells_there(frame: Frame, name: str) -> int:
    """How many cells of a column hold something."""
    cells = frame.column(name)
    if isinstance(cells, pa.Array) and pa.types.is_temporal(cells.type):
        return len(cells) - int(cells.null_count)
    coded = frame.coded(name)
    blank = [isinstance(level, str) and level.isspace() for level in coded.levels]
    return int(np.count_nonzero(coded.places([not b for b in blank], 0, np.uint8)))


def has_odd_dates(frame: Frame, name: str, when: NDArray[np.datetime64]) -> bool:
    """Whether more distinct values of a column are no dates than where columns of dates are found; a single one may be
    a word for a missing date."""
    cells = frame.column(name)
    if isinstance(cells, pa.Array) and pa.types.is_temporal(cells.type):  # times of day: none of them is a date
        return len(cells.drop_null().unique()) > 1
    coded = frame.coded(name)
    dated = np.zeros(len(coded.levels) + 1, np.bool_)
    dated[coded.index[~np.isnat(when)]] = True
    shown = zip(coded.levels, coded.shown(), dated, strict=False)
    odd = sum(isinstance(level, str) and bool(level.strip()) for level, there, date in shown if there and not date)
    return odd > max(1.0, (1 - MOSTLY) * (odd + int(np.count_nonzero(dated))))


@dataclass
class Unseen:
    """How many rows had values that the columns of categories of a schema do not know, and some of these values."""

    schema: Schema
    rows: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, dict[Level, None]] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)  # columns of which some value was known
    dates: dict[str, list[int]] = field(default_factory=dict)  # by column: cells that are dates, and all that there are
    odd_dates: set[str] = field(
        default_factory=set
    )  # columns of which some table had many different values that are none
    beyond: dict[str, list[int]] = field(default_factory=dict)  # by column: numbers that it cannot have, and all

    def see(self, frame: Frame) -> "Unseen":
        """Count the rows of one more table."""
        self.rows += frame.rows
        for column in self.schema.categories:
            if column.origin in frame.names:
                self._count(column, frame)
        for number in self.schema.numbers:
            if (number.transform or number.least is not None) and number.origin in frame.names:
                self._count_beyond(number, frame)
        return self.see_dates(frame)

    def see_dates(self, frame: Frame) -> "Unseen":
        """Count the cells of columns of dates alone."""
        for part in self.schema.parts:
            source = date_column_of(part, frame.position)
            if source is not None and source not in self.dates:
                self.dates[source] = [0, 0]
        for source, seen in self.dates.items():
            cells = frame.column(source)
            parts = [part for part in self.schema.parts if date_column_of(part, frame.position) == source]
            clocks = all(part_of(part) == CLOCK_PART for part in parts)
            when, there = moments(cells, day_order_in(parts[0]), clocks), cells_there(frame, source)
            read = int(np.count_nonzero(~np.isnat(when)))
            seen[0], seen[1] = seen[0] + read, seen[1] + there
            if read < there and has_odd_dates(frame, source, when):
                self.odd_dates.add(source)
        return self

    def _order(self, source: str) -> str:
        """The order of day and month in which the model reads a column of dates, "" where dates say it themselves."""
        return next(
            (order for part in self.schema.parts if date_column_of(part, (source,)) and (order := day_order_in(part))),
            "",
        )

    def _count(self, column: Categories, frame: Frame) -> None:
        name = column.origin
        coded = frame.coded(name)
        shown = [level for level, there in zip(coded.levels, coded.shown(), strict=True) if there]
        strange = {level for level in shown if not column.knows(level) and level not in (None, "")}
        if strange:
            there = coded.places([level in strange for level in coded.levels], 0, np.uint8)
            self.counts[name] = self.counts.get(name, 0) + int(np.count_nonzero(there))
            examples = self.examples.setdefault(name, {})
            examples.update(dict.fromkeys([level for level in shown if level in strange][: SHOWN - len(examples)]))
        if any(column.knows(level) and level not in column.missing for level in shown):
            self.known.add(name)

    def _count_beyond(self, column: Real, frame: Frame) -> None:
        x = frame.numbers(column.origin, column.missing)
        many = int(np.count_nonzero(x <= 0 if column.transform else x < (column.least or 0.0)))
        counts = self.beyond.setdefault(column.name, [0, 0])
        counts[0], counts[1] = counts[0] + many, counts[1] + int(np.count_nonzero(~np.isnan(x)))

    def notes(self, few: bool = False, learned: bool = False) -> list[str]:
        """What to tell a person: of columns without any value that is known, also of those where `few` are not; they
        were ignored, or `learned` as new ones."""
        then = "now they are, as new ones" if learned else "it is ignored"
        columns = {c.origin: c for c in self.schema.categories}
        notes = []
        for name, count in self.counts.items():
            examples = ", ".join(map(repr, self.examples[name]))
            if name not in self.known:
                levels = listed([level for level in columns[name].levels if level is not None], SHOWN)
                note = f"no value of these rows was ever learned ({examples}; the model knows {levels}); {then}"
            elif few:
                many = f"{count:,} of {self.rows:,} rows have"
                note = f"{many} a value that was never learned ({examples}); it is ignored there"
            else:
                continue
            notes.append(f"column {name!r}: {note}")
        for number in {n.origin: n for n in self.schema.numbers if n.name in self.beyond}.values():
            beyond, there = self.beyond[number.name]
            if beyond and (few or beyond == there):
                bound = "not above 0" if number.transform else f"below {number.least:g}"
                note = f"{beyond:,} of {there:,} numbers are {bound}, which its density ({number.family}) rules out"
                notes.append(f"column {number.origin!r}: {note}; they tell nothing sound; leave them empty if missing")
        for name, (read, there) in self.dates.items():
            if there and not read:
                notes.append(f"column {name!r}: no value of these rows is a date as the model reads it; it is ignored")
            elif read < there and (few or name in self.odd_dates):
                many, order = f"{there - read:,} of {there:,} values", self._order(name)
                note = f"{many} are no dates as the model reads them; they are ignored"
                notes.append(f"column {name!r}: {note}" + (f" (it reads {order})" if order else ""))
        return notes

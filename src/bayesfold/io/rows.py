"""Rows of a table as a model wants them: features, labels, weights. Rows whose class is unknown are put aside.

>>> from bayesfold.runtime.arrow_buffers import arrow_texts
>>> labels = labels_of(pa.chunked_array([arrow_texts(["cat", "", " ", "?", "dog"])]), "pet", frozenset("?"))
>>> rows = with_labels(Frame.of({"coat": list("abcde")}), labels, None)
>>> rows.frame.rows, rows.unlabelled, rows.places.tolist()
(2, 3, [0, 4])
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.frame import Coded, Floats, Frame, Level, code
from bayesfold.data.tables import frame as frame_of
from bayesfold.runtime.messages import ROW


class RowWarning(UserWarning):
    """Rows that were left out, or whose values did not occur in training."""


@dataclass(frozen=True)
class Rows:
    """Rows with their labels; `unlabelled` of the table's rows had none and are not here."""

    frame: Frame
    labels: Coded
    weight: Floats | None
    unlabelled: int = 0
    places: NDArray[np.intp] | None = None  # of the rows in their table, where some are not here
    group: NDArray[np.intp] | None = None  # the unit of each row, where rows of one are held out together
    weightless: int = 0  # rows that weighed nothing and are not here

    def heavy(self) -> "Rows":
        """Without the rows that weigh nothing: they are not learned."""
        if self.weight is None or (self.weight > 0).all():
            return self
        heavy = np.flatnonzero(self.weight > 0)
        return replace(self.take(heavy), weightless=self.weightless + len(self.weight) - len(heavy))

    def take(self, chosen: NDArray[np.intp]) -> "Rows":
        """Some of the rows, in their order."""
        places = np.arange(self.frame.rows) if self.places is None else self.places
        weight = None if self.weight is None else self.weight[chosen]
        group = None if self.group is None else self.group[chosen]
        mask = np.zeros(self.frame.rows, bool)
        mask[chosen] = True
        labels = self.labels.take(chosen)
        return replace(
            self, frame=self.frame.take(mask), labels=labels, weight=weight, places=places[chosen], group=group
        )

    @property
    def classes(self) -> list[Level]:
        """The classes that the labels show."""
        return list(self.labels.levels)

    def place(self, row: int) -> int:
        """Where one of these rows stands in its table."""
        return row if self.places is None else int(self.places[row])


def labels_of(column: pa.ChunkedArray, name: str, unknown: frozenset[Any] = frozenset()) -> Coded:
    """Labels by what is written; an empty or blank one is missing, and so are those that mean an unknown class."""
    if pa.types.is_temporal(column.type):
        raise ValueError(f"the target {name!r} holds dates or times; a class is a word, a truth value or a number")
    coded = code(frame_of(pa.Table.from_arrays([column], [name])).column(name))
    if not any(is_unknown(level, unknown) for level in coded.levels):
        return coded
    return coded.kept([None if is_unknown(level, unknown) else level for level in coded.levels])


def is_unknown(level: Level, unknown: frozenset[Any]) -> bool:
    """Whether a label says that the class is not known."""
    return (isinstance(level, str) and not level.strip()) or level in unknown


def with_labels(frame: Frame, labels: Coded, weight: Floats | None) -> Rows:
    """The rows that have a label."""
    if labels.first_missing() is None:
        return Rows(frame, labels, weight)
    there = labels.index >= 0
    places = np.flatnonzero(there)
    left = None if weight is None else weight[there]
    spare, kept = frame.spare, frame.take(there)
    kept.spare = spare
    return Rows(kept, labels.take(there), left, len(there) - len(places), places)


def with_groups(rows: Rows, column: pa.ChunkedArray, name: str, table: "Placed") -> Rows:
    """The rows with the unit of each, by a column of their table; a row that is of none is refused by its place."""
    words = column.cast(pa.string()) if pa.types.is_temporal(column.type) else column
    index = np.asarray(labels_of(words, name).index, np.intp)
    group = index if rows.places is None else index[rows.places]
    nowhere = np.flatnonzero(group < 0)
    if len(nowhere):
        place = table.place(rows.place(int(nowhere[0])))
        raise ValueError(f"{place}: column {name!r} is empty here, and every row is of some group; name it")
    return replace(rows, group=group)


def first_word(column: pa.ChunkedArray) -> tuple[int, str]:
    """The first row of a column of text that does not have a number, and what it has."""
    for row, value in enumerate(column.to_pylist()):
        try:
            float(value or "nan")
        except ValueError:
            return row, value
    raise AssertionError("every row has a number")


def weights_of(column: pa.ChunkedArray, name: str, table: "Placed") -> Floats:
    """The weight of each row; an invalid one is refused by its place."""
    frame = frame_of(pa.Table.from_arrays([column], [name]))
    try:
        weight = frame.numbers(name)
    except ValueError:
        row, word = first_word(column)
        raise ValueError(f"{table.place(row)}: column {name!r} is {word!r} here; weights must be numbers") from None
    odd = np.flatnonzero(~np.isfinite(weight) | (weight < 0))
    if len(odd):
        what = "missing" if np.isnan(weight[odd[0]]) else weight[odd[0]]
        raise ValueError(
            f"{table.place(int(odd[0]))}: column {name!r} is {what} here; weights must be finite and at least 0"
        )
    return weight


class Placed(Protocol):
    """Rows that know where they stand in their file."""

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        ...


@contextmanager
def located(table: Placed, rows: Rows | None = None) -> Iterator[None]:
    """Errors about a row say where it stands in its file; `rows` are those of the table that have a class."""
    try:
        yield
    except ValueError as error:
        if (said := say_place(str(error), lambda row: table.place(row if rows is None else rows.place(row)))) is None:
            raise
        raise ValueError(said) from None


def say_place(error: str, place: Callable[[int], str]) -> str | None:
    """A message about a row with its place in the file instead of its number; None where it is about no row.

    >>> say_place("row 3 has the class 'x'", lambda row: f"t.csv, line {row + 2}")
    "t.csv, line 5: this row has the class 'x'"
    >>> say_place("column 'dose' is infinite in row 3; make it missing", lambda row: f"t.csv, line {row + 2}")
    "t.csv, line 5: column 'dose' is infinite here; make it missing"
    """
    match = ROW.match(error)
    if match is None:
        return None
    what = f"{match['column']} here" if match["column"] else "this row"
    return f"{place(int(match['row']))}: {what}{match['rest']}"

"""The rows of a table as a model wants them: features, labels, weights."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.cli._names import hint
from bayesfold.cli._tables import Table, blocks, whole
from bayesfold.data.frame import Coded, Floats, Frame, Level, code
from bayesfold.data.tables import frame as frame_of
from bayesfold.io.csv.column_types import as_numbers
from bayesfold.io.csv.number_format import Dress
from bayesfold.io.predict import kind_of_levels
from bayesfold.io.source import Source
from bayesfold.learning.trained import Trained
from bayesfold.runtime.progress import Watcher


@dataclass(frozen=True)
class Rows:
    """Rows with their labels; `unlabelled` of the table's rows had none and are not here."""

    frame: Frame
    labels: Coded
    weight: Floats | None
    unlabelled: int = 0
    places: NDArray[np.intp] | None = None  # of the rows in their table, where some are not here

    def heavy(self) -> "Rows":
        """Without the rows that weigh nothing: they are not learned."""
        if self.weight is None or (self.weight > 0).all():
            return self
        return self.take(np.flatnonzero(self.weight > 0))

    def take(self, some: NDArray[np.intp]) -> "Rows":
        """Some of the rows, in their order."""
        places = np.arange(self.frame.rows) if self.places is None else self.places
        weight = None if self.weight is None else self.weight[some]
        mask = np.zeros(self.frame.rows, bool)
        mask[some] = True
        return Rows(self.frame.take(mask), self.labels.take(some), weight, self.unlabelled, places[some])

    @property
    def classes(self) -> list[Level]:
        """The classes that the labels show."""
        return list(self.labels.levels)


class Placed(Protocol):
    """What knows where its rows stand."""

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        ...


@contextmanager
def located(table: Placed, rows: Rows) -> Iterator[None]:
    """Errors about a row say where it stands in its file."""
    try:
        yield
    except ValueError as error:
        found = re.match(r"row (\d+) (.*)", str(error), re.DOTALL)
        if found is None:
            raise
        n = int(found[1])
        place = table.place(n if rows.places is None else int(rows.places[n]))
        raise ValueError(f"{place}: this row {found[2]}") from None


def known_to(trained: Trained, source: Source, weight: str | None = None) -> tuple[Table, Rows]:
    """All labelled rows of a source, for a model that knows its columns."""
    table = whole(trained, source, needed(trained, source, weight))
    return table, of_table(trained, table, weight)


def blocks_known_to(
    trained: Trained, source: Source, weight: str | None, watcher: Watcher | None
) -> Iterator[tuple[Table, Rows]]:
    """The same, block by block."""
    for table in blocks(trained, source, needed(trained, source, weight), watcher):
        yield table, of_table(trained, table, weight)


def needed(trained: Trained, source: Source, weight: str | None) -> tuple[str, ...]:
    """The columns that labelled rows have besides those that the model reads."""
    if trained.target not in source.names:
        raise ValueError(
            f"{source.name} has no column {trained.target!r}, the target; {hint(trained.target, source.names)} "
            "(--target says what it is called)"
        )
    return (trained.target, *((weight,) if weight else ()))


def of_table(trained: Trained, table: Table, weight: str | None) -> Rows:
    """Features, labels and weights of rows."""
    labels = codes(table, trained)
    dress = None if weight is None else table.source.dresses.off(weight)
    own = None if weight is None else weights(table.arrow, weight, table.label, dress)
    return kept(table.frame(trained), labels, own)


def kept(frame: Frame, labels: Coded, weight: Floats | None) -> Rows:
    """The rows that have a label."""
    there = labels.index >= 0
    if there.all():
        return Rows(frame, labels, weight)
    if not there.any():
        raise ValueError("no row has a value in the target")
    places = np.flatnonzero(there)
    left = None if weight is None else weight[there]
    return Rows(frame.take(there), labels.take(there), left, len(there) - len(places), places)


def codes(table: Table, trained: Trained) -> Coded:
    """The labels by class, as the model knows them; an empty one is missing."""
    target, classes = trained.target, trained.model_.classes
    column = table.arrow.column(target)
    if table.source.is_text and kind_of_levels(classes) == "number":
        column = as_numbers(column.cast(pa.string()), frozenset(), target, table.source.dresses.off(target))
    found = coded(column, target)
    as_learned: dict[Any, Level] = {str(c): c for c in classes} if not table.source.is_text else {}
    as_learned |= {c: c for c in classes}
    return found.kept([as_learned.get(level, as_learned.get(str(level), level)) for level in found.levels])


def coded(column: pa.ChunkedArray, name: str) -> Coded:
    """Labels by what is written; an empty one is missing."""
    if pa.types.is_temporal(column.type):
        raise ValueError(f"the target {name!r} holds dates or times; a class is a word, a truth value or a number")
    found = code(frame_of(pa.Table.from_arrays([column], [name])).column(name))
    return found.kept([None if level == "" else level for level in found.levels])


def weights(table: pa.Table, name: str, label: str, dress: Dress | None = None) -> Floats:
    """What each row counts."""
    column = table.column(name)
    if pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
        column = as_numbers(column.cast(pa.string()), frozenset(), name, dress)
    found = frame_of(pa.Table.from_arrays([column], [name])).numbers(name)
    if np.isnan(found).any():
        raise ValueError(f"{label}: the weight {name!r} is missing in row {int(np.isnan(found).argmax()) + 1:,}")
    return found


def label_type(classes: Sequence[Level]) -> np.dtype[Any]:
    """The type that classes have in predictions."""
    kinds = {type(c) for c in classes}
    return np.asarray(classes).dtype if kinds <= {int} or kinds <= {float} or kinds <= {bool} else np.dtype(object)

"""The rows of a table as a model wants them: features, labels, weights."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.cli._names import hint, known
from bayesfold.cli._tables import Table, read
from bayesfold.engines.memory import frame as frame_of
from bayesfold.frame import Coded, Floats, Frame, Level, code, is_text
from bayesfold.schema import Categories
from bayesfold.trained import Trained
from bayesfold.vector import OneHot, Vector

DATES = "left out: dates or times; add a column that says what matters about them (weekday, hour, days since ...)"


@dataclass(frozen=True)
class Rows:
    """Rows with their labels; `unlabelled` of the table's rows had none and are not here."""

    frame: Frame
    labels: Coded
    weight: Floats | None
    unlabelled: int
    left_out: dict[str, str]
    places: NDArray[np.intp] | None = None  # of the rows in their table, where some are not here

    @property
    def classes(self) -> list[Level]:
        """The classes that the labels show."""
        return list(self.labels.levels)


@contextmanager
def located(table: Table, rows: Rows) -> Iterator[None]:
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


def to_learn(table: Table, target: str, weight: str | None, drop: Sequence[str]) -> Rows:
    """All columns but the target, the weight and those to drop, for a model that has not learned anything yet."""
    for name in (target, *((weight,) if weight else ()), *drop):
        known("column", name, table.names, f"{table.label}: ")
    if table.rows == 0:
        raise ValueError(f"{table.label} has column names and no rows")
    aside = {target, weight, *drop}
    left_out = {
        name: DATES for name in table.names if name not in aside and pa.types.is_temporal(table.arrow[name].type)
    }
    features = [name for name in table.names if name not in aside and name not in left_out]
    if not features:
        raise ValueError(f"{table.label} has no column to learn from besides {target!r}")
    return labelled(table, features, target, weight, left_out, None)


def known_to(trained: Trained, table: Table, weight: str | None = None) -> Rows:
    """Labelled rows for a model that knows its columns."""
    if trained.target not in table.names:
        raise ValueError(
            f"{table.label} has no column {trained.target!r}, the target; {hint(trained.target, list(table.names))}"
        )
    if weight:
        known("column", weight, table.names, f"{table.label}: ")
    return labelled(table, require(trained, table), trained.target, weight, {}, trained)


def require(trained: Trained, table: Table) -> list[str]:
    """The columns that a model reads; a table that lacks one is refused with the nearest name."""
    used = trained.model_.schema.sources
    for name in used:
        if name not in table.names:
            raise ValueError(
                f"{table.label} has no column {name!r}, which the model reads; {hint(name, list(table.names))}"
            )
    return [name for name in trained.names if name in table.names]


def labelled(
    table: Table, features: list[str], target: str, weight: str | None, left_out: dict[str, str], like: Trained | None
) -> Rows:
    """Features, labels and weights; rows without a label are put aside."""
    labels = codes(table, target, like)
    there = labels.index >= 0
    if not there.any():
        raise ValueError(f"{table.label}: no row has a value in the target {target!r}")
    frame = features_of(table, features, like)
    w = None if weight is None else frame_of(table.arrow.select([weight])).numbers(weight)
    if there.all():
        return Rows(frame, labels, w, 0, left_out)
    kept = np.flatnonzero(there)
    return Rows(
        frame.take(there), labels.take(there), None if w is None else w[there], len(there) - len(kept), left_out, kept
    )


def codes(table: Table, target: str, like: Trained | None) -> Coded:
    """The labels by class; an empty one is missing."""
    column = table.arrow[target]
    if pa.types.is_temporal(column.type):
        raise ValueError(f"the target {target!r} holds dates or times; a class is a word, a truth value or a number")
    classes = () if like is None else like.model_.classes
    found = code(frame_of(pa.Table.from_arrays([as_levels(column, classes)], [target])).column(target))
    return found.kept([None if level == "" else level for level in found.levels])


def features_of(table: Table, names: Sequence[str], like: Trained | None) -> Frame:
    """Columns as a frame; what a model knows as text or as numbers is read so."""
    levels = {} if like is None else levels_of(like)
    columns = [as_levels(table.arrow[name], levels.get(name, ())) for name in names]
    return frame_of(pa.Table.from_arrays(columns, list(names)))


def levels_of(trained: Trained) -> dict[str, tuple[Level, ...]]:
    """The levels of each source column that is read as categories."""
    found: dict[str, tuple[Level, ...]] = {}
    for column in trained.model_.schema.features:
        if isinstance(column, Categories):
            found[column.source or column.name] = column.levels
        elif isinstance(column, Vector):
            found |= {axis.source: axis.levels for axis in column.axes if isinstance(axis, OneHot)}
    return found


def as_levels(column: Any, levels: Sequence[Level]) -> Any:
    """A column as the kind of value that its levels are: a file of a few rows may look like another kind."""
    kinds = {type(level) for level in levels if level is not None}
    if kinds == {str} and not (is_text(column.type) or pa.types.is_dictionary(column.type)):
        return column.cast(pa.string())
    return column


def read_like(trained: Trained, paths: Sequence[str]) -> Table:
    """A table for a model: what it knows as text is text, whatever it looks like here."""
    levels = levels_of(trained) | {trained.target: trained.model_.classes}
    text = [name for name, some in levels.items() if {type(v) for v in some if v is not None} == {str}]
    return read(paths, text, text_markers(getattr(trained.settings, "missing", None)))


def text_markers(missing: Any) -> list[str]:
    """The markers of missing values that hold for all columns, as text."""
    every = missing.get("*", ()) if isinstance(missing, dict) else ()
    return [m for m in every if isinstance(m, str)]


def label_type(rows: Rows) -> np.dtype[Any]:
    """The type that classes have in predictions."""
    found = {type(c) for c in rows.classes}
    return np.asarray(rows.classes).dtype if found <= {int} or found <= {float} or found <= {bool} else np.dtype(object)

"""The rows of a table, as a fitted model reads them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.cli._tables import SourceTable, read_all, read_blocks
from bayesfold.cli._words import warn
from bayesfold.data.encoding import kind_of_levels
from bayesfold.data.frame import Coded, Frame, Level
from bayesfold.data.tables import frame as read_table
from bayesfold.io.csv.column_types import as_numbers
from bayesfold.io.rows import Rows as Rows
from bayesfold.io.rows import labels_of, weights_of, with_groups, with_labels
from bayesfold.io.rows import located as located
from bayesfold.io.sample import most_rows
from bayesfold.io.selection import unknown_labels
from bayesfold.io.source import Source
from bayesfold.io.unseen import Unseen
from bayesfold.learning.trained import Trained
from bayesfold.runtime.messages import suggest
from bayesfold.runtime.progress import Watcher


def read_labelled(
    trained: Trained,
    source: Source,
    weight: str | None = None,
    leave_out: bool = False,
    groups: str | None = None,
) -> tuple[SourceTable, Rows]:
    """All labelled rows of a source, for a model that knows its columns; to `leave_out` rows also with the columns that
    it was shown and does not read: that they were left out was chosen on these rows."""
    table = read_all(trained, source, label_columns(trained, source, weight, groups))
    rows = rows_of_table(trained, table, weight, groups)
    if leave_out:
        rows = replace(rows, frame=with_unused(trained, source, rows, groups))
    if not rows.frame.rows:
        raise ValueError(f"{source.name}: no row has a class in column {trained.target!r}")
    warn_of_unseen(Unseen(trained.model_.schema).see(rows.frame))
    return table, rows


def with_unused(trained: Trained, source: Source, rows: Rows, groups: str | None) -> Frame:
    """The rows with the columns that the model was shown and does not read, as far as a first look reads all rows; the
    rows' groups are not among them."""
    frame = rows.frame
    if groups is not None and groups in frame.position:
        raise ValueError(
            f"the model reads column {groups!r}, by which rows would be held out: of a new group it knows nothing. "
            f"Fit it with --groups {groups!r}"
        )
    unused = [name for name in trained.names if name not in frame.position and name in source.names and name != groups]
    look = source.look(unused, most_rows(len(unused)), {}, {}) if unused else None
    if look is None or not look.whole:
        return frame
    others = read_table(look.table.select(unused))
    if rows.places is not None:
        there = np.zeros(others.rows, bool)
        there[rows.places] = True
        others = others.take(there)
    every = {**frame.columns, **others.columns}
    names = [name for name in trained.names if name in every]
    return Frame(names, frame.rows, {name: every[name] for name in names})


def warn_of_weights(trained: Trained, weight: str | None) -> None:
    """Say that learned rows, now without weights, had weights when they were learned."""
    if weight is None and trained.model_.tally.weighted:
        warn(
            "the model was learned with weights, and these rows are taken to weigh 1 each; --weight COLUMN names theirs"
        )


def warn_of_unseen(unseen: Unseen) -> None:
    """Say of which columns no value was ever learned."""
    for note in unseen.notes():
        warn(note)


def read_labelled_blocks(
    trained: Trained, source: Source, weight: str | None, watcher: Watcher | None, groups: str | None = None
) -> Iterator[tuple[SourceTable, Rows]]:
    """As `read_labelled`, block by block."""
    for table in read_blocks(trained, source, label_columns(trained, source, weight, groups), watcher):
        yield table, rows_of_table(trained, table, weight, groups)


def check_group(group: str | None, target: str, weight: str | None) -> None:
    """Refuse a column of groups that is also the target, or the weight of rows."""
    if group is not None and group in (target, weight):
        what = "the target" if group == target else "the weight of rows"
        raise ValueError(f"{group!r} cannot be {what} and the group of rows; name another column")


def label_columns(trained: Trained, source: Source, weight: str | None, groups: str | None = None) -> tuple[str, ...]:
    """The columns that labelled rows have besides those that the model reads."""
    if trained.target not in source.names:
        raise ValueError(
            f"{source.name} has no column {trained.target!r}, the target; {suggest(trained.target, source.names)} "
            "(--target says what it is called)"
        )
    check_group(groups, trained.target, weight)
    return (trained.target, *(name for name in (weight, groups) if name))


def rows_of_table(trained: Trained, table: SourceTable, weight: str | None, groups: str | None = None) -> Rows:
    """Features, labels, weights and groups of rows."""
    labels = code_labels(table, trained)
    own = None if weight is None else weights_of(weight_numbers(table, weight), weight, table)
    rows = with_labels(table.frame(trained), labels, own)
    return rows if groups is None else with_groups(rows, table.arrow.column(groups), groups, table)


def weight_numbers(table: SourceTable, name: str) -> pa.ChunkedArray:
    """A column of weights as numbers."""
    column = table.arrow.column(name)
    if pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
        return as_numbers(column.cast(pa.string()), frozenset(), name, table.source.dresses.off(name))
    return column


def code_labels(table: SourceTable, trained: Trained) -> Coded:
    """The labels by class, as the model knows them; an empty one is missing."""
    target, classes = trained.target, trained.model_.classes
    column = table.arrow.column(target)
    if table.source.is_text and kind_of_levels(classes) == "number":
        column = as_numbers(column.cast(pa.string()), frozenset(), target, table.source.dresses.off(target))
    labels = labels_of(column, target, unknown_labels(getattr(trained.settings, "missing", None), target))
    as_learned: dict[Any, Level] = {str(c): c for c in classes} if not table.source.is_text else {}
    as_learned |= {c: c for c in classes}
    return labels.kept([as_learned.get(level, as_learned.get(str(level), level)) for level in labels.levels])

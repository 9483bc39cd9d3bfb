"""The rows of a table, as a fitted model reads them."""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from bayesfold.cli._tables import SourceTable, read_all, read_blocks
from bayesfold.cli._words import warn
from bayesfold.data.encodings.numbers import finite
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.io.csv.column_types import as_numbers
from bayesfold.io.rows import Rows as Rows
from bayesfold.io.rows import located as located
from bayesfold.io.rows import weights_of, with_groups, with_labels
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
        from bayesfold.io.labelled import with_unused

        rows = replace(rows, frame=with_unused(trained, source, rows, groups))
    if not rows.frame.rows:
        raise ValueError(f"{source.name}: no row has a class in column {trained.target!r}")
    warn_of_unseen(Unseen(trained.model_.schema).see(rows.frame))
    return table, rows


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
        others = [name for name in source.names if name not in trained.model_.schema.sources]
        hint = f"; {suggest(trained.target, others, 'it also has')}" if others else ""
        raise ValueError(
            f"{source.name} has no column {trained.target!r}, the target{hint} (--target says what it is called)"
        )
    check_group(groups, trained.target, weight)
    return (trained.target, *(name for name in (weight, groups) if name))


def rows_of_table(trained: Trained, table: SourceTable, weight: str | None, groups: str | None = None) -> Rows:
    """Features, labels, weights and groups of rows."""
    from bayesfold.io.labelled import code_labels  # rows without labels are read here too

    labels = code_labels(trained, table.source, table.arrow.column(trained.target))
    own = None if weight is None else weights_of(weight_numbers(table, weight), weight, table)
    rows = with_labels(table.frame(trained), labels, own)
    with located(table, rows):
        refuse_infinities(trained.model_.schema, rows.frame)
    return rows if groups is None else with_groups(rows, table.arrow.column(groups), groups, table)


def refuse_infinities(schema: Schema, frame: Frame) -> None:
    """Refuse a number that no model learns or answers, while it is known where its row stands."""
    for column in schema.features:
        for name in column.numeric_sources:
            finite(name, frame.numbers(name, getattr(column, "missing", frozenset())))


def weight_numbers(table: SourceTable, name: str) -> pa.ChunkedArray:
    """A column of weights as numbers."""
    column = table.arrow.column(name)
    if pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
        return as_numbers(column.cast(pa.string()), frozenset(), name, table.source.number_formats.use(name))
    return column

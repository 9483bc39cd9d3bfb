"""Labelled rows of a source for a model that knows its classes: their labels, and columns that it does not read."""

import numpy as np
import pyarrow as pa

from bayesfold.data.encoding import kind_of_levels
from bayesfold.data.frame import Coded, Frame
from bayesfold.data.tables import frame as read_table
from bayesfold.io.csv.column_types import as_numbers
from bayesfold.io.rows import Rows, labels_of
from bayesfold.io.selection import unknown_labels
from bayesfold.io.source import Source
from bayesfold.learning.trained import Trained


def code_labels(trained: Trained, source: Source, column: pa.ChunkedArray) -> Coded:
    """The labels by class, as the model knows them; missing where they are empty or mean an unknown class."""
    target, classes = trained.target, trained.model_.classes
    if source.is_text and kind_of_levels(classes) == "number":
        column = as_numbers(column.cast(pa.string()), frozenset(), target, source.number_formats.use(target))
    labels = labels_of(column, target, unknown_labels(getattr(trained.settings, "missing", None), target))
    return labels.kept([trained.model_.schema.target.spelled(level) for level in labels.levels])


def with_unused(trained: Trained, source: Source, rows: Rows, groups: str | None = None) -> Frame:
    """The rows with the columns that the model was shown and does not read, as far as a first look reads all rows; the
    rows' groups are not among them."""
    frame = rows.frame
    if groups is not None and groups in frame.position:
        raise ValueError(
            f"the model reads column {groups!r}, by which rows would be held out: of a new group it knows nothing. "
            f"Fit it with --groups {groups!r}"
        )
    unused = [name for name in trained.names if name not in frame.position and name in source.names and name != groups]
    if not unused:
        return frame
    from bayesfold.io.sample import most_rows

    look = source.look(unused, most_rows(len(unused)), {}, {})
    if not look.whole:
        return frame
    others = read_table(look.table.select(unused))
    if rows.places is not None:
        there = np.zeros(others.rows, bool)
        there[rows.places] = True
        others = others.take(there)
    every = {**frame.columns, **others.columns}
    names = [name for name in trained.names if name in every]
    return Frame(names, frame.rows, {name: every[name] for name in names})

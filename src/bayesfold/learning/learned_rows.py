"""Rows that a model has learned, encoded as they were; a row that it cannot have learned is named."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels, heavy_rows
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool


def learned(
    model: Model | Pool, frame: Frame, y: Any, weight: Any, copies: bool = False, to_forget: bool = False
) -> Batch:
    """Rows that were learned, with their labels and weights; `copies`: a weight is a number of equal rows.

    Of rows `to_forget` those that weigh nothing may show anything: they were not learned.
    """
    coded = coded_labels(y, frame.rows)
    check_row_weights(weight, frame, coded)
    schema = model.schema
    row, column = (
        (0, "")
        if schema.grown(frame) == schema
        else first_unseen(schema, frame, heavy_rows(weight, frame.rows) if to_forget else None)
    )
    if column:  # of more rows than can be landmarks some stand at none
        what = "term" if schema.columns[column] in schema.texts else "value"
        raise ValueError(f"row {row} was not learned by this model: column {column!r} shows a {what} never seen")
    weight = None if weight is None else np.ascontiguousarray(weight, np.float64)
    return replace(schema.encode(frame, coded, weight), copies=copies)


def first_unseen(schema: Schema, frame: Frame, among: NDArray[np.intp] | None = None) -> tuple[int, str]:
    """The first row, of those `among` which it is looked for, that shows a level the schema does not have, and its
    column."""
    found = (frame.rows, "")
    for panel in schema.encode(frame).codes:
        for j, name in enumerate(panel.names):
            slots = panel.values[:, j].astype(np.intp) + panel.shift
            off = np.flatnonzero((slots < 0) | (slots >= schema.axis(name)))
            if len(off := off if among is None else np.intersect1d(off, among)):
                found = min(found, (int(off[0]), name))
    for text in schema.texts:
        strange = np.flatnonzero(text.indexed(frame).unknown)
        if len(strange := strange if among is None else np.intersect1d(strange, among)):
            found = min(found, (int(strange[0]), text.name))
    return found

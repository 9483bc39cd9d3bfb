"""More rows for a model or a tally whose choices are made: counted with the levels and classes that they bring."""

from collections.abc import Callable
from typing import Any

from bayesfold.data.frame import Coded, Frame
from bayesfold.data.schema import Schema
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels
from bayesfold.models.model import Model
from bayesfold.tally.counter import add_rows
from bayesfold.tally.statistic import Tally


def update(model: Model, frame: Frame, y: Any, weight: Any) -> None:
    """Learn more rows; new levels and classes are welcome."""
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = check_row_weights(weight, frame, labels)
    schema = model.schema.with_classes(labels.levels).grown(frame)
    batch = schema.encode(frame, labels, weight)
    model.learn(batch, schema)


def added(
    tally: Tally, frame: Frame, labels: Coded, weight: Any, check: Callable[[Schema], None] | None = None
) -> Tally:
    """A tally with one more block of rows in it; `check` may refuse the schema that new levels and classes make."""
    if weight is not None and not weight.any():
        return tally
    weight, frame, labels = check_row_weights(weight, frame, labels)
    schema = tally.schema.with_classes(labels.levels).grown(frame)
    if schema is not tally.schema:
        if check is not None:
            check(schema)
        tally = tally.on(schema)
    add_rows(tally, schema.encode(frame, labels, weight), few=0)
    return tally

"""One row at a time, given as a dict: answered and learned without making a table of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.models.refusals import check_classes, require_sums
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.single_row import RowStream, can_stream
from bayesfold.tally.statistic import Tally

if TYPE_CHECKING:
    from bayesfold.models.model import Model


class Kept(NamedTuple):
    """A stream, the tally that it is of, and the weights of that, which are replaced when a row weighs other than 1."""

    tally: Tally
    weights: Floats
    rows: RowStream | None

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()  # a copy would no longer look into the arrays of its model


def stream_of(model: "Model") -> RowStream | None:
    """The stream that reads and counts single rows; None where the model must see whole tables."""
    kept: Kept | None = model.__dict__.get("_rows")
    if kept is None or kept.tally is not model.tally or kept.weights is not model.tally.weights:
        alpha = model.class_prior.family.alpha
        learned = model.prior is None and model.class_weight is None and not isinstance(alpha, str)
        deep = isinstance(model.scorer, MixtureScorer)
        possible = not deep and model.is_textbook and can_stream(model.tally, model.groups)
        rows = RowStream(model.tally, model.groups, float(alpha) if learned else -1.0) if possible else None  # type: ignore[arg-type]
        kept = keep(model, rows)
    return kept.rows


def keep(model: "Model", rows: RowStream | None) -> Kept:
    """Keep the stream with the model, and not with its tally, which would hold the model in a ring."""
    kept = model.__dict__["_rows"] = Kept(model.tally, model.tally.weights, rows)
    return kept


def log_joint(model: "Model", row: Mapping[str, Any]) -> Floats:
    """log P(class, row)."""
    rows = stream_of(model)
    if rows is None or type(model).__dict__["scorer"].is_kept(model):
        return model.log_joint(model.schema.encode_row(row))
    learned = rows.kernel_has_prior
    out = np.zeros((1, len(model.classes))) if learned else model.log_prior().reshape(1, -1)
    return rows.log_joint(row, out)


def learn(model: "Model", row: Mapping[str, Any], label: Level, weight: float | None) -> "Model":
    """The model with one more row: itself, or a twin where new levels or classes have joined."""
    require_sums(model, "learn more rows")
    rows = stream_of(model)
    known = schema = model.schema
    slot = known.target.slot_of(label)
    if slot == known.target.slots:
        schema = known.with_classes([label])
    if rows is None or (weight is not None and not model.tally.weighted):
        schema, other = schema.grown_by_row(row), model.twin()
        other.learn(schema.encode_row(row, label, weight), schema)
        return other
    w = 1.0 if weight is None else weight
    if schema is known and rows.learn(row, slot, w):
        model.changed()
        return model
    schema = schema.grown_by_row(row)
    schema.read_row(row, to_learn=True)  # whatever is wrong with the row is said before anything changes
    check_classes(model, schema)
    other = model.twin()
    other.tally = model.tally.on(schema)
    longer = rows.lengthened(other.tally)
    if longer is not None:
        keep(other, longer)
    grown = stream_of(other)
    assert grown is not None
    grown.learn(row, schema.target.slot_of(label), w)
    return other

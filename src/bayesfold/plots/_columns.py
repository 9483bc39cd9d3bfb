"""What each value of each column says, for models whose columns add up: log P(value | class), times its exponent."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from bayesfold.candidates import grids, is_additive
from bayesfold.frame import Floats, Frame, Level
from bayesfold.model import Model
from bayesfold.schema import Batch, Categories, Counts, Panel


@dataclass(frozen=True)
class ColumnSays:
    """Values of a column, and log P(value | class) of each, [value, class]; of a count, less that of count 0."""

    name: str
    values: tuple[Any, ...]
    is_number: bool
    is_count: bool
    log_p: Floats


def columns_say(clf: Any, points: int) -> tuple[tuple[Level, ...], Floats, tuple[ColumnSays, ...]]:
    """The classes, the log prior, and what each column says; refused where columns do not add up."""
    if not hasattr(clf, "model_"):
        raise ValueError(f"this {type(clf).__name__} has not learned anything yet; call fit first")
    model: Model = clf.model_
    if not is_additive(model):
        raise ValueError("this picture shows columns one by one, and in this model they depend on each other")
    drawn = grids(model, points)
    found = []
    for column in model.schema.features:
        if isinstance(column, Counts):
            found += [count_says(model, column, k, drawn[source]) for k, source in enumerate(column.sources)]
            continue
        source = column.source or column.name
        values = list(column.levels) if isinstance(column, Categories) else drawn[source].tolist()
        if values:
            alone = {name: [None] * len(values) for name in model.schema.sources} | {source: values}
            parts = model.contributions(model.schema.encode(Frame.of(alone)))
            log_p = parts[:, model.parts.index(column.name)]
            found.append(ColumnSays(column.name, tuple(values), not isinstance(column, Categories), False, log_p))
    return model.classes, model.contributions(blank(model))[0, 0], tuple(found)


def count_says(model: Model, column: Counts, k: int, grid: Floats) -> ColumnSays:
    """One column of a block of counts, measured from a row in which the block is zero."""
    values = np.unique(np.concatenate([[0.0], grid]))
    block = csr_array((values, np.full(len(values), k), np.arange(len(values) + 1)), (len(values), column.width))
    batch = Batch(len(values), counts=(Panel((column.name,), block),))
    log_p = model.contributions(batch)[:, model.parts.index(column.name)]
    return ColumnSays(column.sources[k], tuple(values.tolist()), True, True, log_p - log_p[:1])


def blank(model: Model) -> Batch:
    """One row in which nothing is known."""
    blocks = [c for c in model.schema.features if isinstance(c, Counts)]
    if blocks:
        return Batch(1, counts=tuple(Panel((c.name,), csr_array((1, c.width))) for c in blocks))
    return model.schema.encode(Frame.of({name: [None] for name in model.schema.sources}))

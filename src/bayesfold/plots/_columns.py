"""What each value of each column says, for models whose columns add up: log P(value | class), times its exponent."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from bayesfold.candidates import grids, is_additive, levels
from bayesfold.frame import Floats, Frame, Level
from bayesfold.model import Model
from bayesfold.schema import Batch, Counts, Panel


@dataclass(frozen=True)
class ColumnSays:
    """Values of a column, and log P(value | class) of each, [value, class]; of a count, less that of count 0."""

    name: str
    values: tuple[Any, ...]
    is_number: bool
    is_count: bool
    log_p: Floats


def columns_say(clf: Any, points: int) -> tuple[tuple[Level, ...], Floats, tuple[ColumnSays, ...]]:
    """The classes, what is said of them whatever the columns show, and what each column says.

    Refused where columns do not add up. A source that is read in several ways says the sum of what they say.
    """
    if not hasattr(clf, "model_"):
        raise ValueError(f"this {type(clf).__name__} has not learned anything yet; call fit first")
    model: Model = clf.model_
    if not is_additive(model):
        raise ValueError("this picture shows columns one by one, and in this model they depend on each other")
    known, drawn = levels(model, missing=True), grids(model, points)
    found: list[ColumnSays] = []
    base = model.log_prior()
    for source in model.schema.sources:
        values = known[source] if source in known else drawn[source].tolist() if source in drawn else []
        if source in model.parts and values:
            alone = {name: [None] * len(values) for name in model.schema.sources} | {source: values}
            lines = model.contributions(model.schema.encode(Frame.of(alone)))
            log_p = lines[:, model.parts.index(source)]
            found.append(ColumnSays(source, named(values), source in drawn, False, log_p))
            base = whatever(model, lines)
    for column in model.schema.features:
        if isinstance(column, Counts):
            for k, source in enumerate(column.sources):
                lines, says = count_says(model, column, k, drawn[source])
                found.append(says)
            base = whatever(model, lines) + lines[0, model.parts.index(column.name)]
    return model.classes, base, tuple(found)


def named(values: list[Any]) -> tuple[Any, ...]:
    """Values in words, where a missing one is a value."""
    return tuple("missing" if v is None else v for v in values)


def whatever(model: Model, lines: Floats) -> Floats:
    """The sum of the lines that are no column's, in a row that shows something."""
    own = {*model.schema.sources, *(c.name for c in model.schema.features if isinstance(c, Counts))}
    return np.asarray(lines[0, [i for i, part in enumerate(model.parts) if part not in own]].sum(axis=0))


def count_says(model: Model, column: Counts, k: int, grid: Floats) -> tuple[Floats, ColumnSays]:
    """The lines of rows that show one column of a block of counts alone, and what it says beyond a row of zeros."""
    values = np.unique(np.concatenate([[0.0], grid]))
    block = csr_array((values, np.full(len(values), k), np.arange(len(values) + 1)), (len(values), column.width))
    lines = model.contributions(Batch(len(values), counts=(Panel((column.name,), block),)))
    log_p = lines[:, model.parts.index(column.name)]
    return lines, ColumnSays(column.sources[k], tuple(values.tolist()), True, True, log_p - log_p[:1])

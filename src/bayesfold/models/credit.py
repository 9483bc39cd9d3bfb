"""Which line of an explanation a column's share in the log joint is credited to.

A column that is read in several ways has one line, under the name of its source. A vector has a line for each of its
sources and one for its spread. What no column said has a line of its own.
"""

from typing import TYPE_CHECKING

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.own_names import OwnLine, own_name
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Vector
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.scorer import Scorer
from bayesfold.tally.forgetting import without_a_value

if TYPE_CHECKING:
    from bayesfold.models.model import Model

PRIOR = "prior"
OFFSET = "class offset"  # what was learned of a class alone
SPREAD = "class spread"  # how widely the vectors of a class are spread


def own_line(schema: Schema, kind: str) -> OwnLine:
    """The line of a kind that is no column's, under a name that no column has."""
    wishes = (PRIOR, "prior of the classes") if kind == PRIOR else (kind,)
    return OwnLine(own_name({*schema.sources, *schema.columns}, *wishes), kind)


def lines_of_column(schema: Schema, name: str) -> tuple[str, ...]:
    """The lines that a scored column adds to."""
    column = schema.columns.get(name)
    if column is not None and column in schema.vectors:
        return (*column.sources, own_line(schema, SPREAD))
    return (name if column is None else column.origin,)


def credit_columns(
    schema: Schema, scorer: Scorer | MixtureScorer, flat: Scorer, batch: Batch
) -> tuple[list[str], Floats]:
    """Every column's share as [row, share, class], and the line of each share."""
    names: list[str] = []
    shares = [np.zeros((batch.rows, 0, len(flat.prior)))]
    parts = scorer.contributions(batch)
    vectors = {c.name: c for c in schema.vectors}
    for i, name in enumerate(scorer.names):
        names += lines_of_column(schema, name)
        shares.append(credit_vector(flat, vectors[name], batch) if name in vectors else parts[:, i : i + 1])
    return names, np.concatenate(shares, axis=1)


def credit_vector(flat: Scorer, vector: Vector, batch: Batch) -> Floats:
    """What each source of a vector says, and the constant that belongs to none."""
    group, form = next((g, f) for g, f in zip(flat.groups, flat.forms, strict=True) if vector.name in g.names)
    lines = group.family.lines(form, batch.column(vector.name)) * group.powers[0]
    out = np.zeros((batch.rows, len(vector.sources) + 1, lines.shape[2]))
    for i, owner in enumerate((*vector.owners, len(vector.sources))):
        out[:, owner] += lines[:, i]
    return out


def parts_of(model: "Model") -> tuple[str, ...]:
    """The lines of `contributions`: the prior, the columns, then what is no single column's doing."""
    lines: dict[str, None] = dict.fromkeys([own_line(model.schema, PRIOR)])
    for name in model.scorer.names:
        lines |= dict.fromkeys(lines_of_column(model.schema, name))
    return (*lines, *(() if model.is_textbook else (own_line(model.schema, OFFSET),)))


def contributions(model: "Model", batch: Batch, empty_rows: bool) -> Floats:
    """[row, line, class], the lines being `parts_of`: they sum to the log joint."""
    if model.has_given_priors:
        lines = contributions(model.plain, batch, empty_rows)
        lines[:, 0] += model.shift()
        return lines
    names, shares = credit_columns(model.schema, model.scorer, model.flat, batch)
    place = {name: i for i, name in enumerate(model.parts)}
    lines = np.zeros((batch.rows, len(place), len(model.classes)))
    lines[:, 0] = model.power_on_classes * model.log_prior()
    for i, name in enumerate(names):  # a column may be read in several ways: they are one line
        lines[:, place[name]] += shares[:, i]
    if model.is_textbook and not model.has_vector:
        return lines
    if not model.is_textbook:
        lines *= model.calibration.exponent
        lines[:, -1] = model.calibration.bias_of(model.classes)
    if empty_rows:
        nothing = without_a_value(batch, model.schema)
        lines[nothing] = 0.0
        lines[nothing, 0] = model.log_prior()
    return lines

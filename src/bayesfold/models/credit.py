"""Which line of an explanation a column's share in the log joint is credited to.

A column that is read in several ways has one line, under the name of its source. A vector has a line for each of its
sources and one for its spread. What no column said has a line of its own.
"""

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Counts
from bayesfold.data.frame import Floats
from bayesfold.data.own_names import OwnLine, own_name
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Vector
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.scorer import Scorer

PRIOR = "prior"
OFFSET = "class offset"  # what was learned of a class alone
SPREAD = "class spread"  # how widely the vectors of a class are spread


def own_line(schema: Schema, kind: str) -> OwnLine:
    """The line of a kind that is no column's, under a name that no column has."""
    wishes = (PRIOR, "prior of the classes") if kind == PRIOR else (kind,)
    return OwnLine(own_name({*schema.sources, *schema.columns}, *wishes), kind)


def lines_of(schema: Schema, name: str) -> tuple[str, ...]:
    """The lines that a scored column adds to."""
    column = schema.columns.get(name)
    if isinstance(column, Vector):
        return (*column.sources, own_line(schema, SPREAD))
    return (name if column is None or isinstance(column, Counts) else column.source or name,)


def credited(schema: Schema, scorer: Scorer | MixtureScorer, flat: Scorer, batch: Batch) -> tuple[list[str], Floats]:
    """Every column's share as [row, share, class], and the line of each share."""
    names: list[str] = []
    shares = [np.zeros((batch.rows, 0, len(flat.prior)))]
    parts = scorer.contributions(batch)
    for i, name in enumerate(scorer.names):
        column = schema.columns.get(name)
        names += lines_of(schema, name)
        shares.append(of_vector(flat, column, batch) if isinstance(column, Vector) else parts[:, i : i + 1])
    return names, np.concatenate(shares, axis=1)


def of_vector(flat: Scorer, vector: Vector, batch: Batch) -> Floats:
    """What each source of a vector says, and the constant that belongs to none."""
    group, form = next((g, f) for g, f in zip(flat.groups, flat.forms, strict=True) if vector.name in g.names)
    lines = group.family.lines(form, batch.column(vector.name)) * group.powers[0]
    out = np.zeros((batch.rows, len(vector.sources) + 1, lines.shape[2]))
    for i, owner in enumerate((*vector.owners, len(vector.sources))):
        out[:, owner] += lines[:, i]
    return out

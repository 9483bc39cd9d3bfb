"""Numbers whose spread is lost: they differ, and yet their sums of squares show no variance (docs/decisions/0002)."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, cast

import numpy as np

from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.families._normal import summarise_columns
from bayesfold.tally.layout import Clique, Layout, Span
from bayesfold.tally.statistic import Tally

LOST = (
    "the spread of column {} cannot be told: it is below 1e-12 of the values or below 1e-135, or they are above 1e150; "
    "subtract what the values have in common, or change their unit"
)


def lost_spreads(tally: Tally, frame: Frame, weight: Any = None) -> Iterator[str]:
    """What to say of each column of numbers whose variance comes out as 0 though they differ in `frame`.

    >>> from bayesfold.learning.discover import Options
    >>> from bayesfold.learning.fit import learn
    >>> from bayesfold.learning.recipe import Recipe
    >>> f = Frame.of({"x": [1e160, 2e160, 3e160, 4e160]})
    >>> model, _ = learn(f, ["a", "b", "a", "b"], None, Recipe(Options(numeric="gaussian")))
    >>> print(*lost_spreads(model.tally, f))
    the spread of column 'x' cannot be told: ...
    """
    for cliques, span in squares(tally.layout):
        for j in np.flatnonzero(summarise_columns(tally.cells(span))[1] == 0):
            column = tally.schema.columns[cliques[j].terms[0]]
            x: Any = column.encode(frame)[np.broadcast_to(1.0 if weight is None else weight, frame.rows) > 0]
            if np.fmin.reduce(x) < np.fmax.reduce(x):
                yield LOST.format(repr(column.origin))


def squares(layout: Layout) -> list[tuple[tuple[Clique, ...], Span]]:
    """The cliques that sum squares, in runs that stand side by side; worked out once for a layout."""
    if "squares" not in layout.plans:
        runs = groupby(layout.cliques, lambda c: c.keys if c.order == 2 and is_number(layout.schema, c) else None)
        found = [tuple(run) for keys, run in runs if keys is not None]
        layout.plans["squares"] = [(run, layout.span(run)) for run in found]
    return cast(list[tuple[tuple[Clique, ...], Span]], layout.plans["squares"])


def is_number(schema: Schema, clique: Clique) -> bool:
    """Whether a clique sums one column of numbers."""
    return len(clique.terms) == 1 and schema.columns[clique.terms[0]].is_number

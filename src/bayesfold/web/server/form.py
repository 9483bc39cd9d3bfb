"""What a person can enter about a row: a picker, a slider, a date or a text for each column, and what values say."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from bayesfold.data.encodings import Binned
from bayesfold.decisions.loss import loss_matrix
from bayesfold.explanations.candidate_values import levels_of
from bayesfold.explanations.dates import date_columns
from bayesfold.learning.trained import Trained
from bayesfold.models.posterior import log_posterior
from bayesfold.plots import densities
from bayesfold.web.server.cells import kinds
from bayesfold.web.server.endpoint import Answer
from bayesfold.web.server.ranges import slider_grids

POINTS = 81
MOST_DRAWN = 300
"""Of more columns no densities are told: nobody looks at so many curves."""


class FormColumn(Answer):
    """A column: what it holds, the values it may have (levels of a picker, grid of a slider), and P(value | class) of
    them, [class][value], where the model has that for the column by itself. Of a date, the `parts` that are read."""

    name: str
    kind: Literal["number", "text", "words", "truth", "date"]
    family: str
    why: str
    values: list[Any]
    whole: bool
    density_at: list[Any]
    density: list[list[float]]
    parts: list[str]


def form_of(trained: Trained) -> dict[str, Any]:
    """A classifier's target, classes and columns, and what its decisions cost."""
    model = trained.model_
    classes = trained.classes_.tolist()
    has_costs = trained.loss is not None or trained.reject_cost is not None
    return {
        "target": trained.target,
        "classes": classes,
        "rows": trained.rows,
        "prior": log_posterior(model.log_prior()[None], logs=False)[0].tolist(),
        "columns": describe_columns(trained),
        "loss": loss_matrix(trained.loss, classes).tolist() if has_costs else None,
        "reject_cost": trained.reject_cost,
    }


def describe_columns(trained: Trained) -> list[dict[str, Any]]:
    """The columns that the model reads, in the order of the table; of dates the column, whose parts are read."""
    model = trained.model_
    known, drawn, dates = levels_of(model), slider_grids(trained, POINTS), date_columns(model.schema, trained.names)
    held = kinds(model.schema)
    reports = {c.name: c for c in trained.columns}
    told = {name for c in (*model.schema.categories, *model.schema.binned) if c.levels[1:] for name in c.sources}
    told |= {axis.source for c in model.schema.vectors for axis in c.numbers}
    says = column_densities(trained) if len(model.schema.sources) <= MOST_DRAWN else {}
    bins: dict[tuple[str, int], Binned] = {}
    for c in model.schema.binned:  # the first reading of so many bins is the one that densities are told of
        bins.setdefault((c.origin, len(c.levels)), c)
    fields = []
    for name in (n for n in trained.names if n in held or n in dates):
        kind = held.get(name, "date")
        values = known.get(name) or drawn.get(name, [])
        at, density = says.get(name, ([], []))
        if kind == "number" and at and isinstance(at[0], str):
            column = bins.get((name, len(at)))
            at, density = bin_steps(column, density, values) if column is not None else ([], [])
            values = values if at or name in told else []  # one bin: the number says nothing, and there is no scale
        if kind == "number" and values and at:
            kept = [i for i, v in enumerate(at) if values[0] <= v <= values[-1]]
            at, density = [at[i] for i in kept], [[line[i] for i in kept] if line else [] for line in density]
        report = reports.get(name)
        fields.append(
            {
                "name": name,
                "kind": kind,
                "family": report.family if report is not None else "",
                "why": report.why if report is not None else "",
                "values": values,
                "whole": kind == "number" and bool(values) and all(v == round(v) for v in values),
                "density_at": at,
                "density": density,
                "parts": list(dates.get(name, ())),
            }
        )
    return fields


def bin_steps(
    column: Binned, shares: list[list[float]], scale: Sequence[float] = ()
) -> tuple[list[float], list[list[float]]]:
    """P(value | class) of a number that is read in bins, as steps: two points for each bin, [class][point].

    The outer bins end with the scale, or are as wide as their neighbours.

    >>> bin_steps(Binned("age", (20.0, 40.0)), [[0.1, 0.4, 0.5]])
    ([0.0, 20.0, 20.0, 40.0, 40.0, 60.0], [[0.005, 0.005, 0.02, 0.02, 0.025, 0.025]])
    >>> bin_steps(Binned("age", (20.0, 40.0)), [[0.1, 0.4, 0.5]], (10.0, 90.0))
    ([10.0, 20.0, 20.0, 40.0, 40.0, 90.0], [[0.01, 0.01, 0.02, 0.02, 0.01, 0.01]])
    """
    if not column.cuts:
        return [], []
    low, high = column.ends
    if len(scale) > 1:
        low = scale[0] if scale[0] < column.cuts[0] else low
        high = scale[-1] if scale[-1] > column.cuts[-1] else high
    edges = np.array([low, *column.cuts, high])
    density = [(np.repeat(line[: len(edges) - 1] / np.diff(edges), 2)).tolist() if line else [] for line in shares]
    return np.repeat(edges, 2)[1:-1].tolist(), density


def column_densities(trained: Trained) -> dict[str, tuple[list[Any], list[list[float]]]]:
    """The values and P(value | class) of each column that has a density by itself."""
    try:
        classes, every, _ = densities.data(trained, columns=trained.model_.schema.sources)
    except ValueError:  # columns depend on each other, or are words
        return {}
    place = [list(classes).index(c) if c in classes else -1 for c in trained.model_.classes]
    return {c.name: (list(c.values), [np.exp(c.log_p[:, k]).tolist() if k >= 0 else [] for k in place]) for c in every}

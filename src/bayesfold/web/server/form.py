"""What a person can enter about a row: a picker, a slider or a text for each column, and what values say."""

from typing import Any, Literal

import numpy as np

from bayesfold.data.encodings import Binned
from bayesfold.decisions.loss import loss_matrix
from bayesfold.explanations.candidate_values import grids_of, levels_of
from bayesfold.learning.trained import Trained
from bayesfold.models.posterior import log_posterior
from bayesfold.plots import densities
from bayesfold.web.server.cells import kinds
from bayesfold.web.server.endpoint import Answer

POINTS = 81
MOST_DRAWN = 300
"""Of more columns no densities are told: nobody looks at so many curves."""


class FormColumn(Answer):
    """A column: what it holds, the values it may have (levels of a picker, grid of a slider), and P(value | class) of
    them, [class][value], where the model has that for the column by itself."""

    name: str
    kind: Literal["number", "text", "words", "truth"]
    family: str
    why: str
    values: list[Any]
    whole: bool
    density_at: list[Any]
    density: list[list[float]]


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
    """The columns that the model reads, in the order of the table."""
    model = trained.model_
    known, drawn = levels_of(model), grids_of(model, POINTS)
    reports = {c.name: c for c in trained.columns}
    says = column_densities(trained) if len(model.schema.sources) <= MOST_DRAWN else {}
    bins = {c.origin: c for c in model.schema.binned}
    fields = []
    for name in (n for n in trained.names if n in kinds(model.schema)):
        kind = kinds(model.schema)[name]
        grid = drawn.get(name)
        values = known.get(name) or ([] if grid is None else grid.tolist())
        at, density = says.get(name, ([], []))
        if kind == "number" and at and isinstance(at[0], str):
            at, density = bin_steps(bins[name], density) if name in bins else ([], [])
            at = [max(v, 0.0) for v in at] if hardly_negative(values) else at
            values = values if at else []  # one bin: the number says nothing, and there is no scale
        if kind == "number" and hardly_negative(values):
            values = [0.0, *(v for v in values if v > 1e-9 * values[-1])]
            kept = [i for i, v in enumerate(at) if v >= 0]
            at, density = [at[i] for i in kept], [[line[i] for i in kept] if line else [] for line in density]
        report = reports.get(name)
        fields.append(
            {
                "name": name,
                "kind": kind,
                "family": report.family if report is not None else "",
                "why": report.why if report is not None else "",
                "values": values,
                "whole": grid is not None and bool((grid == grid.round()).all()),
                "density_at": at,
                "density": density,
            }
        )
    return fields


def hardly_negative(grid: list[float]) -> bool:
    """Whether numbers reach below 0 by less than one of the three units of spread on each side of their centre: most
    likely they cannot be negative (ages, counts, prices), and a slider begins at 0.

    >>> hardly_negative([-9.0, 54.0, 117.0]), hardly_negative([-50.0, 10.0, 70.0]), hardly_negative([3.0, 9.0])
    (True, False, False)
    """
    return len(grid) > 1 and grid[0] < 0 < grid[0] + (grid[-1] - grid[0]) / 6


def bin_steps(column: Binned, shares: list[list[float]]) -> tuple[list[float], list[list[float]]]:
    """P(value | class) of a number that is read in bins, as steps: two points for each bin, [class][point].

    >>> bin_steps(Binned("age", (20.0, 40.0)), [[0.1, 0.4, 0.5]])
    ([0.0, 20.0, 20.0, 40.0, 40.0, 60.0], [[0.005, 0.005, 0.02, 0.02, 0.025, 0.025]])
    """
    if not column.cuts:
        return [], []
    low, high = column.ends
    edges = np.array([low, *column.cuts, high])
    density = [(np.repeat(line[: len(edges) - 1] / np.diff(edges), 2)).tolist() if line else [] for line in shares]
    return np.repeat(edges, 2)[1:-1].tolist(), density


def column_densities(trained: Trained) -> dict[str, tuple[list[Any], list[list[float]]]]:
    """The values and P(value | class) of each column that has a density by itself."""
    try:
        classes, every = densities.data(trained)
    except ValueError:  # columns depend on each other, or are words
        return {}
    place = [list(classes).index(c) if c in classes else -1 for c in trained.model_.classes]
    return {c.name: (list(c.values), [np.exp(c.log_p[:, k]).tolist() if k >= 0 else [] for k in place]) for c in every}

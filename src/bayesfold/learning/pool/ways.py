"""The parts of a pool, learned one after another on the same rows: what one has found out spares the next the work."""

from dataclasses import replace
from typing import Any

from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.decisions.never_seen import rows_stood_for
from bayesfold.learning.fit import Way, learn_near
from bayesfold.learning.near_rows import learn_parzen
from bayesfold.learning.one_column import Options
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.recipe import CovarianceChoices, Recipe
from bayesfold.models.model import Model

FEWEST = {"kdb": 100, "parzen": 50}
"""Rows below which a part is not tried beside others: of so few a column's parents are chance, and kernels do not earn
their place. A stream's first rows are not all."""


class Ways:
    """The rows, and the ways in which parts have read their columns so far."""

    def __init__(self, frame: Frame, labels: Coded, weight: Floats | None) -> None:
        self.rows: tuple[Frame, Any, Any] = frame, labels, weight
        self.tables: Way | None = None
        self.normal: tuple[Way, Model] | None = None

    def learn(self, recipe: Recipe) -> tuple[Model, Way]:
        """A part by its recipe, and its way; kernels are around rows as the normal part reads them."""
        if recipe.parzen is not None:
            way, model = self.normal or self._learn_normal(recipe)
            return learn_parzen(way, model, recipe.parzen, recipe.most_bytes)
        model, way = learn_near(*self.rows, recipe, self.tables if recipe.reads_tables else None)
        if recipe.reads_tables:
            self.tables = way
        if recipe.normal is not None:
            self.normal = way, model
        return model, way

    def _learn_normal(self, recipe: Recipe) -> tuple[Way, Model]:
        """The rows as one vector, for kernels alone."""
        model, way = learn_near(*self.rows, replace(recipe, parzen=None, normal=CovarianceChoices()))
        return way, model


def why_not(part: str, size: effort.Size | None, ways: Ways, options: Options) -> str:
    """Why a part is not tried; empty where it is, as is the first."""
    if size is None:
        return ""
    frame, _, weight = ways.rows
    fewest = 0 if options.more_to_come else FEWEST.get(part, 0)
    if rows_stood_for(frame.rows, weight, options.copies).sum() < fewest:
        return f"fewer than {fewest} rows"
    if part != "parzen":
        return effort.too_much(part, size)
    if ways.normal is None:
        return "it reads columns as the gaussian part does, which is not there"
    if options.more_to_come:
        return "more rows are to come, and each would be compared with every landmark"
    way, _ = ways.normal
    (vector,) = way.schema.vectors
    if not vector.numbers:
        return "no column is a number"
    if options.missing_as == "skip" and vector.blanks(way.batch.column(vector.name)).any():
        return "a missing cell is to say nothing, and rows that lack the same cells would be near each other"
    return effort.too_much(part, replace(size, axes=vector.width))

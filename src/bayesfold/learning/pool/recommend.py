"""The recommended model: naive Bayes, averaged one-dependence, k-dependence and Gaussian Bayes, pooled.

Each part makes its own choices on rows left out of it, and the weights between the parts are fitted on what they say of
rows they have not seen (see `stacking`). Then all parts are counted into one tally.

In wide tables (see `effort`) a part that would take out of proportion is left out before it begins, and the folds
repeat the choices that take many trials, as they were made without the half they are in.
"""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Frame
from bayesfold.data.vector import Vector
from bayesfold.learning import choices as choose
from bayesfold.learning.discover import ColumnTable
from bayesfold.learning.fit import Normal, Recipe, coded_labels, learn, told, weighed
from bayesfold.learning.gaussian_vector import NAME
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.pool.report import PartLine, Report
from bayesfold.learning.pool.shared_tally import united
from bayesfold.learning.pool.stacking import FOLDED, FOLDS, MORE_FOLDS, MOST_ROWS, folded, judged, left_out
from bayesfold.learning.weights import Pooled
from bayesfold.models.calibration import NONE
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.models.structures.aode import Aode
from bayesfold.models.structures.kdb import Kdb
from bayesfold.models.structures.naive import Naive
from bayesfold.models.structures.tan import Tan
from bayesfold.runtime.threads import one_at_a_time
from bayesfold.tally.statistic import TooLargeError

PARTS = ("naive", "aode", "kdb", "gaussian")
"""What is pooled, in the order in which it is tried."""


@dataclass(frozen=True)
class Wish:
    """What the user asks of the whole: which parts, and what they may cost."""

    parts: tuple[str, ...] = PARTS
    max_memory: float = 2**31
    time_budget: float = np.inf


def recipe_of(part: str, base: Recipe) -> Recipe:
    """How a part is learned."""
    base = replace(base, prior=None, class_weight=None)  # the pool applies them
    options = replace(base.options, alpha="auto")
    if part == "naive":
        return replace(base, options=options, structure=Naive(), weights="auto")
    if part == "gaussian":
        return replace(base, normal=Normal(), calibration="temperature")
    structures = {"aode": (Aode(),), "kdb": (Kdb(1), Kdb(2), Kdb(3)), "tan": (Tan(),)}
    return replace(base, options=options, structure=structures[part], weights="auto")


@one_at_a_time
def recommend(frame: Frame, y: Any, weight: Any, base: Recipe, wish: Wish) -> tuple[Pool, ColumnTable, Report]:
    """The pool, the column table of its first part, and the report."""
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = weighed(weight, frame, labels)
    started = perf_counter()
    models: dict[str, Model] = {}
    lines: dict[str, PartLine] = {}
    recipes: dict[str, Recipe] = {}
    size: effort.Size | None = None
    work = 0.0
    columns: ColumnTable | None = None
    for part in wish.parts:
        began = perf_counter()
        if models and began - started > wish.time_budget:
            lines[part] = PartLine(part, np.nan, np.nan, np.nan, 0.0, "left out: the time budget was spent")
            continue
        if size is not None and (why := effort.too_much(part, size)):
            lines[part] = PartLine(part, np.nan, np.nan, np.nan, 0.0, f"left out: {why}")
            continue
        recipe = recipe_of(part, base)
        if part == "gaussian" and size is not None and effort.one_covariance(size):
            recipe = replace(recipe, normal=Normal(tied=(1.0,)))
        try:
            model, found = learn(frame, labels, weight, replace(recipe, most_bytes=wish.max_memory))
        except TooLargeError as error:
            lines[part] = PartLine(part, np.nan, np.nan, np.nan, perf_counter() - began, f"left out: {error}")
            continue
        if size is None:
            size = effort.Size.of(model.schema, frame.rows)
        work += effort.steps(part, size, len(recipe.normal.tied) == 1 if recipe.normal else False)
        models[part], recipes[part] = model, recipe
        columns = found if columns is None else columns
        lines[part] = PartLine(part, np.nan, np.nan, np.nan, perf_counter() - began, in_words(model))
    if columns is None:
        raise TooLargeError("; ".join(line.what for line in lines.values()))
    members = united(models, frame, labels, weight)
    spent = perf_counter() - started
    in_time = spent + FOLDS * spent <= wish.time_budget  # folds learn every part again
    first = next(iter(members.values()))
    if frame.rows <= FOLDED and len(members) > 1 and in_time:
        folds = MORE_FOLDS if work <= effort.MORE_FOLDS else FOLDS
        unseen = folded(recipes, frame, labels, weight, first.schema, folds, work <= effort.CHOSEN_ANEW)
    else:
        how = "leave-one-out" if in_time else "leave-one-out, to save time"
        unseen = left_out(members, first.schema.encode(frame, labels, weight), how)
    fitted = unseen.fitted()
    given = told(first, base)
    return joined(members, fitted, given.prior, given.class_weight), columns, judged(lines, members, unseen, fitted)


def joined(members: dict[str, Model], fitted: Pooled, prior: Any, class_weight: Any) -> Pool:
    """The pool of the members under weights that were fitted."""
    bias = tuple(zip(next(iter(members.values())).classes, fitted.bias.tolist(), strict=True))
    return Pool(members, tuple(fitted.weights.tolist()), bias, prior, class_weight)


def in_words(model: Model) -> str:
    """What a part has chosen."""
    schema, networks = model.schema, model.mixture.networks
    vector = schema.columns.get(NAME)
    if isinstance(vector, Vector):
        shrinkage = model.families[NAME].shrinkage
        return f"covariance {shrinkage.tied:g} tied, {shrinkage.diagonal:g} diagonal; {vector.width} numbers"
    deeper = choose.deeper_of(model)
    most = max((len(n.parents) - 1 for network in networks for n in network), default=0)
    smoothing = "" if deeper is None else f", {deeper:g} pseudo rows"
    if not model.mixture.roots and len(schema.features) >= choose.MOST_EXPONENTS:
        smoothing += ", one exponent for all columns"
    parents = "no parents" if most < 1 else f"up to {most} parent{'s' * (most > 1)}"
    return f"{len(networks)} network{'s' * (len(networks) > 1)}, {parents}{smoothing}"


@one_at_a_time
def reweighed(found: Pool, batch: Batch, report: Report) -> tuple[Pool, Report]:
    """The pool with every weight fitted again on rows that were learned, each left out."""
    rows = choose.asked(found.first, batch, MOST_ROWS)
    members = {
        part: choose.tempered(choose.calibrated(m, NONE), rows)[0] if part == "gaussian" else choose.weighed(m, rows)[0]
        for part, m in found.members.items()
    }
    unseen = left_out(members, batch)
    fitted = unseen.fitted()
    lines = {line.name: line for line in report.lines}
    return joined(members, fitted, found.prior, found.class_weight), judged(lines, members, unseen, fitted)

"""The recommended model: naive Bayes, averaged one-dependence, k-dependence and Gaussian Bayes, pooled.

Each part makes its own choices on rows left out of it, and the weights between the parts are fitted on what they say of
rows they have not seen (see `stacking`). Then all parts are counted into one tally.

In wide tables (see `effort`) a part that would take out of proportion is left out before it begins, and the folds
repeat the choices that take many trials, as they were made without the half they are in.
"""

from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.learning import choices as choose
from bayesfold.learning import exponents
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.cross_fit import as_read, hash_identifiers, one_fifth, split_words
from bayesfold.learning.date_columns import parts_of_dates, unite_columns
from bayesfold.learning.discover import screened, with_codes
from bayesfold.learning.fit import apply_given_priors
from bayesfold.learning.held_out import HeldOut
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.pool.carry import carry_on
from bayesfold.learning.pool.clock import Clock
from bayesfold.learning.pool.parts import Parts, without_unearned
from bayesfold.learning.pool.report import Judged, PartLine, Report, reported
from bayesfold.learning.pool.stacking import (
    FOLDED,
    FOLDS,
    MOST_ROWS,
    HeldOutAnswers,
    folded,
    left_out,
    together,
)
from bayesfold.learning.pool.ways import Ways, why_not
from bayesfold.learning.pool.words import in_words
from bayesfold.learning.recipe import CovarianceChoices, ParzenChoices, Recipe
from bayesfold.learning.weights import Pooled
from bayesfold.models.calibration import NONE
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.models.posterior import log_posterior
from bayesfold.models.structures import sizes
from bayesfold.runtime.progress import Watcher
from bayesfold.runtime.threads import one_at_a_time
from bayesfold.runtime.unique import distinct
from bayesfold.tally.layout import TooLargeError

NO_TIME = "the time budget had no room to hold rows out"

PLAIN = "gaussian"
"""The density of every number where there is no time to compare several."""

NOT_COMPARED = f"the time budget has no room to compare densities: every number is {PLAIN}"

PARTS = ("naive", "aode", "kdb", "gaussian", "parzen")
"""What is pooled, in the order in which it is tried."""


@dataclass(frozen=True)
class Wish:
    """What the user asks of the whole: which parts, and what they may cost."""

    parts: tuple[str, ...] = PARTS
    max_memory: float = 2**31
    time_budget: float = np.inf
    watcher: Watcher | None = None
    began: float = field(default_factory=perf_counter)  # when what the budget is for began


def recipe_of(part: str, base: Recipe) -> Recipe:
    """How a part is learned."""
    base = replace(base, prior=None, class_weight=None, hurried=True)  # the pool applies them
    if part == "parzen":
        return replace(base, parzen=ParzenChoices(), calibration="temperature")
    if part == "gaussian":
        return replace(base, normal=CovarianceChoices(), calibration="temperature")
    options, some = replace(base.options, alpha="auto"), sizes(part)
    # of naive Bayes the columns' densities are to be chosen; what has parents is of tables, of which the bins are
    return replace(base, options=options, structure=some[0] if part == "naive" else some, weights="auto")


class Recommended(NamedTuple):
    """The pool, the column table of its first part, the report, and what it says of rows that it has not seen."""

    pool: Pool
    columns: ColumnTable
    report: Report
    held_out: HeldOut | None


@one_at_a_time
def recommend(frame: Frame, y: Any, weight: Any, base: Recipe, wish: Wish) -> Recommended:
    """The pool of the rows, judged on rows that nothing of what judges them has seen."""
    labels = coded_labels(y, frame.rows)
    weight, frame, labels = check_row_weights(weight, frame, labels)
    clock = Clock(wish.time_budget, wish.watcher, wish.began)
    parts = learned_parts(frame, labels, weight, base, wish, clock)
    copies = base.options.copies
    members = parts.members(parts.to_earn)  # those that have to earn their place seldom do
    first, batch = parts.encoded(members, copies)
    unseen, judged = None, None
    if frame.rows <= FOLDED and clock.has((FOLDS - 1) * parts.seconds):
        anew = parts.work <= effort.CHOSEN_ANEW
        unseen = folded(parts.recipes, frame, labels, weight, batch, first.classes, anew, clock)
        judged = None if unseen is None else by_folds(unseen, batch, first, base, anew)
    if unseen is None:
        members = parts.members()
        first, batch = parts.encoded(members, copies)
        unseen = left_out(members, batch)
        if frame.rows > FOLDED and clock.has(parts.seconds) and not parts.hurried:
            judged = by_one_fifth(frame, labels, weight, base, wish, parts)
    fitted = unseen.fitted()
    parts, fitted = without_unearned(parts, fitted)
    if [*members] != [*parts.alone]:
        members = parts.members()
        first, batch = parts.encoded(members, copies)
    given = apply_given_priors(first, base)
    found = join_members(members, fitted, unseen.doubt, given.prior, given.class_weight)
    if judged is not None and unseen.fold is not None:
        judged = judged.carried_on(carry_on(unseen, found, batch))
    shares = dict.fromkeys(parts.recipes, 0.0) | dict(zip(members, fitted.weights.tolist(), strict=True))
    report = reported(parts.lines, shares, judged, frame.rows)
    if judged is None and wish.time_budget < np.inf:
        report = replace(report, held_out=f"{NO_TIME}; {report.held_out}")
    return Recommended(found, parts.columns, report, None if judged is None else judged.together)


def learned_parts(frame: Frame, labels: Coded, weight: Floats | None, base: Recipe, wish: Wish, clock: Clock) -> Parts:
    """Every part that is wished for and not too much work, learned; what became of the others."""
    clock.starts(len(wish.parts))
    options = with_codes(frame, labels, weight, base.options)
    base = replace(base, options=screened(frame, labels, weight, options, frame.rows))
    models: dict[str, Model] = {}
    lines: dict[str, PartLine] = {}
    recipes: dict[str, Recipe] = {}
    size: effort.Size | None = None
    work = 0.0
    tables: list[ColumnTable] = []
    ways = Ways(frame, labels, weight)
    for part in wish.parts:
        began = perf_counter()
        expected = 0.0 if size is None else effort.seconds(part, size)
        if models and not clock.has(expected):
            why = f"the time budget has no room for it (about {expected:.1f} s)"
            lines[part] = PartLine(part, np.nan, np.nan, np.nan, 0.0, f"left out: {why}")
            continue
        if why := why_not(part, size, ways, base.options):
            lines[part] = PartLine(part, np.nan, np.nan, np.nan, 0.0, f"left out: {why}")
            continue
        recipe, note = recipe_of(part, base), ""
        if size is None and part == "naive" and is_plain_in_time(frame, labels, base, clock):
            recipe = replace(recipe, options=replace(recipe.options, numeric=PLAIN))
            note = f"; {NOT_COMPARED}"
        if part == "gaussian" and size is not None and effort.one_covariance(size):
            recipe = replace(recipe, normal=CovarianceChoices(tied=(1.0,)))
        try:
            model, way = ways.learn(replace(recipe, most_bytes=wish.max_memory))
        except TooLargeError as error:
            lines[part] = PartLine(part, np.nan, np.nan, np.nan, perf_counter() - began, f"left out: {error}")
            continue
        if size is None:
            size = effort.Size.of(model.schema, frame.rows)
        work += effort.steps(part, size, len(recipe.normal.tied) == 1 if recipe.normal else False)
        models[part], recipes[part] = model, recipe
        tables.append(way.found.columns)
        lines[part] = PartLine(part, np.nan, np.nan, np.nan, perf_counter() - began, in_words(model) + note)
        clock.learned(frame.rows)
    if not tables:
        raise TooLargeError("; ".join(line.what for line in lines.values()))
    dates = parts_of_dates(frame, base.options.families, base.options.more_to_come)
    columns = unite_columns(tables, dates) if dates else tables[0]
    empty = {c.origin for model in models.values() for c in model.schema.binned if c.holes and not c.cuts}
    columns = ColumnTable(read_for_holes(c) if not c.family and c.name in empty else c for c in columns)
    hurried = any(NOT_COMPARED in line.what for line in lines.values())
    return Parts(models, recipes, lines, columns, work, hurried, (frame, labels, weight))


def read_for_holes(line: ColumnReport) -> ColumnReport:
    """The line of a column of one value, of which parts of the pool read whether it is there."""
    return replace(line, family="presence", why=f"{line.why.removeprefix('left out: ')}; whether it is there is read")


def is_plain_in_time(frame: Frame, labels: Coded, base: Recipe, clock: Clock) -> bool:
    """Whether there is no time to compare the densities of numbers, of which none is given."""
    heard = len(frame.names) - len(base.options.silent)
    expected = effort.seconds_to_compare_densities(heard, frame.rows, len(labels.levels))
    return base.options.numeric == "auto" and not clock.has(expected)


def by_folds(unseen: HeldOutAnswers, batch: Batch, first: Model, base: Recipe, anew: bool) -> Judged | None:
    """What parts and pool say of every row, all learned and weighed without the row's fold; None of equal rows."""
    assert unseen.fold is not None
    folds = len(distinct(unseen.fold))
    if folds < 2:
        return None
    without = "each" if anew else "each fold, or the half of the rows that contains it"
    how = f"{folds} folds, everything refitted without {without}"
    log_p = log_posterior(together(unseen, batch, first, base))
    held_out = HeldOut(log_p, np.arange(len(log_p)), unseen.fold, first.classes, how)
    return Judged(unseen.said, unseen.own, unseen.weight, held_out)


def by_one_fifth(
    frame: Frame, labels: Coded, weight: Floats | None, base: Recipe, wish: Wish, whole: Parts
) -> Judged | None:
    """What parts and pool of four fifths of the rows say of the other fifth; None where all rows are equal."""
    split = one_fifth(as_read(frame, labels, weight), ties=hash_identifiers(frame))
    if split is None:
        return None
    rest, asked = split
    table = frame.take(rest), labels.take(rest), None if weight is None else weight[rest]
    base = replace(base, classes=next(iter(whole.alone.values())).classes)
    parts = learned_parts(*table, base, replace(wish, parts=tuple(whole.alone)), Clock())
    members = parts.members()
    first, learned = parts.encoded(members, base.options.copies)
    unseen = left_out(members, learned)
    given = apply_given_priors(first, base)
    pool = join_members(members, unseen.fitted(), unseen.doubt, given.prior, given.class_weight)
    batch = pool.schema.encode(frame.take(asked), labels.take(asked), None if weight is None else weight[asked])
    places = np.flatnonzero(asked)
    held_out = HeldOut(pool.log_proba(batch), places, np.zeros_like(places), pool.classes, split_words(*split))
    return Judged(pool.said(batch), choose.own_classes(batch), batch.weight, held_out)


def join_members(members: dict[str, Model], fitted: Pooled, doubt: float, prior: Any, class_weight: Any) -> Pool:
    """The pool of the members under weights that were fitted to what they say with that doubt."""
    bias = tuple(zip(next(iter(members.values())).classes, fitted.bias.tolist(), strict=True))
    return Pool(members, tuple(fitted.weights.tolist()), bias, prior, class_weight, doubt)


@one_at_a_time
def reweigh(found: Pool, batch: Batch, report: Report) -> tuple[Pool, Report]:
    """The pool with every weight fitted again on rows that were learned, each left out; it is judged on no row."""
    rows = choose.rows_left_out(found.first, batch, MOST_ROWS)
    members = {
        part: exponents.fit_temperature(exponents.calibrated(m, NONE), rows)[0]
        if part in ("gaussian", "parzen")
        else exponents.fit_weights(m, rows)[0]
        for part, m in found.members.items()
    }
    unseen = left_out(members, batch)
    fitted = unseen.fitted()
    lines = {line.name: line for line in report.lines}
    weights = dict(zip(members, fitted.weights.tolist(), strict=True))
    fresh = join_members(members, fitted, unseen.doubt, found.prior, found.class_weight)
    return fresh, reported(lines, weights, None, batch.rows)

"""The recommended model: naive Bayes, averaged one-dependence, k-dependence and Gaussian Bayes, pooled.

Each part makes its own choices on rows left out of it. The weights between the parts are fitted on what they say of
rows they have not seen: up to `FOLDED` rows by folds, with cuts, structures and choices learned anew without each fold,
because choices that have seen a row flatter it; above that by leave-one-out. Then all parts are counted into one tally.

In wide tables (see `effort`) a part that would take out of proportion is left out before it begins, and the folds
repeat the choices that take many trials instead of making them anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold import choose, effort
from bayesfold.batch import Batch
from bayesfold.calibrate import NONE
from bayesfold.count import count
from bayesfold.discover import ColumnTable
from bayesfold.fit import Normal, Recipe, coded_labels, learn, told, weighed
from bayesfold.folds import dealt
from bayesfold.frame import Coded, Floats, Frame, Level
from bayesfold.gather import NAME
from bayesfold.graph import Mixture, Node
from bayesfold.model import Model
from bayesfold.plan import cliques
from bayesfold.pool import Pooled, log_loss, pool
from bayesfold.pooled import FLOOR, Pool
from bayesfold.repeat import repeated
from bayesfold.schema import Column, Schema
from bayesfold.structures.aode import Aode
from bayesfold.structures.kdb import Kdb
from bayesfold.structures.naive import Naive
from bayesfold.structures.tan import Tan
from bayesfold.table import html_table, text_table
from bayesfold.tally import TooLargeError
from bayesfold.threads import one_at_a_time
from bayesfold.vector import Vector

FOLDED = 5_000
FOLDS = 4
MOST_ROWS = 50_000
RIDGES = {True: 10.0, False: 100.0}
"""The pull to equal weights where rows were held out by folds, and, stronger, by leave-one-out."""

BIAS_RIDGE = 10.0
FOLDED_ANEW = f"{FOLDS} folds, everything learned anew"
FOLDED_AGAIN = f"{FOLDS} folds; smoothing, ways to cut and shrinkage kept to save time"
PARTS = ("naive", "aode", "kdb", "gaussian")
"""What is pooled, in the order in which it is tried."""


@dataclass(frozen=True)
class Wish:
    """What the user asks of the whole: which parts, and what they may cost."""

    parts: tuple[str, ...] = PARTS
    max_memory: float = 2**31
    time_budget: float = np.inf


@dataclass(frozen=True)
class PartLine:
    """One part: its held-out log-loss and accuracy by itself, its weight, how long it took, what became of it."""

    name: str
    loss: float
    accuracy: float
    weight: float
    seconds: float
    what: str


@dataclass(frozen=True)
class Report:
    """What was tried, what each part got, and what they got together on rows they had not seen."""

    lines: tuple[PartLine, ...]
    loss: float
    accuracy: float
    rows: int
    held_out: str

    def _cells(self) -> list[tuple[str, ...]]:
        def number(x: float) -> str:
            return "" if np.isnan(x) else f"{x:.4f}"

        found = [
            (p.name, number(p.loss), number(p.accuracy), number(p.weight), f"{p.seconds:.1f}", p.what)
            for p in self.lines
        ]
        took = sum(p.seconds for p in self.lines)
        return [*found, ("together", number(self.loss), number(self.accuracy), "", f"{took:.1f}", self.held_out)]

    HEADER = ("part", "log-loss", "accuracy", "weight", "seconds", "what")

    def __str__(self) -> str:
        return text_table(self.HEADER, self._cells())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self.HEADER, self._cells())


def recipe_of(part: str, base: Recipe) -> Recipe:
    """How a part is learned."""
    base = replace(base, prior=None, class_weight=None)  # the pool applies them
    options = replace(base.options, alpha="auto")
    if part == "naive":
        return replace(base, options=options, structure=Naive(), weights="auto")
    if part == "gaussian":
        return replace(base, normal=Normal(), calibration="temperature")
    structures = {"aode": (Aode(),), "kdb": (Kdb(1), Kdb(2)), "tan": (Tan(),)}
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
    tables: dict[str, ColumnTable] = {}
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
        models[part], recipes[part], tables[part] = model, recipe, found
        columns = found if columns is None else columns
        lines[part] = PartLine(part, np.nan, np.nan, np.nan, perf_counter() - began, in_words(model))
    if columns is None:
        raise TooLargeError("; ".join(line.what for line in lines.values()))
    members = united(models, frame, labels, weight)
    spent = perf_counter() - started
    in_time = spent + FOLDS * spent <= wish.time_budget
    anew = work <= effort.LEARNED_ANEW
    if not anew:
        recipes = {part: repeated(recipes[part], models[part], tables[part]) for part in models}
    fitted, T, own, rows, how = between(members, frame, labels, weight, recipes, in_time)
    if how == FOLDED_ANEW and not anew:
        how = FOLDED_AGAIN
    for i, part in enumerate(members):
        loss, accuracy = log_loss(T[:, i], own, rows), right(T[:, i], own, rows)
        lines[part] = replace(lines[part], loss=loss, accuracy=accuracy, weight=float(fitted.weights[i]))
    bias = tuple(zip(next(iter(members.values())).classes, fitted.bias.tolist(), strict=True))
    together = right(fitted.held_out, own, rows)
    report = Report(tuple(lines.values()), fitted.loss, together, len(own), how)
    given = told(next(iter(members.values())), base)
    return Pool(members, tuple(fitted.weights.tolist()), bias, given.prior, given.class_weight), columns, report


def right(logits: Floats, own: NDArray[np.intp], weight: Floats | None) -> float:
    """The share of rows whose class is the most probable one."""
    return float(np.average(logits.argmax(1) == own, weights=weight))


def in_words(model: Model) -> str:
    """What a part has chosen."""
    schema, networks = model.schema, model.mixture.networks
    if NAME in model.families:
        shrinkage = model.families[NAME].shrinkage
        return f"covariance {shrinkage.tied:g} tied, {shrinkage.diagonal:g} diagonal; {schema.width(NAME)} numbers"
    deeper = next((getattr(model.families[n], "deeper", None) for n in schema.tables), None)
    most = max((len(n.parents) - 1 for network in networks for n in network), default=0)
    smoothing = "" if deeper is None else f", {deeper:g} pseudo rows"
    if not model.mixture.roots and len(schema.features) >= choose.MOST_EXPONENTS:
        smoothing += ", one exponent for all columns"
    return f"{len(networks)} network{'s' * (len(networks) > 1)}, up to {max(most, 0)} parents{smoothing}"


def between(
    members: Mapping[str, Model],
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    recipes: Mapping[str, Recipe],
    in_time: bool,
) -> tuple[Pooled, Floats, NDArray[np.intp], Floats | None, str]:
    """The weights between the parts; what the parts say of rows they have not seen; those rows' classes and weights.

    Folds learn every part again: where the time budget has no room for that, rows are left out one by one instead.
    """
    first = next(iter(members.values()))
    batch = first.schema.encode(frame, labels, weight)
    own = choose.own_classes(batch)
    folded = frame.rows <= FOLDED and len(members) > 1 and in_time
    if folded:
        fold = dealt(as_given(batch, first.schema), FOLDS)
        T, how = by_folds(recipes, frame, labels, weight, first.classes, fold), FOLDED_ANEW
        rows = batch
        shown = np.zeros((FOLDS, T.shape[2]), np.intp)
        np.add.at(shown, (fold, own), 1)
        known = (shown.sum(0) > shown)[fold, own]  # without its fold the row's class is unknown: it teaches nothing
        if known.any():
            T, own, rows = T[known], own[known], batch.take(np.flatnonzero(known))
    else:
        rows = choose.asked(first, batch, MOST_ROWS)
        own, how = choose.own_classes(rows), "leave-one-out" if in_time else "leave-one-out, to save time"
        if rows.rows < batch.rows * 0.99:
            how += f" on {rows.rows} of {batch.rows} rows, chosen by their content"
        T = np.stack([m.log_proba(rows, leave_out=True) for m in members.values()], axis=1)
    T = np.maximum(T, FLOOR)
    ridge = RIDGES[folded]
    fitted = pool(T, own, rows.weight, start=1.0 / T.shape[1], ridge=ridge, bias_ridge=BIAS_RIDGE, nonnegative=True)
    return fitted, T, own, rows.weight, how


@one_at_a_time
def reweighed(found: Pool, batch: Batch, report: Report) -> tuple[Pool, Report]:
    """The pool with every weight fitted again on rows that were learned, each left out."""
    rows = choose.asked(found.first, batch, MOST_ROWS)
    own = choose.own_classes(rows)
    members = {
        part: choose.tempered(choose.calibrated(m, NONE), rows)[0] if part == "gaussian" else choose.weighed(m, rows)[0]
        for part, m in found.members.items()
    }
    again = Pool(members, found.weights, found.bias)
    T = again.said(rows, leave_out=True)
    fitted = pool(
        T, own, rows.weight, start=1.0 / T.shape[1], ridge=RIDGES[False], bias_ridge=BIAS_RIDGE, nonnegative=True
    )
    lines = {line.name: line for line in report.lines}
    for i, part in enumerate(members):
        loss, accuracy = log_loss(T[:, i], own, rows.weight), right(T[:, i], own, rows.weight)
        lines[part] = replace(lines[part], loss=loss, accuracy=accuracy, weight=float(fitted.weights[i]))
    bias = tuple(zip(found.classes, fitted.bias.tolist(), strict=True))
    together = right(fitted.held_out, own, rows.weight)
    fresh = Report(tuple(lines.values()), fitted.loss, together, len(own), "leave-one-out")
    return Pool(members, tuple(fitted.weights.tolist()), bias, found.prior, found.class_weight), fresh


def by_folds(
    recipes: Mapping[str, Recipe],
    frame: Frame,
    labels: Coded,
    weight: Floats | None,
    classes: tuple[Level, ...],
    fold: NDArray[np.intp],
) -> Floats:
    """[row, part, class]: log posteriors of each fold by parts learned on the others."""
    out = np.zeros((frame.rows, len(recipes), len(classes)))
    for f in np.unique(fold):
        train, test = fold != f, fold == f
        if not train.any():
            train = test
        some = labels.take(train)
        part_weight = None if weight is None else weight[train]
        for i, recipe in enumerate(recipes.values()):
            model, _ = learn(frame.take(train), some, part_weight, replace(recipe, classes=classes))
            out[test, i] = model.log_proba(model.schema.encode(frame.take(test)))
    return out


def as_given(batch: Batch, schema: Schema) -> Batch:
    """The columns without vectors, whose scale hangs on the last bits of a sum: a row's fold should not."""
    plain = tuple(p for p in batch.counts if not isinstance(schema.columns[p.names[0]], Vector))
    some = batch.codes or batch.reals or plain
    return replace(batch, counts=plain) if some else batch


def united(models: Mapping[str, Model], frame: Frame, labels: Coded, weight: Floats | None) -> dict[str, Model]:
    """The models on one schema and one tally; a column that two read in different ways appears under both."""
    columns: dict[str, Column] = {}
    renamed: dict[str, dict[str, str]] = {}
    for part, model in models.items():
        names = {model.schema.target.name: model.schema.target.name}
        for column in model.schema.features:
            shared = column.name in model.schema.tables and columns.get(column.name) == column
            if column.name not in columns or shared:
                names[column.name] = column.name
                columns[column.name] = column
            else:
                names[column.name] = f"{column.name} ({part})"
                columns[names[column.name]] = with_name(column, names[column.name])
        renamed[part] = names
    first = next(iter(models.values()))
    schema = Schema(first.schema.target, tuple(columns.values()), first.schema.left_out)
    parts = {
        part: (moved(m.mixture, renamed[part]), {new: m.families[old] for old, new in renamed[part].items()})
        for part, m in models.items()
    }
    wanted = dict.fromkeys(c for mixture, families in parts.values() for c in cliques(schema, mixture, families))
    tally = count(schema, tuple(wanted), schema.encode(frame, labels, weight))
    return {
        part: Model(mixture, families, tally, models[part].prior, models[part].class_weight, models[part].calibration)
        for part, (mixture, families) in parts.items()
    }


def with_name(column: Column, name: str) -> Column:
    """A column under another name, reading the same source."""
    source = getattr(column, "source", None)
    return replace(column, name=name) if source is None else replace(column, name=name, source=source or column.name)  # type: ignore[arg-type]


def moved(mixture: Mixture, names: Mapping[str, str]) -> Mixture:
    """A mixture over renamed columns."""

    def all_of(some: Sequence[str]) -> tuple[str, ...]:
        return tuple(names[n] for n in some)

    networks = tuple(
        tuple(Node(all_of(n.children), all_of(n.parents), n.power) for n in network) for network in mixture.networks
    )
    return replace(mixture, networks=networks, roots=tuple(all_of(r) for r in mixture.roots))

"""Learning from the command line, and what is told of it: columns, scores of rows held out."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from bayesfold.cli import _rows
from bayesfold.cli._judging import judged
from bayesfold.cli._lesson import Lesson
from bayesfold.cli._progress import waiting
from bayesfold.cli._rows import Rows
from bayesfold.cli._words import advice, remark, table, title, warn
from bayesfold.data.batch import Batch
from bayesfold.data.folds import dealt
from bayesfold.data.frame import Floats
from bayesfold.decisions.compare import INTERVAL, Measure, in_print
from bayesfold.io.fit import learn_from
from bayesfold.io.source import Source
from bayesfold.learning.discover import ColumnTable, discover
from bayesfold.learning.kinds import Settings, name_of
from bayesfold.learning.lost_variance import lost_spreads
from bayesfold.learning.trained import Trained, train
from bayesfold.models.model import Model
from bayesfold.runtime.unique import distinct

MOST_COLUMNS = 60
FOLDS = 10


def taught(settings: Settings, lesson: Lesson, quiet: bool, checkpoint: str | None) -> Trained:
    """The model that was asked for, of the rows that were looked at if they are all, else of the whole source."""
    rows, target = lesson.rows, lesson.wanted.target
    early = None if quiet else columns_of(settings, rows)
    if early is not None:
        show_columns(lesson.told(early))
    with waiting("learning") as watcher, _rows.located(lesson, rows):
        if lesson.look.whole:
            trained = train(settings, rows.frame, rows.labels, target, _rows.label_type(rows.classes), rows.weight)
        else:
            names = list(lesson.wanted.features)  # prose is declared among the families
            given = (lesson.source, target, lesson.wanted.weight, names)
            trained, account = learn_from(settings, *given, watcher, checkpoint)
            trained = replace(trained, history=())
            remark(repr(account))
    for why in lost_spreads(trained.model_.tally, rows.frame, rows.weight):
        warn(why)
    return replace(trained, columns=lesson.told(trained.columns))


def taught_like(like: Trained, source: Source, target: str, weight: str | None) -> tuple[Trained, Rows]:
    """A model of other rows that reads its columns, weighs and smooths as `like` does; and the first of its rows."""
    if target != like.target:
        raise ValueError(f"that model predicts {like.target!r}, not {target!r}")
    fresh = replace(like.blank(), report=None, history=())
    first: Rows | None = None
    with waiting("learning") as watcher:
        for block, rows in _rows.blocks_known_to(fresh, source, weight, watcher):
            with _rows.located(block, rows):
                fresh.learn(rows.frame, rows.labels, rows.weight)
            first = first or rows
    if first is None:
        raise ValueError(f"{source.name} has column names and no rows")
    return fresh, first


def columns_of(settings: Settings, rows: Rows) -> ColumnTable | None:
    """What the columns of a pool will be: it takes seconds to weigh its parts, and this is known at once."""
    if name_of(settings) != "bayes":
        return None
    told = settings._options(rows.frame, False, alpha="auto", missing_as="skip", together=False)
    return discover(rows.frame, rows.labels, told, rows.weight).columns


@dataclass(frozen=True)
class HeldOut:
    """How good a model is on rows that it had not seen, how they were held out, and what a guess by the prior gets."""

    how: str
    measures: dict[str, Measure]
    guess: dict[str, float]

    def lines(self) -> list[tuple[str, ...]]:
        """A line a measure."""
        return [
            (name, *in_print(m), f"{self.guess[name]:.3f}" if name in self.guess else "")
            for name, m in self.measures.items()
        ]


def held_out(trained: Trained, every: Rows) -> HeldOut:
    """Scores of rows that were held out: those of the pool's own report, or of learned rows, each subtracted first."""
    counts = trained.model_.class_weights()
    share = counts[counts > 0] / counts.sum()
    guess = {"accuracy": float(share.max()), "log-loss": float(-(share * np.log(share)).sum())}
    if trained.report is not None:
        found = {"accuracy": trained.report.accuracy, "log-loss": trained.report.loss}
        return HeldOut(trained.report.held_out, {k: Measure(v, np.nan, np.nan) for k, v in found.items()}, guess)
    rows = every.heavy()
    batch = trained.learned(rows.frame, rows.labels, rows.weight)
    if isinstance(trained.model_, Model) and trained.model_.iterative:
        log_p, how = fitted_anew(trained, rows, batch), f"{FOLDS} folds, each fitted anew"
    else:
        log_p, how = trained.model_.log_proba(batch, leave_out=True), "leave-one-out, by subtraction"
    scores = judged({"": trained}, {"": log_p}, rows).scores[""]
    some = f", {rows.frame.rows:,} of them" if rows.frame.rows < trained.rows else ""
    return HeldOut(f"{how}{some}", dict(scores), guess)


def fitted_anew(trained: Trained, rows: Rows, batch: Batch) -> Floats:
    """Posteriors of rows by models of the other folds, for a model from which no row can be subtracted."""
    settings, classes = trained.settings, trained.model_.classes
    assert isinstance(settings, Settings)
    log_p, fold = np.empty((rows.frame.rows, len(classes))), dealt(batch, FOLDS)
    for k in distinct(fold):
        rest, out = fold != k, fold == k
        weight = None if rows.weight is None else rows.weight[rest]
        model = settings.learn(rows.frame.take(rest), rows.labels.take(rest), weight, classes).model
        log_p[out] = model.log_proba(model.schema.encode(rows.frame.take(out)))
    return log_p


def show_columns(columns: ColumnTable) -> None:
    """What became of each column."""
    lines = [(c.name, c.family or "-", advice(c.why)) for c in columns]
    table(("column", "is", "why"), lines, left=3, most=MOST_COLUMNS)


def show_scores(trained: Trained, scores: HeldOut) -> None:
    """How good the model is on rows that it had not seen."""
    if trained.report is not None:
        title(f"{trained.settings.estimator}: what each part got on rows held out")
        lines = [(p.name, p.what, number(p.accuracy), number(p.loss), number(p.weight)) for p in trained.report.lines]
        lines.append(("together", scores.how, number(trained.report.accuracy), number(trained.report.loss), ""))
        lines.append(("by the prior", "", number(scores.guess["accuracy"]), number(scores.guess["log-loss"]), ""))
        table(("part", "what", "accuracy", "log-loss", "weight"), lines, left=2)
        return
    title(f"{trained.settings.estimator}: scores of rows held out ({scores.how})")
    table(("", "", INTERVAL, "by the prior"), scores.lines())


def number(x: float) -> str:
    """A score in print."""
    return "" if np.isnan(x) else f"{x:.3f}"


def as_json(trained: Trained, rows: Rows, scores: HeldOut, out: str) -> dict[str, Any]:
    """All of it for machines."""
    counts = trained.model_.class_counts().tolist()
    report = trained.report
    return {
        "model": out,
        "kind": trained.settings.estimator,
        "target": trained.target,
        "rows": trained.rows,
        "rows_without_label": rows.unlabelled,
        "classes": [{"class": c, "rows": n} for c, n in zip(trained.model_.classes, counts, strict=True)],
        "columns": [{"column": c.name, "family": c.family or None, "why": advice(c.why)} for c in trained.columns],
        "held_out": {"how": scores.how, "by_the_prior": scores.guess}
        | {k: {"value": m.value, "low": m.low, "high": m.high} for k, m in scores.measures.items()},
        "parts": None if report is None else [asdict(line) for line in report.lines],
    }

"""Learning from the command line: what is looked at and checked before, what is told after."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.cli import _rows
from bayesfold.cli._judging import judged
from bayesfold.cli._names import known
from bayesfold.cli._progress import waiting
from bayesfold.cli._rows import Rows
from bayesfold.cli._words import advice, counted, remark, say, table, title
from bayesfold.discover import ColumnReport, ColumnTable, discover, markers
from bayesfold.engines.memory import frame as frame_of
from bayesfold.judgement import INTERVAL, Measure, in_print
from bayesfold.kinds import Settings, name_of
from bayesfold.learn_from import LEAST_ROWS, MOST_CELLS, MOST_ROWS, Wanted, learn_from
from bayesfold.sources import Look, Source
from bayesfold.trained import Trained, train
from bayesfold.written import words

DATES = "left out: dates or times; add a column that says what matters about them (weekday, hour, days since ...)"
MOST_COLUMNS = 60
MOST_CLASSES = 8
MANY = 20
"""From so many rows on, a target in which more than half of them differ is no class."""


@dataclass(frozen=True)
class Lesson:
    """What is to be learned: a look at the source, and the rows that were looked at, which may be all of them."""

    source: Source
    wanted: Wanted
    look: Look
    rows: Rows
    left_out: dict[str, str]

    @classmethod
    def of(cls, source: Source, target: str, weight: str | None, drop: Sequence[str], missing: Any) -> "Lesson":
        """All columns but the target, the weight and those to drop."""
        for name in (target, *((weight,) if weight else ()), *drop):
            known("column", name, source.names, f"{source.name}: ")
        types = source.types(source.names)
        aside = {target, weight, *drop}
        left_out = {n: DATES for n in source.names if n not in aside and pa.types.is_temporal(types[n])}
        features = tuple(n for n in source.names if n not in aside and n not in left_out)
        if not features:
            raise ValueError(f"{source.name} has no column to learn from besides {target!r}")
        wanted = Wanted(features, target, weight)
        most = int(max(LEAST_ROWS, min(MOST_ROWS, MOST_CELLS // len(wanted.all))))
        look = source.look(wanted.all, most, {}, {name: words(markers(missing, name)) for name in features})
        if not look.rows:
            raise ValueError(f"{source.name} has column names and no rows")
        labels = _rows.coded(look.table.column(target), target)
        own = None if weight is None else _rows.weights(look.table, weight, source.name)
        rows = _rows.kept(frame_of(look.table.select(list(features))), labels, own)
        lesson = cls(source, wanted, look, rows, left_out)
        check_target(rows, target, source.name)
        return lesson

    def place(self, row: int) -> str:
        """Where a row stands that was looked at, for a person."""
        return self.source.place(row) if self.look.whole else f"{self.source.name}, a row of the sample"

    def greet(self) -> None:
        """What was read."""
        classes = self.rows.labels.levels
        counts = np.bincount(self.rows.labels.index, minlength=len(classes))
        order = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
        many = self.rows.frame.rows if self.look.whole else self.look.rows
        shown = ", ".join(f"{classes[k]} {counts[k]:,}" if self.look.whole else str(classes[k]) for k in order)
        more = f" and {len(classes) - MOST_CLASSES} more" if len(classes) > MOST_CLASSES else ""
        gone = self.rows.unlabelled
        aside = f" ({counted(gone, 'row')} without a class put aside)" if gone else ""
        columns = counted(len(self.wanted.features), "column")
        say(f"{self.source.name}: {counted(many, 'row')}{aside}, {columns}; classes: {shown}{more}\n")


def check_target(rows: Rows, target: str, label: str) -> None:
    """Refuse a target that says nothing, or that is not a class."""
    classes, n = rows.classes, rows.frame.rows
    if len(classes) == 1:
        raise ValueError(
            f"{label}: the target {target!r} is {classes[0]!r} in every row; there is nothing to tell apart. Give rows "
            "of at least two classes"
        )
    if n >= MANY and len(classes) > n / 2:
        number = all(isinstance(c, int | float) for c in classes)
        what = "a quantity; cut it into a few ranges first" if number else "an identifier; choose another column"
        raise ValueError(f"{label}: the target {target!r} has {len(classes):,} values in {n:,} rows: that is {what}")


def taught(settings: Settings, lesson: Lesson, quiet: bool) -> Trained:
    """The model that was asked for, of the rows that were looked at if they are all, else of the whole source."""
    rows, target = lesson.rows, lesson.wanted.target
    early = None if quiet else columns_of(settings, rows)
    if early is not None:
        show_columns(early, lesson.left_out)
    with waiting("learning") as watcher, _rows.located(lesson, rows):
        if lesson.look.whole:
            trained = train(settings, rows.frame, rows.labels, target, _rows.label_type(rows.classes), rows.weight)
        else:
            names = list(lesson.wanted.features)
            trained, account = learn_from(settings, lesson.source, target, lesson.wanted.weight, names, watcher)
            remark(repr(account))
    if lesson.left_out:
        more = (ColumnReport(name, "", why) for name, why in lesson.left_out.items())
        trained = replace(trained, columns=ColumnTable((*trained.columns, *more)))
    return trained


def taught_like(like: Trained, source: Source, target: str, weight: str | None) -> tuple[Trained, Rows]:
    """A model of other rows that reads its columns, weighs and smooths as `like` does; and the first of its rows."""
    if target != like.target:
        raise ValueError(f"that model predicts {like.target!r}, not {target!r}")
    fresh = replace(like.blank(), report=None, history=())
    first: Rows | None = None
    with waiting("learning"):
        for block, rows in _rows.blocks_known_to(fresh, source, weight):
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
    told = settings._options(rows.frame, False, alpha="auto", missing_as="skip")
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


def held_out(trained: Trained, rows: Rows) -> HeldOut:
    """Scores of rows that were held out: those of the pool's own report, or of learned rows, each subtracted first."""
    counts = trained.model_.class_weights()
    share = counts[counts > 0] / counts.sum()
    guess = {"accuracy": float(share.max()), "log-loss": float(-(share * np.log(share)).sum())}
    if trained.report is not None:
        found = {"accuracy": trained.report.accuracy, "log-loss": trained.report.loss}
        return HeldOut(trained.report.held_out, {k: Measure(v, np.nan, np.nan) for k, v in found.items()}, guess)
    batch = trained.learned(rows.frame, rows.labels, rows.weight)
    log_p = trained.model_.log_proba(batch, leave_out=True)
    scores = judged({"": trained}, {"": log_p}, rows).scores[""]
    some = f", {rows.frame.rows:,} of them" if rows.frame.rows < trained.rows else ""
    return HeldOut(f"leave-one-out, by subtraction{some}", dict(scores), guess)


def show_columns(columns: ColumnTable, left_out: Mapping[str, str]) -> None:
    """What became of each column."""
    named = {c.name for c in columns}
    lines = [(c.name, c.family or "-", advice(c.why)) for c in columns]
    lines += [(name, "-", why) for name, why in left_out.items() if name not in named]
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

"""Learning from the command line: what is checked before, what is told after."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from bayesfold.cli._judging import judged
from bayesfold.cli._rows import Rows, label_type
from bayesfold.cli._words import advice, counted, say, table, title
from bayesfold.discover import ColumnReport, ColumnTable, discover
from bayesfold.judgement import INTERVAL, Measure, in_print
from bayesfold.kinds import Settings, name_of
from bayesfold.trained import Trained, train

MOST_COLUMNS = 60
MOST_CLASSES = 8
MANY = 20
"""From so many rows on, a target in which more than half of them differ is no class."""


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


def learn(settings: Settings, rows: Rows, target: str) -> Trained:
    """The model that the settings ask for; columns that were put aside are told in its column table."""
    trained = train(settings, rows.frame, rows.labels, target, label_type(rows), rows.weight)
    if rows.left_out:
        more = (ColumnReport(name, "", why) for name, why in rows.left_out.items())
        trained.columns = ColumnTable((*trained.columns, *more))
    return trained


def learn_like(like: Trained, rows: Rows, target: str) -> Trained:
    """A model of other rows that reads its columns, weighs and smooths as `like` does."""
    if target != like.target:
        raise ValueError(f"that model predicts {like.target!r}, not {target!r}")
    fresh = replace(like.blank(), report=None, history=())
    fresh.learn(rows.frame, rows.labels, rows.weight)
    return fresh


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
    """Scores of rows that were held out: those of the pool's own report, or of every row, taken out by subtraction."""
    counts = trained.model_.class_weights()
    share = counts / counts.sum()
    guess = {"accuracy": float(share.max()), "log-loss": float(-(share * np.log(share)).sum())}
    if trained.report is not None:
        found = {"accuracy": trained.report.accuracy, "log-loss": trained.report.loss}
        return HeldOut(trained.report.held_out, {k: Measure(v, np.nan, np.nan) for k, v in found.items()}, guess)
    batch = trained.learned(rows.frame, rows.labels, rows.weight)
    log_p = trained.model_.log_proba(batch, leave_out=True)
    scores = judged({"": trained}, {"": log_p}, rows).scores[""]
    return HeldOut("leave-one-out, by subtraction", dict(scores), guess)


def show_columns(columns: ColumnTable, left_out: dict[str, str]) -> None:
    """What became of each column."""
    lines = [(c.name, c.family or "-", advice(c.why)) for c in columns]
    lines += [(name, "-", why) for name, why in left_out.items() if name not in {c.name for c in columns}]
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
        "rows": rows.frame.rows,
        "rows_without_label": rows.unlabelled,
        "classes": [{"class": c, "rows": n} for c, n in zip(trained.model_.classes, counts, strict=True)],
        "columns": [{"column": c.name, "family": c.family or None, "why": advice(c.why)} for c in trained.columns],
        "held_out": {"how": scores.how, "by_the_prior": scores.guess}
        | {k: {"value": m.value, "low": m.low, "high": m.high} for k, m in scores.measures.items()},
        "parts": None if report is None else [asdict(line) for line in report.lines],
    }


def greet(rows: Rows, label: str) -> None:
    """What was read."""
    classes = rows.labels.levels
    counts = np.bincount(rows.labels.index, minlength=len(classes))
    order = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
    shown = ", ".join(f"{classes[k]} {counts[k]:,}" for k in order)
    more = f" and {len(classes) - MOST_CLASSES} more" if len(classes) > MOST_CLASSES else ""
    aside = f" ({counted(rows.unlabelled, 'row')} without a class put aside)" if rows.unlabelled else ""
    columns = counted(len(rows.frame.names), "column")
    say(f"{label}: {counted(rows.frame.rows, 'row')}{aside}, {columns}; classes: {shown}{more}\n")

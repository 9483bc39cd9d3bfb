"""Learning from the command line, and what is told of it: columns, scores of rows held out."""

from dataclasses import asdict, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from bayesfold.cli import _choices, _rows
from bayesfold.cli._advice import advice
from bayesfold.cli._choices import Asked
from bayesfold.cli._judging import may_have_learned
from bayesfold.cli._lesson import Lesson, check_classes, resolve_columns
from bayesfold.cli._rows import Rows
from bayesfold.cli._words import remark, table, title, warn
from bayesfold.decisions.measures import INTERVAL, in_print
from bayesfold.io.fit import Account, learn
from bayesfold.io.source import Source
from bayesfold.learning.column_table import ColumnTable
from bayesfold.learning.cross_fit import taken_out
from bayesfold.learning.discover import discover
from bayesfold.learning.kinds import Settings, name_of
from bayesfold.learning.lost_variance import lost_spreads
from bayesfold.learning.scores import Scores
from bayesfold.learning.trained import Trained
from bayesfold.runtime.waiting import waiting

MOST_COLUMNS = 60


def chosen(asked: Asked, source: Source, quiet: bool, checkpoint: str | None = None) -> tuple[Trained, Rows, Account]:
    """The model that was asked for, of all rows of a source; the rows that were looked at, and an account."""
    marks, text = _choices.missing(asked.missing), resolve_columns(source, asked.text, asked.target)
    given, declared = _choices.apart(asked.families, text, asked.target)
    guess = partial(_choices.guess, source, asked.model, given, text, marks)
    lesson = Lesson.of(source, asked.target, asked.weight, asked.drop, declared, marks, guess)
    if not quiet:
        lesson.greet()
    lesson.remarks([*text, *(one.rpartition("=")[0] for one in given)])
    told = _choices.settings(
        asked.model,
        lesson.wanted,
        given,
        text,
        lesson.missing,
        asked.others,
        asked.loss,
        asked.reject_cost,
        lesson.rows.classes,
    )
    trained, account = taught(asked.counting(told), lesson, quiet, checkpoint)
    return trained, lesson.rows, account


def taught(settings: Settings, lesson: Lesson, quiet: bool, checkpoint: str | None) -> tuple[Trained, Account]:
    """The model that was asked for, of all rows, and an account of how they were read."""
    rows, wanted = lesson.rows, lesson.wanted
    shown = None if quiet else columns_of(settings, rows)
    if shown is not None:
        show_columns(lesson.in_words_of_file(shown))
    with waiting("learning") as watcher:
        trained, account = learn(
            settings, lesson.source, wanted, lesson.declared, lambda: lesson.sample, watcher, checkpoint
        )
    check_classes(trained.model_.classes, wanted.target, lesson.source.name)
    if not account.whole:
        remark(repr(replace(account, notes=())))
    for why in lost_spreads(trained.model_.tally, rows.frame, rows.weight):
        warn(why)
    return replace(trained, columns=lesson.in_words_of_file(trained.columns), history=()), account


def taught_like(like: Trained, source: Source, target: str, weight: str | None) -> tuple[Trained, Rows]:
    """A model of other rows that reads its columns, weighs and smooths as `like` does; and the first of its rows."""
    fresh = emptied(like, target)
    first: Rows | None = None
    aside = 0
    with waiting("learning") as watcher:
        for block, rows in _rows.blocks_known_to(fresh, source, weight, watcher):
            aside += rows.unlabelled
            if rows.frame.rows:
                with _rows.located(block, rows):
                    fresh.learn(rows.frame, rows.labels, rows.weight)
                first = first or rows
    if first is None:
        refuse_no_rows(source, aside)
    return fresh, replace(first, unlabelled=aside)


def emptied(like: Trained, target: str) -> Trained:
    """A model of no rows that reads and predicts what `like` does."""
    if target != like.target:
        raise ValueError(f"that model predicts {like.target!r}, not {target!r}")
    return replace(like.blank(), report=None, history=())


def refuse_no_rows(source: Source, unlabelled: int) -> NoReturn:
    """There is nothing to learn."""
    what = "no row has a class" if unlabelled else "it has column names and no rows"
    raise ValueError(f"{source.name}: {what}")


def columns_of(settings: Settings, rows: Rows) -> ColumnTable | None:
    """What the columns of a pool will be: it takes seconds to weigh its parts, and this is known at once."""
    if name_of(settings) != "bayes":
        return None
    told = settings._options(rows.frame, False, alpha="auto", missing_as="skip", together=False)
    return discover(rows.frame, rows.labels, told, rows.weight).columns


def with_scores(trained: Trained, rows: Rows) -> Trained:
    """The model with its scores on rows that nothing of it has seen; a pool has them in its report."""
    if trained.report is not None or not isinstance(trained.settings, Settings):
        return trained
    with waiting("holding rows out"):
        return replace(trained, scores=trained.feature_settings.scores(rows.frame, rows.labels, rows.weight))


def with_scores_like(trained: Trained, rows: Rows, like: Trained, name: str) -> Trained:
    """The model with its scores on rows taken out of its sums, all that `like` has chosen being held."""
    some = rows.heavy()
    found = taken_out(trained.model_, trained.learned(some.frame, some.labels, some.weight))
    suspect = may_have_learned(like, some)
    note = "which may have learned these rows: they flatter it" if suspect else "which has not learned these rows"
    held_out = replace(found, how=f"{found.how}; what {name} has chosen is held, {note}")
    return replace(trained, scores=trained.feature_settings.scored(held_out, some.labels, some.weight))


def show_columns(columns: ColumnTable) -> None:
    """What became of each column."""
    lines = [(c.name, c.family or "-", advice(c.why)) for c in columns]
    table(("column", "is", "why"), lines, left=3, most=MOST_COLUMNS)


def show_scores(trained: Trained) -> None:
    """How good the model is on rows that it had not seen, and what each part of a pool got."""
    scores, report = trained.judged, trained.report
    if report is not None:
        title(f"{trained.settings.estimator}: what each part got on rows held out")
        lines = [(p.name, advice(p.what), number(p.accuracy), number(p.loss), number(p.weight)) for p in report.lines]
        table(("part", "what", "accuracy", "log-loss", "weight"), lines, left=2)
    if scores is None:
        title(f"{trained.settings.estimator}: no row was held out, so that there are no scores")
        return
    title(f"{trained.settings.estimator}: scores of rows held out ({how(trained, scores)})")
    shown = [
        (name, *in_print(m), f"{scores.guess[name]:.3f}" if name in scores.guess else "")
        for name, m in scores.measures.items()
    ]
    table(("", "", INTERVAL, "guessing"), shown)


def how(trained: Trained, scores: Scores) -> str:
    """How rows were held out, and that they are not all."""
    return scores.how if scores.rows == trained.rows else f"{scores.how}; {trained.rows:,} rows were learned"


def number(x: float) -> str:
    """A score in print."""
    return "" if np.isnan(x) else f"{x:.3f}"


def as_json(trained: Trained, unlabelled: int, out: str) -> dict[str, Any]:
    """All of it for machines."""
    counts = trained.model_.class_counts().tolist()
    report, scores = trained.report, trained.judged
    return {
        "model": out,
        "kind": trained.settings.estimator,
        "target": trained.target,
        "rows": trained.rows,
        "rows_without_label": unlabelled,
        "classes": [{"class": c, "rows": n} for c, n in zip(trained.model_.classes, counts, strict=True)],
        "columns": [{"column": c.name, "family": c.family or None, "why": advice(c.why)} for c in trained.columns],
        "held_out": None
        if scores is None
        else {"how": how(trained, scores), "rows": scores.rows, "by_the_prior": scores.guess}
        | {k: {"value": m.value, "low": m.low, "high": m.high} for k, m in scores.measures.items()},
        "parts": None if report is None else [asdict(line) | {"what": advice(line.what)} for line in report.lines],
    }

"""Learning from the command line, and what is told of it: columns, scores of rows held out."""

from dataclasses import asdict, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from bayesfold.cli import _choices, _rows
from bayesfold.cli._advice import translate_advice
from bayesfold.cli._choices import FitRequest
from bayesfold.cli._lesson import Lesson, check_classes, resolve_columns
from bayesfold.cli._rows import Rows
from bayesfold.cli._words import note, print_table, print_title, remark, warn
from bayesfold.decisions.measure import INTERVAL, in_print
from bayesfold.io.fit import Account, learn
from bayesfold.io.judging import may_have_learned
from bayesfold.io.source import Source
from bayesfold.learning.column_table import BEST, ColumnTable, densities_compared
from bayesfold.learning.cross_fit import taken_out
from bayesfold.learning.kinds import Settings, name_of
from bayesfold.learning.lost_variance import lost_spreads
from bayesfold.learning.readings import read_for_weights
from bayesfold.learning.scores import Scores
from bayesfold.learning.trained import Trained
from bayesfold.runtime.waiting import waiting

MOST_COLUMNS = 60
BINS = ("mdl", "equal_frequency", "proportional")
CURVE = "kde"


def fit_as_asked(
    asked: FitRequest, source: Source, quiet: bool, checkpoint: str | None = None
) -> tuple[Trained, Rows, Account]:
    """The model that was asked for, of all rows of a source; the rows that were looked at, and an account."""
    marks, text = _choices.read_markers(asked.missing), resolve_columns(source, asked.text, asked.target)
    given, declared = _choices.split_families(asked.families, text, asked.target)
    guess = partial(_choices.guess_counts, source, asked.model, given, text, marks)
    lesson = Lesson.of(source, asked.target, asked.weight, asked.drop, declared, marks, guess, asked.groups)
    if not quiet:
        lesson.greet()
    lesson.remarks([*text, *(one.rpartition("=")[0] for one in given)])
    settings = _choices.make_settings(
        asked.model,
        lesson.selection,
        given,
        text,
        lesson.missing,
        asked.others,
        asked.loss,
        asked.reject_cost,
        lesson.rows.classes,
    )
    trained, account = fit_all_rows(asked.counting(settings), lesson, quiet, checkpoint)
    return trained, lesson.rows, account


def fit_all_rows(settings: Settings, lesson: Lesson, quiet: bool, checkpoint: str | None) -> tuple[Trained, Account]:
    """The model that was asked for, of all rows, and an account of how they were read."""
    rows, selection = lesson.rows, lesson.selection
    with _rows.located(lesson.sample, rows):
        shown = None if quiet else preview_columns(settings, rows)
    if shown is not None:
        shown = lesson.in_words_of_file(shown)
        show_columns(shown)
    with waiting("learning") as watcher:
        trained, account = learn(
            settings, lesson.source, selection, lesson.declared, lambda: lesson.sample, watcher, checkpoint
        )
    check_classes(trained.model_.classes, selection.target, lesson.source.name)
    columns = lesson.in_words_of_file(trained.columns)
    if shown is not None:
        show_columns_of_other_parts(shown, columns)
    if not account.whole:
        remark(repr(replace(account, notes=())))
    for why in lost_spreads(trained.model_.tally, rows.frame, rows.weight):
        warn(why)
    return replace(trained, columns=columns, history=()), account


def fit_like(
    like: Trained, source: Source, target: str, weight: str | None, groups: str | None = None
) -> tuple[Trained, Rows]:
    """A model of other rows that reads its columns, weighs and smooths as `like` does; and the first of its rows."""
    fresh = blank_like(like, target)
    first: Rows | None = None
    aside = 0
    with waiting("learning") as watcher:
        for block, rows in _rows.read_labelled_blocks(fresh, source, weight, watcher, groups):
            aside += rows.unlabelled
            if rows.frame.rows:
                with _rows.located(block, rows):
                    fresh.learn(rows.frame, rows.labels, rows.weight)
                first = first or rows
    if first is None:
        refuse_nothing_to_learn(source, aside)
    return fresh, replace(first, unlabelled=aside)


def blank_like(like: Trained, target: str) -> Trained:
    """A model of no rows that reads and predicts what `like` does."""
    if target != like.target:
        raise ValueError(f"that model predicts {like.target!r}, not {target!r}")
    return replace(like.blank(), report=None, history=())


def refuse_nothing_to_learn(source: Source, unlabelled: int) -> NoReturn:
    """Refuse a source in which there is nothing to learn."""
    what = "no row has a class" if unlabelled else "it has column names and no rows"
    raise ValueError(f"{source.name}: {what}")


def preview_columns(settings: Settings, rows: Rows) -> ColumnTable | None:
    """How a pool will read its columns, known at once; weighing its parts takes seconds. None for other models."""
    if name_of(settings) != "bayes":
        return None
    options = settings._options(rows.frame, False, alpha="auto")
    return read_for_weights(rows.frame, rows.labels, rows.weight, options).columns


def with_scores(trained: Trained, rows: Rows) -> Trained:
    """The model with its scores on rows that nothing of it has seen; a pool has them in its report."""
    if not isinstance(trained.settings, Settings) or (trained.report is not None and rows.group is None):
        return trained
    with waiting("holding rows out"):
        scores = trained.feature_settings.scores(rows.frame, rows.labels, rows.weight, rows.group)
    if trained.report is not None and scores is not None:  # what its parts got, they got on rows held out one by one
        return replace(trained, report=trained.report.judged_by(scores))
    return replace(trained, scores=scores)


def with_scores_like(trained: Trained, rows: Rows, like: Trained, name: str) -> Trained:
    """The model with its scores on rows taken out of its sums, all that `like` has chosen being held."""
    heavy = rows.heavy()
    held = taken_out(trained.model_, trained.learned(heavy.frame, heavy.labels, heavy.weight), heavy.group)
    suspect = may_have_learned(like, heavy)
    note = "may have been, so scores may be optimistic" if suspect else "was not"
    held_out = replace(held, how=f"{held.how}; choices are those of {name}, which {note} fitted on these rows")
    return replace(trained, scores=trained.feature_settings.scored(held_out, heavy.labels, heavy.weight))


def show_columns(columns: ColumnTable) -> None:
    """Print what became of each column."""
    lines = [(c.name, c.family or "-", translate_advice(count_compared(c.why))) for c in columns]
    print_table(("column", "is", "why"), lines, left=3, most=MOST_COLUMNS)
    compared = {name: None for c in columns for name in densities_compared(c.why)}
    if compared:
        plain = [name for name in compared if name not in (*BINS, CURVE)]
        bins = [f"bins ({', '.join(name for name in BINS if name in compared)})"] * any(b in compared for b in BINS)
        curve = [f"a curve of any shape ({CURVE})"] * (CURVE in compared)
        note(f"(densities compared, as far as a column allows them: {', '.join([*plain, *bins, *curve])})")


def count_compared(why: str) -> str:
    """Why a column is read as it is, with the number of densities that were compared instead of their names.

    >>> count_compared("best held-out density of gaussian, mdl; missing is a value")
    'best of 2 densities on held-out rows; missing is a value'
    """
    names = densities_compared(why)
    counted = f"best of {len(names)} densities on held-out rows"
    return why.replace(BEST + ", ".join(names), counted, 1) if names else why


def show_columns_of_other_parts(shown: ColumnTable, columns: ColumnTable) -> None:
    """Print the columns of a pool that are not read as was shown before its parts were learned."""
    other = ColumnTable(line for line in columns if line not in shown)
    if other:
        print_title("some of its models also read")
        show_columns(other)


def show_scores(trained: Trained) -> None:
    """Print the scores of the model on rows that it had not seen, and those of each part of a pool."""
    scores, report = trained.judged, trained.report
    if report is not None:
        judged = any(p.loss == p.loss for p in report.lines)
        what = "held-out scores of its models" if judged else "its models, which were not scored one by one"
        print_title(f"{trained.settings.estimator}: {what}")
        lines = [
            (
                p.name,
                score_in_print(p.accuracy),
                score_in_print(p.loss),
                score_in_print(p.weight),
                translate_advice(p.what),
            )
            for p in report.lines
        ]
        print_table(("part", "accuracy", "log-loss", "weight", "what"), lines, left=5)
    if scores is None:
        print_title(f"{trained.settings.estimator}: no row was held out, so there are no scores")
        return
    print_title(f"{trained.settings.estimator}: held-out scores ({describe_held_out(trained, scores)})")
    shown = [
        (name, *in_print(m), f"{scores.guess[name]:.3f}" if name in scores.guess else "")
        for name, m in scores.measures.items()
    ]
    print_table(("", "", INTERVAL, "guessing"), shown)


def describe_held_out(trained: Trained, scores: Scores) -> str:
    """How rows were held out, and whether they are all rows, in words."""
    return scores.how if scores.rows == trained.rows else f"{scores.how}; {trained.rows:,} rows were learned"


def score_in_print(x: float) -> str:
    """A score in print."""
    return "" if np.isnan(x) else f"{x:.3f}"


def fit_as_json(trained: Trained, unlabelled: int, out: str) -> dict[str, Any]:
    """What was learned and how well, for print as JSON."""
    counts = trained.model_.class_counts().tolist()
    report, scores = trained.report, trained.judged
    return {
        "model": out,
        "kind": trained.settings.estimator,
        "target": trained.target,
        "rows": trained.rows,
        "rows_without_label": unlabelled,
        "classes": [{"class": c, "rows": n} for c, n in zip(trained.model_.classes, counts, strict=True)],
        "columns": [
            {"column": c.name, "family": c.family or None, "why": translate_advice(c.why)} for c in trained.columns
        ],
        "held_out": None
        if scores is None
        else {"how": describe_held_out(trained, scores), "rows": scores.rows, "by_the_prior": scores.guess}
        | {k: {"value": m.value, "low": m.low, "high": m.high} for k, m in scores.measures.items()},
        "parts": None
        if report is None
        else [asdict(line) | {"what": translate_advice(line.what)} for line in report.lines],
    }

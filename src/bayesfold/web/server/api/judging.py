"""How good models are on a table whose classes are known: scores with intervals, pictures, the worst mistakes."""

from datetime import date, datetime, time
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from bayesfold import plots
from bayesfold.data.dates import columns_for
from bayesfold.data.frame import Floats, Frame
from bayesfold.decisions.metrics import log_losses
from bayesfold.decisions.never_seen import costs_over
from bayesfold.explanations.requests import explain_rows
from bayesfold.io.judging import (
    judge_models,
    may_have_learned,
    restrict_to_common_rows,
    score_rows,
    warning_of_learned_rows,
)
from bayesfold.io.rows import Rows
from bayesfold.learning.held_out import HeldOut
from bayesfold.learning.trained import Trained
from bayesfold.plots._page import draw_for_pages
from bayesfold.web.server.api.answers import Cost, Loss
from bayesfold.web.server.api.tables import Id
from bayesfold.web.server.cells import with_costs
from bayesfold.web.server.endpoint import Answer, Ask, Name, post
from bayesfold.web.server.labelled import Labelled, read_labelled
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.room import Room

OPTION = "leave_out"
"""What asks for rows to be held out here."""
MOST_MISTAKES = 10
MOST_REASONS = 8
MOST_CURVES = 6
MOST_CELLS = 40
"""Classes of which a table of truth and decision is drawn; of many, shades take the place of numbers."""
MOST_SHOWN = 40
"""Cells of a row that are shown."""


class JudgementRequest(Ask):
    """A table whose classes are known, perhaps another model to compare with, and costs."""

    table: Id
    other: Name | None = None
    loss: Loss | None = None
    reject_cost: Cost | None = None
    leave_out: Annotated[bool, Field(description="the models learned these rows: hold them out, fold by fold")] = False


class Measure(Answer):
    """A number and its 95 % interval, where it has one."""

    value: float | None
    low: float | None
    high: float | None


class Mistake(Answer):
    """A row that was decided wrong or not at all: its number in the table, and what spoke for `of`, the decision or the
    class nearest to one, rather than for `against`, its true class where the model knows that."""

    row: int
    truth: Any
    decision: Any
    probability: float
    of: Any
    against: Any
    log_odds: float
    cells: dict[str, Any]
    reasons: list[dict[str, Any]]


class Judgement(Answer):
    """Scores of each model, differences of the second from the first, pictures of each (light and dark, as plotly draws
    them), and the rows that the first got most wrong.

    `how` says how the rows were scored. `learned`: they were scored as new ones, and a model may have learned them, so
    that the scores flatter it; `warnings` says so in words."""

    rows: int
    unlabelled: int
    how: str
    learned: bool
    warnings: list[str]
    scores: dict[str, dict[str, Measure]]
    differences: dict[str, Measure]
    pictures: dict[str, dict[str, dict[str, Any]]]
    mistakes: list[Mistake]
    wrong: int


def evaluate(room: Room, model: Name, ask: JudgementRequest) -> dict[str, Any]:
    """Judge a model on the rows of a table, as new ones or held out; with another model beside it, row by row."""
    kept = room.tables.find(ask.table)
    names = [model] if ask.other in (None, model) else [model, str(ask.other)]
    entries = [room.shelf.find(name) for name in names]
    models: dict[str, Trained] = {}
    said: dict[str, HeldOut] = {}
    found: Labelled | None = None
    warnings = []
    for entry in entries:
        with entry.lock:
            trained = with_costs(entry.classifier(), ask.loss, ask.reject_cost)
            rows = read_labelled(trained, kept, ask.leave_out)
            models[entry.name] = trained
            said[entry.name] = score_rows(trained, rows.rows, ask.leave_out, entry.name, OPTION)
            if not ask.leave_out and (entry.learned == kept.id or may_have_learned(trained, rows.rows)):
                warnings.append(warning_of_learned_rows(trained, entry.name, OPTION))
        if found is not None and rows.truth != found.truth:
            raise Problem("not-possible", f"{names[0]} and {names[1]} predict different columns: not to be compared")
        found = found or rows
    assert found is not None
    said, common = restrict_to_common_rows(said, found.rows)
    judgement = judge_models(models, said, common)
    classes, truth, proba, decisions = judgement.classes, judgement.truth, judgement.proba, judgement.decisions
    with entries[0].lock:
        mistakes = find_worst(models[model], common, classes, truth, proba[model], decisions[model])
    kinds, labels = len(set(truth.tolist())), [classes[k] for k in truth]
    return {
        "rows": len(truth),
        "unlabelled": common.unlabelled,
        "how": "; ".join(dict.fromkeys(one.how for one in said.values())),
        "learned": bool(warnings),
        "warnings": warnings,
        "scores": {
            name: {m: describe_measure(s) for m, s in scores.items()} for name, scores in judgement.scores.items()
        },
        "differences": {
            m: describe_measure(judgement.difference(names[1], names[0], m))
            for m in judgement.scores[model]
            if len(names) > 1
        },
        "pictures": {
            name: draw_pictures(
                (labels, proba[name], classes, judgement.weight, said[name].fold),
                models[name],
                kinds,
                judgement.never_seen[name].share,
            )
            for name in models
        },
        "mistakes": mistakes,
        "wrong": int((decisions[model] != truth).sum()),
    }


def describe_measure(score: Any) -> dict[str, float | None]:
    """A score with its interval."""
    numbers = {"value": score.value, "low": score.low, "high": score.high}
    return {name: None if x != x else float(x) for name, x in numbers.items()}


def draw_pictures(source: Any, trained: Trained, shown: int, left: Floats) -> dict[str, Any]:
    """What can be drawn of these answers; of each row `left` is left to classes never seen."""
    classes = len(source[2])
    loss = None if trained.loss is None else costs_over(trained.loss, source[2], trained.model_.classes)
    costs = {"loss": loss, "reject_cost": trained.reject_cost, "unseen_share": left}
    choices_of: dict[str, dict[str, Any]] = {"calibration": {"unseen_share": left}}
    choices_of |= {"roc": {}} if classes <= MOST_CURVES and shown == classes else {}
    choices_of |= {"confusion": costs} if classes <= MOST_CELLS else {}
    choices_of |= (
        {"cost_curve": {"loss": trained.loss}} if classes == shown == 2 and trained.reject_cost is None else {}
    )
    drawn = {}
    for name, choices in choices_of.items():
        picture = plots.find(name)
        numbers = picture.data(source, **choices)
        drawn[name] = {shade: draw_for_pages(picture, numbers, shade == "dark") for shade in ("light", "dark")}
    return drawn


def find_worst(
    trained: Trained, rows: Rows, classes: Any, truth: Any, proba: Any, decision: Any
) -> list[dict[str, Any]]:
    """The rows that were decided wrong with the least probability for their true class, and why."""
    wrong = np.flatnonzero(decision != truth)
    order = wrong[np.argsort(-log_losses(proba, truth)[wrong], kind="stable")][:MOST_MISTAKES]
    if not len(order) or len(trained.classes_) < 2:
        return []
    lines = []
    for i in order.tolist():
        mask = np.arange(rows.frame.rows) == i
        known = classes[truth[i]] if classes[truth[i]] in trained.model_.classes else None
        one = explain_rows(trained, rows.frame.take(mask), None, known)[0]
        reasons = one.reasons[:MOST_REASONS]
        lines.append(
            {
                "row": rows.place(i) + 1,
                "truth": classes[truth[i]],
                "decision": None if decision[i] < 0 else classes[decision[i]],
                "probability": float(proba[i, truth[i]]),
                "of": one.decision,
                "against": one.against,
                "log_odds": one.log_odds,
                "cells": show_cells(trained, rows.frame.take(mask)),
                "reasons": [{"part": r.part, "value": r.value, "contribution": r.contribution} for r in reasons],
            }
        )
    return lines


def show_cells(trained: Trained, row: Frame) -> dict[str, Any]:
    """The first cells of a table of one row that the model reads; dates as such, in ISO's form, not their parts."""
    names = columns_for(trained.model_.schema.sources, row.names)[:MOST_SHOWN]
    cells = {name: row.column(name).tolist()[0] for name in names}
    return {name: v.isoformat() if isinstance(v, date | datetime | time) else v for name, v in cells.items()}


ENDPOINTS = (post("/models/{model}/evaluate", evaluate, Judgement),)

"""Why a row is decided as it is, what would change that, what to ask next, and the points of a nomogram."""

from datetime import time
from typing import Any

from pydantic import Field

from bayesfold.explanations.requests import explain_rows, find_change, rank_questions
from bayesfold.plots import nomogram as picture
from bayesfold.web.server.api.answers import Case
from bayesfold.web.server.cells import checked_cells, checked_row, with_costs
from bayesfold.web.server.endpoint import Answer, Name, State, Word, get, post
from bayesfold.web.server.room import Room


class Why(Case):
    """A row, and the two classes to tell apart: by default the decision and the next class."""

    of: State | None = None
    against: State | None = None


class ChangeRequest(Case):
    """A row, the decision that is wanted (any other, by default), and the columns that may not change."""

    to: State | None = None
    fixed: list[Word] = Field(default_factory=list, max_length=10_000)


class Reason(Answer):
    """A part, its value in this row, and what it adds to the log-odds."""

    part: str
    value: Any
    contribution: float


class Explanation(Answer):
    """Why `decision` rather than `against`: the contributions add up to `log_odds`."""

    decision: Any
    against: Any
    label: Any
    log_odds: float
    reasons: list[Reason]
    notes: list[str]


class ColumnChange(Answer):
    """A column, its value now and the value that it would have."""

    column: str
    now: Any
    then: Any


class Change(Answer):
    """The fewest changes that flip the decision, a date to one near by; `smallest`: no fewer will do."""

    before: Any
    after: Any
    smallest: bool
    changes: list[ColumnChange]


class Gain(Answer):
    """A column that is not known, and by how much its answer is expected to lower the risk; a date counts as its best
    part does."""

    column: str
    gain: float


class Questions(Answer):
    """The risk of the decision now, and what each question is worth, the best first."""

    risk: float
    gains: list[Gain]


class Scale(Answer):
    """The values of a column, and their points."""

    name: str
    values: list[Any]
    is_number: bool
    points: list[float]


class Points(Answer):
    """P(of | of or against) = 1 / (1 + exp(-(base + unit x sum of points)))."""

    of: Any
    against: Any
    base: float
    unit: float
    lines: list[Scale]


def explain(room: Room, model: Name, ask: Why) -> dict[str, Any]:
    """What the prior and each column add to the log-odds of two classes; nothing is left over."""
    entry = room.shelf.find(model)
    with entry.lock:
        trained = with_costs(entry.classifier(), ask.loss, ask.reject_cost)
        row = dict.fromkeys(trained.model_.schema.sources) | checked_row(trained, ask.row)
        explanation = explain_rows(trained, [row], ask.of, ask.against)[0]
    return {
        "decision": explanation.decision,
        "against": explanation.against,
        "label": explanation.label.item() if hasattr(explanation.label, "item") else explanation.label,
        "log_odds": explanation.log_odds,
        "reasons": [{"part": r.part, "value": r.value, "contribution": r.contribution} for r in explanation.reasons],
        "notes": explanation._notes(),
    }


def change(room: Room, model: Name, ask: ChangeRequest) -> dict[str, Any]:
    """The fewest columns that would have to be otherwise for another decision."""
    entry = room.shelf.find(model)
    with entry.lock:
        trained = with_costs(entry.classifier(), ask.loss, ask.reject_cost)
        smallest = find_change(trained, checked_cells(trained, ask.row), ask.to, ask.fixed, None)
    lines = [{"column": c, "now": ask.row.get(c), "then": as_sent(then)} for c, _, then in smallest.changes]
    return {"before": smallest.before, "after": smallest.after, "smallest": smallest.smallest, "changes": lines}


def as_sent(value: Any) -> Any:
    """A value as a row of JSON has it: a time of day is text."""
    return f"{value:%H:%M}" if isinstance(value, time) else value


def ask_next(room: Room, model: Name, ask: Case) -> dict[str, Any]:
    """Which missing column is most worth asking for, by how much its answer is expected to lower the risk."""
    entry = room.shelf.find(model)
    with entry.lock:
        trained = with_costs(entry.classifier(), ask.loss, ask.reject_cost)
        ranked = rank_questions(trained, checked_cells(trained, ask.row))
    return {"risk": ranked.risk, "gains": [{"column": c, "gain": g} for c, g in ranked.items()]}


def nomogram(room: Room, model: Name, of: Word | None = None, against: Word | None = None) -> dict[str, Any]:
    """The points of every value, for a model whose columns add up; `of` and `against` are classes in print."""
    entry = room.shelf.find(model)
    trained = entry.classifier()
    by_text = {str(c): c for c in trained.classes_.tolist()}
    ends = [None if side is None else by_text.get(side, side) for side in (of, against)]
    with entry.lock:
        points = picture.data(trained, *ends)
    lines = [
        {"name": one.name, "values": list(one.values), "is_number": one.is_number, "points": one.points.tolist()}
        for one in points.lines
    ]
    return {"of": points.of, "against": points.against, "base": points.base, "unit": points.unit, "lines": lines}


ENDPOINTS = (
    post("/models/{model}/explain", explain, Explanation),
    post("/models/{model}/change", change, Change),
    post("/models/{model}/ask", ask_next, Questions),
    get("/models/{model}/nomogram", nomogram, Points),
)

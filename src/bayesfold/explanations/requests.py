"""explain, what_would_change and what_to_ask of a classifier: its rows, classes and loss handed to the judges."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.dates import date_column_of, with_parts
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.tables import is_row
from bayesfold.decisions.decide import decide_places, label_decisions
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.risk import risk
from bayesfold.decisions.unseen_class import dearest, share_of, whole_risk
from bayesfold.explanations.candidate_values import candidate_values, grids_of, is_additive, known_cells, levels_of
from bayesfold.explanations.counterfactual import MOST_TRIES, Change, ChangeSearch, what_would_change
from bayesfold.explanations.dates import ask_for_dates, change_dates, date_columns, dates_meant, whole_parts
from bayesfold.explanations.explain import explain
from bayesfold.explanations.explanation import Explanations
from bayesfold.explanations.inner_range import members_of
from bayesfold.explanations.next_question import Questions, what_to_ask
from bayesfold.models.posterior import log_posterior
from bayesfold.runtime.messages import listed

Row = Mapping[str, Any]
NEW_CLASS = (
    "whatever a row shows, its class is one never seen with probability {:.3g}; the odds between known classes are as "
    "they would be without"
)


def explain_rows(clf: Any, X: Any, of: Any, against: Any) -> Explanations:
    """Each row's explanation; `of` and `against` are classes, or None for the decision and for its runner-up."""
    frame: Frame = clf._read(X, reset=False)
    batch = clf.model_.schema.encode(frame)
    joint = clf.model_.log_joint(batch)
    decided, decision, other = choose_sides(clf, joint, of, against)
    made = explain(clf.model_, batch, frame, decision, other, label_decisions(clf, decided))
    share = share_of(clf)
    return replace(made, note="; ".join(filter(None, [made.note, NEW_CLASS.format(share)]))) if share else made


def choose_sides(
    clf: Any, joint: Floats, of: Any, against: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """The decisions (-1: reject), the class that is explained in each row, and against which (None: the runner-up)."""
    decided = decide_places(clf, log_posterior(joint))
    if of is None:
        decision = np.where(decided < 0, joint.argmax(axis=1), decided)
    else:
        decision = np.full(len(joint), place_of_class(clf, of))
    other = None if against is None else np.full(len(joint), place_of_class(clf, against))
    if other is not None and of is None:
        runner_up = np.where(np.arange(joint.shape[1]) == other[0], -np.inf, joint).argmax(axis=1)
        decision = np.where(decision == other, runner_up, decision)
    if len(clf.classes_) < 2:
        raise ValueError(f"there is one class, {clf.classes_.tolist()[0]!r}, so there is nothing to explain it against")
    if other is not None and (decision == other).any():
        raise ValueError(f"{of!r} is to be explained against itself; give another class")
    return decided, decision, other


def find_change(
    clf: Any, row: Any, to: Any, fixed: Iterable[str], values: Mapping[str, Sequence[Any]] | None
) -> Change:
    """The smallest set of changes that flips a row's decision; a date changes as a whole, to a day near by."""
    cells, held, dates = read_one_row(clf, row), tuple(fixed), dates_meant(clf, names_in(clf, row))
    found = search_change(clf, cells, to, held, values)
    score = make_scorer(clf)

    def is_found(rows: Sequence[Row]) -> list[bool]:
        decided = label_decisions(clf, decide_places(clf, log_posterior(score(rows))))
        return [bool(label == found.after) for label in decided.tolist()]

    changes = change_dates(clf, cells, found.changes, dates, held, is_found)
    if changes is None:  # no date has those parts together, and leads to that decision
        found = search_change(clf, cells, to, (*held, *dates), values)
        changes = found.changes
    # a date is one column with several parts: fewer columns might do, unless it is one
    return replace(found, changes=changes, smallest=found.smallest and (changes == found.changes or len(changes) == 1))


def search_change(
    clf: Any, cells: dict[str, Any], to: Any, fixed: Iterable[str], values: Mapping[str, Sequence[Any]] | None
) -> Change:
    """The smallest set of changes that flips the decision for a row, of parts of dates one by one."""
    parts, held = clf.model_.schema.parts, set(fixed)
    tried = whole_parts(candidate_values(clf.model_), date_columns(clf.model_.schema, tuple(clf._names)))
    options = tried | {name: list(v) for name, v in (values or {}).items()}
    strangers = [name for name in (*held, *(values or {})) if name not in clf._names and name not in parts]
    if strangers:
        raise ValueError(f"there is no column {listed(strangers)}; the columns are {listed(clf._names)}")
    held |= {part for part in parts if date_column_of(part, held)}
    given = {part for part in parts if date_column_of(part, values or ())}
    options = {name: v for name, v in options.items() if name not in held and name not in given}
    cells = {name: v for name, v in cells.items() if name not in given}
    wanted_class = None if to is None else place_of_class(clf, to)
    many = sum(map(len, options.values()))
    if many > MOST_TRIES:
        raise ValueError(f"there are {many:,} values to try; hold columns fixed (fixed=), or give fewer in values=")
    additive = is_additive(clf.model_)
    scorer = make_scorer(clf)

    def score(rows: Sequence[Row]) -> Any:
        return scorer([with_parts(row, given) for row in rows] if given else rows)

    search = ChangeSearch(
        cells, options, score, lambda joint: decide_places(clf, log_posterior(joint)), additive, wanted_class
    )
    two = len(clf.classes_) == 2
    by_odds = clf.reject_cost is None and (two or (clf.loss is None and wanted_class is None))
    change = what_would_change(search, lambda code: label_decisions(clf, np.array([code])).tolist()[0], by_odds)
    if change is None:
        raise ValueError("no change among those tried flips this decision; let more columns change")
    return change


def rank_questions(clf: Any, row: Any) -> Questions:
    """What each missing column is expected to be worth; a date is worth as much as its best part."""
    cells = known_cells(read_one_row(clf, row))
    model = clf.model_
    discrete = {name: v for name, v in levels_of(model).items() if v and name not in cells}
    numbers = {name: v for name, v in grids_of(model, 129).items() if name not in cells}
    if not discrete and not numbers:
        raise ValueError("no column of this row is missing, so there is nothing to ask; leave out what is not known")
    asked = what_to_ask(cells, discrete, numbers, make_scorer(clf), least_risk_of(clf), make_evidence(clf))
    return replace(asked, gains=ask_for_dates(asked.gains, dates_meant(clf, names_in(clf, row))))


def least_risk_of(clf: Any) -> Callable[[Floats], Floats]:
    """What gives, of posteriors [row, class], the risk of the best decision of each row."""
    classes, share = clf.classes_.tolist(), share_of(clf)
    costs, dear = loss_matrix(clf.loss, classes), dearest(clf.loss, classes)

    def least_risk(p: Floats) -> Floats:
        least: Floats = whole_risk(risk(p, costs).min(axis=1), share, dear)
        return least if clf.reject_cost is None else np.minimum(least, clf.reject_cost)

    return least_risk


def make_scorer(clf: Any) -> Any:
    """log P(class, row) of rows given as dicts."""
    nothing = dict.fromkeys(clf._names[:1])  # a row in which nothing is known is still a row

    def score(rows: Sequence[Row]) -> Any:
        frame = clf._read([nothing | dict(row) for row in rows], reset=False)
        return clf.model_.log_joint(clf.model_.schema.encode(frame))

    return score


def make_evidence(clf: Any) -> Any:
    """The weights of the models that read a column, all equal where none does, and log P(row) of each, [model, row]."""

    def seen(rows: Sequence[Row], column: str) -> Any:
        model = clf.model_
        batch = model.schema.encode(clf._read([dict(row) for row in rows], reset=False))
        every = members_of(model)
        given = np.abs(getattr(model, "weights", (1.0,)))
        weights = given * [column in one.parts for one in every]
        heights = np.stack([np.logaddexp.reduce(one.log_joint(batch), axis=1) for one in every])
        return (weights if weights.any() else np.ones(len(every))), heights

    return seen


def read_one_row(clf: Any, X: Any) -> dict[str, Any]:
    """A single row, given as a dict or as a table of one row, as a dict; with the parts of its dates that are read.

    Rows that are tried differ in single columns. If only some of them named a part of a date, it would be missing in
    the others, so all of them do.
    """
    parts = clf.model_.schema.parts
    if is_row(X):
        strangers = [name for name in X if name not in clf._names and name not in parts]
        if strangers:
            raise ValueError(f"this row has {listed(strangers)}; the columns are {listed(clf._names)}")
        return dict(with_parts(X, parts))
    frame = clf._read(X, reset=False)
    if frame.rows != 1:
        raise ValueError(f"give one row, as a dict or as a table of one row; this table has {frame.rows}")
    return dict(with_parts({name: frame.column(name).tolist()[0] for name in frame.names}, parts))


def names_in(clf: Any, X: Any) -> Container[str]:
    """The columns that a single row has itself."""
    return X if is_row(X) else clf._read(X, reset=False).names  # type: ignore[no-any-return]


def place_of_class(clf: Any, label: Any) -> int:
    """Where a class stands among the classes."""
    places: NDArray[np.intp] = np.flatnonzero([c == label for c in clf.classes_.tolist()])
    if not len(places):
        raise ValueError(f"{label!r} is not a class; the classes are {listed(clf.classes_.tolist())}")
    return int(places[0])

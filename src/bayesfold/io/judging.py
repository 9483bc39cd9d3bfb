"""What models say of labelled rows: as new rows, or as learned ones that are held out.

The command and the page judge by these alone, so that both show the same numbers and say the same words.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.compare import Judgement, judge
from bayesfold.decisions.decide import decide_places
from bayesfold.decisions.never_seen import NeverSeen, as_new, costs_over, rows_stood_for, without_folds
from bayesfold.io.rows import Rows
from bayesfold.learning.held_out import HeldOut
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import DropIn, Trained
from bayesfold.models.alike import count_alike
from bayesfold.runtime.messages import ordered

AS_NEW = "scored as new rows"


def judge_models(models: Mapping[str, Trained], said: Mapping[str, HeldOut], rows: Rows, loss: Any = None) -> Judgement:
    """The scores of models on rows, by `loss` or by the first loss and reject cost that a model has.

    A class that a model has not learned has the probability that it leaves to such classes, or none.
    """
    assert all(len(one.rows) == rows.frame.rows for one in said.values()), "every model is judged by the same rows"
    union = Categories("class")
    for model in models.values():
        union = union.grow(model.model_.classes)  # True and "true" are one class, whichever model learned which
    learned, classes = ordered(union.levels), ordered(union.grow(rows.classes).levels)
    target = Categories("class", classes)
    truth = np.asarray(rows.labels.places([target.slot_of(c) - 1 for c in rows.labels.levels], -1), np.intp)
    proba, decided, never = {}, {}, {}
    for name, model in models.items():
        own = np.array([target.slot_of(c) - 1 for c in model.model_.classes], np.intp)
        log_p, never[name] = met_classes(model, said[name], own, truth, rows.weight)
        proba[name] = np.zeros((rows.frame.rows, len(classes)))
        proba[name][:, own] = np.exp(log_p)
        places = decide_places(model, log_p)
        decided[name] = np.where(places < 0, -1, own[places])
    given = loss if loss is not None else next((m.loss for m in models.values() if m.loss is not None), None)
    costs = None if given is None else costs_over(given, classes, learned)
    reject = next((m.reject_cost for m in models.values() if m.reject_cost is not None), None)
    folds = {name: one.fold for name, one in said.items()}
    carried = {name: one.carried for name, one in said.items()}
    return judge(classes, truth, proba, decided, costs, reject, rows.weight, folds, never, rows.group, carried)


def met_classes(
    trained: Trained, said: HeldOut, own: NDArray[np.intp], truth: NDArray[np.intp], weight: Any
) -> tuple[Floats, NeverSeen]:
    """log P(class | row) given that the class was seen, and the rows of which it never was.

    `own` are the places of the model's classes among those of `truth`. Models of rows held out were told the names of
    all classes; where something is left to classes never seen, a class without a row outside the fold is one.
    """
    if said.how == AS_NEW:
        return said.log_proba, as_new(truth, own, trained.unseen_share_)
    copies = isinstance(trained.settings, Settings) and trained.settings.copies
    setting = getattr(trained.settings, "unseen_class", None)
    rows = trained.model_.class_weights() if copies else trained.model_.class_counts()
    taken = rows_stood_for(len(truth), weight, copies)
    places = np.argsort(own)[np.searchsorted(np.sort(own), truth)]  # every row that was learned is of a known class
    known, never = without_folds(np.exp(said.log_proba), places, said.fold, rows, setting, taken)
    with np.errstate(divide="ignore"):
        return said.log_proba if setting is None else np.log(known), never


def score_rows(trained: Trained, rows: Rows, leave_out: bool, name: str, option: str = "--leave-out") -> HeldOut:
    """log P(class | row), as of new rows; or, of learned ones, by models that have not seen them.

    `option` is what messages call the choice between both.
    """
    if not leave_out:
        log_p = trained.log_proba(rows.frame)
        every = np.arange(len(log_p))
        return HeldOut(log_p, every, np.zeros_like(every), trained.model_.classes, AS_NEW, rows.group)
    try:
        batch = trained.learned(rows.frame, rows.labels, rows.weight)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; without {option} rows are scored as new ones") from None
    if not can_forget(trained, batch):
        raise ValueError(f"{name} has not learned all of these rows; without {option} they are scored as new ones")
    if isinstance(trained.settings, DropIn):
        from bayesfold.learning.cross_fit import taken_out

        held_out_rows = taken_out(trained.model_, batch, rows.group)
        return replace(held_out_rows, how=f"{held_out_rows.how}; nothing was chosen on the rows")
    held_out = trained.feature_settings.held_out(rows.frame, rows.labels, rows.weight, rows.group)
    if held_out is None:
        budget = getattr(trained.feature_settings, "time_budget", np.inf)
        why = (
            "all rows are equal, so none can"
            if budget == np.inf
            else f"time_budget={budget:g} leaves no time for rows to"
        )
        raise ValueError(f"{why} be held out; without {option} they are scored as new ones")
    others = trained.rows - rows.frame.rows
    note = f"; of these rows alone, not of the {others:,} others that {name} has learned" if others else ""
    return replace(over_classes(held_out, trained.model_.classes), how=held_out.how + note)


def over_classes(held_out: HeldOut, classes: tuple[Level, ...]) -> HeldOut:
    """The same over all classes of a model; one that the rows do not show is impossible."""
    known = Categories("class", classes)
    log_p = np.full((len(held_out.rows), len(classes)), -np.inf)
    log_p[:, [known.slot_of(c) - 1 for c in held_out.classes]] = held_out.log_proba
    return replace(held_out, log_proba=log_p, classes=classes)


def restrict_to_common_rows(said: Mapping[str, HeldOut], rows: Rows) -> tuple[dict[str, HeldOut], Rows]:
    """The answers of each model on the rows that all of them answered, and these rows."""
    there = reduce(np.intersect1d, (one.rows for one in said.values()))
    if not rows.frame.rows:
        raise ValueError("every row weighs 0, so there is nothing to score; give weights above 0, or none")
    if not len(there):
        raise ValueError("the models were asked about different rows; evaluate them one by one")
    common = {}
    for name, one in said.items():
        at = np.searchsorted(one.rows, there)
        carried = None if one.carried is None else one.carried[at]
        common[name] = replace(one, log_proba=one.log_proba[at], rows=there, fold=one.fold[at], carried=carried)
    return common, rows if len(there) == rows.frame.rows else rows.take(there)


def warning_of_learned_rows(trained: Trained, name: str, option: str = "--leave-out") -> str:
    """The warning that a model may have learned the rows; with its scores on rows held out, if they are known."""
    scores = trained.judged
    said = f"{name} may have been fitted on these rows, and then their scores are optimistic; {option} holds them out"
    if scores is None:
        return said
    accuracy, loss = (scores.measures[m].value for m in ("accuracy", "log-loss"))
    return f"{said} (when it was fitted: accuracy {accuracy:.3f}, log-loss {loss:.3f})"


def may_have_learned(trained: Trained, rows: Rows) -> bool:
    """Whether the model holds at least as many rows of every kind as there are here; it may still not be these."""
    try:
        return can_forget(trained, trained.learned(rows.frame, rows.labels, None))
    except ValueError:  # a value or a class never seen
        return False


def can_forget(trained: Trained, batch: Batch) -> bool:
    """Whether taking these rows out would leave no count below 0."""
    tally = trained.model_.tally
    return bool((tally.counts >= count_alike(trained.model_.schema, tally, batch).counts).all())

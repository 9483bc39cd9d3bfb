"""How good a model is on rows that nothing of it has seen: the numbers that are shown and saved with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Coded, Floats
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.measure import NO_ROWS, Measure
from bayesfold.decisions.risk import decide
from bayesfold.decisions.unseen_class import dearest, reject_limit

if TYPE_CHECKING:
    from bayesfold.learning.held_out import HeldOut


@dataclass(frozen=True)
class Scores:
    """Measures with their intervals, of how many rows, how these were held out; what guessing gets."""

    measures: Mapping[str, Measure]
    rows: int
    how: str
    guess: Mapping[str, float] = field(default_factory=dict)


def scored(
    held_out: "HeldOut",
    labels: Coded,
    weight: Floats | None,
    loss: Any,
    reject_cost: float | None,
    unseen_class: Any,
    copies: bool,
) -> Scores:
    """The scores of what was said of rows; `labels` and `weight` are those of the whole table.

    Where something is left to classes never seen (`unseen_class`), a class without a row outside the fold is one.
    """
    from bayesfold.decisions.compare import judge  # a saved model has its scores, and judges nothing
    from bayesfold.decisions.never_seen import rows_stood_for, without_folds

    classes = held_out.classes
    target = Categories("class", classes)
    every = np.asarray(labels.places([target.slot_of(c) - 1 for c in labels.levels], -1), np.intp)
    truth, rows = every[held_out.rows], rows_stood_for(len(every), weight, copies)
    w, log_p = None if weight is None else weight[held_out.rows], held_out.log_proba
    counted, taken = np.bincount(every, rows, len(classes)), rows[held_out.rows]
    known, never = without_folds(np.exp(log_p), truth, held_out.fold, counted, unseen_class, taken)
    if unseen_class is not None:
        with np.errstate(divide="ignore"):
            log_p = np.log(known)
    limit = reject_limit(reject_cost, never.share, dearest(loss, classes))
    decided = decide(log_p, loss, limit, list(classes), logs=True)
    costs = None if loss is None else loss_matrix(loss, list(classes))
    answers = {"": np.exp(log_p)}, {"": decided}
    carried = {"": held_out.carried}
    judgement = judge(
        classes, truth, *answers, costs, reject_cost, w, {"": held_out.fold}, {"": never}, held_out.group, carried
    )
    found = judgement.scores[""]
    measures = {name: replace(m, rows=NO_ROWS) for name, m in found.items()}
    return Scores(measures, len(truth), held_out.how, guessed(labels, weight))


def guessed(labels: Coded, weight: Floats | None) -> dict[str, float]:
    """What the class frequencies alone get."""
    counts = np.bincount(labels.index, weight)
    share = counts[counts > 0] / counts.sum()
    return {"accuracy": float(share.max()), "log-loss": float(-(share * np.log(share)).sum())}

"""What was answered about rows whose class is known: from an `Evaluation`, or from labels and probabilities."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.held_out import Codes, truths
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.measures import Known, with_new_class
from bayesfold.decisions.metrics import checked_weight
from bayesfold.decisions.never_seen import NeverSeen
from bayesfold.decisions.risk import decide, probabilities
from bayesfold.decisions.unseen_class import dearest, reject_limit
from bayesfold.runtime.unique import distinct


@dataclass(frozen=True)
class AnsweredRows:
    """Rows of one model: P(class | row), the true class, the decision (-1: rejected), and what decisions cost.

    Where rows were answered several times they are all there, and each weighs so much less. Rows of one `fold` were
    answered by one model; None where one answered all, or where every row had a model of its own.
    """

    name: str
    classes: tuple[Level, ...]
    truth: Codes
    proba: Floats
    decision: Codes
    loss: Floats
    reject_cost: float | None
    weight: Floats
    never_seen: NeverSeen
    repeats: int = 1
    fold: Codes | None = None

    def with_new_class(self) -> tuple[Floats, Codes]:
        """P(class | row) and the rows' classes; what is left to classes never seen is one more, if there is any."""
        return with_new_class(self.proba, Known(self.truth, self.weight, self.loss, never_seen=self.never_seen))


def shown_classes(a: AnsweredRows) -> list[int]:
    """The classes that have a curve: of two the second, of more those of which there are rows, and rows of others."""
    shown = np.bincount(a.truth, a.weight, len(a.classes))
    if np.count_nonzero(shown) < 2:
        raise ValueError(
            f"every row is of the class {a.classes[int(shown.argmax())]!r}; this picture tells it from others, so give "
            "rows of several classes"
        )
    return [1] if len(a.classes) == 2 else np.flatnonzero(shown).tolist()


def read_answers(
    source: Any,
    model: str | None = None,
    loss: Any = None,
    reject_cost: float | None = None,
    unseen_share: Any = 0.0,
) -> AnsweredRows:
    """`source` is an Evaluation (`model`: the name of one of its models, the first by default; all its repeats), or
    (labels, probabilities, classes in the order of the columns), with the rows' weights (or None) and folds if there
    are any, decided by `loss` and `reject_cost`, `unseen_share` of the probability (of each row, or of all) being left
    to classes never seen."""
    if not isinstance(source, tuple | list):
        name = source.models[0] if model is None else model
        if name not in source.models:
            raise ValueError(f"there is no model {name!r}; there are {', '.join(map(repr, source.models))}")
        p = source.proba[name]
        costs = source.loss if loss is None else loss_matrix(loss, source.classes)
        decision = source.decisions[name].ravel()
        truth, weight = np.tile(source.truth, len(p)), np.tile(source.weight, len(p)) / len(p)
        never = NeverSeen(*(part.ravel() for part in (source.never_seen[name].rows, source.never_seen[name].share)))
        every = (name, source.classes, truth, p.reshape(-1, p.shape[2]), decision, costs, source.reject_cost)
        return AnsweredRows(*every, weight, never, len(p), folds_of_several(source.folds))
    labels, proba, classes, *more = source
    given, fold = (*more, None, None)[:2]
    known, truth = truths(labels)
    order = [c.item() if isinstance(c, np.generic) else c for c in classes]
    p, _ = probabilities(proba, order)
    strangers = [c for c in known if c not in order]
    if strangers:
        raise ValueError(
            f"the labels show {strangers[0]!r}, which is not one of the classes {order}; give every class of the "
            "labels, with one column of probabilities per class"
        )
    place = np.array([order.index(c) for c in known], np.intp)
    decision = decide(p, loss, reject_limit(reject_cost, unseen_share, dearest(loss, order)), order)
    weight = np.ones(len(truth)) if given is None else checked_weight(given, len(truth))
    never = NeverSeen(np.zeros(len(truth), bool), np.broadcast_to(np.asarray(unseen_share, np.float64), len(truth)))
    every = ("", tuple(order), place[truth], p, decision, loss_matrix(loss, order), reject_cost)
    return AnsweredRows(*every, weight, never, fold=None if fold is None else folds_of_several(fold[None]))


def folds_of_several(folds: Codes) -> Codes | None:
    """The fold of each answer, rows dealt several times one after the other: no fold of one repeat is one of another.

    >>> folds_of_several(np.array([[0, 1, 0], [1, 0, 1]])).tolist(), folds_of_several(np.array([[0, 1, 2]]))
    ([0, 1, 0, 3, 2, 3], None)
    """
    single = len(distinct(folds[0])) in (1, folds.shape[1])
    every = np.arange(len(folds))[:, None] * (folds.max() + 1) + folds
    return None if single else np.asarray(every.ravel(), np.intp)

"""What was answered about rows whose class is known: from an `Evaluation`, or from labels and probabilities."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.held_out import Codes, truths
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.risk import decide, probabilities
from bayesfold.decisions.unseen_class import dearest, reject_limit


@dataclass(frozen=True)
class AnsweredRows:
    """Rows of one model: P(class | row), the true class, the decision (-1: rejected), and what decisions cost."""

    name: str
    classes: tuple[Level, ...]
    truth: Codes
    proba: Floats
    decision: Codes
    loss: Floats
    reject_cost: float | None


def shown_classes(a: AnsweredRows) -> list[int]:
    """The classes that have a curve: of two the second, of more those of which there are rows, and rows of others."""
    shown = np.bincount(a.truth, minlength=len(a.classes))
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
    unseen_share: float = 0.0,
) -> AnsweredRows:
    """`source` is an Evaluation (`model`: the name of one of its models, the first by default; all its repeats), or
    (labels, probabilities, classes in the order of the columns), decided by `loss` and `reject_cost`, `unseen_share` of
    the probability being left to classes never seen."""
    if not isinstance(source, tuple | list):
        name = source.models[0] if model is None else model
        if name not in source.models:
            raise ValueError(f"there is no model {name!r}; there are {', '.join(map(repr, source.models))}")
        p = source.proba[name]
        costs = source.loss if loss is None else loss_matrix(loss, source.classes)
        decision = source.decisions[name].ravel()
        truth = np.tile(source.truth, len(p))
        return AnsweredRows(name, source.classes, truth, p.reshape(-1, p.shape[2]), decision, costs, source.reject_cost)
    labels, proba, classes = source
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
    return AnsweredRows("", tuple(order), place[truth], p, decision, loss_matrix(loss, order), reject_cost)

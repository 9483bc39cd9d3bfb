"""loss=, reject_cost=, reject_label= and unseen_class= of a classifier: from its posteriors to its labels.

All four are read when rows are predicted, so `set_params` after a fit suffices to change them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.decisions.held_out import truths
from bayesfold.decisions.loss import loss_matrix, quote
from bayesfold.decisions.metrics import checked_weight
from bayesfold.decisions.risk import REJECT, decide, reject_costs
from bayesfold.decisions.unseen_class import dearest, reject_limit, share_of
from bayesfold.runtime.messages import listed


def takes_the_mode(estimator: Any) -> bool:
    """Whether the decision is the most probable class, whatever it costs."""
    return estimator.loss is None and estimator.reject_cost is None


def check_decision(estimator: Any) -> None:
    """Refuse a loss, a reject cost or a reject label that does not suit the classes."""
    share_of(estimator)
    if takes_the_mode(estimator):
        return
    if loss_matrix(estimator.loss, estimator.classes_.tolist()).ndim == 3:
        raise ValueError(
            "a classifier has one loss for all rows; for costs that differ from row to row, give them with the rows: "
            "bf.decide(clf.predict_proba(X), loss)"
        )
    if estimator.reject_cost is not None:
        if np.ndim(estimator.reject_cost):
            raise ValueError("a classifier has one reject_cost for all rows; bf.decide takes one a row")
        reject_costs(estimator.reject_cost, 0)
        reject_label(estimator)


def reject_label(estimator: Any) -> Any:
    """What a rejected row is called: "reject" where labels are text, what was given elsewhere, never a class."""
    label, classes = estimator.reject_label, estimator.classes_.tolist()
    if label is None:
        if not all(isinstance(c, str) for c in classes):
            raise ValueError(
                f"reject_cost is set and the classes are {quote(classes[:8])}, not text: say what a rejected row is to "
                "be called, for example reject_label=-1 or reject_label='reject'"
            )
        label = "reject"
    if label in classes:
        raise ValueError(f"a rejected row cannot be called {label!r}, because a class is; give another reject_label=")
    return label


def decide_labels(estimator: Any, log_proba: Floats) -> NDArray[Any]:
    """The label of each row: its decision of least conditional risk, or the reject label."""
    return label_decisions(estimator, decide_places(estimator, log_proba))


def decide_places(estimator: Any, log_proba: Floats) -> NDArray[np.intp]:
    """The decisions, as places among the classes; -1 is reject."""
    check_decision(estimator)
    return decide(log_proba, estimator.loss, known_limit(estimator), estimator.classes_.tolist(), logs=True)


def known_limit(estimator: Any) -> float | None:
    """The risk among known classes above which a row is rejected: the rest of the risk is that its class is new."""
    cost, share = estimator.reject_cost, share_of(estimator)
    if cost is None or not share:
        return cost  # type: ignore[no-any-return]
    return float(reject_limit(cost, share, dearest(estimator.loss, estimator.classes_.tolist())))


def label_decisions(estimator: Any, found: NDArray[np.intp]) -> NDArray[Any]:
    """Decisions by name; the array is of the labels' own type wherever that can hold the reject label."""
    names = labels_of(estimator)
    return np.asarray(names[np.where(found == REJECT, len(names) - 1, found)])


def labels_of(estimator: Any) -> NDArray[Any]:
    """What a row may be called: a class or, last, where rows may be rejected, the reject label; each to its last digit.

    NumPy has no type for 2**64 - 1 and -1 together and would make floats of them, which are other numbers.
    """
    classes: NDArray[Any] = estimator.classes_
    if estimator.reject_cost is None:
        return classes
    label = reject_label(estimator)
    one = np.asarray([label])
    whole = [*classes.tolist(), label]
    alike = one.dtype.kind == classes.dtype.kind or {one.dtype.kind, classes.dtype.kind} <= set("iuf")
    both = np.concatenate([classes, one]) if alike else np.array(whole, object)
    return both if both.tolist() == whole else np.array(whole, object)


def share_right(known: NDArray[Any], predicted: NDArray[Any], y: Any, sample_weight: Any) -> float:
    """The share of rows that are predicted right; a rejected row is not."""
    classes, truth = truths(y)
    if len(truth) != len(predicted):
        raise ValueError(f"there are {len(predicted)} rows but {len(truth)} labels")
    if {isinstance(c, str) for c in classes}.isdisjoint(isinstance(c, str) for c in known.tolist()):
        raise ValueError(
            f"labels such as {classes[0]!r} are of another type than the classes, {listed(known.tolist())}, so that "
            "none could be right; give them as they were learned"
        )
    weight = None if sample_weight is None else checked_weight(sample_weight, len(truth))
    right = np.asarray(classes, object)[truth] == predicted.astype(object)
    return float(np.average(right, weights=weight))

"""Classes that no row has shown yet: how much probability a model leaves to them, and what that does to decisions.

    P(new) = N1 / N                                      N1 classes seen exactly once, in N rows (Good 1953)
    P(c | row) = (1 - P(new)) P(c | row, c is known)
    R(d | row) = (1 - P(new)) sum_t loss[d][t] P(t | row, t is known) + P(new) max(loss)

The share is the same for every row. A class never seen costs every decision as much as the dearest mistake, so that the
share changes what rows are rejected, never which known class is decided.

>>> unseen_share("good-turing", np.array([5, 1, 1, 3])), unseen_share(0.05, np.array([5, 1, 1, 3]))
(0.2, 0.05)
>>> with_unseen(np.array([[0.75, 0.25]]), 0.2)
array([[0.6, 0.2, 0.2]])
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.data.own_names import own_name
from bayesfold.decisions.loss import loss_matrix

GOOD_TURING = "good-turing"
HALF_A_ROW = 0.5
"""Good and Turing's estimate stays so many rows away from 0 and from all rows: neither was ever certain."""


def check_unseen_class(setting: Any) -> None:
    """Refuse what is no share."""
    given = isinstance(setting, int | float | np.number) and not isinstance(setting, bool) and 0 < setting < 1
    if setting is not None and setting != GOOD_TURING and not given:
        raise ValueError(
            f"unseen_class={setting!r} must be None, {GOOD_TURING!r}, or a share of the probability between 0 and 1"
        )


def unseen_share(setting: Any, rows_of_class: Any) -> float:
    """The probability that a row is of a class never seen; None leaves nothing.

    N1 / N, with N1 no less than half a row and no more than all rows but half a one: where no class was seen just once
    a new one is rare and not impossible, and where all were, the known ones are not. Without any row it is 1/2.

    >>> [unseen_share("good-turing", np.array(rows)) for rows in ([4, 6], [1, 1, 1, 1], [])]
    [0.05, 0.875, 0.5]
    """
    check_unseen_class(setting)
    if setting is None:
        return 0.0
    if setting != GOOD_TURING:
        return float(setting)
    rows = np.asarray(rows_of_class, np.float64)
    once, total = np.count_nonzero((rows > 0) & (rows <= 1)), max(float(rows.sum()), 1.0)
    return float(np.clip(once, HALF_A_ROW, total - HALF_A_ROW)) / total


def model_share(setting: Any, model: Any, copies: bool) -> float:
    """The share of a model with such a setting; `copies`: a row's weight is a number of equal rows."""
    if setting is None:
        return 0.0
    one = getattr(model, "first", model)  # the members of a pool share one tally
    if setting == GOOD_TURING and one.soft:
        raise ValueError(
            f"unseen_class={GOOD_TURING!r} counts the rows of each class, and rows without labels have a share in all "
            "of them; give a number, for example unseen_class=0.05, or leave the rows without labels out"
        )
    weighed = copies and one.tally.weighted and not one.decayed
    return unseen_share(setting, one.class_weights() if weighed else one.class_counts())


def share_of(estimator: Any) -> float:
    """What a classifier, of this library or not, leaves to classes never seen."""
    return float(getattr(estimator, "unseen_share_", 0.0))


def with_unseen(proba: Floats, share: Any) -> Floats:
    """P(class | row) with one more column, a class never seen; `share` is a number, or one for each row."""
    left = np.broadcast_to(np.asarray(share, np.float64), len(proba))[:, None]
    return np.concatenate([(1 - left) * proba, left], axis=1)


def unseen_name(classes: Iterable[Level]) -> str:
    """What the column of a class never seen is called: a name that no class has."""
    return own_name([str(c) for c in classes], "unseen", "class never seen")


# decisions


def dearest(loss: Any, classes: Any) -> float:
    """What it costs to decide any class where the truth is one never seen: as much as the dearest mistake."""
    return 1.0 if loss is None else float(loss_matrix(loss, list(classes)).max())


def whole_risk(risk: Floats, share: Any, dear: float) -> Floats:
    """What decisions are expected to cost, from what they are expected to cost where the class is known."""
    return np.asarray((1 - share) * risk + share * dear)


def reject_limit(reject_cost: Any, share: Any, dear: float) -> Any:
    """The risk among known classes above which rejecting is cheaper; None where nothing is rejected.

    >>> reject_limit(0.5, 0.0, 1.0), reject_limit(0.5, 0.25, 1.0)
    (0.5, 0.3333333333333333)
    """
    return None if reject_cost is None else (reject_cost - share * dear) / (1 - share)

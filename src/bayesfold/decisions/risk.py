"""From posteriors to decisions: Bayes decision theory.

    R(d | x) = sum_t loss[d][t] P(t | x)        the conditional risk of deciding d, and the rule: the least of them

>>> sick = [[0.3, 0.7], [0.04, 0.96], [0.001, 0.999]]                  # P(sick), P(well) of three people
>>> costs = {"sick": {"well": 1}, "well": {"sick": 20}}                # loss[decision][truth]
>>> conditional_risk(sick, costs, classes=["sick", "well"]).round(3).tolist()
[[0.7, 6.0], [0.96, 0.8], [0.999, 0.02]]
>>> decide(sick, costs, reject_cost=0.75, classes=["sick", "well"])    # 0 sick, 1 well, -1 too dear either way
array([ 0, -1,  1])
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.by_label import counts
from bayesfold.data.frame import Floats, Level
from bayesfold.decisions.loss import is_frame, loss_matrix
from bayesfold.runtime.messages import listed

REJECT = -1
ROUNDING = 1e-12
"""Risks that differ by this share of what is at stake are equal."""


def conditional_risk(proba: Any, loss: Any = None, classes: Sequence[Level] | None = None) -> Floats:
    """The expected cost of each decision: R(d | x) = sum_t loss[d][t] P(t | x), [row, decision].

    `loss` is loss[decision][truth] as a matrix, a nested dict by class name, a data frame, or an array [row, decision,
    truth] of costs that differ from row to row; None is 0/1 loss, whose risk is 1 - P(d | x). `classes` are the classes
    in the order of the columns of `proba`; a data frame of probabilities names them itself.
    """
    p, names = probabilities(proba, classes)
    return risk(p, costs_of(loss, names, p.shape[1]))


def decide(
    proba: Any,
    loss: Any = None,
    reject_cost: Any = None,
    classes: Sequence[Level] | None = None,
    logs: bool = False,
) -> NDArray[np.intp]:
    """The decision of least conditional risk in each row, as an index into the classes; -1 rejects.

    A row is rejected if every decision has an expected cost above `reject_cost` (a number, or one for each row).
    Ties go to the most probable class; 0/1 loss gives the most probable class.
    `loss` and `classes` are those of `conditional_risk`; `logs`: `proba` holds log P(class | row).
    """
    p, names = probabilities(proba, classes, logs)
    costs = costs_of(loss, names, p.shape[1])
    weight = np.asarray(proba, np.float64) if logs else p
    if loss is None:
        best: NDArray[np.intp] = weight.argmax(axis=1)
        if reject_cost is None:
            return best
    risks = risk(p, costs)
    if loss is not None:
        stakes = risks if (costs >= 0).all() else risk(p, np.abs(costs))
        least = risks <= risks.min(axis=1, keepdims=True) + ROUNDING * stakes
        best = np.where(least, weight, -np.inf).argmax(axis=1)
    if reject_cost is None:
        return best
    limit = reject_costs(reject_cost, len(p))
    return np.where(risks[np.arange(len(p)), best] <= limit, best, REJECT)


def costs_of(loss: Any, names: Sequence[Level] | None, width: int) -> Floats:
    """The loss as costs in the order of the columns of probabilities, whose names may not be known."""
    if names is None and (isinstance(loss, Mapping) or is_frame(loss)):
        raise ValueError("the loss goes by class names, but which column of probabilities is which? Give classes=[...]")
    return loss_matrix(loss, [f"class {k}" for k in range(width)] if names is None else names)


def risk(p: Floats, costs: Floats) -> Floats:
    """The conditional risks of checked probabilities and costs."""
    if costs.ndim == 3 and len(costs) != len(p):
        raise ValueError(f"the loss has costs for {len(costs)} rows, but there are {len(p)} rows of probabilities")
    return np.asarray(np.einsum("nt,ndt->nd", p, costs) if costs.ndim == 3 else p @ costs.T)


def reject_costs(cost: Any, rows: int) -> Floats:
    """What rejecting costs: one finite number, or one a row."""
    try:
        costs = np.asarray(cost, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"reject_cost={cost!r} is not a number") from None
    if costs.shape not in ((), (rows,)):
        raise ValueError(f"reject_cost has the shape {costs.shape}; give one number, or one for each of {rows} rows")
    if not np.isfinite(costs).all():
        raise ValueError("reject_cost must be finite; leave it out to reject nothing")
    return costs


def probabilities(
    proba: Any, classes: Sequence[Level] | None = None, logs: bool = False
) -> tuple[Floats, Sequence[Level] | None]:
    """Checked P(class | row), and the classes in the order of its columns where they are known."""
    if hasattr(proba, "columns"):
        columns = list(getattr(proba, "column_names", proba.columns))
        classes = columns if classes is None else agreeing(columns, list(classes))
    p = np.asarray(proba, np.float64)
    if p.ndim != 2:
        raise ValueError(f"expected P(class | row), one line per row and one column per class; got {p.ndim} dimensions")
    p = np.exp(p) if logs else p
    sums = p.sum(axis=1)
    bad = np.flatnonzero(~((p >= 0).all(axis=1) & (np.abs(sums - 1) <= 1e-6)))
    if len(bad):
        hint = " (logs=True reads log probabilities)" if not logs and (p <= 0).all() else ""
        raise ValueError(f"row {bad[0]} is {p[bad[0]]}, which is not a row of probabilities that sum to 1{hint}")
    if classes is None:
        return p, None
    names = [c.item() if isinstance(c, np.generic) else c for c in classes]
    if len(names) != p.shape[1]:
        raise ValueError(f"there are {len(names)} classes, but {p.shape[1]} columns of probabilities")
    return p, names


def agreeing(columns: Sequence[Any], classes: Sequence[Level]) -> Sequence[Level]:
    """The classes, unless the columns of a data frame name the same ones in another order, plainly or as answers do.

    >>> agreeing(["P(a)", "P(b)"], ["a", "b"])
    ['a', 'b']
    """
    places = {f"P({c})": k for k, c in enumerate(classes)} | {str(c): k for k, c in enumerate(classes)}
    order = [places.get(str(name)) for name in columns]
    if not counts(columns, ()) and None not in order and order != list(range(len(order))):
        raise ValueError(
            f"the columns of probabilities are {listed(columns)}, and classes= says {listed(classes)}: leave classes= "
            "out, or give the columns in its order"
        )
    return classes

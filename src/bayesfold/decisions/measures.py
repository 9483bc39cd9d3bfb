"""The measures of answers, each a number with its interval: the one place that computes them.

A measure that is a mean over rows has the interval of a mean, which a log-loss widens upwards by one more surprise, and
a Brier score or a cost by the share of surprises that Wilson's interval leaves possible; a share has Wilson's; the area
under the curve is a mean of what each row adds to it (DeLong, DeLong and Clarke-Pearson 1988), so it has one too. Rows
that weigh differently count for fewer in an interval, (sum w)^2 / sum w^2 of them (Kish 1965).

Rows of several folds were answered by several models, and the area is that within folds: one model's 0.4 is not
another's, and a fold that has more of a class was answered by a model that has seen less of it, so that across folds
even a guess by the prior would seem to be worse than chance. These models share most of their rows, so their mistakes
go together, and the variance of a mean over k folds is not 1 / k of a fold's but 1 / k + 1 / (k - 1) of it, the share
of tested to learned rows (Nadeau and Bengio 2003). Rows of one unit, such as a patient, count as one.

>>> from bayesfold.decisions.measure import in_print
>>> p, truth = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]), np.array([0, 1, 1])
>>> for name, found in measured(Answers(p, p.argmax(axis=1)), Known(truth, np.ones(3), 1 - np.eye(2))).items():
...     print(name, *in_print(found))
accuracy 0.667 0.208 to 0.939
log-loss 0.511 0.000 to 2.878
Brier 0.180 0.000 to 0.901
AUC 1.000 0.283 to 1.000
ECE 0.333 -
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.decisions import metrics
from bayesfold.decisions.groups import rows_per_group
from bayesfold.decisions.measure import Measure
from bayesfold.decisions.metrics import Codes
from bayesfold.decisions.never_seen import NeverSeen
from bayesfold.decisions.risk import REJECT
from bayesfold.decisions.student_t import quantile
from bayesfold.decisions.unseen_class import with_unseen
from bayesfold.runtime.unique import distinct

SINGLE = 1.1
"""Of so few rows, by their weights, nothing can be said about how much they vary."""

CONFIDENCE = 0.95
SEEN_LOSS = "log-loss, classes seen"
"""The log-loss of rows whose class the model had learned."""


@dataclass(frozen=True)
class Answers:
    """P(class | row), the decisions (-1: rejected), and, if it is of interest, those where no row may be rejected."""

    proba: Floats
    decision: Codes
    forced: Codes | None = None


@dataclass(frozen=True)
class Known:
    """What answers are measured by: rows' classes, weights and folds, what decisions cost.

    `fold` is None where one model answered all rows, `group` where every row is a unit of its own. `never_seen` are
    rows of classes that the model had not learned; with `seen_apart` the others are also measured by themselves.
    `carried` is by how much the rows' log-losses change from the models that answered to the one that is judged.
    """

    truth: Codes
    weight: Floats
    loss: Floats
    has_loss: bool = False
    reject_cost: float | None = None
    fold: Codes | None = None
    never_seen: NeverSeen | None = None
    seen_apart: bool = False
    group: Codes | None = None
    carried: Floats | None = None


def measured(answers: Answers, known: Known) -> dict[str, Measure]:
    """Every measure that says something: costs where there is a loss or rejecting, coverage with rejecting."""
    decision, truth, w, loss = answers.decision, known.truth, known.weight, known.loss
    p, own = with_new_class(answers.proba, known)
    together = rows_per_group(known.group, w)
    wider = alike(known.fold) * together
    losses = metrics.log_losses(p, own) + (0.0 if known.carried is None else known.carried)
    found = {
        "accuracy": share(metrics.hits(decision, truth), w, wider),
        "log-loss": mean_log_loss(losses, p, w, wider, together),
        **({SEEN_LOSS: of_seen(losses, p, known, wider, together)} if known.seen_apart else {}),
        "Brier": mean_brier(p, own, answers.proba.shape[1], w, wider),
        "AUC": areas(p, own, w, known.fold, wider),
        "ECE": Measure(metrics.reliability(p, own, w).error),
    }
    rejecting = known.reject_cost is not None
    if known.has_loss or rejecting:
        reject = np.nan if known.reject_cost is None else known.reject_cost
        found["cost"] = mean_cost(answers.proba, decision, known, reject, wider)
        found["total risk"] = mean(metrics.believed_costs(p, decision, with_new_truth(loss, p), reject), w, wider)
    if rejecting:
        if answers.forced is not None:
            found["cost, none rejected"] = mean_cost(answers.proba, answers.forced, known, reject, wider)
        found["coverage"] = share((decision != REJECT).astype(np.float64), w, wider)
    return found


def with_new_class(proba: Floats, known: Known) -> tuple[Floats, Codes]:
    """P(class | row) and the rows' classes; where something is left to classes never seen, they are one more class."""
    never = known.never_seen
    if never is None or not never.share.any():
        return proba, known.truth
    return with_unseen(proba, never.share), np.where(never.rows, proba.shape[1], known.truth)


def with_new_truth(loss: Floats, p: Floats) -> Floats:
    """The loss with what decisions cost where the class is one never seen, if P has a column for it."""
    return loss if p.shape[1] == loss.shape[1] else np.column_stack([loss, np.full(len(loss), loss.max())])


def of_seen(rows: Floats, p: Floats, known: Known, wider: float, together: float) -> Measure:
    """The mean log-loss over rows whose class the model had learned."""
    if known.never_seen is None or not known.never_seen.rows.any():
        return mean_log_loss(rows, p, known.weight, wider, together)
    there = ~known.never_seen.rows
    every = np.where(there, rows, np.nan)
    if not known.weight[there].any():
        return Measure(np.nan, rows=every)
    return replace(mean_log_loss(rows[there], p[there], known.weight[there], wider, together), rows=every)


def alike(fold: Codes | None) -> float:
    """How much larger the variance of a mean over folds is than rows that were answered independently would have it.

    >>> alike(None), alike(np.array([0, 0, 0])), alike(np.array([0, 1, 2, 3, 4]))
    (1.0, 1.0, 2.25)
    """
    folds = 1 if fold is None else len(distinct(fold))
    return 1.0 if folds == 1 else 1.0 + folds / (folds - 1)


def mean(rows: Floats, w: Floats, wider: float = 1.0, least: float = -np.inf, most: float = np.inf) -> Measure:
    """The mean of a value per row, with Student's interval as far as it can be; `wider` multiplies its variance."""
    value, n = float(np.average(rows, weights=w)), metrics.effective_rows(w)
    if n <= SINGLE:
        return Measure(value, rows=rows)
    error = np.sqrt(wider * np.average((rows - value) ** 2, weights=(w / w.max()) ** 2) / (n - 1))
    reach = float(quantile((1 + CONFIDENCE) / 2, n - 1) * error)
    return Measure(value, max(value - reach, least), min(value + reach, most), rows)


def mean_log_loss(losses: Floats, p: Floats, w: Floats | None, wider: float = 1.0, together: float = 1.0) -> Measure:
    """The mean log-loss, with Student's interval, whose upper end allows for one surprise more.

    Where a model is sure and right of all rows, losses hardly vary, and the first surprise costs many times their
    spread. Among n rows there may by chance have been none of those that come once in n, so the standard error upwards
    also has what the mean would rise by if one row more were of the class that was second most probable;
    where `together` rows are one unit, so many rows more.

    >>> sure = np.tile([0.999, 0.001], (100, 1))
    >>> mean_log_loss(-np.log(sure[:, 0]), sure, None).interval
    '0.001 to 0.138'
    """
    w = np.ones(len(losses)) if w is None else w
    found = mean(losses, w, wider, 0.0)
    n = metrics.effective_rows(w)
    if n <= SINGLE or p.shape[1] < 2:
        return found
    next_best = np.maximum(np.partition(p, -2, axis=1)[:, -2], metrics.LEAST_PROBABILITY)
    surprise = np.maximum(-np.log(next_best) - found.value, 0.0)
    further = quantile((1 + CONFIDENCE) / 2, n - 1) * np.sqrt(np.average(surprise**2, weights=w)) * together / n
    return replace(found, high=found.value + float(np.hypot(found.high - found.value, further)))


def mean_brier(p: Floats, truth: Codes, classes: int, w: Floats, wider: float = 1.0) -> Measure:
    """The mean Brier score, with an interval that has a width where the model is sure and right of every row.

    >>> sure = np.tile([1.0, 0.0], (100, 1))
    >>> mean_brier(sure, np.zeros(100, int), 2, np.ones(100)).interval
    '0.000 to 0.037'
    """
    found = mean(metrics.briers(p, truth, classes), w, wider, 0.0)
    if p.shape[1] < 2:
        return found
    second = np.argpartition(p, -2, axis=1)[:, -2]
    return with_surprises(found, metrics.briers(p, second, classes), w, wider)


def mean_cost(p: Floats, decision: Codes, known: Known, reject_cost: float, wider: float = 1.0) -> Measure:
    """The mean cost of decisions, likewise: what is not seen is a row of the class that is most probable beside the one
    that was decided for."""
    found = mean(metrics.costs(decision, known.truth, known.loss, reject_cost), known.weight, wider)
    others = np.where(np.arange(p.shape[1]) == decision[:, None], -np.inf, p)
    return with_surprises(
        found, metrics.costs(decision, others.argmax(axis=1), known.loss, reject_cost), known.weight, wider
    )


def with_surprises(found: Measure, surprised: Floats, w: Floats, wider: float) -> Measure:
    """A mean whose interval allows for surprises upwards: `surprised` is what each row would have added as one.

    Where rows hardly vary, Student's interval has no width, whatever their number. The rate at which surprises come may
    still be up to q = z^2 / (n + z^2), the end of Wilson's interval of none among n rows, so that the upper end is
    value + sqrt(reach^2 + (q s)^2), s^2 being the mean square of what a surprise adds to the mean.
    """
    n = metrics.effective_rows(w)
    if n <= SINGLE:
        return found
    added = np.maximum(surprised - found.value, 0.0)
    further = interval_of_share(0.0, n / wider)[1] * np.sqrt(np.average(added**2, weights=w))
    return replace(found, high=found.value + float(np.hypot(found.high - found.value, further)))


def share(rows: Floats, w: Floats, wider: float) -> Measure:
    """The share of rows that are 1, with Wilson's interval: it stays inside 0 and 1, and has a width at both ends."""
    value = float(np.average(rows, weights=w))
    low, high = interval_of_share(value, metrics.effective_rows(w) / wider)
    return Measure(value, float(low), float(high), rows)


def interval_of_share(value: Any, n: Any) -> tuple[Any, Any]:
    """Wilson's interval of shares of n rows, numbers or arrays.

    >>> [round(float(end), 3) for end in interval_of_share(0.9, 50)]
    [0.786, 0.957]
    """
    z = quantile((1 + CONFIDENCE) / 2, np.inf)
    middle = (value + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(value * (1 - value) / n + z * z / (4 * n * n))
    return np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 1.0)


def areas(p: Floats, truth: Codes, w: Floats, fold: Codes | None = None, wider: float = 1.0) -> Measure:
    """The area under the curve (of class 1 of two, else the mean over classes), as a mean of what each row adds."""
    rows = np.full(len(truth), np.nan)
    folds = np.zeros(1) if fold is None else distinct(fold)
    alone = len(folds) in (1, len(truth))  # a row that has a model of its own can only be compared across models
    for some in [np.arange(len(truth))] if alone else [np.flatnonzero(fold == f) for f in folds]:
        q, own, weight = p[some], truth[some], w[some]
        every = [1] if p.shape[1] == 2 else range(p.shape[1])
        parts = [placed(q[:, k], own == k, weight) for k in every if 0 < weight[own == k].sum() < weight.sum()]
        if parts:
            rows[some] = np.mean(parts, axis=0)
    there = ~np.isnan(rows)
    if not there.any():
        return Measure(np.nan, rows=rows)
    found = mean(rows[there], w[there], wider, 0.0, 1.0)
    kinds = np.bincount(truth[there], w[there])
    rows_of_kind = metrics.effective_rows(w[there]) / wider * kinds[kinds > 0] / kinds.sum()
    low, high = interval_of_area(found.value, float(rows_of_kind.min()), float(rows_of_kind.sum() - rows_of_kind.min()))
    return Measure(found.value, min(low, found.low), max(high, found.high), rows)


def interval_of_area(value: float, m: float, n: float) -> tuple[float, float]:
    """The areas that such an area of m and n rows does not rule out: it has a width where no pair is out of order.

    Those A with (value - A)^2 <= z^2 V(A), V being Hanley and McNeil's (1982) variance for populations of one shape, in
    Newcombe's (2006) form; away from the ends it is close to DeLong's interval.

    >>> [round(end, 3) for end in interval_of_area(1.0, 1, 2)], [round(end, 3) for end in interval_of_area(0.8, 50, 50)]
    ([0.283, 1.0], [0.697, 0.871])
    """
    z, more = quantile((1 + CONFIDENCE) / 2, np.inf), max((m + n) / 2 - 1, 0.0)

    def is_possible(area: float) -> bool:
        spread = area * (1 - area) * (1 + more * ((1 - area) / (2 - area) + area / (1 + area))) / (m * n)
        return (value - area) ** 2 <= z * z * spread

    def end(far: float) -> float:
        near = value
        for _ in range(40):
            middle = (near + far) / 2
            near, far = (middle, far) if is_possible(middle) else (near, middle)
        return near

    return end(0.0), end(1.0)


def placed(score: Floats, positive: Codes, w: Floats) -> Floats:
    """What each row adds to the area: how far its place among the rows of the other kind is from the mean place.

    >>> placed(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]), np.ones(4)).mean().item()
    0.75
    """
    _, place = np.unique(score, return_inverse=True)
    of, against = (np.bincount(place, w * part) for part in (positive, ~positive))
    below = (np.cumsum(against) - against / 2) / against.sum()  # the share of the others that a positive stands above
    above = 1 - (np.cumsum(of) - of / 2) / of.sum()
    area = float((of * below).sum() / of.sum())
    share = of.sum() / w.sum()
    return np.asarray(area + np.where(positive, (below[place] - area) / share, (above[place] - area) / (1 - share)))

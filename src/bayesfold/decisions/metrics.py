"""How good posteriors and decisions are, against what turned out to be true.

Posteriors are P(class | row), [row, class]; truths and decisions are places among the classes, -1 a rejected row.
One value per row where that is possible, so that models can be compared row by row; a number where it is not.

>>> p, truth = np.array([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]]), np.array([0, 1, 1])
>>> log_losses(p, truth).round(3), briers(p, truth).round(3), auc(p, truth)
(array([0.105, 0.511, 1.204]), array([0.01, 0.16, 0.49]), 1.0)
>>> costs(np.array([0, -1, 0]), truth, np.array([[0, 20], [1, 0]]), reject_cost=0.5)
array([ 0. ,  0.5, 20. ])
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.column_values import float_per_row
from bayesfold.data.frame import Floats
from bayesfold.decisions.risk import REJECT, risk

Codes = NDArray[np.intp]
LEAST_PROBABILITY = 1e-15
BINS = 15

# one value per row


def log_losses(p: Floats, truth: Codes) -> Floats:
    """-log P(true class | row), probabilities below 1e-15 taken as that."""
    return np.asarray(-np.log(np.maximum(own(p, truth), LEAST_PROBABILITY)))


def briers(p: Floats, truth: Codes, classes: int | None = None) -> Floats:
    """sum_k (P(k | row) - [k is true])^2, halved where there are two classes (scikit-learn's convention).

    `classes` is how many there are, where P has a column for a class never seen beside them.
    """
    off = p.copy()
    off[np.arange(len(p)), truth] -= 1.0
    return np.asarray((off**2).sum(axis=1) / (2 if (classes or p.shape[1]) == 2 else 1))


def hits(decision: Codes, truth: Codes) -> Floats:
    """1 where the decision is right; a rejected row is not."""
    return np.asarray(decision == truth, np.float64)


def costs(decision: Codes, truth: Codes, loss: Floats, reject_cost: float = np.nan) -> Floats:
    """What each decision turned out to cost: loss[decision][truth], or the reject cost."""
    return np.where(decision == REJECT, reject_cost, loss[decision, truth])


def believed_costs(p: Floats, decision: Codes, loss: Floats, reject_cost: float = np.nan) -> Floats:
    """What each decision was expected to cost, its conditional risk; the mean is the total risk E R(h(x) | x)."""
    return np.where(decision == REJECT, reject_cost, risk(p, loss)[np.arange(len(p)), decision])


def own(p: Floats, truth: Codes) -> Floats:
    """P(true class | row)."""
    return np.asarray(p[np.arange(len(p)), truth])


# one number


def auc(p: Floats, truth: Codes, weight: Floats | None = None) -> float:
    """P(a row of the class scores above a row of another), ties half; of class 1 of two, else the mean of one-vs-rest.

    NaN where only one class is there.
    """
    classes = [1] if p.shape[1] == 2 else range(p.shape[1])
    areas = [area(p[:, k], truth == k, weight) for k in classes]
    found = [a for a in areas if a == a]
    return float(np.mean(found)) if found else float("nan")


def area(score: Floats, positive: NDArray[np.bool_], weight: Floats | None = None) -> float:
    """The share of (positive, negative) pairs that the score puts in order, ties half."""
    w = np.ones(len(score)) if weight is None else weight
    _, place = np.unique(score, return_inverse=True)
    of, against = (np.bincount(place, w * part) for part in (positive, ~positive))
    below = np.cumsum(against) - against
    pairs = of.sum() * against.sum()
    return float((of * (below + against / 2)).sum() / pairs) if pairs > 0 else float("nan")


@dataclass(frozen=True)
class Reliability:
    """Rows by how sure the model was of its most probable class: bin edges, weight, mean confidence, share right.

    `rows` is how many rows of equal weight would say as much of each bin.
    """

    edges: Floats
    weight: Floats
    confidence: Floats
    accuracy: Floats
    rows: Floats

    @property
    def error(self) -> float:
        """The expected calibration error: |confidence - accuracy|, its mean over rows."""
        there = self.weight > 0
        gap = np.abs(self.confidence[there] - self.accuracy[there])
        return float(gap @ self.weight[there] / self.weight.sum())


def reliability(
    p: Floats, truth: Codes, weight: Floats | None = None, bins: int = BINS, repeats: int = 1
) -> Reliability:
    """Confidence beside accuracy, in `bins` equal steps of confidence; each row is there `repeats` times.

    >>> reliability(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1])).error.__round__(3)
    0.3
    """
    w = np.ones(len(p)) if weight is None else weight
    sure, right = p.max(axis=1), (p.argmax(axis=1) == truth).astype(np.float64)
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.clip(np.searchsorted(edges, sure, side="left") - 1, 0, bins - 1)
    total: Floats = np.bincount(place, w, bins).astype(np.float64)
    with np.errstate(invalid="ignore"):
        confidence, accuracy = (np.bincount(place, w * part, bins) / total for part in (sure, right))
        scaled = w / w.max()
        alike = np.bincount(place, scaled, bins) ** 2 / np.bincount(place, scaled**2, bins)
        return Reliability(edges, total, confidence, accuracy, alike / repeats)


@dataclass(frozen=True)
class CostCurve:
    """Two classes, the second decided from a threshold of its probability on: what each threshold costs a row.

    `implied` is where both decisions have the same risk, and so the threshold to use if the probabilities are right;
    `best` is the cheapest on these rows, with hindsight.
    """

    thresholds: Floats
    costs: Floats
    implied: float
    best: float

    def at(self, threshold: float) -> float:
        """What a row costs at a threshold."""
        return float(self.costs[min(int(np.searchsorted(self.thresholds, threshold)), len(self.costs) - 1)])


def cost_curve(p: Floats, truth: Codes, loss: Any, weight: Floats | None = None) -> CostCurve:
    """The mean cost of deciding class 1 where P(class 1 | row) >= t, for every t at which that changes.

    >>> p = np.array([[0.9, 0.1], [0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    >>> curve = cost_curve(p, np.array([0, 1, 0, 1]), np.array([[0.0, 5.0], [1.0, 0.0]]))
    >>> round(curve.implied, 3), curve.best, curve.at(curve.implied), curve.at(0.5)
    (0.167, 0.3, 0.25, 1.5)
    """
    if p.shape[1] != 2:
        raise ValueError(
            f"a cost curve is of two classes, and there are {p.shape[1]}: compare the expected costs of evaluate"
        )
    w = np.ones(len(p)) if weight is None else weight
    costs_of_0, costs_of_1 = (w * loss[d][truth] for d in (0, 1))
    score, place = np.unique(p[:, 1], return_inverse=True)
    turn = np.bincount(place, costs_of_0 - costs_of_1, len(score))  # what passing a score's rows to class 0 adds
    total = np.concatenate([[0.0], np.cumsum(turn)]) + costs_of_1.sum()
    thresholds = np.append(score, np.nextafter(score[-1], 2.0))  # the last one: nobody is class 1
    return CostCurve(thresholds, total / w.sum(), implied_threshold(loss), float(thresholds[total.argmin()]))


def implied_threshold(loss: Any) -> float:
    """The P(class 1) from which deciding class 1 has the lesser risk: (l10 - l00) / (l10 - l00 + l01 - l11).

    0 or 1 where one decision is never the dearer; NaN where wrong answers are preferred to right ones.
    """
    false_alarm, miss = loss[1][0] - loss[0][0], loss[0][1] - loss[1][1]
    if false_alarm <= 0 or miss <= 0:
        return float("nan") if max(false_alarm, miss) <= 0 else float(miss <= 0)
    return float(false_alarm / (false_alarm + miss))


def ranked(score: Floats, positive: NDArray[np.bool_], weight: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    """Thresholds from high to low, and how many positives and how many others score at least that; first none do.

    >>> [part.tolist() for part in ranked(np.array([0.2, 0.9, 0.9]), np.array([False, True, False]))]
    [[inf, 0.9, 0.2], [0.0, 1.0, 1.0], [0.0, 1.0, 2.0]]
    """
    w = np.ones(len(score)) if weight is None else weight
    distinct, place = np.unique(-score, return_inverse=True)
    of, against = (np.cumsum(np.bincount(place, w * part, len(distinct))) for part in (positive, ~positive))
    return (
        np.concatenate([[np.inf], -distinct]),
        np.concatenate([[0.0], of]),
        np.concatenate([[0.0], against]),
    )


def checked_weight(weight: Any, rows: int) -> Floats:
    """The weights, one for each row; others are refused."""
    numbers = float_per_row(weight)
    if numbers.shape != (rows,):
        raise ValueError(f"sample_weight= has {numbers.size} values for {rows} rows")
    odd = ~np.isfinite(numbers) | (numbers < 0)
    if odd.any():
        row = int(odd.argmax())
        raise ValueError(f"row {row} has the weight {numbers[row]}; weights must be finite and at least 0")
    if not numbers.any():
        raise ValueError("every sample weight is zero, so there is nothing to score")
    return numbers


def effective_rows(w: Floats) -> float:
    """How many rows of equal weight say as much: (sum w)^2 / sum w^2.

    >>> float(effective_rows(np.ones(5))), round(float(effective_rows(np.array([20.0, 1.0, 1.0]))), 2)
    (5.0, 1.2)
    """
    scaled = w / w.max()  # squares of the largest weights there are would be infinite
    return float(scaled.sum() ** 2 / (scaled**2).sum())


def weights_as_rows(w: Floats) -> Floats:
    """The same weights in another unit: they sum to the rows of equal weight which would say as much.

    >>> weights_as_rows(np.full(3, 5000.0)).tolist(), weights_as_rows(np.array([20.0, 10.0])).tolist()
    ([1.0, 1.0, 1.0], [1.2, 0.6])
    """
    scaled = w / w.max()
    return np.asarray(scaled * (effective_rows(scaled) / scaled.sum()))

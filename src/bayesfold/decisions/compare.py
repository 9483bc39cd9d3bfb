"""How good fitted models are on rows whose class is known: every measure with an interval, models compared row by row.

A measure that is a mean over rows has the interval of a mean; a share has Wilson's; the area under the curve is a mean
of what each row adds to it (DeLong, DeLong and Clarke-Pearson 1988), so it has one too. Two models answer the same
rows, so the interval of a difference is that of the mean of the rows' differences.

>>> p = {"sure": np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]), "even": np.full((3, 2), 0.5)}
>>> found = judge(("no", "yes"), np.array([0, 1, 1]), p, {name: q.argmax(axis=1) for name, q in p.items()})
>>> print(found)
3 rows, 2 classes
           sure   95 % interval   even   95 % interval
accuracy  0.667  0.208 to 0.939  0.333  0.061 to 0.792
log-loss  0.511  0.000 to 2.009  0.693  0.693 to 0.693
Brier     0.180  0.000 to 0.848  0.250  0.250 to 0.250
AUC       1.000  1.000 to 1.000  0.500  0.500 to 0.500
ECE       0.333               -  0.167               -
<BLANKLINE>
even less sure, row by row
          difference     95 % interval
accuracy      -0.333   -1.768 to 1.101
log-loss      +0.182   -1.316 to 1.681
Brier         +0.070   -0.598 to 0.738
AUC           -0.500  -0.500 to -0.500
ECE           -0.167                 -
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats, Level
from bayesfold.decisions import metrics
from bayesfold.decisions.metrics import Codes
from bayesfold.decisions.risk import REJECT
from bayesfold.decisions.student_t import quantile
from bayesfold.runtime.text_table import html_table, text_table

MIDDLE = (1 + 0.95) / 2
"""An interval reaches from one end of the middle 95 % to the other."""
INTERVAL = "95 % interval"
NO_ROWS = np.empty(0)


@dataclass(frozen=True)
class Measure:
    """A number, its interval (NaN: it has none), and what each row adds: the number is their mean."""

    value: float
    low: float
    high: float
    rows: Floats = field(default_factory=lambda: NO_ROWS, repr=False)

    @property
    def interval(self) -> str:
        """The interval in print."""
        return f"{self.low:.3f} to {self.high:.3f}" if self.low == self.low else "-"


@dataclass(frozen=True, repr=False)
class Judgement:
    """scores[model][measure]; `proba[model]` is [row, class], `decisions[model]` a place a row, -1 a rejected one."""

    classes: tuple[Level, ...]
    truth: Codes
    proba: Mapping[str, Floats]
    decisions: Mapping[str, Codes]
    scores: Mapping[str, Mapping[str, Measure]]
    weight: Floats

    @property
    def models(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.scores)

    def difference(self, model: str, other: str, measure: str) -> Measure:
        """`model` less `other`, row by row."""
        a, b = (self.scores[name][measure] for name in (model, other))
        if not len(a.rows):
            return Measure(a.value - b.value, np.nan, np.nan)
        return mean(a.rows - b.rows, self.weight)

    def _tables(self) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """Captions, headers and lines."""
        first = self.models[0]
        header = ("", *(part for name in self.models for part in (name, INTERVAL)))
        lines = [
            (m, *(part for name in self.models for part in in_print(self.scores[name][m]))) for m in self.scores[first]
        ]
        tables: list[Any] = [(f"{len(self.truth):,} rows, {len(self.classes)} classes", header, lines)]
        for name in self.models[1:]:
            found = [(m, *in_print(self.difference(name, first, m), "+")) for m in self.scores[first]]
            tables.append((f"{name} less {first}, row by row", ("", "difference", INTERVAL), found))
        return tables

    def __str__(self) -> str:
        return "\n\n".join(f"{caption}\n{text_table(header, lines)}" for caption, header, lines in self._tables())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(html_table(header, lines, caption=caption) for caption, header, lines in self._tables())


def in_print(measure: Measure, sign: str = "") -> tuple[str, str]:
    """A number and its interval."""
    return (f"{measure.value:{sign}.3f}" if measure.value == measure.value else "-"), measure.interval


def judge(
    classes: tuple[Level, ...],
    truth: Codes,
    proba: Mapping[str, Floats],
    decisions: Mapping[str, Codes],
    loss: Floats | None = None,
    reject_cost: float | None = None,
    weight: Floats | None = None,
) -> Judgement:
    """The measures of posteriors and decisions of rows; costs where there is a loss or a row may be rejected."""
    w = np.ones(len(truth)) if weight is None else weight
    if not len(truth) or not w.sum() > 0:
        raise ValueError("there are no rows with a class to judge by")
    costs = 1.0 - np.eye(len(classes)) if loss is None else loss
    scores = {
        name: measured(p, decisions[name], truth, w, costs, loss is not None, reject_cost) for name, p in proba.items()
    }
    return Judgement(classes, truth, proba, decisions, scores, w)


def measured(
    p: Floats, decision: Codes, truth: Codes, w: Floats, loss: Floats, has_loss: bool, reject_cost: float | None
) -> dict[str, Measure]:
    """Every measure that says something about these answers."""
    found = {
        "accuracy": share(metrics.hits(decision, truth), w),
        "log-loss": mean(metrics.log_losses(p, truth), w, 0.0),
        "Brier": mean(metrics.briers(p, truth), w, 0.0),
        "AUC": areas(p, truth, w),
        "ECE": Measure(metrics.reliability(p, truth, w).error, np.nan, np.nan),
    }
    if has_loss or reject_cost is not None:
        reject = np.nan if reject_cost is None else reject_cost
        found["cost"] = mean(metrics.costs(decision, truth, loss, reject), w)
    if reject_cost is not None:
        found["coverage"] = share((decision != REJECT).astype(np.float64), w)
    return found


def mean(rows: Floats, w: Floats, least: float = -np.inf, most: float = np.inf) -> Measure:
    """The mean of a value a row, with Student's interval as far as it can be."""
    value = float(np.average(rows, weights=w))
    n = len(rows)
    if n < 2:
        return Measure(value, np.nan, np.nan, rows)
    error = np.sqrt(((w * (rows - value)) ** 2).sum() * n / (n - 1)) / w.sum()
    reach = float(quantile(MIDDLE, n - 1) * error)
    return Measure(value, max(value - reach, least), min(value + reach, most), rows)


def share(rows: Floats, w: Floats) -> Measure:
    """The share of rows that are 1, with Wilson's interval: it stays inside 0 and 1, and has a width at both ends."""
    value = float(np.average(rows, weights=w))
    n, z = w.sum() ** 2 / (w**2).sum(), quantile(MIDDLE, np.inf)
    middle = (value + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(value * (1 - value) / n + z * z / (4 * n * n))
    return Measure(value, float(max(middle - reach, 0.0)), float(min(middle + reach, 1.0)), rows)


def areas(p: Floats, truth: Codes, w: Floats) -> Measure:
    """The area under the curve (of class 1 of two, else the mean over classes), as a mean of what each row adds."""
    every = [1] if p.shape[1] == 2 else range(p.shape[1])
    parts = [placed(p[:, k], truth == k, w) for k in every if 0 < w[truth == k].sum() < w.sum()]
    if not parts:
        return Measure(np.nan, np.nan, np.nan, np.full(len(truth), np.nan))
    return mean(np.mean(parts, axis=0), w, 0.0, 1.0)


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

"""What became of each part of a pool: what it got by itself on rows it had not seen, its weight, what it chose."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.learning.scores import Scores
from bayesfold.runtime.text_table import html_table, text_table

if TYPE_CHECKING:
    from bayesfold.learning.held_out import HeldOut

CARRIED_ON = "log-loss extrapolated to all rows"
NOT_JUDGED = "no row was held out; bayesfold.evaluate(model, X, y) judges it"


@dataclass(frozen=True)
class PartLine:
    """One part: its held-out log-loss and accuracy by itself, its weight, how long it took, what became of it.

    NaN: the part was left out, or not judged.
    """

    name: str
    loss: float
    accuracy: float
    weight: float
    seconds: float
    what: str


@dataclass(frozen=True)
class Report:
    """What was tried, what each part got, and what they got together on rows they had not seen.

    `loss` and `accuracy` are NaN where no row was held out, and `held_out` says why; `scores` has every measure.
    """

    lines: tuple[PartLine, ...]
    loss: float
    accuracy: float
    rows: int
    held_out: str
    scores: Scores | None = None

    def judged_by(self, scores: Scores) -> "Report":
        """The report with other scores of the whole pool; its parts were not judged by such rows."""
        lines = tuple(replace(line, loss=np.nan, accuracy=np.nan) for line in self.lines)
        loss, accuracy = (scores.measures[name].value for name in ("log-loss", "accuracy"))
        return replace(
            self, lines=lines, loss=loss, accuracy=accuracy, rows=scores.rows, held_out=scores.how, scores=scores
        )

    @property
    def interval(self) -> tuple[float, float]:
        """Between which the log-loss of new rows is, 19 times of 20; NaN where no row was held out."""
        if self.scores is None:
            return np.nan, np.nan
        found = self.scores.measures["log-loss"]
        return found.low, found.high

    @property
    def caption(self) -> str:
        """How rows were held out, between which the log-loss is, and whether rows were too few to learn anything."""
        low, high = self.interval
        if self.scores is None or np.isnan(low):
            return self.held_out
        words = f"{self.held_out}; log-loss {low:.3f} to {high:.3f}"
        guess = self.scores.guess["log-loss"]
        return f"{words}: too few rows to tell it from a guess ({guess:.3f})" if high >= guess else words

    def _cells(self) -> list[tuple[str, ...]]:
        def number(x: float) -> str:
            return "" if np.isnan(x) else f"{x:.4f}"

        found = [
            (p.name, number(p.loss), number(p.accuracy), number(p.weight), f"{p.seconds:.1f}", p.what)
            for p in self.lines
        ]
        took = sum(p.seconds for p in self.lines)
        return [*found, ("together", number(self.loss), number(self.accuracy), "", f"{took:.1f}", self.caption)]

    HEADER = ("part", "log-loss", "accuracy", "weight", "seconds", "what")

    def __str__(self) -> str:
        return text_table(self.HEADER, self._cells(), left=len(self.HEADER))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self.HEADER, self._cells(), left=len(self.HEADER))


@dataclass(frozen=True)
class Judged:
    """What parts and their pool say of rows that they have not seen, [row, part, class], the rows' classes, weights."""

    said: Floats
    own: NDArray[np.intp]
    weight: Floats | None
    together: "HeldOut"

    def carried_on(self, carried: Floats | None) -> "Judged":
        """The same, with what the losses of the rows are carried on by to a pool of all rows, if that is known."""
        if carried is None:
            return self
        how = f"{self.together.how}; {CARRIED_ON}"
        return replace(self, together=replace(self.together, how=how, carried=carried))


def reported(lines: Mapping[str, PartLine], weights: Mapping[str, float], judged: Judged | None, rows: int) -> Report:
    """The report on parts of these weights; without rows held out it has no scores."""
    every = dict(lines)
    for i, (part, weight) in enumerate(weights.items()):
        loss, accuracy = (np.nan, np.nan) if judged is None else both(judged, judged.said[:, i])
        every[part] = replace(every[part], loss=loss, accuracy=accuracy, weight=weight)
    if judged is None:
        return Report(tuple(every.values()), np.nan, np.nan, rows, NOT_JUDGED)
    loss, accuracy = both(judged, judged.together.log_proba)
    if judged.together.carried is not None:
        loss += float(np.average(judged.together.carried, weights=judged.weight))
    return Report(tuple(every.values()), loss, accuracy, len(judged.own), judged.together.how)


def both(judged: Judged, logits: Floats) -> tuple[float, float]:
    """The log-loss, and the share of rows whose class is the most probable one."""
    from bayesfold.learning.weights import log_loss  # a saved report has been made

    right = np.average(logits.argmax(1) == judged.own, weights=judged.weight)
    return log_loss(logits, judged.own, judged.weight), float(right)

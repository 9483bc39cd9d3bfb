"""What a report is about."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Coded, Floats, Frame
from bayesfold.decisions.compare import Judgement
from bayesfold.explanations.explanation import Explanations
from bayesfold.explanations.requests import explain_rows
from bayesfold.learning.trained import Trained

MOST_EXPLAINED = 2_000
"""Rows from which the weight of columns is told; of more, evenly spread ones."""


@dataclass(frozen=True)
class Subject:
    """A model, rows with their classes, what the model says of them, and where both came from.

    `how` says how the rows were scored, `learned` that they were scored as new ones though the model may have learned
    them. `places` are the rows' numbers in their file. Rows of one `fold` were answered by one model.
    """

    trained: Trained
    model_name: str
    frame: Frame
    labels: Coded
    log_proba: Floats
    judgement: Judgement
    table_name: str
    how: str
    learned: bool
    places: NDArray[np.intp]
    date: str
    fold: NDArray[np.intp] | None = None

    @property
    def caption(self) -> str:
        """What was judged and how, in a sentence."""
        return f"{self.model_name}, judged on {self.frame.rows:,} rows of {self.table_name}, {self.how}"

    @property
    def name(self) -> str:
        """The model's name in the judgement."""
        return self.judgement.models[0]

    @property
    def proba(self) -> Floats:
        """P(class | row), over all classes that the model or the rows have."""
        return self.judgement.proba[self.name]

    @property
    def decision(self) -> NDArray[np.intp]:
        """The decisions, as places among those classes; -1: rejected."""
        return self.judgement.decisions[self.name]

    @property
    def left(self) -> Any:
        """What was left to classes never seen when each row was answered."""
        never = self.judgement.never_seen.get(self.name)
        return 0.0 if never is None else never.share

    @property
    def source(self) -> Any:
        """What the pictures of answers are drawn from: labels, probabilities, classes, weights, folds."""
        classes = self.judgement.classes
        return [classes[k] for k in self.judgement.truth], self.proba, classes, self.judgement.weight, self.fold

    @cached_property
    def importance(self) -> dict[str, float]:
        """How far each part moves the log-odds, mean over rows, the weightiest first."""
        return dict(self._some.importance())

    @cached_property
    def _some(self) -> Explanations:
        step = max(1, -(-self.frame.rows // MOST_EXPLAINED))
        return explain_rows(self.trained, self.frame.take(np.arange(self.frame.rows) % step == 0), None, None)

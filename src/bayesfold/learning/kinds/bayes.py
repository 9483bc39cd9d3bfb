"""The recommended classifier: a pool of Bayesian models that chooses and weighs itself."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bayesfold.data.frame import Coded, Floats, Frame, Level
from bayesfold.learning.kinds._settings import Learned, Settings
from bayesfold.learning.labels_and_weights import check_row_weights, coded_labels
from bayesfold.models.structures import unaided
from bayesfold.runtime.waiting import waiting

if TYPE_CHECKING:
    from bayesfold.decisions.metrics import Codes
    from bayesfold.learning.held_out import HeldOut
    from bayesfold.learning.pool.recommend import Recommended


@dataclass(frozen=True, kw_only=True)
class BayesSettings(Settings):
    """The parameters of `bayesfold.BayesClassifier`.

    Parameters
    ----------
    structure : "auto" or one of "naive", "aode", "kdb", "tan", "gaussian", "parzen"
        "auto" is the ensemble. Any other value fits one model alone: "gaussian" is Gaussian Bayes, "parzen" a kernel
        density estimate.
    max_memory : float
        Bytes that the tables of one model may take; a model that needs more is left out, and `report_` says so.
    time_budget : float
        Seconds that fitting may take. Naive Bayes is always fitted (with Gaussian densities if there is no time to
        compare others); a model for which there is no time is left out. If there is no time for cross-validation,
        weights are fitted by leave-one-out. `report_` says so.
    verbose : bool
        Report progress and the remaining time on standard error, after the first second.
    """

    estimator: ClassVar[str] = "BayesClassifier"

    structure: str = "auto"
    max_memory: float = 2**31
    time_budget: float = np.inf
    verbose: bool = False
    missing_as: str = "auto"

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A pool of the rows, and the report on its parts with its scores on rows held out."""
        found = self._recommended(frame, y, weight, classes, more_to_come)
        report = found.report
        if found.held_out is not None:
            weight, _, labels = check_row_weights(weight, frame, coded_labels(y, frame.rows))
            report = replace(report, scores=self.scored(found.held_out, labels, weight))
        return Learned(found.pool, found.columns, report)

    def _held_out(self, frame: Frame, labels: Coded, weight: Floats | None, group: "Codes | None") -> "HeldOut | None":
        """What the pool's own folds say: their parts chose, and their weights were fitted, without the rows.

        These folds know of no groups; where there are some, whole pools are learned without each.
        """
        if group is not None:
            return super()._held_out(frame, labels, weight, group)
        return self._recommended(frame, labels, weight, (), False).held_out

    def _recommended(
        self, frame: Frame, y: Any, weight: Any, classes: Sequence[Level], more_to_come: bool
    ) -> "Recommended":
        """The pool and what it says of rows held out."""
        began = perf_counter()  # what is imported for the first time is time too
        from bayesfold.learning.pool.recommend import PARTS, Wish, recommend  # a model that is loaded does without
        from bayesfold.learning.recipe import Recipe

        if self.structure != "auto" and self.structure not in (known := ("auto", *unaided(), "gaussian", "parzen")):
            raise ValueError(f"structure={self.structure!r} is not one of {', '.join(map(repr, known))}")
        for name, unit in (("time_budget", "seconds"), ("max_memory", "bytes")):
            check_bound(name, getattr(self, name), unit)
        base = Recipe(
            self._options(frame, more_to_come, missing_as=self.missing_as),
            None,
            classes,
            self.priors,
            self.class_weight,
        )
        parts = PARTS if self.structure == "auto" else (self.structure,)
        with waiting(self.estimator, anywhere=True) if self.verbose else nullcontext() as watcher:
            return recommend(frame, y, weight, base, Wish(parts, self.max_memory, self.time_budget, watcher, began))


def check_bound(name: str, value: Any, unit: str) -> None:
    """A bound is a number of at least 0, which may be infinite."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not value >= 0:
        raise ValueError(f"{name}={value!r} must be a number of {unit}, at least 0")


KIND = BayesSettings

"""Naive Bayes for any table: P(y) prod_j P(x_j | y), a family for each column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bayesfold.data.frame import Frame, Level
from bayesfold.data.schema import Schema
from bayesfold.learning.em import learn_all
from bayesfold.learning.fit import Recipe, learn
from bayesfold.learning.kinds._settings import Learned, Settings, by_name


@dataclass(frozen=True, kw_only=True)
class NaiveSettings(Settings):
    """The parameters of `bayesfold.NaiveBayes`, which says what they mean."""

    estimator: ClassVar[str] = "NaiveBayes"
    side_by_side: ClassVar[bool] = True

    alpha: float | str = 1.0
    numeric: str = "auto"
    missing_as: str = "auto"
    weights: Mapping[str, float] | str | None = None
    calibration: str | None = None
    unlabelled: float | str | None = None
    schema: Schema | None = None

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the rows, those without a label too if `unlabelled` says so."""
        recipe = Recipe(
            self._options(frame, more_to_come, numeric=self.numeric, alpha=self.alpha, missing_as=self.missing_as),
            self.schema,
            classes,
            self.priors,
            self.class_weight,
            weights=by_name("weights", self.weights, frame),
            calibration=self.calibration,
        )
        if self.unlabelled is None:
            return Learned(*learn(frame, y, weight, recipe))
        share = None if self.unlabelled == "em" else self.unlabelled
        if share is not None and not (isinstance(share, int | float) and 0 <= share < np.inf):
            raise ValueError(f"unlabelled={share!r} must be None, 'em' or the weight of an unlabelled row, at least 0")
        model, columns, unlabelled = learn_all(frame, y, weight, recipe, share)
        return Learned(model, columns, unlabelled=unlabelled)


KIND = NaiveSettings

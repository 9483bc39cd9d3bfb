"""Naive Bayes for any table: P(y) prod_j P(x_j | y), a family for each column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bayesfold.data.frame import Frame, Level
from bayesfold.data.schema import Schema
from bayesfold.learning.kinds._settings import Learned, Settings, by_name


@dataclass(frozen=True, kw_only=True)
class NaiveSettings(Settings):
    """The parameters of `bayesfold.NaiveBayes`.

    Parameters
    ----------
    alpha : float or "auto"
        Smoothing of categorical columns, lambda: P(x | y) = (N_xy + alpha) / (N_y + S alpha), where S is the number of
        levels of the column. 0 is maximum likelihood, 1 Laplace smoothing; "auto": by leave-one-out likelihood, for
        each column.
    numeric : "auto", or the name of a density
        The density of numbers: "gaussian", "lognormal", "poisson", "kde" (kernel density estimate), "categorical", or
        bins ("mdl", "equal_frequency", "equal_width", "proportional"); "auto" takes, for each column, the one with the
        best held-out score.
    weights : dict, "information" or "auto"
        Feature weights, exponents P(x_j | y)^w_j: given by column, in proportion to the mutual information of column
        and class, or fitted to held-out rows together with a bias for each class.
    unlabelled : None, "em" or float
        What to do with rows whose label is missing (None, NaN). None: refuse them. Otherwise learn them by
        expectation-maximisation, with the weight given or, with "em", with that of 0, 0.1, 0.3 and 1 that gives
        held-out labelled rows the best score. `unlabelled_` says which, after how many iterations. Unless that weight
        is 0, such a model refuses `forget`, `merge`, `partial_fit` and `leave_one_out`, because the contribution of an
        unlabelled row depends on all other rows.
    """

    estimator: ClassVar[str] = "NaiveBayes"
    side_by_side: ClassVar[bool] = True

    alpha: float | str = 1.0
    numeric: str = "auto"
    missing_as: str = "auto"
    weights: Mapping[str, float] | str | None = None
    calibration: str | None = None
    unlabelled: float | str | None = None
    schema: Schema | None = None

    def chooses(self, frame: Frame) -> bool:
        """Whether densities, cuts, holes, smoothing, weights or a temperature are chosen on the rows."""
        from bayesfold.learning.discover import is_chosen

        fitted = isinstance(self.weights, str) or self.calibration is not None or self.unlabelled is not None
        if fitted or "auto" in (self.alpha, self.prior_alpha):
            return True
        options = self._options(frame, False, numeric=self.numeric, missing_as=self.missing_as)
        return self.schema is None and any(is_chosen(frame, name, options) for name in frame.names)

    def learn(
        self, frame: Frame, y: Any, weight: Any = None, classes: Sequence[Level] = (), more_to_come: bool = False
    ) -> Learned:
        """A model of the rows, those without a label too if `unlabelled` says so."""
        from bayesfold.learning.fit import learn
        from bayesfold.learning.recipe import Recipe

        recipe = Recipe(
            self._options(
                frame,
                more_to_come,
                numeric=self.numeric,
                alpha=self.alpha,
                missing_as=self.missing_as,
                keep_alike=self.numeric != "auto",
            ),
            self.schema,
            classes,
            self.priors,
            self.class_weight,
            weights=by_name("weights", self.weights, frame),
            calibration=self.calibration,
        )
        if self.unlabelled is None:
            return Learned(*learn(frame, y, weight, recipe))
        from bayesfold.learning.em import learn_all  # most rows have a label

        share = None if self.unlabelled == "em" else self.unlabelled
        if share is not None and not (isinstance(share, int | float) and 0 <= share < np.inf):
            raise ValueError(f"unlabelled={share!r} must be None, 'em' or the weight of an unlabelled row, at least 0")
        model, columns, unlabelled = learn_all(frame, y, weight, recipe, share)
        return Learned(model, columns, unlabelled=unlabelled)


KIND = NaiveSettings

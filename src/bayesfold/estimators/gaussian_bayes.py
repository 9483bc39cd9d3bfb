"""Gaussian Bayes: every class a normal distribution of all columns together, with covariance."""

from collections.abc import Mapping, Sequence
from typing import Any

from bayesfold.covariance import Shrinkage
from bayesfold.discover import ColumnReport, Options
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.naive import check_alpha
from bayesfold.fit import Normal, Recipe, learn, update
from bayesfold.frame import Frame, Level
from bayesfold.gather import FARTHEST
from bayesfold.model import Model
from bayesfold.schema import Schema

KINDS = ("auto", "full", "tied", "diagonal")


class GaussianBayes(Classifier):
    """Normal classes with covariance, from quadratic to linear discriminant analysis and between.

    Numbers enter in units of their spread, categories as indicators (whose class covariance holds every pair's counts),
    missing cells as flags.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> float(GaussianBayes().fit(X, y).score(X, y))
    0.98

    Parameters
    ----------
    covariance : "auto", "full", "tied" or "diagonal"
        A covariance for each class (QDA), one for all (LDA), none between columns (Gaussian naive Bayes), or a share of
        the first two, by held-out score.
    shrinkage : "auto" or float
        The share of the common diagonal in each covariance; 0 is maximum likelihood. "auto": by held-out score.
    numeric : "auto", "raw" or "ranks"
        Numbers as they are, or as the normal scores of their ranks; "auto": by held-out score, under covariance="auto".
    calibration : None or "temperature"
        One exponent on the joint probability, by held-out score, so that posteriors are as sure as they are right.
    prior_alpha, families, missing, priors, class_weight, schema, loss, reject_cost, reject_label
        As for NaiveBayes.
    """

    def __init__(
        self,
        *,
        covariance: str = "auto",
        shrinkage: float | str = "auto",
        numeric: str = "auto",
        calibration: str | None = None,
        prior_alpha: float | str = 1.0,
        families: Mapping[Any, Any] | None = None,
        missing: Any = None,
        priors: Any = None,
        class_weight: Any = None,
        schema: Schema | None = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.numeric = numeric
        self.calibration = calibration
        self.prior_alpha = prior_alpha
        self.families = families
        self.missing = missing
        self.priors = priors
        self.class_weight = class_weight
        self.schema = schema
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label

    def _normal(self) -> Normal:
        """The covariances to choose from."""
        if self.covariance not in KINDS:
            raise ValueError(f"covariance={self.covariance!r} is not one of {', '.join(map(repr, KINDS))}")
        if self.shrinkage != "auto" and not (isinstance(self.shrinkage, int | float) and 0 <= self.shrinkage <= 1):
            raise ValueError(f"shrinkage={self.shrinkage!r} must be 'auto' or a share from 0 to 1")
        if self.numeric not in ("auto", "raw", "ranks"):
            raise ValueError(f"numeric={self.numeric!r} is not 'auto', 'raw' or 'ranks'")
        auto = self.covariance == "auto"
        tied = {"auto": (0.0, 0.1, 0.5, 1.0), "tied": (1.0,)}.get(self.covariance, (0.0,))
        diagonal = (0.01, 0.1, 0.3) if self.shrinkage == "auto" else (float(self.shrinkage),)
        ranks = {"raw": (False,), "ranks": (True,)}.get(self.numeric, (False, True) if auto else (False,))
        start = Shrinkage(pseudo_rows=4.0 if auto else 0.0, independent=self.covariance == "diagonal")
        return Normal(tied, diagonal, start, ranks, FARTHEST if auto else 2.0**100)

    def _learn(
        self, frame: Frame, values: Any, weight: Any, classes: Sequence[Level], more_to_come: bool
    ) -> tuple[Model, tuple[ColumnReport, ...]]:
        check_alpha("prior_alpha", self.prior_alpha)
        families = {frame.names[k] if isinstance(k, int) else k: v for k, v in (self.families or {}).items()}
        options = Options(families, "auto", self.missing, 1.0, self.prior_alpha, "skip", more_to_come)
        recipe = Recipe(
            options,
            self.schema,
            classes,
            self.priors,
            self.class_weight,
            calibration=self.calibration,
            normal=self._normal(),
        )
        return learn(frame, values, weight, recipe)

    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        update(self.model_, frame, values, weight)
        self._updated()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

"""Gaussian Bayes: every class a normal distribution of all columns together, with covariance."""

from collections.abc import Mapping
from typing import Any

from bayesfold.data.schema import Schema
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class GaussianBayes(SettledClassifier):
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
    prior_alpha, families, missing, priors, class_weight, schema, loss, reject_cost, reject_label, weights_are
        As for NaiveBayes.
    """

    _settings = find("gaussian")

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
        weights_are: str = "importance",
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
        self.weights_are = weights_are

"""Naive Bayes for any table: P(y) prod_j P(x_j | y), a family for each column."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesfold.data.schema import Schema
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.em import Unlabelled
from bayesfold.learning.kinds import Learned, find


class NaiveBayes(SettledClassifier):
    """Naive Bayes on mixed columns: text, categories, truth values and numbers, with holes and unseen values.

    >>> import pandas as pd
    >>> pets = pd.DataFrame({"coat": ["short", "long", None, "short"], "mass": [4.2, 5.1, 30.0, 22.5]})
    >>> clf = NaiveBayes().fit(pets, ["cat", "cat", "dog", "dog"])
    >>> clf.predict(pd.DataFrame({"coat": ["curly", None], "mass": [27.0, None]})).tolist()
    ['dog', 'cat']
    >>> clf.partial_fit({"coat": "curly", "mass": 4.0}, "cat").predict_proba({"coat": "curly"}).round(3)
    array([[0.64, 0.36]])

    Parameters
    ----------
    alpha : float or "auto"
        lambda, the rows added to every cell of a table of categories: P(x | y) = (N_xy + alpha) / (N_y + S alpha), S
        the levels of the whole column. 0 is maximum likelihood, 1 Laplace; "auto": by leave-one-out likelihood, column
        by column.
    prior_alpha : float or "auto"
        The same for the class: P(y) = (N_y + prior_alpha) / (N + K prior_alpha).
    numeric : "auto", or the name of a density
        The density of numbers: "gaussian", "lognormal", "poisson", "kde" (kernels), "categorical", or bins ("mdl",
        "equal_frequency", "equal_width", "proportional"); "auto" takes the one that predicts held-out rows best,
        column by column.
    families : dict
        A family for named columns, by name or as an object: {"Age": "categorical", "Dose": Gaussian(ddof=1)}.
    missing : value, list or dict
        What marks a missing cell besides None, NaN and the empty text: "?", ["?", -1], {"Glucose": 0, "*": "?"}.
    missing_as : "auto", "skip" or "value"
        What a missing cell of a discrete column is: no evidence, a level like the others, or what predicts held-out
        rows better.
    priors : dict by class, or list
        Class probabilities to use instead of the learned ones.
    class_weight : dict by class or "balanced"
        Multiplies the class probabilities when rows are scored; counts are not touched.
    weights : dict, "information" or "auto"
        Exponents on the likelihoods of named columns, P(x_j | y)^w_j: given, in proportion to what each column tells
        about the class, or fitted to held-out rows together with a bias for each class.
    calibration : "temperature"
        One exponent on the joint probability, by held-out score, so that posteriors are as sure as they are right.
    unlabelled : None, "em" or float
        What to do with rows whose label is missing (None, NaN): refuse them, or learn them by expectation-maximisation,
        each with the weight given or, under "em", with the one of 0, 0.1, 0.3 and 1 that predicts labelled rows held
        out best. `unlabelled_` says which, after how many steps. Unless that weight is 0, such a model refuses
        `forget`, `merge`, `partial_fit` and `leave_one_out`: what an unlabelled row counts depends on all other rows.
    schema : Schema
        Columns, levels and encodings to use instead of discovering them (another model's `schema_`).
    loss, reject_cost, reject_label, weights_are
        What decisions cost: see `Classifier`, or the page on decisions and costs.
    """

    _settings = find("naive")
    unlabelled_: Unlabelled | None

    def __init__(
        self,
        *,
        alpha: float | str = 1.0,
        prior_alpha: float | str = 1.0,
        numeric: str = "auto",
        families: Mapping[Any, Any] | None = None,
        missing: Any = None,
        missing_as: str = "auto",
        priors: Any = None,
        class_weight: Any = None,
        weights: Mapping[str, float] | str | None = None,
        calibration: str | None = None,
        unlabelled: float | str | None = None,
        schema: Schema | None = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
        weights_are: str = "importance",
    ) -> None:
        self.alpha = alpha
        self.prior_alpha = prior_alpha
        self.numeric = numeric
        self.families = families
        self.missing = missing
        self.missing_as = missing_as
        self.priors = priors
        self.class_weight = class_weight
        self.weights = weights
        self.calibration = calibration
        self.unlabelled = unlabelled
        self.schema = schema
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label
        self.weights_are = weights_are

    def _fitted(self, found: Learned, label_type: np.dtype[Any] | None) -> None:
        super()._fitted(found, label_type)
        self.unlabelled_ = found.unlabelled

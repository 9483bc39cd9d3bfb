"""Tree-augmented naive Bayes."""

from collections.abc import Mapping
from typing import Any

from bayesfold.data.schema import Schema
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class TAN(SettledClassifier):
    """Tree-augmented naive Bayes (Friedman 1997): each column depends on the class and on one other column.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = TAN().fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']

    Parameters
    ----------
    weights : None, "information" or "auto"
        Exponents on the columns: none, in proportion to what each tells about the class, or fitted to held-out rows.
    others
        As `bayesfold.learning.kinds._tables` lists them.
    """

    _settings = find("tan")

    def __init__(
        self,
        *,
        weights: str | None = None,
        alpha: float | str = "auto",
        prior_alpha: float | str = 1.0,
        numeric: str = "auto",
        families: Mapping[Any, Any] | None = None,
        missing: Any = None,
        missing_as: str = "auto",
        priors: Any = None,
        class_weight: Any = None,
        calibration: str | None = None,
        schema: Schema | None = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
        weights_are: str = "importance",
    ) -> None:
        self.weights = weights
        self.alpha = alpha
        self.prior_alpha = prior_alpha
        self.numeric = numeric
        self.families = families
        self.missing = missing
        self.missing_as = missing_as
        self.priors = priors
        self.class_weight = class_weight
        self.calibration = calibration
        self.schema = schema
        self.loss = loss
        self.reject_cost = reject_cost
        self.reject_label = reject_label
        self.weights_are = weights_are

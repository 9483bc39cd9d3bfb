"""Averaged one-dependence estimators."""

from collections.abc import Mapping
from typing import Any

from bayesfold.data.schema import Schema
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class AODE(SettledClassifier):
    """Averaged one-dependence estimators (Webb 2005): every column in turn is the parent of all the others.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = AODE().fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']

    Parameters
    ----------
    combine : "mean" or "pool"
        Webb's average of the super-parents' probabilities, or their product with weights fitted to held-out rows.
    weights : None or "information"
        Equal weights in the mean, or in proportion to what the super-parent tells about the class (WAODE).
    minimum : float
        A super-parent whose value fewer rows have shown has no say.
    n : 1 or 2
        Super-parents of each network; 2 is A2DE, which needs tables of every three columns.
    subsumption : float
        Subsumption resolution (Zheng & Webb 2006): a value that always comes with another one, which at least so many
        rows have shown ("female" with "pregnant"), is left out of rows that show both, as child and as super-parent; of
        two values that always come together, one stays. 0 is none; Zheng and Webb take 100.
    others
        As `bayesfold.learning.kinds._tables` lists them.
    """

    _settings = find("aode")

    def __init__(
        self,
        *,
        combine: str = "mean",
        weights: str | None = None,
        minimum: float = 1.0,
        n: int = 1,
        subsumption: float = 0.0,
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
        self.combine = combine
        self.weights = weights
        self.minimum = minimum
        self.n = n
        self.subsumption = subsumption
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

"""k-dependence Bayes."""

from collections.abc import Mapping
from typing import Any

from bayesfold.data.schema import Schema
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class KDB(SettledClassifier):
    """k-dependence Bayes (Sahami 1996): each column depends on the class and on up to k others.

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = KDB(1).fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']

    Parameters
    ----------
    k : int
        How many columns a column may depend on, beside the class.
    selective : bool
        Take the k up to this, and as many of the most telling columns, as predict held-out rows best (Martinez 2016).
    weights : None, "information" or "auto"
        Exponents on the columns: none, in proportion to what each tells about the class, or fitted to held-out rows.
    others
        As `bayesfold.learning.kinds._tables` lists them.
    """

    _settings = find("kdb")

    def __init__(
        self,
        k: int = 2,
        *,
        selective: bool = False,
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
        self.k = k
        self.selective = selective
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

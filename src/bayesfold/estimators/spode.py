"""A super-parent one-dependence estimator."""

from collections.abc import Mapping
from typing import Any

from bayesfold.data.schema import Schema
from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class SPODE(SettledClassifier):
    """One super-parent (Keogh & Pazzani 1999): every column depends on the class and on one column x_a,
    P(y, x) = P(y, x_a) prod_j P(x_j | y, x_a).

    >>> X = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"], ["sun", "hot"], ["rain", "cold"]]
    >>> clf = SPODE().fit(X, ["beach", "beach", "home", "home", "beach", "home"])
    >>> clf.parent_
    'x1'
    >>> clf.predict([["sun", "mild"], ["rain", None]]).tolist()
    ['beach', 'home']

    A row in which the super-parent is missing, or shows a value never seen, is scored by naive Bayes.

    Parameters
    ----------
    parent : column name, or None
        The super-parent (of an array, also its place); None: the column under which the learned rows, each left out in
        turn, are predicted with the least log-loss. `parent_` says which; later rows do not change it.
    others
        As `bayesfold.learning.kinds._tables` lists them.
    """

    _settings = find("spode")

    def __init__(
        self,
        parent: Any = None,
        *,
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
        self.parent = parent
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

    @property
    def parent_(self) -> str | None:
        """The super-parent; None where no column has levels or bins, which leaves naive Bayes."""
        self._require_fit()
        roots = self.model_.mixture.roots
        return roots[0][0] if roots else None

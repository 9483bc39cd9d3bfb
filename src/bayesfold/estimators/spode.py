"""A super-parent one-dependence estimator."""

from collections.abc import Mapping
from typing import Any

from bayesfold.estimators.tables import TableClassifier
from bayesfold.schema import Schema
from bayesfold.structures.aode import Aode
from bayesfold.structures.spode import Spode


class SPODE(TableClassifier):
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
        As `bayesfold.estimators.tables` lists them.
    """

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

    @property
    def parent_(self) -> str | None:
        """The super-parent; None where no column has levels or bins, which leaves naive Bayes."""
        self._require_fit()
        roots = self.model_.mixture.roots
        return roots[0][0] if roots else None

    def _structure(self) -> Any:
        if self.parent is None:
            return Aode(minimum=0.0)
        by_place = isinstance(self.parent, int) and 0 <= self.parent < len(self._names)
        return Spode(self._names[self.parent] if by_place else self.parent)

    def _one_network(self) -> bool:
        return True

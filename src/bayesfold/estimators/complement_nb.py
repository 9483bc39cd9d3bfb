"""scikit-learn's ComplementNB as a fold: a class is judged by the counts of all others."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bayesfold.data.frame import Floats, Level
from bayesfold.estimators.discrete import Discrete
from bayesfold.estimators.fitted import keep_arguments
from bayesfold.families.complement import Complement
from bayesfold.tally.statistic import Tally


class ComplementNB(Discrete):
    """Complement naive Bayes with scikit-learn's parameters, attributes and numbers; X dense or sparse.

    >>> X, y = [[3, 0], [4, 1], [1, 2], [0, 5]], ["ham", "ham", "spam", "spam"]
    >>> clf = ComplementNB().fit(X, y)
    >>> clf.predict_proba([[2, 1]]).round(3)
    array([[0.8, 0.2]])
    >>> clf.leave_one_out(X, y).argmax(axis=1)                          # beyond scikit-learn
    array([0, 0, 1, 1])

    The class prior is only used where there is a single class.

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Added to the count of every column.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is used as it is.
    fit_prior : bool, default=True
        Whether class probabilities are learned.
    class_prior : array-like of shape (n_classes,), default=None
        Class probabilities to use instead.
    norm : bool, default=False
        Whether the weights of each class are divided by their sum.
    loss, reject_cost, reject_label
        The costs of decisions, as for every classifier here.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {**Discrete._parameter_constraints, "norm": ["boolean"]}
    _kind = Complement

    norm: bool

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        keep_arguments(self, locals())

    def _family(self, tally: Tally) -> Complement:
        return Complement(self._smoothing(), self.norm)

    def _prior(self, classes: tuple[Level, ...]) -> Mapping[Level, float] | None:
        given = super()._prior(classes)
        return given if len(classes) == 1 else dict.fromkeys(classes, 1.0)

    @property
    def feature_all_(self) -> Floats:
        """Count of each column in all classes."""
        total: Floats = self.feature_count_.sum(axis=0)
        return total

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

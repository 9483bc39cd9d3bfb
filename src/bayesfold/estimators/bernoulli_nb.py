"""scikit-learn's BernoulliNB as a fold: P(x_j = 1 | y), each column present or absent."""

from numbers import Real as Number
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from bayesfold.data.frame import Floats, Frame
from bayesfold.estimators.discrete import Discrete, count_block
from bayesfold.estimators.fitted import keep_arguments
from bayesfold.families._counts import group_sums
from bayesfold.families.bernoulli import Bernoulli


class BernoulliNB(Discrete):
    """Bernoulli naive Bayes with scikit-learn's parameters, attributes and numbers; X dense or sparse.

    >>> X, y = [[1, 0], [1, 1], [0, 1]], ["ham", "spam", "spam"]
    >>> clf = BernoulliNB().fit(X, y)
    >>> clf.predict_proba([[1, 0]]).round(3)
    array([[0.64, 0.36]])
    >>> clf.leave_one_out(X, y).argmax(axis=1)                          # beyond scikit-learn
    array([1, 0, 1])

    Parameters
    ----------
    alpha : float or array-like of shape (n_features,), default=1.0
        Smoothing: added to the counts of presence and of absence in every column.
    force_alpha : bool, default=True
        Whether an alpha below 1e-10 is used as it is.
    binarize : float or None, default=0.0
        Numbers above it count as present; None: X holds zeros and ones already.
    fit_prior : bool, default=True
        Whether class probabilities are learned; otherwise classes are equally likely.
    class_prior : array-like of shape (n_classes,), default=None
        Class probabilities to use instead.
    loss, reject_cost, reject_label
        The costs of decisions, as for every classifier here.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Discrete._parameter_constraints,
        "binarize": [None, Interval(Number, 0, None, closed="left")],
    }
    _kind = Bernoulli
    _counting_sees_all = False  # NaN > 0 is an honest False

    binarize: float | None

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        keep_arguments(self, locals())

    def _features(self, frame: Frame) -> tuple[Any, ...]:
        return count_block, frame.names, self.binarize

    @property
    def feature_log_prob_(self) -> Floats:
        """log P(column present | class)."""
        family: Bernoulli = self.model_.families["counts"]
        return family.log_odds(group_sums(self._cells), self._cells.weight[0][:, None])[0][1:]

"""scikit-learn's GaussianNB as a fold: P(x_j | y) normal, variances raised by a share of the largest one."""

from collections.abc import Mapping
from numbers import Real as Number
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from bayesfold.data.encodings import Real
from bayesfold.data.frame import Frame, Level
from bayesfold.data.schema import Column
from bayesfold.estimators.contract import DropInClassifier
from bayesfold.estimators.fitted import keep_arguments
from bayesfold.families._normal import summarise_columns
from bayesfold.families.gaussian import Gaussian
from bayesfold.tally.statistic import Tally


class GaussianNB(DropInClassifier):
    """Gaussian naive Bayes with scikit-learn's parameters, attributes and numbers.

    >>> X = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> clf = GaussianNB().fit(X, [1, 1, 1, 2, 2, 2])
    >>> clf.predict([[-0.8, -1]]), clf.theta_.round(3).tolist()
    (array([1]), [[-2.0, -1.333], [2.0, 1.333]])
    >>> clf.forget([[3, 2]], [2]).class_count_                          # beyond scikit-learn
    array([3., 2.])

    One difference is deliberate: epsilon_ is `var_smoothing` times the largest variance of *all* rows learned, by
    weight, where scikit-learn takes the last batch, by row. So `partial_fit` in any number of pieces equals `fit`.
    Probabilities are always float64.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Class probabilities to use instead of the learned ones.
    var_smoothing : float, default=1e-9
        Share of the largest variance of all columns that is added to every variance.
    loss, reject_cost, reject_label
        The costs of decisions, as for every classifier here.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Number, 0, None, closed="left")],
    }
    _kind = Gaussian
    _keeps = ("_float",)

    priors: Any
    var_smoothing: float

    def __init__(
        self,
        *,
        priors: Any = None,
        var_smoothing: float = 1e-9,
        loss: Any = None,
        reject_cost: Any = None,
        reject_label: Any = None,
    ) -> None:
        keep_arguments(self, locals())

    def _convert(self, matrix: Any, reset: bool) -> Any:
        if reset:
            self._float = np.dtype(np.float32 if matrix.dtype == np.float32 else np.float64)  # of the attributes
        return matrix

    def _features(self, frame: Frame) -> tuple[Any, ...]:
        return real_columns, frame.names

    def _examine(self, tally: Tally, frame: Frame) -> None:
        """A NaN is a row that its column did not count."""
        counted = tally.counts[tally.schema.target.slots :].sum()
        if counted < frame.rows * len(frame.names):
            self._refuse(frame.matrix)

    def _family(self, tally: Tally) -> Gaussian:
        cells = tally.cells(tally.layout.span(tally.layout.cliques[1:]))
        return Gaussian(pseudo_rows=0.0, added=float(self.var_smoothing * summarise_columns(cells)[1].max()))

    def _prior(self, classes: tuple[Level, ...]) -> Mapping[Level, float] | None:
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, np.float64)
        if len(priors) != len(classes):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        return dict(zip(classes, priors.tolist(), strict=True))

    @property
    def class_count_(self) -> NDArray[Any]:
        """Rows of each class, by weight."""
        return super().class_count_.astype(self._float)

    @property
    def class_prior_(self) -> NDArray[Any]:
        """Probability of each class."""
        if self.model_.prior is not None:
            return np.array([*self.model_.prior.values()], self._float)
        n = self.model_.class_weights()
        return np.asarray(n / n.sum(), self._float)

    @property
    def epsilon_(self) -> float:
        """The variance added to all variances."""
        family: Gaussian = self.model_.families[self.schema_.features[0].name]
        return family.added

    @property
    def theta_(self) -> NDArray[Any]:
        """Mean of each column in each class."""
        return self._moment(self.model_.flat.forms[0].mean, 0.0)

    @property
    def var_(self) -> NDArray[Any]:
        """Variance of each column in each class, epsilon_ included."""
        return self._moment(0.5 / self.model_.flat.forms[0].precision, self.epsilon_)

    def _moment(self, values: NDArray[Any], empty: float) -> NDArray[Any]:
        """[class, column], with scikit-learn's entry for a class without rows."""
        seen = self.model_.class_weights() > 0
        return np.where(seen[:, None], values.T[-len(seen) :], empty).astype(self._float)


def real_columns(names: tuple[str, ...]) -> tuple[Column, ...]:
    """Encodings of columns of numbers."""
    return tuple(Real(name) for name in names)

"""What scikit-learn's four classifiers of counts and codes share: smoothing, class prior, one block of columns."""

import warnings
from collections.abc import Mapping
from numbers import Real as Number
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_non_negative

from bayesfold.data.encodings import Counts
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.schema import Column
from bayesfold.estimators.contract import DropInClassifier
from bayesfold.families._counts import group_sums
from bayesfold.families._forms import Linear
from bayesfold.tally.statistic import Cells, Tally

LEAST_ALPHA = 1e-10
COUNTABLE = frozenset({np.float64, np.float32, np.int64, np.int32, np.int16, np.uint8, np.uint32})
"""Kinds of number that the counting loops read."""


class Discrete(DropInClassifier):
    """A block of counts, and the parameters alpha, force_alpha, fit_prior and class_prior."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Number, 0, None, closed="left"), "array-like"],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "force_alpha": ["boolean"],
    }
    _accepts: ClassVar[dict[str, Any]] = {"accept_sparse": "csr"}
    _plain = COUNTABLE

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _features(self, frame: Frame) -> tuple[Any, ...]:
        return count_block, frame.names

    def _family(self, tally: Tally) -> Any:
        return self._kind(self._smoothing())

    def _smoothing(self) -> float | tuple[float, ...]:
        """alpha as a family keeps it."""
        alpha = self._check_alpha()
        return tuple(alpha.tolist()) if isinstance(alpha, np.ndarray) else float(alpha)

    def _check_alpha(self) -> Any:
        """alpha, checked against the number of columns and, unless forced, no less than 1e-10."""
        alpha: Any = self.alpha if isinstance(self.alpha, Number) else np.asarray(self.alpha)
        least = np.min(alpha)
        if isinstance(alpha, np.ndarray):
            if alpha.shape[0] != self.n_features_in_:
                raise ValueError(
                    "When alpha is an array, it should contains `n_features`. "
                    f"Got {alpha.shape[0]} elements instead of {self.n_features_in_}."
                )
            if least < 0:
                raise ValueError("All values in alpha must be greater than 0.")
        if least < LEAST_ALPHA and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {LEAST_ALPHA:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.",
                stacklevel=2,
            )
            return np.maximum(alpha, LEAST_ALPHA)
        return alpha

    def _prior(self, classes: tuple[Level, ...]) -> Mapping[Level, float] | None:
        if self.class_prior is not None:
            if len(self.class_prior) != len(classes):
                raise ValueError("Number of priors must match number of classes.")
            return {c: float(p) for c, p in zip(classes, self.class_prior, strict=True)}
        return None if self.fit_prior else dict.fromkeys(classes, 1.0 / len(classes))

    def _refuse(self, matrix: Any) -> None:
        super()._refuse(matrix)
        check_non_negative(matrix, f"{type(self).__name__} (input X)")

    def _convert(self, matrix: Any, reset: bool) -> Any:
        return to_countable(matrix)

    @property
    def class_log_prior_(self) -> Floats:
        """Log probability of each class."""
        if self.class_prior is not None:
            return np.log(np.asarray(self.class_prior, np.float64))
        if not self.fit_prior:
            return np.full(len(self.classes_), -np.log(len(self.classes_)))
        n = self.model_.class_weights()
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(n) - np.log(n.sum()))

    @property
    def feature_count_(self) -> Floats:
        """Count of each column in each class."""
        return group_sums(self._cells)[1:]

    @property
    def feature_log_prob_(self) -> Any:
        """What one count of each column adds to the score of each class."""
        form: Linear = self.model_.flat.forms[0]
        return form.weights[:, 1:].T

    @property
    def _cells(self) -> Cells:
        scorer = self.model_.flat
        return scorer.tally.cells(scorer.groups[0].span)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        return tags


def count_block(names: tuple[str, ...], binarize: float | None = None) -> tuple[Column, ...]:
    """All columns as one block of counts."""
    return (Counts("counts", names, binarize),)


def to_countable(matrix: Any) -> Any:
    """A matrix, dense or CSR, of a kind that the counting loops read."""
    if isinstance(matrix, np.ndarray):
        return countable_numbers(matrix)
    data = countable_numbers(matrix.data)
    if data is matrix.data and matrix.indices.dtype == matrix.indptr.dtype:
        return matrix
    return type(matrix)((data, matrix.indices, matrix.indptr.astype(matrix.indices.dtype)), shape=matrix.shape)


def countable_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers of a kind that the counting loops read; truth values are 0 and 1."""
    if values.dtype.type in COUNTABLE and values.dtype.isnative:
        return values
    return values.astype(np.uint8 if values.dtype == bool else np.float64)

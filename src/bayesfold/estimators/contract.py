"""scikit-learn's contract for its naive Bayes classes: what they accept, refuse and say, on top of the fold.

A drop-in declares its columns instead of discovering them, refuses NaN, and wants `classes` at the first `partial_fit`.
A plain array is not copied and not read once more than needed: at the first learning it is the counting loop that
notices what is not finite.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import assert_all_finite, check_array, validate_data

from bayesfold.count import count
from bayesfold.discover import ColumnReport
from bayesfold.estimators.base import Classifier
from bayesfold.estimators.rows import is_named, is_row, read
from bayesfold.families.categorical import Categorical
from bayesfold.fit import coded_labels, slots_of, weighed
from bayesfold.frame import Floats, Frame, Level
from bayesfold.model import Model, cliques
from bayesfold.schema import Batch, Categories, Column, Schema, ordered
from bayesfold.score import leaving
from bayesfold.structures.naive import Naive
from bayesfold.tally import Tally

PLAIN = frozenset({np.float64, np.float32, np.int64, np.int32, np.uint8})
"""Kinds of array that need no conversion."""


class DropIn(Classifier):
    """A subclass declares its columns (`_features`), their family (`_family`) and its class prior (`_prior`)."""

    _accepts: ClassVar[dict[str, Any]] = {}  # what scikit-learn's check of X is told
    _plain: ClassVar[frozenset[Any]] = PLAIN

    def _features(self, frame: Frame) -> tuple[Column, ...]:
        raise NotImplementedError

    def _family(self, tally: Tally | None) -> Any:
        """The columns' family; before anything is counted only its order matters."""
        raise NotImplementedError

    def _prior(self, classes: tuple[Level, ...]) -> Mapping[Level, float] | None:
        raise NotImplementedError

    # learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows, and nothing else: what was learned before is gone."""
        self._validate_params()
        return super().fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same as `fit` of all rows so far. The first call must name all `classes`.

        On an error nothing has changed. A label that is not among `classes` is refused.
        """
        if is_row(X):
            X, y, sample_weight = [X], [y], None if sample_weight is None else [sample_weight]
        self._validate_params()
        if not hasattr(self, "model_"):
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            classes = unique_labels(classes)
        elif classes is not None and not np.array_equal(self.classes_, np.sort(classes)):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        return super().partial_fit(X, y, classes, sample_weight)

    def _learn(
        self, frame: Frame, values: Any, weight: Any, classes: Sequence[Level]
    ) -> tuple[Model, tuple[ColumnReport, ...]]:
        labels = coded_labels(values, frame.rows)
        target = Categories("class" if "class" not in frame.names else "class label", ordered(classes or labels[1]))
        tally = self._counted(frame, labels, weight, target)
        return self._model(tally), ()

    def _update(self, frame: Frame, values: Any, weight: Any) -> None:
        fresh = self._counted(frame, coded_labels(values, frame.rows), weight, self.model_.schema.target)
        self.model_ = self._model(self.model_.tally + fresh)

    def _counted(self, frame: Frame, labels: Any, weight: Any, target: Categories) -> Tally:
        """The tally of these rows alone."""
        strangers = [level for level in labels[1] if level not in target.slot]
        if strangers:
            raise ValueError(
                f"The target label(s) {np.asarray(strangers)} in y do not exist in the initial classes "
                f"{np.asarray(target.levels)}"
            )
        weight, frame, labels = weighed(weight, frame, labels)
        if not frame.rows:
            raise ValueError("every sample weight is zero, so there is nothing to learn")
        try:
            tally = self._tally(frame, labels, weight, target)
        except ValueError:
            self._refuse(frame.matrix)
            raise
        self._examine(tally, frame)
        return tally

    def _tally(self, frame: Frame, labels: Any, weight: Any, target: Categories) -> Tally:
        schema = Schema(target, self._features(frame))
        batch = replace(schema.encode(frame, weight=weight), labels=slots_of(schema, labels))
        families = dict.fromkeys(schema.columns, self._family(None))
        return count(schema, cliques(schema, Naive().learn(schema), families), batch)

    def _refuse(self, matrix: Any) -> None:
        """Raise, in scikit-learn's words, if the matrix holds something that may not be counted."""
        assert_all_finite(matrix, estimator_name=type(self).__name__, input_name="X")

    def _examine(self, tally: Tally, frame: Frame) -> None:
        """Notice in a fresh tally what the counting let pass."""

    def _model(self, tally: Tally) -> Model:
        """The statistic with the parameters of today."""
        families = dict.fromkeys(tally.schema.columns, self._family(tally))
        families[tally.schema.target.name] = Categorical(0.0)
        return Model(Naive().learn(tally.schema), families, tally, self._prior(tally.schema.target.levels))

    # answers

    def _joint(self, X: Any) -> Floats:
        self._require_fit()
        return self._log_joint(self.model_, self.model_.schema.encode(self._read(X, reset=False)))

    def _log_joint(self, model: Model, batch: Batch, leave_out: bool = False) -> Floats:
        """As scikit-learn: a class without rows, or whose given probability is 0, is impossible."""
        joint = super()._log_joint(model, batch, leave_out)
        if model.prior is not None:
            joint[:, [p <= 0 for p in model.prior.values()]] = -np.inf
            return joint
        n = model.class_weights()
        if (n > 0).any():
            joint[:, n <= 0] = -np.inf
        if leave_out and (n > 0).sum() > 1:
            assert batch.labels is not None
            own = batch.labels - 1
            alone = np.flatnonzero(n[own] <= leaving(batch))
            joint[alone, own[alone]] = -np.inf
        return joint

    @property
    def class_count_(self) -> NDArray[Any]:
        """Rows of each class, by weight."""
        return self.model_.class_weights()

    # between a table and a matrix

    def _read(self, X: Any, reset: bool) -> Frame:
        """A table as a frame of one matrix."""
        X = [X] if is_row(X) else X
        if is_plain(X, self._plain) and (reset or self._fits(X)):
            matrix = X
            if reset:
                self.n_features_in_ = X.shape[1]
                self.__dict__.pop("feature_names_in_", None)
            elif X.dtype.kind == "f" and not np.isfinite(X.sum()):
                self._refuse(X)
        elif is_named(X):
            frame = read(self, X, reset)
            matrix = check_array(frame.matrix_of(self._names), estimator=self, input_name="X", **self._accepts)
        else:
            matrix = validate_data(self, X, reset=reset, **self._accepts)
        if reset:
            named = self.__dict__.get("feature_names_in_")
            self._names = numbered(matrix.shape[1]) if named is None else tuple(named.tolist())
        return Frame(self._names, matrix.shape[0], {}, matrix)

    def _fits(self, X: NDArray[Any]) -> bool:
        """Whether scikit-learn would find nothing to say about the width and the names of a plain array."""
        return X.shape[1] == self.n_features_in_ and "feature_names_in_" not in self.__dict__

    def _learned(self, X: Any, y: Any, weight: Any) -> Batch:
        ...


def is_plain(X: Any, kinds: frozenset[Any]) -> bool:
    """Whether X is an array that can be counted as it is."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.type in kinds and X.dtype.isnative and X.size > 0


@lru_cache(maxsize=16)
def numbered(width: int) -> tuple[str, ...]:
    """Names for columns that have none."""
    return tuple(f"x{j}" for j in range(width))

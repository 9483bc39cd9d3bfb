"""What every classifier can do: scikit-learn's verbs, and the group's (update, forget, merge, decay, leave out)."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from bayesfold.discover import ColumnReport
from bayesfold.engines.memory import frame as read_table
from bayesfold.fit import Recipe, learn, update
from bayesfold.frame import Floats, Frame, Level
from bayesfold.model import Model
from bayesfold.schema import Batch, Schema


class Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A subclass says how it reads a table (`_read`) and what to learn from it (`_recipe`)."""

    model_: Model
    columns_: tuple[ColumnReport, ...]

    def _recipe(self, frame: Frame) -> Recipe:
        raise TypeError(f"{type(self).__name__} does not say what to learn")  # a subclass always does

    # learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows, and nothing else: what was learned before is gone."""
        frame = self._read(X, reset=True)
        self._fitted(*learn(frame, self._labels(y), sample_weight, self._recipe(frame)))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same as `fit` of all rows so far, with the schema of the first call.

        X may be one row as a dict, y its label. New levels and new classes are welcome; `classes` declares them early.
        """
        if isinstance(X, Mapping) and is_row(X):
            return self._partial_fit_row(X, y, classes, sample_weight)
        first = not hasattr(self, "model_")
        frame = self._read(X, reset=first)
        if first:
            recipe = self._recipe(frame)
            if classes is not None:
                recipe = with_classes(recipe, np.asarray(classes).tolist())
            self._fitted(*learn(frame, self._labels(y), sample_weight, recipe))
        else:
            update(self.model_, frame, self._labels(y), sample_weight)
            self._updated()
        return self

    def _partial_fit_row(self, row: Mapping[str, Any], label: Any, classes: Any, weight: Any) -> Self:
        if not hasattr(self, "model_"):
            return self.partial_fit([dict(row)], [label], classes, None if weight is None else [weight])
        model = self.model_
        schema = model.schema.grown_by_row(row)
        if label not in schema.target.slot:
            schema = schema.with_classes([label])
        model.learn(schema.encode_row(row, label, weight), schema)
        self._updated()
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take learned rows out again: what is left is what `fit` of the other rows (same schema) would be.

        A row that cannot have been learned is refused by number, before anything changes; sums of numbers alone cannot
        notice a value that was never there.
        """
        self.model_.forget(self._learned(X, y, sample_weight))
        self._updated()
        return self

    def merge(self, other: Self) -> Self:
        """A classifier of both classifiers' rows, with this one's settings."""
        check_is_fitted(self)
        check_is_fitted(other)
        both = self.__class__(**self.get_params(deep=False))
        both.__dict__.update(self.__dict__)
        both._fitted(self.model_ + other.model_, self.columns_)
        return both

    def __add__(self, other: Self) -> Self:
        return self.merge(other) if isinstance(other, type(self)) else NotImplemented

    def decay(self, factor: float) -> Self:
        """Multiply the weight of every row learned so far, so that newer rows count for more."""
        check_is_fitted(self)
        if not 0 < factor <= 1:
            raise ValueError(f"factor={factor!r} must be above 0 and at most 1")
        self.model_.decay(factor)
        self._updated()
        return self

    # answers

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        joint = self.model_.log_joint(self._encoded(X))
        found: NDArray[Any] = self.classes_[joint.argmax(axis=1)]
        return found

    def predict_proba(self, X: Any, as_frame: bool = False) -> Any:
        """P(class | row), a column a class; `as_frame` gives the kind of frame X is, with the classes as names."""
        proba = self.model_.log_proba(self._encoded(X), logs=False)
        return framed(proba, X, self.model_.classes) if as_frame else proba

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row)."""
        return self.model_.log_proba(self._encoded(X))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(class, row): the generative model's own number, before it is normalised."""
        return self.model_.log_joint(self._encoded(X))

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """log P(class | row) for rows that were learned, each scored by the model of all other rows."""
        return self.model_.log_proba(self._learned(X, y, sample_weight), leave_out=True)

    def leave_folds_out(self, X: Any, y: Any, folds: Any = 10, sample_weight: Any = None) -> Floats:
        """log P(class | row), each row scored by the model without the row's fold.

        `folds` is a number of folds (rows are then dealt out by their content, equal rows together) or a fold a row.
        """
        batch = self._learned(X, y, sample_weight)
        fold = dealt(batch, folds) if np.ndim(folds) == 0 else np.asarray(folds)
        out = np.empty((batch.rows, len(self.classes_)))
        for f in np.unique(fold):
            rows = np.flatnonzero(fold == f)
            held_out = batch.take(rows)
            out[rows] = self.model_.without(held_out).log_proba(held_out)
        return out

    def sample(self, n: int = 1, random_state: Any = None) -> tuple[dict[str, Any], NDArray[Any]]:
        """n rows drawn from the model, as (columns by name, labels)."""
        check_is_fitted(self)
        seed = check_random_state(random_state).randint(2**31)
        columns, labels = self.model_.sample(n, np.random.default_rng(seed))
        return columns, labels.astype(self.classes_.dtype)

    @property
    def schema_(self) -> Schema:
        """What was learned about the columns; hand it to another machine as schema=."""
        return self.model_.schema

    # between a table and a batch

    def _fitted(self, model: Model, columns: tuple[ColumnReport, ...]) -> None:
        self.model_ = model
        self.columns_ = columns
        self._updated()

    def _updated(self) -> None:
        """Fitted attributes that follow from the model; a subclass adds its own."""
        levels = self.model_.classes
        if getattr(self, "_levels", None) != levels:
            self._levels = levels
            self.classes_ = np.asarray(levels)

    def _read(self, X: Any, reset: bool) -> Frame:
        """A table as a frame, its columns named as in `fit`."""
        if (
            isinstance(X, np.ndarray)
            and X.ndim == 2
            and X.dtype == np.float64
            and not hasattr(self, "feature_names_in_")
        ):
            if reset or X.shape[1] != self.n_features_in_ or X.shape[0] == 0:
                X = validate_data(self, X, reset=reset, ensure_all_finite=False)
        elif hasattr(X, "columns") and hasattr(X, "dtypes"):
            validate_data(self, X, reset=reset, skip_check_array=True)
            if X.shape[0] == 0:
                raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
        elif not hasattr(X, "__arrow_c_stream__") and not is_dicts(X):
            X = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False, accept_sparse=False)
        frame = read_table(X)
        if reset:
            self._names = frame.names
            self.n_features_in_ = len(frame.names)
        elif frame.names != self._names and len(frame.names) == len(self._names) and not is_dicts(X):
            if hasattr(X, "__arrow_c_stream__") and set(frame.names) == set(self._names):
                return frame
            frame = Frame(
                self._names, frame.rows, dict(zip(self._names, frame.columns.values(), strict=False)), frame.matrix
            )
        return frame

    def _labels(self, y: Any) -> Any:
        """Labels as one-dimensional values."""
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        if hasattr(y, "__arrow_c_array__") or hasattr(y, "__arrow_c_stream__"):
            return column_or_1d(y, warn=True) if hasattr(y, "to_numpy") and getattr(y, "ndim", 1) != 1 else series(y)
        values = column_or_1d(np.asarray(y) if not isinstance(y, np.ndarray) else y, warn=True)
        if values.dtype.kind == "f":
            if not np.isfinite(values).all():
                raise ValueError("Input y contains NaN or infinity.")
            if (values != np.floor(values)).any():
                raise ValueError(
                    "Unknown label type: continuous. Labels are classes; round or bin these numbers first."
                )
        return values

    def _encoded(self, X: Any) -> Batch:
        check_is_fitted(self)
        if isinstance(X, Mapping) and is_row(X):
            return self.model_.schema.encode_row(X)
        return self.model_.schema.encode(self._read(X, reset=False))

    def _learned(self, X: Any, y: Any, weight: Any) -> Batch:
        """Rows that were learned, encoded with their labels; a value never seen names its row."""
        check_is_fitted(self)
        frame = self._read([dict(X)] if isinstance(X, Mapping) and is_row(X) else X, reset=False)
        labels = self._labels([y] if isinstance(X, Mapping) and is_row(X) else y)
        schema = self.model_.schema
        if schema.grown(frame) != schema:
            row, column = first_unseen(schema, frame)
            raise ValueError(f"row {row} was not learned by this model: column {column!r} shows a value never seen")
        weight = None if weight is None else np.ascontiguousarray(np.atleast_1d(weight), np.float64)
        return schema.encode(frame, labels, weight)


def is_row(X: Mapping[str, Any]) -> bool:
    """Whether a mapping is one row (its values are scalars) rather than a table of columns."""
    value = next(iter(X.values()), None)
    return isinstance(value, str) or not hasattr(value, "__len__")


def is_dicts(X: Any) -> bool:
    """Whether X is a list of rows as dicts, or a mapping of columns."""
    return isinstance(X, Mapping) or (isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], Mapping))


def series(y: Any) -> Any:
    """A column of any library as an Arrow or numpy array."""
    if hasattr(y, "to_arrow"):
        return y.to_arrow()
    return y.to_numpy() if hasattr(y, "to_numpy") and not hasattr(y, "combine_chunks") else y


def with_classes(recipe: Recipe, classes: Iterable[Level]) -> Recipe:
    """A recipe that knows classes no row has shown yet."""
    from dataclasses import replace

    return replace(recipe, classes=tuple(classes))


def first_unseen(schema: Schema, frame: Frame) -> tuple[int, str]:
    """The first row that shows a level the schema does not have, and its column."""
    found = (frame.rows, "")
    for panel in schema.encode(frame).codes:
        for j, name in enumerate(panel.names):
            slots = panel.values[:, j].astype(np.intp) + panel.shift
            off = np.flatnonzero((slots < 0) | (slots >= schema.axis(name)))
            if len(off):
                found = min(found, (int(off[0]), name))
    return found


def dealt(batch: Batch, folds: int) -> NDArray[np.intp]:
    """A fold for each row by a hash of its content, so that copies of a row share a fold."""
    mixed = np.full(batch.rows, 0x9E3779B97F4A7C15, np.uint64)
    multiplier = np.uint64(0xBF58476D1CE4E5B9)
    parts = [panel.values for panel in (*batch.codes, *batch.reals, *batch.counts)]
    for values in parts:
        dense = values if isinstance(values, np.ndarray) else np.asarray(values.todense())
        for j in range(dense.shape[1]):
            bits = np.ascontiguousarray(dense[:, j], np.float64).view(np.uint64)
            mixed = (mixed ^ bits) * multiplier
            mixed ^= mixed >> np.uint64(29)
    return (mixed % np.uint64(folds)).astype(np.intp)


def framed(proba: Floats, X: Any, classes: tuple[Level, ...]) -> Any:
    """Probabilities as the kind of frame X is."""
    import narwhals as nw

    try:
        native = nw.from_native(X, eager_only=True)
    except TypeError:
        raise TypeError(f"as_frame=True needs a data frame to follow, and X is {type(X).__name__}") from None
    columns = {str(c): proba[:, k] for k, c in enumerate(classes)}
    made = nw.from_dict(columns, backend=native.implementation).to_native()
    if hasattr(X, "index") and hasattr(made, "index"):
        made.index = X.index
    return made

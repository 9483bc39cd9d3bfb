"""Tables and labels of any library, read by the names of their columns or, of arrays, by place.

Tables that have names (data frames, Arrow tables, DuckDB relations, dicts) are read by them, in any order; columns that
`fit` did not know are not used, of which a data frame's reader is warned. Arrays must have the width of `fit`.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from sklearn.utils.validation import assert_all_finite, column_or_1d, validate_data

from bayesfold.data.column_values import is_masked
from bayesfold.data.dates import date_column_of
from bayesfold.data.frame import Floats, Frame, Level
from bayesfold.data.labels import one_per_row
from bayesfold.data.own_names import own_name
from bayesfold.data.tables import column_names, is_dicts, is_mapping, is_row, locate_columns, materialise, with_absent
from bayesfold.data.tables import frame as read_table
from bayesfold.runtime.messages import listed, refuse_strangers


class ColumnWarning(UserWarning):
    """Columns that a model leaves out (identifiers, constants, columns without a value) or cannot measure."""


def read_frame(estimator: Any, X: Any, reset: bool) -> Frame:
    """A table as a frame with the names of `fit`; `reset` makes this table the one that names them."""
    one_row = is_row(X)
    X = [X] if one_row else materialise(X)
    only = None if reset else frozenset((*estimator._names, *parts_read(estimator)))
    if is_named(X):
        frame = read_table(X, only)
        if reset:
            frame = with_absent(frame, declared_columns(estimator)) if one_row else frame
            remember(estimator, frame.names)
        elif is_dicts(X):
            if frame.unread and not frame.names:
                refuse_strangers(dict.fromkeys(frame.unread), estimator._names)
            if frame.unread:
                warn_of_misnamed((*frame.names, *frame.unread), estimator, stacklevel=7)
            frame = with_absent(frame, estimator._names)
        return require_rows(frame, estimator)
    if is_data_frame(X) and not reset and read_by_names(estimator, X):
        warn_of_strangers(column_names(X.columns), estimator._names, parts_read(estimator))
        return require_rows(read_table(X, only), estimator)
    if is_data_frame(X):
        locate_columns(X.columns, None)  # two columns of one name are refused in our words
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        frame = require_rows(read_table(X), estimator)
    else:
        X = np.asarray(X, object) if isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US" else X
        frame = read_table(validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False))
    if reset:
        estimator._names = frame.names
    return frame if frame.names == estimator._names else rename_columns(frame, estimator._names)


def parts_read(estimator: Any) -> tuple[str, ...]:
    """The parts of dates that the model reads: a table may have them instead of the dates."""
    model = getattr(estimator, "model_", None)
    return () if model is None else model.schema.parts


def declared_columns(estimator: Any) -> tuple[str, ...]:
    """The columns that the parameters name; the first row of a stream may lack some of them."""
    by_column = [getattr(estimator, parameter, None) for parameter in ("families", "missing", "weights")]
    named = dict.fromkeys(key for keys in by_column if isinstance(keys, Mapping) for key in keys)
    return tuple(name for name in named if isinstance(name, str) and name != "*")


def read_by_names(estimator: Any, X: Any) -> bool:
    """Whether the columns of a data frame are to be found by their labels: by names where `fit` was given names, by
    other labels (numbers, dates, several levels) where it was given such.

    0, 1, 2, ... in this order are no labels: a frame that nobody named has them, and is read by place, as arrays are.
    """
    names = column_names(X.columns)
    if all(isinstance(label, str) for label in X.columns):
        return hasattr(estimator, "feature_names_in_")
    known = list(estimator._names)
    if names == known or known == [f"x{place}" for place in range(len(known))]:
        return False
    return sorted(names) == sorted(known) or not (is_numbered(names) or is_numbered(known))


def is_numbered(names: Sequence[str]) -> bool:
    """Whether names are 0, 1, 2, ...

    >>> is_numbered(["0", "1"]), is_numbered(["1", "0"])
    (True, False)
    """
    return list(names) == [str(place) for place in range(len(names))]


def warn_of_strangers(names: Any, known: tuple[str, ...], parts: tuple[str, ...]) -> None:
    """Say that columns stand in another order than in `fit`, or that some are not used: they are found by name."""
    names = [name for name in names if name not in parts or name in known]
    strangers = [name for name in names if name not in known]
    if strangers:
        warnings.warn(
            f"columns that the model has not learned are not used: {listed(strangers)}", ColumnWarning, stacklevel=6
        )
    elif [name for name in known if name in set(names)] != names:
        warnings.warn(
            "the columns stand in another order than in fit; they are found by name", ColumnWarning, stacklevel=6
        )


def warn_of_misnamed(keys: Iterable[Any], estimator: Any, stacklevel: int = 5) -> None:
    """Say that a row has a key that the model has not learned in place of one that it has: either alone is common, as a
    row may have more than the columns, and lack what is unknown."""
    known = estimator._names
    there = {str(key): None for key in keys}
    parts = parts_read(estimator)
    given = {source for part in parts if part in there and (source := date_column_of(part, known))}
    absent = [name for name in known if name not in there and name not in given]
    strange = [name for name in there if name not in known and name not in parts]
    if strange and 0 < len(absent) < len(known):  # a row without any of the columns is refused
        warnings.warn(
            f"the row has {listed(strange)}, which the model has not learned, and no {listed(absent)}: a missing value",
            ColumnWarning,
            stacklevel=stacklevel,
        )


def remember(estimator: Any, names: tuple[str, ...]) -> None:
    """Note the columns of a table that scikit-learn cannot look into."""
    estimator._names = names
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.asarray(names, object)


def require_rows(frame: Frame, estimator: Any) -> Frame:
    """A frame with rows and columns, or scikit-learn's words for one without."""
    for size, what in ((frame.rows, "sample"), (len(frame.names), "feature")):
        if not size:
            shape = (frame.rows, len(frame.names))
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required "
                f"by {type(estimator).__name__}."
            )
    return frame


def rename_columns(frame: Frame, names: tuple[str, ...]) -> Frame:
    """The same columns under the names of `fit`, by position."""
    return Frame(names, frame.rows, dict(zip(names, frame.columns.values(), strict=frame.matrix is None)), frame.matrix)


def is_named(X: Any) -> bool:
    """Whether X is a table that scikit-learn cannot look into, whose columns are found by name alone."""
    if is_mapping(X) or is_dicts(X) or isinstance(X, pa.Table):
        return True
    return hasattr(X, "__arrow_c_stream__") and not is_data_frame(X) and not nw.dependencies.is_into_series(X)


def is_data_frame(X: Any) -> bool:
    """Whether X is a frame whose names scikit-learn knows how to check."""
    return bool(nw.dependencies.is_into_dataframe(X))


def read_labels(estimator: Any, y: Any) -> Any:
    """Labels as one-dimensional values, numpy or Arrow."""
    if isinstance(y, list | tuple) or is_masked(y):
        y = one_per_row(y)
    if isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biu":
        return y
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    if isinstance(y, pa.Array | pa.ChunkedArray):
        return refuse_quantities(y)
    if nw.dependencies.is_into_series(y) and not isinstance(getattr(y, "dtype", None), np.dtype):
        return refuse_quantities(y.to_arrow() if hasattr(y, "to_arrow") else read_pandas_labels(y))
    values = column_or_1d(y, warn=True)
    may_lack = getattr(estimator, "unlabelled", None) is not None
    if may_lack and values.dtype == object:
        with suppress(pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):  # of several types
            return pa.array(values, from_pandas=True)
    if values.dtype.kind == "f":
        known = values[~np.isnan(values)] if may_lack else values
        assert_all_finite(known, input_name="y")
        refuse_fractions(known)
    return values


def refuse_quantities(y: Any) -> Any:
    """Labels of Arrow's, if they are no numbers of which some have fractions: as numpy's, these are no classes."""
    kind = getattr(y, "type", None)
    if kind is not None and pa.types.is_floating(kind):
        known = np.asarray(y.drop_null(), np.float64)
        refuse_fractions(known[np.isfinite(known)])
    return y


def refuse_fractions(labels: Floats) -> None:
    """Refuse labels that are quantities, in scikit-learn's words and ours."""
    if (labels != np.floor(labels)).any():
        raise ValueError(
            "Unknown label type: continuous. Labels are classes; round or bin these numbers first, or use a regressor"
        )


def read_pandas_labels(y: Any) -> Any:
    """Labels of one of pandas' own types; answers are compared with them, so that what is no class is not made text."""
    held = getattr(y, "array", y)
    kind = str(getattr(held, "categories", held).dtype)
    if kind.startswith(("interval", "period")):
        raise TypeError(
            f"the labels are of pandas' type {kind}; a class is text, a number or a truth value: y.astype(str)"
        )
    try:
        return pa.array(y, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):  # categories of several kinds
        return np.asarray(y, object)


def row_with_label(X: Any, y: Any, weight: Any) -> tuple[Any, Any, Any]:
    """A table with its labels and weights; one row as a dict, with its label and its weight, is a table of one."""
    if not is_row(X):
        return X, y, weight
    return [X], [alone(y, "label")], None if weight is None else [weight_alone(weight)]


def weight_alone(weight: Any) -> float:
    """The weight of one row."""
    given = alone(weight, "weight")
    try:
        return float(given)
    except (TypeError, ValueError):
        raise ValueError(f"the weight of a row is a number, and this is {given!r}") from None


def alone(value: Any, what: str) -> Any:
    """What one row has one of, as it is or in a list of one.

    >>> alone("cat", "label"), alone(["cat"], "label")
    ('cat', 'cat')
    """
    if isinstance(value, str) or not hasattr(value, "__len__") or not np.ndim(value):
        return value
    if len(value) != 1:
        raise ValueError(f"one row has one {what}, and these are {len(value)}")
    return next(iter(value))


def to_frame_like(proba: Floats, X: Any, classes: tuple[Level, ...]) -> Any:
    """Probabilities as the kind of frame X is, its index kept."""
    try:
        native = nw.from_native(X, eager_only=True)
    except TypeError:
        raise TypeError(
            f"as_frame=True answers in the kind of data frame that X is, and X is {type(X).__name__}; "
            "leave as_frame out, or give a pandas, polars or Arrow table"
        ) from None
    columns: dict[str, Floats] = {}
    for k, c in enumerate(classes):
        columns[own_name(columns, str(c))] = proba[:, k]  # the classes 1 and "1" read alike
    made = nw.from_dict(columns, backend=native.implementation).to_native()
    if hasattr(X, "index") and hasattr(made, "index"):
        made.index = X.index
    return made

"""Labels as they are given, one a row, and classes as an array of the labels' own type."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.column_values import is_masked
from bayesfold.data.frame import Level, is_text


def one_per_row(y: Any) -> Any:
    """Labels, or groups, that stand one in a row, with their own types: what is masked is missing, and a table of one
    column is that column.

    >>> one_per_row(["a", float("nan"), 1]).tolist()           # numpy would make the texts "nan" and "1" of them
    ['a', nan, 1]
    """
    if isinstance(y, list | tuple):
        return np.asarray(y, object if len({isinstance(label, str) for label in y}) > 1 else None)
    if is_masked(y):
        return unmasked(y)
    if isinstance(y, pa.Table):
        return y.column(0) if y.num_columns == 1 else refuse_width(y.num_columns)
    if getattr(y, "ndim", 1) == 1 and not hasattr(y, "columns"):
        return y
    width = y.shape[1] if len(y.shape) == 2 else 0
    if width != 1:
        return refuse_width(width)
    return y.iloc[:, 0] if hasattr(y, "iloc") else y[:, 0]


def refuse_width(width: int) -> Any:
    """Refuse labels that do not stand one in a row."""
    raise ValueError(f"a row has one label, and these have {width or 'no one'} in each; give one column of them")


def unmasked(y: Any) -> NDArray[Any]:
    """A masked array of labels, those that are masked missing; the others stay of their own type."""
    mask = np.ma.getmaskarray(y)
    if not mask.any():
        return np.asarray(y.data)
    labels = y.data.astype(object)
    labels[mask] = None
    return np.asarray(labels)


def type_of(values: Any) -> np.dtype[Any] | None:
    """The type that classes have, so that predictions look like the labels that were learned."""
    if isinstance(values, np.ndarray):
        return values.dtype if values.dtype.kind in "biufO" else None
    return np.dtype(object) if is_text(values.type) or pa.types.is_dictionary(values.type) else None


def classes_of(levels: tuple[Level, ...], kind: np.dtype[Any] | None) -> NDArray[Any]:
    """Classes as an array of the labels' own type, or of the one they need when other labels have joined them."""
    if (kind is not None and kind.kind == "O") or len(set(map(type, levels))) > 1:
        return np.asarray(levels, object)
    if levels and all(isinstance(level, int) and not isinstance(level, bool) for level in levels):
        return integer_array(levels, kind)
    classes: NDArray[Any] = np.asarray(levels)
    return classes.astype(kind) if kind is not None and kind.kind == classes.dtype.kind else classes


def integer_array(levels: tuple[Any, ...], kind: np.dtype[Any] | None) -> NDArray[Any]:
    """Integers as an array of `kind`, if that holds them, or of a 64-bit type that does.

    numpy itself makes floats of integers on both sides of 2^63.

    >>> integer_array((0, 2**64 - 1), np.dtype(np.int8)).dtype
    dtype('uint64')
    """
    asked = [kind] if kind is not None and kind.kind in "iu" else []
    for candidate in (*asked, np.dtype(np.int64), np.dtype(np.uint64)):
        bounds = np.iinfo(candidate)
        if bounds.min <= min(levels) and max(levels) <= bounds.max:
            return np.array(levels, candidate)
    return np.asarray(levels, object)

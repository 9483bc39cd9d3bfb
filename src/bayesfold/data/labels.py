"""Classes as an array of the labels' own type, so that predictions look like the labels that were learned."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.frame import Level, is_text


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

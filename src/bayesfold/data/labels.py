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
    found: NDArray[Any] = np.asarray(levels)
    alike = kind is not None and (kind.kind == found.dtype.kind or {kind.kind, found.dtype.kind} == {"i", "u"})
    return found.astype(kind) if alike else found

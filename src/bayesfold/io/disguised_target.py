"""Columns that are the target in other words: scores of a model that reads one say nothing of rows to come."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from bayesfold.data.frame import Frame
from bayesfold.io.rows import Rows

LEAST_ROWS = 50
"""Fewest rows of which it is told: in fewer, a column may well agree with the classes by chance."""
ROWS_A_VALUE = 5
"""Rows that a value must have on average: an identifier tells every class too."""


def describe_disguised_target(rows: Rows, whole: bool) -> Iterator[str]:
    """What to say of columns whose values each occur with one class only, though they occur in many rows; these rows
    are the `whole` table, or some of it."""
    which = "every row" if whole else "every row that was looked at"
    if rows.frame.rows < LEAST_ROWS:
        return
    for name in rows.frame.names:
        if tells_every_class(rows, name):
            yield (
                f"column {name!r} alone tells the class of {which}; if it is only known when the class is, scores "
                f"mean nothing: columns= without {name!r} leaves it out"
            )


def tells_every_class(rows: Rows, name: str) -> bool:
    """Whether every value of a discrete column occurs with one class only, and there is one in every row."""
    if not is_discrete(rows.frame, name):
        return False
    coded = rows.frame.coded(name)
    values, classes = len(coded.levels), len(rows.labels.levels)
    if classes < 2 or not classes <= values <= rows.frame.rows / ROWS_A_VALUE or coded.first_missing() is not None:
        return False
    pairs = np.unique(coded.index.astype(np.int64) * classes + rows.labels.index)
    return len(pairs) == values


def is_discrete(frame: Frame, name: str) -> bool:
    """Whether a column holds text, categories, truth values or whole numbers."""
    values = frame.column(name)
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "biuO"
    return not isinstance(values, pa.Array) or not (
        pa.types.is_floating(values.type) or pa.types.is_temporal(values.type)
    )

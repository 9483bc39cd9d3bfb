"""A row of weight 0 is as one that is not there: what stands in it is read as missing, and rows keep their numbers.

>>> frame, weight = blank_weightless({"a": ["x", "y", "z"]}, ["a"], [1.0, 0.0, 2.0])
>>> frame.coded("a").levels, frame.coded("a").index.tolist()
(['x', 'z'], [0, -1, 1])
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayesfold.data.coded import Coded
from bayesfold.data.frame import Floats, Frame
from bayesfold.networks.learning.counts import check_weights
from bayesfold.networks.mixed.rows import read_frame


def blank_weightless(table: Any, names: Iterable[str], weight: ArrayLike | None) -> tuple[Any, Floats | None]:
    """The table as it is, or its columns of these names without what stands in rows of weight 0; and the weights."""
    if weight is None:
        return table, None
    frame = read_frame(table)
    weights = check_weights(weight, frame.rows)
    lost = weights == 0
    if not lost.any():
        return frame, weights
    kept = tuple(name for name in names if name in frame.position)
    return Frame(kept, frame.rows, {name: without(frame.coded(name), lost) for name in kept}), weights


def without(column: Coded, rows: NDArray[np.bool_]) -> Coded:
    """The column in which these rows show nothing, with the levels that the others show."""
    blank = Coded(np.where(rows, np.int32(-1), column.index), column.levels)
    return blank.kept([level if shown else None for level, shown in zip(column.levels, blank.shown(), strict=True)])

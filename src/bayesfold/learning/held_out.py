"""What is known of rows held out; `cross_fit` makes it, and `scores` judges by it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats, Level


@dataclass(frozen=True)
class HeldOut:
    """log P(class | row), each row by a model that has not seen it, and how that was done.

    `rows` are the places of the rows in their table; rows of one fold were answered by the same model. `group` is the
    unit of each row, None where every row is one of its own. `carried` is by how much each row's log-loss is expected
    to change once a model has learned all rows, None: it is not known.
    """

    log_proba: Floats
    rows: NDArray[np.intp]
    fold: NDArray[np.intp]
    classes: tuple[Level, ...]
    how: str
    group: NDArray[np.intp] | None = None
    carried: Floats | None = None

"""Missing parents summed out of a single network: sum over their values of the product of its factors.

Only those are summed that an observed column depends on, by way of missing ones; the others sum to 1. More than
`MOST_SUMS` terms are not summed.
"""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.column_major import Grid
from bayesfold.data.frame import Floats
from bayesfold.kernels.scoring import deep
from bayesfold.models.scoring.parent_tables import LeftOutRows, ParentTables

MOST_SUMS = 4_096
NOBODY = LeftOutRows(np.empty(0, np.int32), np.empty(0))


def sum_out(
    stack: ParentTables,
    slots: NDArray[np.intp],
    codes: Grid,
    begin: int,
    end: int,
    left: LeftOutRows | None,
    joint: Floats,
) -> None:
    """Replace what the network of the stack's leaves says of rows with a missing parent; `slots` are the columns'."""
    program, begins, _ = stack.program
    if codes[:, begin:end].min(initial=1) > 0:
        return
    left = left or NOBODY
    tables = (stack.logs if left is NOBODY else np.empty((0, stack.classes)), *stack.cells, stack.inverse)
    columns = len(slots)
    rows = (codes, left.own, left.weight, begin, end, float(MOST_SUMS))
    one_row = np.empty((columns, 1), np.int32), np.empty((columns, 1), np.int32)
    scratch = (*one_row, np.empty(columns, np.intp), np.empty(len(begins), np.intp), np.empty((4, stack.classes)))
    deep.sum_out(program, begins, slots, *tables, stack.smoothing, *rows, *scratch, joint)

"""Rows one by one, each by a plan that cuts out what it observes; rows with the same cells missing share it."""

from collections.abc import Callable

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.kernels.inference import queries
from bayesfold.networks.inference import workspace
from bayesfold.networks.inference.problem import TooLarge
from bayesfold.networks.inference.table import EvidenceTable
from bayesfold.networks.inference.workspace import Workspace
from bayesfold.runtime.threads import spread, workers

Lend = Callable[[], Workspace]
Alone = Callable[[int], Floats | None]
IMPOSSIBLE, LARGER_PROGRAM, LARGER_BUFFERS, TOO_LARGE = 1, 2, 3, 4  # why the kernel stopped; 0 when it is done


def answer_by_row(lend: Lend, table: EvidenceTable, target: int, out: Floats, alone: Alone) -> int | None:
    """Marginals of the target, or (-1) of every variable side by side; the first row that is impossible.

    alone: the answer for a row that seems to be, None if it is.
    """
    order = table.by_pattern()

    def piece(begin: int, end: int) -> int | None:
        with lend() as work:
            work.observe({}, {})
            work.soften(table.soft)
            work.asked[:] = np.arange(len(work.asked)) == target
            stop = np.array([begin, 0, 0], np.intp)
            try:
                while True:
                    queries.answer(
                        work.tree, work.propagation, table.codes, order, stop[0], end, target, table.weights, work.room,
                        workspace.TILE, out, stop,
                    )  # fmt: skip
                    if stop[1] == LARGER_PROGRAM:
                        work.grow(int(stop[2]))
                    elif stop[1] == LARGER_BUFFERS:
                        work.hold()
                    elif stop[1] == TOO_LARGE:
                        raise TooLarge(8 * (work.tree.needs()[0] if stop[2] else work.tree.entries), work.limit)
                    elif stop[1] == IMPOSSIBLE:
                        row = int(order[stop[0]])
                        if (posterior := alone(row)) is None:
                            return row
                        out[row] = posterior
                        stop[0] += 1
                    else:
                        return None
            finally:
                work.asked[:] = 0

    pieces = spread(piece, len(order), max(64, -(-len(order) // (4 * workers()))))
    return min((row for row in pieces if row is not None), default=None)


def answer_alone(alone: Alone, out: Floats) -> int | None:
    """The same, each row as a question of its own."""
    for row in range(len(out)):
        if (posterior := alone(row)) is None:
            return row
        out[row] = posterior
    return None

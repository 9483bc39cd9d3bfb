"""Rows sixteen at a time: by one plan for all of them, or by a plan for each sixteen, whichever costs less."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.kernels.inference.lanes import Lanes
from bayesfold.networks.inference import neighbours
from bayesfold.networks.inference.problem import InferenceProblem, Integers
from bayesfold.networks.inference.rows import IMPOSSIBLE, LARGER_BUFFERS, LARGER_PROGRAM, TOO_LARGE, Alone, Lend
from bayesfold.networks.inference.table import EvidenceTable
from bayesfold.networks.inference.workspace import Workspace
from bayesfold.runtime.threads import spread, workers

Way = Literal["one plan", "groups", "row by row"]
LANES = 16
ENTRIES_PER_VARIABLE = 500
"""Entries that lanes do in the time that a row's own plan takes for each variable missing (measured: 150 to 900)."""

ENTRIES_PER_ENTRY = 2.0
"""Entries that lanes do in the time that a row by itself takes for one (measured: 1.5 to 4)."""

MOST = 1e5
"""Entries of a plan from which rows by themselves are better: they make use of zeros, and of matrix products."""

MANY = 512
"""Rows from which it is worth finding out how alike they are."""

SAMPLES = 20

STRIVE = 16.0, 8
"""How carefully to plan for sixteen rows: an entry is dearer, and so many tries in a row may be in vain."""


def find_cheapest(costs: Mapping[Way, float]) -> Way:
    """The way that costs least.

    >>> find_cheapest({"one plan": 9.0, "row by row": 4.0, "groups": 5.0})
    'row by row'
    """
    return min(costs, key=costs.__getitem__)


def choose_way(work: Workspace, table: EvidenceTable, target: int) -> tuple[Way, Integers]:
    """How to answer the rows, and in which order; costs are in entries that lanes do."""
    rows = len(table.codes)
    missing = (table.codes < 0).sum() / max(rows, 1) + (target >= 0)
    order = np.arange(rows)
    work.strive(*STRIVE)
    every = neighbours.count_entries(work, table, target, order, cut=False)
    costs: dict[Way, float] = {"one plan": every, "row by row": ENTRIES_PER_VARIABLE * missing}
    if rows >= MANY and every > ENTRIES_PER_VARIABLE * missing / LANES:
        order = neighbours.order_rows(work, table, target)
        samples = [order[k : k + LANES] for k in range(rows // SAMPLES // 2, rows - LANES, rows // SAMPLES)]
        alike = float(np.mean([neighbours.count_entries(work, table, target, each) for each in samples]))
        alone = float(np.mean([neighbours.count_entries(work, table, target, each[:1]) for each in samples]))
        costs["groups"] = alike + ENTRIES_PER_VARIABLE * missing / LANES if alike < MOST else np.inf
        costs["row by row"] += ENTRIES_PER_ENTRY * alone
    work.strive()
    return find_cheapest(costs), order


def answer_in_lanes(
    lend: Lend,
    problem: InferenceProblem,
    table: EvidenceTable,
    target: int,
    order: Integers,
    out: Floats,
    alone: Alone,
    *,
    cut: bool,
) -> int | None:
    """Marginals of the target, or (-1) of every variable side by side; a row for which that cannot be done.

    It may be impossible, or its group may need more than there is room for. alone: the answer for a row by itself, for
    where the numbers of its group became too small; None if it is impossible. cut: what all rows of a group show is cut
    out of their plan; otherwise there is one plan for whatever a row shows.
    """
    n = len(problem.cards)
    kept = np.zeros(n, np.uint8)
    kept[list(table.soft)] = 1
    if not cut:
        kept |= (table.codes >= 0).any(0)
        if target >= 0 and target not in table.soft:
            kept[target] = 0

    def piece(begin: int, end: int) -> int | None:
        run = Lanes(
            problem.starts, problem.members, problem.strides, problem.begins, problem.states, problem.values,
            [np.zeros(size, np.intp) for size in (n, 2 * LANES, n, n)], np.zeros(2 * LANES),
        )  # fmt: skip
        run.hold(np.empty(0), np.empty(0), np.empty(0, np.intp), np.empty(0, np.intp))
        with lend() as work:
            work.observe({}, {})
            work.asked[:] = np.arange(n) == target
            work.strive(*STRIVE)
            stop = np.array([begin, 0, 0], np.intp)
            most = int(min(work.limit / (8 * LANES), 2.0**62))
            try:
                while True:
                    run.answer(
                        work.tree, table.codes, order, stop[0], end, target, table.weights, kept, most, out, stop
                    )
                    if stop[1] == LARGER_PROGRAM:
                        work.grow(int(stop[2]))
                    elif stop[1] == LARGER_BUFFERS:
                        lanes, base, records = (2 * need for need in run.needs())
                        if 8 * (lanes + base) > work.limit:
                            return int(order[stop[0]])
                        places = np.empty(records, np.intp), np.empty(records * n, np.intp)
                        run.hold(np.empty(lanes), np.empty(base), *places)
                    elif stop[1] == TOO_LARGE:
                        return int(order[stop[0]])
                    elif stop[1] == IMPOSSIBLE:
                        group = order[stop[0] : min(stop[0] + LANES, end)]
                        for row in map(int, group):
                            if (posterior := alone(row)) is None:
                                return row
                            out[row] = posterior
                        stop[0] += len(group)
                    else:
                        return None
            finally:
                work.asked[:] = 0
                work.soft[:] = 0
                work.strive()

    pieces = spread(piece, len(order), max(256, -(-len(order) // (4 * workers() * LANES)) * LANES))
    return min((row for row in pieces if row is not None), default=None)

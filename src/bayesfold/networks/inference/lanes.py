"""Rows sixteen at a time, by one plan of the whole network: the better way where it is small or little is observed."""

import numpy as np

from bayesfold.frame import Floats
from bayesfold.kernels import lanes
from bayesfold.networks.inference.problem import Integers, Problem, TooLarge
from bayesfold.networks.inference.table import Table
from bayesfold.networks.inference.workspace import Workspace
from bayesfold.threads import spread, workers

ENTRIES_PER_VARIABLE = 200
"""Entries that lanes do in the time that a row's own plan takes for each variable missing (measured: 150 to 300)."""

LANES, SUMS = 16, 3


def plan(work: Workspace, table: Table, target: int) -> Integers | None:
    """A plan for whatever a row may observe, if it is worth it."""
    seen = (table.codes >= 0).sum(0)
    if target >= 0:
        seen[target] = 0
    missing = len(seen) - seen.sum() / max(len(table.codes), 1)
    work.observe({}, {})
    work.soften(tuple({*np.flatnonzero(seen).tolist(), *table.soft}))
    everything = target < 0
    try:
        work.plan(everything=everything, targets=() if everything else (target,), marginals=everything, tile=1 << 62)
    except TooLarge:
        return None
    entries, *_ = work.tree.needs()
    if entries > ENTRIES_PER_VARIABLE * missing:
        return None
    work.tree.lay_out()
    return work.program[: work.program[0]].copy()


def answer(program: Integers, problem: Problem, table: Table, target: int, out: Floats) -> int | None:
    """Marginals of the target, or (-1) of every variable side by side; the first row that is impossible."""
    entries, messages, largest = (int(program[k]) for k in (2, 4, 5))
    states, base = int(problem.states[-1]), np.empty(entries)
    lanes.multiply_tables(program, problem.begins, problem.values, np.zeros(len(problem.cards) + 1, np.intp), base)

    def piece(begin: int, end: int) -> int:
        sizes = entries if target < 0 else largest, messages, messages, states, states, SUMS
        buffers = tuple(np.empty(LANES * size) for size in sizes)
        index = np.zeros(len(problem.cards) + 1, np.intp)
        found: int = lanes.answer(
            program, problem.states, base, table.codes, table.weights, begin, end, target, buffers, index, out
        )
        return found

    rows = len(table.codes)
    pieces = spread(piece, rows, max(256, -(-rows // (4 * workers() * LANES)) * LANES))
    return min((row for row in pieces if row >= 0), default=None)

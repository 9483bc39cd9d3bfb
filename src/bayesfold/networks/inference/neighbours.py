"""Which rows should share a plan: an order in which neighbours show the same of what matters most."""

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.inference.problem import Integers, TooLarge
from bayesfold.networks.inference.program import AXES, CLIQUE, CLIQUES, HEADER, RANK, TILE
from bayesfold.networks.inference.table import EvidenceTable
from bayesfold.networks.inference.workspace import ONE_BY_ONE, Workspace

MATTERING = 16
"""Variables by which rows are put in order: thousands of rows are needed before groups agree in more."""


def order_rows(work: Workspace, table: EvidenceTable, target: int) -> Integers:
    """Sort rows by which cells they show, those first without which the tables of a plan would lose most entries.

    These are found one after another, each with the earlier ones cut out already. The order is Gray's: from one pattern
    to the next, as few cells as possible come or go, so that rows on both sides of the change still share the rest.
    """
    seen = table.codes >= 0
    shown = seen.mean(0)
    left = (shown > 0.0) & (shown < 1.0)
    if target >= 0:
        left[target] = False
    cut: list[int] = []
    while left.any() and len(cut) < MATTERING:
        saved = count_savings(work, cut) * left
        best = int(saved.argmax())
        if saved[best] == 0.0:
            break
        cut.append(best)
        left[best] = False
    turns = np.logical_xor.accumulate(seen[:, [*cut, *np.flatnonzero(left)]], axis=1)
    bits = np.packbits(turns, axis=1)
    return np.lexsort(bits.T[::-1]) if bits.shape[1] else np.arange(len(seen))


def count_savings(work: Workspace, cut: list[int]) -> Floats:
    """How many entries the tables would lose without each variable, if some are cut already."""
    card = work.problem.card
    entries_with = np.zeros(len(card))
    work.observe(dict.fromkeys(cut, 0), {})
    try:
        work.plan(everything=True, tile=ONE_BY_ONE)
    except TooLarge:
        return entries_with
    work.tree.lay_out()
    program = work.program
    for at in range(HEADER, HEADER + program[CLIQUES] * CLIQUE, CLIQUE):
        axes = program[at + AXES]
        entries_with[program[axes : axes + program[at + RANK]]] += program[at + TILE]
    return entries_with * (1.0 - 1.0 / card)


def count_entries(work: Workspace, table: EvidenceTable, target: int, rows: Integers, *, cut: bool = True) -> float:
    """How many entries the tables of one plan for some rows have; infinite if they are too many.

    cut: without what all of them show.
    """
    seen = table.codes[rows] >= 0
    if target >= 0:
        seen[:, target] = False
    seen_in_all, seen_in_any = np.asarray(seen.all(0)), seen.any(0)
    seen_in_all[list(table.soft) if cut else slice(None)] = False
    everything = target < 0
    work.observe(dict.fromkeys(np.flatnonzero(seen_in_all).tolist(), 0), {})
    work.soften({*np.flatnonzero(seen_in_any & ~seen_in_all).tolist(), *table.soft})
    try:
        work.plan(everything=everything, targets=() if everything else (target,), marginals=everything, tile=ONE_BY_ONE)
    except TooLarge:
        return np.inf
    finally:
        work.soften(())
    return float(work.tree.needs()[0])

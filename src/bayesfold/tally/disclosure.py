"""What a statistic tells of single rows, made less: small cells withheld, or noise that hides whether a row is in it.

A cell of one row is that row. `withhold` counts the rows of cells with fewer than k of them as rows whose value is not
known, and as many more as are needed so that none is the difference between a total and the other cells of its line.
`add_noise` is epsilon-differentially private: with or without any one row, whatever comes out is at most e^epsilon
times as probable. A row adds 1 to one cell of each table, so with T tables every cell gets two-sided geometric noise,
P(z) ~ e^(-|z| epsilon / T), and then lines are made to add up again. (Ghosh, Roughgarden and Sundararajan 2009.)

>>> whole_shares(np.array([3.0, 1.0, 0.0]), 6).tolist()
[5, 1, 0]
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.runtime.messages import listed
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally, cut
from bayesfold.tally.trimming import restrict

Mask = NDArray[np.bool_]
Counts = NDArray[np.int64]


def withhold(tally: Tally, least: int) -> Tally:
    """The tally without cells of fewer than `least` rows, and without others that would give them away.

    A class of fewer rows is not there at all.
    """
    if tally.schema.vectors:
        raise ValueError(
            "sums of all columns together tell of single rows, and cannot be withheld cell by cell; learn naive Bayes, "
            "TAN, KDB or AODE instead (structure='naive')"
        )
    fresh = tally.copy()
    published = {frozenset(clique.keys) for clique in tally.layout.cliques}
    few = counts_of(tally, Clique((tally.schema.target.name,))) < least
    for clique in tally.layout.cliques:
        clear_cells(fresh, clique, np.broadcast_to(few, tally.layout.shape(clique)))
        table = counts_of(fresh, clique)
        hidden = (table > 0) & (table < least)
        if clique.terms:
            clear_cells(fresh, clique, hidden)
            if any(c.name == clique.terms[0] for c in tally.schema.texts):
                clear_terms(fresh, clique, least)
        elif len(clique.keys) > 1:
            keys = frozenset(clique.keys)
            hide_more(table, hidden, [i for i, key in enumerate(clique.keys) if keys - {key} in published], least)
            move_to_missing(fresh, clique, hidden)
    return fresh


def counts_of(tally: Tally, clique: Clique) -> Counts:
    """A view of the row counts of a clique."""
    return cut(tally.counts, tally.layout.offsets[clique][0], tally.layout.shape(clique))


def hide_more(table: Counts, hidden: Mask, axes: list[int], least: int) -> None:
    """Hide more cells, the smallest first, until in every line whose total is known those hidden are at least two, and
    together at least `least` rows.

    >>> table, hidden = np.array([[2, 40], [9, 50], [70, 60]]), np.array([[True, False], [False] * 2, [False] * 2])
    >>> hide_more(table, hidden, [0], 5)
    >>> hidden.tolist()
    [[True, False], [True, False], [False, False]]
    """
    changed = True
    while changed:
        changed = False
        for axis in axes:
            lines, masks = np.moveaxis(table, axis, -1), np.moveaxis(hidden, axis, -1)
            for at in product(*map(range, lines.shape[:-1])):
                line, mask = lines[at], masks[at]
                seen = np.flatnonzero((line > 0) & ~mask)
                if mask.any() and (mask.sum() < 2 or line[mask].sum() < least) and len(seen):
                    mask[seen[np.argmin(line[seen])]] = changed = True


def move_to_missing(tally: Tally, clique: Clique, hidden: Mask) -> None:
    """Count the rows of cells, class by class, as rows of which nothing is known."""
    cells, shape = tally.layout.offsets[clique][0], tally.layout.shape(clique)
    tables = [counts_of(tally, clique), *(cut(half, cells, shape) for half in tally.weights if tally.weighted)]
    for table in tables:
        lines, masks = table.reshape(-1, shape[-1]), hidden.reshape(-1, shape[-1])
        lost = np.where(masks, lines, 0).sum(0)
        lines[masks] = 0
        lines[0] += lost


def clear_cells(tally: Tally, clique: Clique, hidden: Mask) -> None:
    """Empty cells of a clique."""
    cells, sums = tally.layout.offsets[clique]
    shape, within = tally.layout.shape(clique), tally.layout.sums_in_cell(clique)
    counts_of(tally, clique)[hidden] = 0
    for half in range(2):
        if tally.weighted:
            cut(tally.weights[half], cells, shape)[hidden] = 0.0
        if within:
            cut(tally.sums[half], sums, (*shape, within))[hidden] = 0.0


def clear_terms(tally: Tally, clique: Clique, least: int) -> None:
    """Empty the sums of terms that fewer than `least` texts of a class show."""
    begin, shape = tally.layout.offsets[clique][1], tally.layout.shape(clique)
    halves = [cut(half, begin, (*shape, tally.layout.sums_in_cell(clique) // 2, 2)) for half in tally.sums]
    rare = (halves[0] + halves[1])[..., 1] < least
    for half in halves:
        half[rare] = 0.0


def add_noise(tally: Tally, schema: Schema, epsilon: float, draw: "np.random.Generator") -> Tally:
    """The tally on the levels of a schema that these rows have not made, with noise in every cell.

    Sums of numbers have no bound, so noise cannot hide a row in them: refused.
    """
    if not epsilon > 0:
        raise ValueError(f"epsilon is {epsilon:g}; a budget is a number above 0, 1 being usual")
    numbers = sorted({term for clique in tally.layout.cliques for term in clique.terms})
    if numbers:
        raise ValueError(
            f"{listed(numbers)} would be summed, and one row can change a sum by any amount, which no noise hides; "
            "make the schema with numbers in bins (numeric='mdl'), and without columns of text"
        )
    if tally.weighted:
        raise ValueError("rows have weights, so one of them can change a count by any amount: leave the weights out")
    fresh = restrict(tally, schema)
    cliques = fresh.layout.cliques
    share = 1.0 - np.exp(-epsilon / len(cliques))
    for clique in cliques:
        table = counts_of(fresh, clique)
        table += draw.geometric(share, table.shape) - draw.geometric(share, table.shape)
        np.maximum(table, 0, out=table)
        table[..., 0] = 0  # no row is without a class, whatever the rows
    classes = counts_of(fresh, Clique((schema.target.name,)))
    for clique in cliques:
        lines = counts_of(fresh, clique).reshape(-1, len(classes))
        for k, rows in enumerate(classes):
            lines[:, k] = whole_shares(lines[:, k].astype(np.float64), int(rows))
    return fresh


def whole_shares(parts: Floats, rows: int) -> Counts:
    """Whole numbers that add up to `rows`, in proportion to parts; where there are none, nothing is known of a row."""
    if not parts.any():
        parts = np.zeros(len(parts))
        parts[0] = 1.0
    exact = parts * (rows / parts.sum())
    shares: Counts = np.floor(exact).astype(np.int64)
    shares[np.argsort(shares - exact, kind="stable")[: rows - int(shares.sum())]] += 1
    return shares

"""Why a row is decided as it is: what the prior and each column add to the log-odds between two classes.

    log P(a, row) - log P(b, row) = sum over parts of (what the part says of a - what it says of b)

The parts are the model's own terms, so they sum to its log-odds and no order of the columns matters. A column that
depends on others besides the class is credited with what it adds once those are known, and two columns that share a
covariance with half of it each: conventions, which every explanation that needs them states. Whatever is not a sum over
columns has a line of its own. In a block of counts each column that is not zero has a line, measured from a row in
which the whole block is zero; that row's own share stays with the block.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.encodings import Counts
from bayesfold.data.frame import Floats, Frame
from bayesfold.data.schema import Schema
from bayesfold.data.sparse import entries
from bayesfold.explanations.explanation import Codes, CountCells, Explanations, no_cells
from bayesfold.explanations.inner_range import members_of
from bayesfold.explanations.terms import term_contributions
from bayesfold.models.credit import own_line
from bayesfold.models.model import Model
from bayesfold.models.pool import CAP

MOST_ENTRIES = 1 << 14
LARGEST = 1e6
"""What a column of an ensemble says at most, where a cap takes it back anyway."""

SHARED = "columns depend on each other in this model, so how their joint contribution is split is a convention: "
PARENTS = "a column is credited with what it adds given its parents, the columns it depends on"
HALVES = "two correlated columns get half each of what they contribute together"


def explain(
    model: Model, batch: Batch, frame: Frame, decision: Codes, against: Codes | None, labels: NDArray[Any]
) -> Explanations:
    """Explanations of rows: why each one's `decision` rather than `against` (None: the most probable other class)."""
    parts = model.contributions(batch)
    rows = np.arange(batch.rows)
    cap = own_line(model.schema, CAP)
    extreme = cap in model.parts and bool((np.abs(parts) > LARGEST).any())
    joint = model.log_joint(batch) if extreme else parts.sum(axis=1)
    if against is None:
        others = joint.copy()
        others[rows, decision] = -np.inf
        against = others.argmax(axis=1)
    margins = parts[rows, :, decision] - parts[rows, :, against]
    if extreme:
        margins = bound_margins(margins, model.parts.index(cap), joint[rows, decision] - joint[rows, against])
    words = no_cells()
    for column in model.schema.counts:
        base, own = split_block(model, batch, frame, column, decision, against)
        margins[:, model.parts.index(column.name)] = base
        words = join_cells(words, own)
    asides: set[str] = set()
    for source, own_terms in term_contributions(model, batch, frame, decision, against):
        place = model.parts.index(source)
        asides.add(source)
        margins[:, place] -= np.bincount(own_terms[0], own_terms[3], batch.rows)
        words = join_cells(words, CountCells(*own_terms))
    cells = cells_of(model.schema, frame)
    note = describe_convention(model)
    aside = frozenset(asides)
    return Explanations(model.classes, model.parts, margins, decision, against, labels, cells, words, note, aside)


def bound_margins(margins: Floats, cap: int, log_odds: Floats) -> Floats:
    """Margins [row, part] of at most LARGEST where some were larger, the cap again what is left of the log-odds.

    A value that no row was near may say 1e18, which the cap takes back: the sum of such numbers is off by hundreds.

    >>> bound_margins(np.array([[2.0, 3e18, -3e18], [2.0, 3.0, 0.0]]), 2, np.array([30.0, 5.0])).tolist()
    [[2.0, 1000000.0, -999972.0], [2.0, 3.0, 0.0]]
    """
    bounded = np.clip(margins, -LARGEST, LARGEST)
    bounded[:, cap] += log_odds - bounded.sum(axis=1)
    large = (np.abs(margins) > LARGEST).any(axis=1, keepdims=True)
    return np.where(large, bounded, margins)


def describe_convention(model: Any) -> str:
    """How columns that say something together share it, if there are any."""
    ways = [PARENTS] if any(has_parents(one) for one in members_of(model)) else []
    ways += [HALVES] if model.schema.vectors else []
    return SHARED + "; ".join(ways) if ways else ""


def has_parents(model: Model) -> bool:
    """Whether a column depends on another."""
    own = {model.schema.target.name}
    return any(not set(node.parents) <= own for network in model.mixture.networks for node in network)


def split_block(
    model: Model, batch: Batch, frame: Frame, column: Counts, decision: Codes, against: Codes
) -> tuple[Floats, CountCells]:
    """A block's margin in a row where it is all zero, and what each of its cells that is not zero adds to that.

    A block's log density is linear in its cells: each is asked about alone.
    """
    from scipy.sparse import csr_array  # it is slow to load, and most tables do without

    place = model.parts.index(column.name)

    def margin(piece: Codes, block: Any) -> Floats:
        panels = tuple(replace(p, values=block) if p.names == (column.name,) else p for p in batch.take(piece).counts)
        parts = model.contributions(replace(batch.take(piece), counts=panels), empty_rows=False)[:, place]
        k = np.arange(len(piece))
        return np.asarray(parts[k, decision[piece]] - parts[k, against[piece]])

    everyone = np.arange(batch.rows)
    base = np.concatenate([margin(piece, csr_array((len(piece), column.width))) for piece in split_rows(everyone)])
    nonzero, raw = [no_cells()], frame.matrix_of(column.sources)
    for span, row, source, value in entries(batch.column(column.name)):
        for piece in split_rows(np.flatnonzero(value)):
            rows = (row[piece] + span.start).astype(np.intp)
            alone = csr_array((value[piece], source[piece], np.arange(len(piece) + 1)), (len(piece), column.width))
            names = np.asarray(column.sources, object)[source[piece]]
            cells = np.asarray(raw[rows, source[piece]], np.float64).ravel()
            nonzero.append(CountCells(rows, names, cells, margin(rows, alone) - base[rows]))
    return base, CountCells(*(np.concatenate(part) for part in zip(*map(arrays_of, nonzero), strict=True)))


def split_rows(rows: Codes) -> list[Codes]:
    """The rows in pieces, each to be asked about at once."""
    return [rows[begin : begin + MOST_ENTRIES] for begin in range(0, len(rows), MOST_ENTRIES)]


def join_cells(one: CountCells, other: CountCells) -> CountCells:
    """The cells of both records, those of `one` first."""
    return CountCells(*(np.concatenate(pair) for pair in zip(arrays_of(one), arrays_of(other), strict=True)))


def arrays_of(words: CountCells) -> tuple[Any, ...]:
    """A record's arrays, in order."""
    return words.rows, words.names, words.values, words.margins


def cells_of(schema: Schema, frame: Frame) -> dict[str, list[Any]]:
    """The raw cells of each source column that has a line of its own."""
    counts = {source for c in schema.counts for source in c.sources}
    return {source: frame.column(source).tolist() for source in schema.sources if source not in counts}

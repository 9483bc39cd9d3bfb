"""Questions about the cells of encoded rows: which say something, which were never learned."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from bayesfold.columns import Binned, Presence
from bayesfold.schema import Batch, Categories, Schema
from bayesfold.tally import Tally
from bayesfold.vector import Vector
from bayesfold.words import Words


def observed(batch: Batch, schema: Schema) -> NDArray[np.intp]:
    """How many cells of each row say something; a hole says nothing, even where it is a level."""
    seen = np.zeros(batch.rows, np.intp)
    for panel in batch.codes:
        for j, name in enumerate(panel.names):
            slots, column = panel.values[:, j].astype(np.intp) + panel.shift, schema.columns[name]
            if not isinstance(column, Presence):
                hole = column.hole if isinstance(column, Categories | Binned) else 0
                seen += (slots != hole) & (slots > 0) & (slots < schema.axis(name))
    for panel in batch.reals:
        seen += (~np.isnan(panel.values)).sum(1)
    for panel in batch.counts:
        block = schema.columns[panel.names[0]]
        if isinstance(block, Vector):
            said = panel.values[:, np.flatnonzero(block.says)]
            seen += ((said != 0) | ~np.signbit(said)).sum(1)  # a hole is written -0.0
        else:
            seen += np.asarray(panel.values.sum(1)).ravel() != 0
    return seen


def first_term_never_learned(tally: Tally, fresh: Tally, batch: Batch) -> tuple[int, str] | None:
    """The first row with a term that fewer rows of its class show than the batch would take out, and that term."""
    layout, target = tally.layout, tally.schema.target.name
    for clique in layout.cliques:
        column = tally.schema.columns[clique.terms[0]] if clique.terms else None
        if not isinstance(column, Words) or clique.keys != (target,):
            continue
        begin, shape = layout.offsets[clique][1], (tally.schema.target.slots, column.width, 2)
        part = slice(begin, begin + prod(shape))
        have, want = (t.sums[:, part].sum(0).reshape(shape)[..., 1] for t in (tally, fresh))
        lacking = want > have * (1 + 1e-9) + 1e-9
        if lacking.any():
            assert batch.labels is not None
            x = batch.column(column.name)
            bad = np.flatnonzero(lacking[batch.labels[x.row], x.columns])
            return int(x.row[bad[0]]), column.named(x.columns[bad[:1]])[0]
    return None


def first_never_learned(tally: Tally, fresh: Tally, batch: Batch) -> int:
    """The first row whose cell holds fewer rows than the batch would take from it."""
    first = batch.rows
    layout, target = tally.layout, tally.schema.target.name
    for clique in layout.cliques:
        shape = layout.shape(clique)
        start = layout.offsets[clique][0]
        size = int(np.prod(shape))
        have, want = (t.counts[start : start + size] for t in (tally, fresh))
        if not (have < want).any():
            continue
        parts = [batch.labels if key == target else batch.column(key) for key in clique.keys]
        cell: NDArray[np.intp] = np.asarray(np.ravel_multi_index(parts, shape))  # type: ignore[arg-type]
        if clique.terms and batch.column(clique.terms[0]).ndim == 1:
            cell = np.where(np.isnan(batch.column(clique.terms[0])), -1, cell)
        for c in np.flatnonzero(have < want):
            first = min(first, int(np.flatnonzero(cell == c)[have[c]]))
    return first

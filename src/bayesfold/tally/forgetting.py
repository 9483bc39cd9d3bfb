"""Questions about the cells of encoded rows: which say something, which were never learned."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.schema import Schema
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally


def without_a_value(batch: Batch, schema: Schema) -> NDArray[np.intp]:
    """The rows of which no cell says something; a hole says nothing, even where it is a level.

    Few rows are left after the first column, so the others cost little.
    """
    rows = np.arange(batch.rows)
    silent = {c.name for c in schema.presences}
    for panel in batch.codes:
        for j, name in enumerate(panel.names):
            column = schema.columns[name]
            if not len(rows):
                return rows
            if name not in silent:
                slots = panel.values[rows, j].astype(np.intp) + panel.shift
                rows = rows[(slots == column.hole) | (slots <= 0) | (slots >= column.slots)]
    if not len(rows):
        return rows
    for panel in batch.reals:
        rows = rows[np.isnan(panel.values[rows]).all(1)]
    for panel in batch.counts:
        rows = rows[schema.columns[panel.names[0]].silent(panel.values[rows])]
    return rows


def refuse_never_learned(tally: Tally, fresh: Tally, batch: Batch, decayed: bool = False) -> None:
    """Refuse to take the batch, counted as `fresh`, out of a tally that cannot have learned it."""
    if (tally.counts < fresh.counts).any():
        raise ValueError(
            f"row {first_never_learned(tally, fresh, batch)} was not learned by this model (more such rows would be "
            "taken out than were put in); nothing was forgotten"
        )
    lacking = first_term_never_learned(tally, fresh, batch)
    if lacking is not None:
        row, term = lacking
        raise ValueError(
            f"row {row} was not learned by this model: fewer rows of its class show {term!r} than would be taken out; "
            "nothing was forgotten"
        )
    if decayed and batch.weight is None:
        raise ValueError(
            "this model has decayed, so what a row weighs depends on its age: give sample_weight=factor ** age; "
            "nothing was forgotten"
        )
    if tally.weighted:
        theirs = fresh.weights[0] if fresh.weighted else fresh.counts
        if (tally.weights[0] < theirs * (1 - 1e-9) - 1e-9).any():
            raise ValueError(
                "these rows weigh more than what the model holds of them; give the weights they have now as "
                "sample_weight; nothing was forgotten"
            )
        if not decayed and ((tally.counts == fresh.counts) & (tally.weights[0] > theirs * (1 + 1e-6) + 1e-9)).any():
            raise ValueError(
                "these rows weigh less than what the model holds of them, and would leave weights without rows; give "
                "the weights they were learned with as sample_weight; nothing was forgotten"
            )
    if (far := first_nowhere_near(tally, fresh, batch)) is not None:
        raise ValueError(
            f"row {far} was not learned by this model: no row of its class that is left was near it; "
            "nothing was forgotten"
        )
    odd = None if decayed else first_impossible(tally, fresh)
    if odd is not None:
        raise ValueError(
            f"these rows were not all learned by this model: no numbers have the sums that would be left of {odd!r}; "
            "nothing was forgotten"
        )


def first_term_never_learned(tally: Tally, fresh: Tally, batch: Batch) -> tuple[int, str] | None:
    """The first row with a term that fewer rows of its class show than the batch would take out, and that term."""
    layout, target = tally.layout, tally.schema.target.name
    texts = {c.name: c for c in tally.schema.texts}
    for clique in layout.cliques:
        column = texts.get(clique.terms[0]) if clique.terms else None
        if column is None or clique.keys != (target,):
            continue
        begin, shape = layout.offsets[clique][1], (tally.schema.target.slots, column.width, 2)
        part = slice(begin, begin + prod(shape))
        have, want = (t.sums[:, part].sum(0).reshape(shape)[..., 1] for t in (tally, fresh))
        lacking = exceeds(want, have)
        if lacking.any():
            assert batch.labels is not None
            x = batch.column(column.name)
            bad = np.flatnonzero(lacking[batch.labels[x.row], x.columns])
            return int(x.row[bad[0]]), column.named(x.columns[bad[:1]])[0]
    return None


def first_nowhere_near(tally: Tally, fresh: Tally, batch: Batch) -> int | None:
    """The first row at whose landmark less of its class was learned than the batch would take out."""
    layout, target = tally.layout, tally.schema.target
    landmarks = {c.name: c for c in tally.schema.landmarks}
    for clique in layout.cliques:
        column = landmarks.get(clique.terms[0]) if clique.terms else None
        if column is None:
            continue
        begin, shape = layout.offsets[clique][1], (target.slots, len(column.places))
        part = slice(begin, begin + prod(shape))
        have, want = (t.sums[:, part].sum(0).reshape(shape) for t in (tally, fresh))
        lacking = exceeds(want, have)
        if lacking.any():
            assert batch.labels is not None
            at = column.nearest(batch.column(column.name))
            return int(np.flatnonzero(lacking[batch.labels, at])[0])
    return None


def exceeds(want: Floats, have: Floats) -> NDArray[np.bool_]:
    """Where more would be taken out than there is, by more than what sums are rounded by."""
    return np.asarray(want > have * (1 + 1e-9) + 1e-9)


def first_impossible(tally: Tally, fresh: Tally) -> str | None:
    """A column of numbers of which the rest could not be the sums of any: n sum x^2 is never less than (sum x)^2."""
    layout = tally.layout
    owners: dict[str, tuple[str, ...]] = {c.name: (c.origin,) for c in tally.schema.numbers}
    owners |= {c.name: tuple(c.sources[own] for own in c.owners) for c in tally.schema.vectors}
    for clique in layout.cliques:
        origins = owners.get(clique.terms[0], ()) if clique.terms else ()
        if not origins or clique.order != 2:
            continue
        width, cells = len(origins), layout.offsets[clique][0]
        size = prod(layout.shape(clique))
        n, gone = (weights_of_cells(t)[cells : cells + size, None] for t in (tally, fresh))
        (x, squares), (their_x, their_squares) = (sums_and_squares(t, clique, size, width) for t in (tally, fresh))
        slack = 1e-7 * (np.abs(squares) + np.abs(their_squares))
        rest, x, squares = n - gone, x - their_x, squares - their_squares
        per = n + 1  # divided by it, no product is larger than the sums themselves
        odd = (gone > 0) & ((rest / per * squares - x / per * x < -slack) | (squares / per < -slack))
        if odd.any():
            return origins[int(np.flatnonzero(odd.any(0))[0])]
    return None


def sums_and_squares(tally: Tally, clique: Clique, size: int, width: int) -> tuple[Floats, Floats]:
    """[cell, number]: the sums of a clique's numbers and of their squares, which of a vector are among all products."""
    begin, within = tally.layout.offsets[clique][1], width + width * width
    sums = tally.sums[:, begin : begin + size * within].sum(0).reshape(size, within)
    return sums[:, :width], sums[:, width :: width + 1]


def weights_of_cells(tally: Tally) -> Floats:
    """The weight of each cell: the row count where rows have no weights."""
    return tally.weights.sum(0) if tally.weighted else tally.counts.astype(np.float64)


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

"""Rows that were learned, each scored as if it had not been: it is taken out of every sum first."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.data.sparse import long_rows
from bayesfold.models.refusals import require_sums
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.models.scoring.scorer import leaving
from bayesfold.runtime.threads import BLOCK
from bayesfold.tally.layout import Clique

if TYPE_CHECKING:
    from bayesfold.models.model import Model

MOST_ENTRIES = 1 << 24
"""Contributions held at once."""
LONG = 1e6
"""A count beyond which what its row counts is compared with what the others do."""
LEAST_REST = 1e-6
"""What other rows of a class weigh or count, as a share of a row's own, below which doubles are not subtracted."""


def log_joint(model: "Model", batch: Batch) -> Floats:
    """log P(class, row) of rows each left out."""
    require_sums(model, "leave a row out")
    out = np.empty((batch.rows, len(model.classes)))
    step = max(1, min(BLOCK, MOST_ENTRIES // max(1, len(model.classes) * len(model.schema.features))))
    for begin in range(0, batch.rows, step):
        rows = np.arange(begin, min(begin + step, batch.rows))
        part = batch.take(rows)
        prior = model.log_prior_left_out(part)
        scorer = model.scorer
        if isinstance(scorer, MixtureScorer):
            said = scorer.joint_left_out(scorer.asked(part, batch, begin))
        else:
            said = scorer.joint_left_out(part, batch, begin)
        out[rows] = model.calibrated(model.power_on_classes * prior + said, part, prior)
    for row in outweighing(model, batch):
        own = batch.take(np.array([row]))
        left = model.without(own)
        if (left.class_weights()[left.class_counts() != 0] > 0).all():  # else the row was not learned with this weight
            out[row] = left.log_joint(own)[0]
    return out


def outweighing(model: "Model", batch: Batch) -> list[int]:
    """The rows that weigh or count far more than all others of their class, or of all classes, together.

    A double that holds the sum of all has no digits left for that of the others, where the pairs of the tally have.
    """
    assert batch.labels is not None
    rows, own, gone = model.class_counts(), batch.labels - 1, leaving(batch)
    lone, alone = rows[own] < 2, rows.sum() < 2
    heavy = np.zeros(batch.rows, bool)
    for total, part in [(model.class_weights(), gone), *block_totals(model, batch, gone)]:
        rest = LEAST_REST * part
        heavy |= ((total[own] - part < rest) & ~lone) | ((total.sum() - part < rest) & ~alone)
    return np.flatnonzero(heavy & (gone > 0)).tolist()


def block_totals(model: "Model", batch: Batch, gone: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Of each block of counts that depends on the class alone: its sum in each class, and in what is left out."""
    target, layout = model.schema.target, model.tally.layout
    for column in model.schema.counts:
        place = layout.offsets.get(Clique((target.name,), (column.name,), 1))
        lengths = None if place is None else long_rows(batch.column(column.name), LONG)
        if place is not None and lengths is not None:
            sums = model.tally.sums[0, place[1] : place[1] + target.slots * column.width]
            yield sums.reshape(target.slots, -1).sum(1)[1:], gone * lengths


def log_joint_by_families(
    model: "Model", batch: Batch, networks: Sequence[int] | None = None
) -> Callable[[Mapping[str, Any]], Floats]:
    """The same of a few rows under any smoothing of tables with parents, by some networks or all; all else is worked
    out once."""
    scorer = model.scorer
    if not isinstance(scorer, MixtureScorer):  # there is no such table
        same = log_joint(model, batch)
        return lambda families: same
    scorer = scorer if networks is None else scorer.of_networks(networks)
    prior, rows = model.log_prior_left_out(batch), scorer.asked(batch, batch, 0)
    log_p = model.power_on_classes * prior

    def under(families: Mapping[str, Any]) -> Floats:
        return model.calibrated(log_p + scorer.with_families(families).joint_left_out(rows), batch, prior)

    return under


def parts(model: "Model", batch: Batch) -> Floats:
    """[row, part, class] of rows each left out, without powers: the prior and the columns, or the networks."""
    prior, scorer = model.plain.log_prior_left_out(batch), model.scorer
    if isinstance(scorer, MixtureScorer):
        return scorer.parts_left_out(batch, prior)
    return np.concatenate([prior[:, None], scorer.left_out(batch)], axis=1)

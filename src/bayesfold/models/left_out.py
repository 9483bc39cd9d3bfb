"""Rows that were learned, each scored as if it had not been: it is taken out of every sum first."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.models.refusals import require_sums
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.runtime.threads import BLOCK

if TYPE_CHECKING:
    from bayesfold.models.model import Model

MOST_ENTRIES = 1 << 24
"""Contributions held at once."""


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
    return out


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

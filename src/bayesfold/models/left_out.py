"""Rows that were learned, each scored as if it had not been: it is taken out of every sum first."""

from typing import TYPE_CHECKING

import numpy as np

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.models.refusals import require_sums
from bayesfold.models.scoring.mixture import MixtureScorer
from bayesfold.runtime.threads import BLOCK

if TYPE_CHECKING:
    from bayesfold.models.model import Model

MOST_ENTRIES = 1 << 22
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
        joint = model.power_on_classes * prior + model.scorer.joint_left_out(part, batch, begin)
        out[rows] = model.calibrated(joint, part, prior)
    return out


def parts(model: "Model", batch: Batch) -> Floats:
    """[row, part, class] of rows each left out, without powers: the prior and the columns, or the networks."""
    prior, scorer = model.plain.log_prior_left_out(batch), model.scorer
    if isinstance(scorer, MixtureScorer):
        return scorer.parts_left_out(batch, prior)
    return np.concatenate([prior[:, None], scorer.left_out(batch)], axis=1)

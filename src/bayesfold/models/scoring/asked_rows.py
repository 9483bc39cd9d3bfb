"""Rows that were learned and are to be scored as if they had not been, as the scorer of networks reads them."""

from dataclasses import dataclass

from bayesfold.data.batch import Batch
from bayesfold.data.column_major import Grid
from bayesfold.data.frame import Floats
from bayesfold.models.scoring.averaging import HasSay
from bayesfold.models.scoring.parent_tables import LeftOutRows
from bayesfold.models.scoring.scorer import leaving


@dataclass(frozen=True)
class Asked:
    """Rows to be left out as a scorer reads them, and what no smoothing of its tables changes: what columns below the
    class say, and which networks have a say."""

    codes: Grid
    actual: Grid
    left: LeftOutRows
    flat: Floats
    heard: HasSay | None


def leave_all_out(batch: Batch) -> LeftOutRows:
    """All rows of a batch, each to be left out."""
    assert batch.labels is not None
    return LeftOutRows(batch.labels, leaving(batch))

"""Codes column by column, as the loops over tables with several columns read them."""

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.schema import Schema
from bayesfold.kernels.counting import codes

Grid = NDArray[np.int32]
"""[column, row]; a missing or unseen value is 0."""


def codes_by_column(batch: Batch, schema: Schema, names: tuple[str, ...]) -> Grid:
    """The codes of some discrete columns, column by column; what is off its axis (unseen) counts as missing."""
    out = np.empty((len(names), batch.rows), np.int32)
    row = {name: i for i, name in enumerate(names)}
    for panel in batch.codes:
        places = [row.get(name, -1) for name in panel.names]
        if max(places) >= 0:
            axes = [schema.axis(name) if name in row else 0 for name in panel.names]
            codes.lay_out(panel.values, panel.shift, np.array(axes, np.intp), np.array(places, np.intp), out)
    return out

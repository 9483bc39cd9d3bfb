"""The rows of a table whose class is known, for a model that knows its columns."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.dates import columns_for
from bayesfold.io.blocks import joined
from bayesfold.io.labelled import code_labels, with_unused
from bayesfold.io.predict import frame_of, kinds_of, types_of
from bayesfold.io.rows import Rows, with_labels
from bayesfold.learning.trained import Trained
from bayesfold.runtime.messages import suggest
from bayesfold.web.server.problems import Problem
from bayesfold.web.server.tables import Kept, open_kept


@dataclass(frozen=True)
class Labelled:
    """Rows with their classes, and the table that they stand in."""

    rows: Rows
    table: pa.Table

    @property
    def truth(self) -> list[Any]:
        """The class of each row."""
        levels = self.rows.labels.levels
        return [levels[k] for k in self.rows.labels.index]


def read_labelled(trained: Trained, kept: Kept, leave_out: bool = False) -> Labelled:
    """The rows that have a class; to `leave_out` them, also with columns that the model was shown and does not read."""
    schema, target = trained.model_.schema, trained.target
    with open_kept(kept) as source:
        if target not in source.names:
            near = suggest(target, source.names)
            raise Problem("not-possible", f"{kept.name} has no column {target!r}, which says the class; {near}")
        read_for = columns_for(schema.sources, source.names)
        source.require(*read_for)
        known = kinds_of(schema) if source.is_text else {}
        needed = {*read_for, target}
        types = {name: kind for name, kind in types_of(source, known).items() if name in needed}
        blocks = [table for _, table in source.blocks(types, {})]
        if not blocks:
            raise Problem("not-possible", f"{kept.name} has column names and no rows")
        table = joined(blocks)
        labels = code_labels(trained, source, table.column(target))
        rows = with_labels(frame_of(source, table, schema, known), labels, None)
        if leave_out:
            rows = replace(rows, frame=with_unused(trained, source, rows))
    if not rows.frame.rows:
        raise Problem("not-possible", f"{kept.name}: no row has a class in column {target!r}")
    return Labelled(rows, table if rows.places is None else table.take(pa.array(rows.places.astype(np.int64))))

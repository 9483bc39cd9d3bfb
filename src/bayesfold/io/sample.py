"""What is chosen on a sample of a source's rows: kinds of columns, densities, cuts, structure, weights.

>>> most_rows(20), most_rows(5_000)
(50000, 4000)
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bayesfold.data.labels import type_of
from bayesfold.io.csv.column_types import words
from bayesfold.io.engines import Passing
from bayesfold.io.selection import Wanted, chosen, label_values, rows_of
from bayesfold.io.source import Look, Source
from bayesfold.learning.discover import markers
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import Trained, train

MOST_ROWS = 50_000
"""Rows that choices are made on ..."""
MOST_CELLS = 20_000_000
"""... and cells: of a table with very many columns, fewer rows are looked at."""
LEAST_ROWS = 2_000


def most_rows(columns: int) -> int:
    """How many rows to look at of a table of so many columns."""
    return max(LEAST_ROWS, min(MOST_ROWS, MOST_CELLS // columns))


def looked_at(
    source: Source,
    target: str,
    weight: str | None,
    columns: Sequence[str] | Mapping[str, str] | None,
    missing: Any,
    passing: Passing | None = None,
) -> tuple[Wanted, Look]:
    """The columns to read, and a look at them; `passing` sees the rows that are passed over on the way."""
    wanted = chosen(source, target, weight, columns)
    declared = source.dresses.as_written(target) | (dict(columns) if isinstance(columns, Mapping) else {})
    texts = {name: words(markers(missing, name)) for name in wanted.features}
    look = source.look(wanted.all, most_rows(len(wanted.all)), declared, texts, passing)
    if not look.rows:
        raise ValueError(f"{source.name} has no rows" + (" below its first line" if source.is_text else ""))
    return wanted, look


def taught(settings: Settings, source: Source, look: Look, wanted: Wanted) -> Trained:
    """A model of the sample."""
    if getattr(settings, "unlabelled", None) is not None and not look.whole:
        raise ValueError(
            f"{source.name} has {look.rows:,} rows: rows without a label are learned by passing over all rows again "
            f"and again, which is done in memory, up to {look.sampled:,} rows; leave unlabelled= out"
        )
    may_lack = getattr(settings, "unlabelled", None) is not None
    frame, labels, weight = rows_of(source, look.table, wanted, 0, may_lack)
    try:
        return train(settings, frame, labels, wanted.target, type_of(label_values(look.table, wanted)), weight)
    except ValueError as error:
        raise ValueError(f"{source.name}: {error}") from None

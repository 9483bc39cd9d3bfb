"""What to look at before the rows of a table are learned: rows, classes and columns that may not be what they seem.

The command prints it, and `source_.notes` has it.
"""

from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa

from bayesfold.data.frame import is_text
from bayesfold.data.number_format import write_plainly
from bayesfold.io.column_formats import distinct_texts
from bayesfold.io.disguised_target import describe_disguised_target
from bayesfold.io.doubts import Doubt, doubt_column, doubt_typed_column, is_mark, marks_in_words, spelled_alike
from bayesfold.io.repeated_names import describe_lost_row, describe_repeated_names
from bayesfold.io.sample import Sample
from bayesfold.learning.one_column import markers

MOST_DOUBTS = 8
MOST_VALUES = 2_000
"""Most distinct values of a column that are looked at."""
FEW = 10
"""Below this many rows, a warning says that they are few."""


def remarks_on_rows(sample: Sample) -> list[str]:
    """What to tell of the rows and the classes that were looked at."""
    rows, target, said = sample.rows, sample.selection.target, []
    if rows.frame.rows < FEW and sample.look.whole:
        are = "row is" if rows.frame.rows == 1 else "rows are"
        said.append(f"{rows.frame.rows} {are} few: choices and scores are unreliable; give at least some dozens")
    if repeated := describe_repeated_names(rows, target):
        said.append(repeated)
    elif sample.source.is_text and (lost := describe_lost_row(rows, target)):
        said.append(lost)
    said += describe_disguised_target(rows, sample.look.whole)
    if pairs := spelled_alike(map(str, rows.classes)):
        said.append(f"classes differ in case or spaces only: {pairs}; write them alike, or they are different classes")
    if marks := [c for c in rows.classes if isinstance(c, str) and is_mark(c)]:
        said.append(f"the target {target!r} has {marks_in_words(target, marks)}")
    return said


def remarks_on_columns(doubts: Mapping[str, Doubt], declared: Collection[str]) -> list[str]:
    """What to tell of columns that nobody declared."""
    said = [one.said for name, one in doubts.items() if name not in declared]
    more = len(said) - MOST_DOUBTS
    return said[:MOST_DOUBTS] + [f"and {more} more column{'s' * (more > 1)} like these"] * (more > 0)


def find_doubts(sample: Sample, missing: Any) -> dict[str, Doubt]:
    """What to look at in columns of text that may not be what they seem; `missing` is what means missing."""
    source, table, doubts = sample.source, sample.look.table, dict[str, Doubt | None]()
    for name in sample.selection.features:
        column = table.column(name)
        if not pa.types.is_dictionary(column.type) and not is_text(column.type):
            continue
        texts, known = distinct_texts(column)[:MOST_VALUES].drop_null(), markers(missing, name)
        if source.is_text:
            texts = write_plainly(texts, source.number_formats.of(name))
        values = [value for value in texts.to_pylist() if value not in known]
        doubts[name] = (doubt_column if source.is_text else doubt_typed_column)(name, values)
    return {name: why for name, why in doubts.items() if why is not None}

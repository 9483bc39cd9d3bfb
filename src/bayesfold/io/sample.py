"""A first look at a source, and what is chosen on its rows: kinds of columns, densities, cuts, structure, weights.

>>> most_rows(20), most_rows(5_000)
(50000, 4000)
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bayesfold.data.labels import type_of
from bayesfold.io.csv.column_types import text_markers
from bayesfold.io.look import Look
from bayesfold.io.rows import Rows, located, with_groups
from bayesfold.io.selection import RowsFrom, Selection, check_labels, label_values, read_rows
from bayesfold.io.source import Source
from bayesfold.learning.kinds import Settings
from bayesfold.learning.one_column import markers, several
from bayesfold.learning.trained import Trained, of_features, train

if TYPE_CHECKING:
    from bayesfold.io.speculative import Early

MOST_ROWS = 50_000
"""Most rows that choices are made on."""
MOST_CELLS = 20_000_000
"""Most cells that choices are made on: of a table with very many columns, fewer rows are looked at."""
LEAST_ROWS = 2_000


@dataclass(frozen=True)
class Sample:
    """A source, the columns of it that are wanted, and what a look at it has shown; `early` is what was counted on the
    way."""

    source: Source
    selection: Selection
    look: Look
    early: "Early | None" = None

    @cached_property
    def rows(self) -> Rows:
        """The rows that were looked at and have a class."""
        labelled = read_rows(self.source, self.look.table, self.selection, 0)
        if not labelled.frame.rows:
            which = "no row" if self.look.whole else f"none of {self.look.sampled:,} rows that were looked at"
            raise ValueError(f"{self.source.name}: {which} has a class in column {self.selection.target!r}")
        check_labels(labelled, self.selection.target, self.source.name)
        if self.selection.group is None:
            return labelled
        return with_groups(labelled, self.look.table.column(self.selection.group), self.selection.group, self)

    def place(self, row: int) -> str:
        """Where a row stands that was looked at, for a person."""
        if self.look.whole:
            return RowsFrom(self.source, 0).place(row)
        return f"{self.source.name}, a row of the sample"


def most_rows(columns: int) -> int:
    """How many rows to look at of a table of so many columns."""
    return max(LEAST_ROWS, min(MOST_ROWS, MOST_CELLS // columns))


def look_at(
    source: Source, selection: Selection, declared: Mapping[str, str], missing: Any, early: "Early | None" = None
) -> Sample:
    """A look at the wanted columns; `declared` says what columns of a text file hold where that is not to be found out,
    and `early` counts the rows that are passed over on the way."""
    held_types = source.number_formats.as_written(selection.target) | dict(declared)
    if selection.group is not None and source.is_text:
        held_types[selection.group] = "text"  # 07 and 7 may be two patients
    texts = {name: text_markers(markers(missing, name)) for name in selection.features}
    passing = None if early is None else early.see
    look = source.look(selection.looked_at, most_rows(len(selection.all)), held_types, texts, passing)
    if not look.rows:
        raise ValueError(f"{source.name} has no rows" + (" below its first line" if source.is_text else ""))
    if early is not None and not look.whole:
        early.rest()
    return Sample(source, selection, look, early)


def with_marks(missing: Any, usual: Mapping[str, list[str]]) -> Any:
    """What means missing, with the markers that a look has found besides.

    >>> with_marks("?", {"age": ["NA"]}), with_marks({"age": "NA"}, {"age": ["NA"]})
    ({'*': ['?'], 'age': ['NA']}, {'age': 'NA'})
    """
    fresh = {name: [m for m in marks if m not in markers(missing, name)] for name, marks in usual.items()}
    if not any(fresh.values()):
        return missing
    by_column = dict(missing) if isinstance(missing, Mapping) else {} if missing is None else {"*": several(missing)}
    return by_column | {name: [*several(by_column.get(name, ())), *marks] for name, marks in fresh.items() if marks}


def choose_on(settings: Settings, sample: Sample) -> Trained:
    """A model of the rows that were looked at."""
    source, look, selection = sample.source, sample.look, sample.selection
    may_lack = getattr(settings, "unlabelled", None) is not None
    if may_lack and not look.whole:
        raise ValueError(
            f"{source.name} has {look.rows:,} rows: rows without a label are learned by passing over all rows again "
            f"and again, which is done in memory, up to {look.sampled:,} rows; leave unlabelled= out"
        )
    rows = read_rows(source, look.table, selection, 0, may_lack=True) if may_lack else sample.rows
    with_markers = replace(settings, missing=with_marks(settings.missing, look.usual))
    kind = type_of(label_values(look.table, selection))
    try:
        with located(sample, rows):
            trained = train(
                of_features(with_markers, selection.target),
                rows.frame,
                rows.labels,
                selection.target,
                kind,
                rows.weight,
            )
            return replace(trained, settings=with_markers)
    except ValueError as error:
        said = str(error)
        raise ValueError(said if said.startswith(source.name) else f"{source.name}: {said}") from None

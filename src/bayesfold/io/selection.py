"""The columns of a source that are to be learned, and the rows of a table of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from bayesfold.data.tables import frame as read_table
from bayesfold.io.rows import Rows, labels_of, weights_of, with_labels
from bayesfold.io.source import KINDS, Source
from bayesfold.learning.one_column import markers

MOST_FRACTIONS = 100
"""Most distinct labels, if there are fractions among them."""


@dataclass(frozen=True)
class Selection:
    """The columns of a source that are to be read: features, the target, and the rows' weights.

    `unknown` are labels which say that a row's class is not known. `group` is a column that says which rows are of one
    unit, to be held out together; a look reads it, a count does not.
    """

    features: tuple[str, ...]
    target: str
    weight: str | None
    unknown: frozenset[Any] = frozenset()
    group: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """Every column, each once."""
        return tuple(dict.fromkeys((*self.features, self.target, *([self.weight] if self.weight else []))))

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Every column that a look reads, each once."""
        return self.all if self.group is None else (*self.all, self.group)

    def without(self, feature: str) -> "Selection":
        """All but one of the features."""
        return replace(self, features=tuple(name for name in self.features if name != feature))


def select_columns(
    source: Source, target: str, weight: str | None, columns: Sequence[str] | Mapping[str, str] | None, missing: Any
) -> Selection:
    """The columns to read; names that the source does not have are refused."""
    source.require(target)
    source.require(*([weight] if weight else []), *(columns or ()), target=target)
    if isinstance(columns, Mapping):
        odd = [kind for kind in columns.values() if kind not in KINDS]
        if odd:
            raise ValueError(f"columns says {odd[0]!r} for a column; a column of a text file holds 'text' or 'number'")
    elif isinstance(columns, str):
        raise TypeError(
            f"columns={columns!r} is one text; give a list of names, or a dict of 'text' or 'number' by name"
        )
    if columns is None or isinstance(columns, Mapping):
        source.check_columns()
        columns = source.names
    features = tuple(name for name in columns if name not in (target, weight))
    if not features:
        raise ValueError(f"{source.name} has no column besides {target!r}: there is nothing to learn from")
    return Selection(features, target, weight, unknown_labels(missing, target))


def unknown_labels(missing: Any, target: str) -> frozenset[Any]:
    """The labels that mean an unknown class: those named for the target, and of those for all columns the words.

    A number that marks a missing value in all columns may well be a class.

    >>> sorted(unknown_labels({"*": ["?", 0, "0"], "Glucose": -1}, "y"))
    ['?']
    """
    named = markers({target: missing.get(target, ())}, target) if isinstance(missing, Mapping) else frozenset()
    words = (mark for mark in markers(missing, target) if isinstance(mark, str) and not is_numeral(mark))
    return named.union(words)


def is_numeral(text: str) -> bool:
    """Whether a text is written as a number is."""
    try:
        float(text)
    except ValueError:
        return False
    return text.strip().lower() not in ("nan", "inf", "-inf", "infinity", "-infinity")


def label_values(table: pa.Table, selection: Selection) -> Any:
    """The column of labels in one piece."""
    column = table.column(selection.target)
    return column.unify_dictionaries().combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def check_labels(rows: Rows, target: str, label: str) -> None:
    """Refuse labels that are a quantity."""
    check_classes(rows.labels.levels, rows.frame.rows, target, label)


def check_classes(levels: Sequence[Any], rows: int, target: str, label: str) -> None:
    """Refuse labels with fractions that are a quantity; a few that come again and again are classes, as grades are."""
    fraction = next((v for v in levels if isinstance(v, float) and not v.is_integer()), None)
    if fraction is not None and (len(levels) > MOST_FRACTIONS or len(levels) > rows / 2):
        raise ValueError(
            f"{label}: column {target!r} holds {fraction!r} and so on, {len(levels):,} values in {rows:,} rows: "
            "that is a quantity, and labels are classes; round or bin these numbers first, or read the column as text: "
            f"columns={{{target!r}: 'text'}}"
        )


@dataclass(frozen=True)
class RowsFrom:
    """Rows of a source from one of them on, which know where they stand."""

    source: Source
    begin: int

    def place(self, row: int) -> str:
        """Where a row stands, for a person."""
        return self.source.place(self.begin + row)


def read_rows(source: Source, table: pa.Table, selection: Selection, begin: int, may_lack: bool = False) -> Rows:
    """Rows of a table, the first of which is row `begin` of the source; those without a label only if they `may_lack`
    one."""
    features = set(selection.features)
    frame = read_table(table.select([name for name in table.column_names if name in features]))
    frame.spare = source.spare
    labels = labels_of(table.column(selection.target), selection.target, selection.unknown)
    weight = None
    if selection.weight is not None:
        weight = weights_of(table.column(selection.weight), selection.weight, RowsFrom(source, begin))
    return Rows(frame, labels, weight) if may_lack else with_labels(frame, labels, weight)

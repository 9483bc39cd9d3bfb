"""The columns of a source that are to be learned, and the rows of a table of them: features, labels and weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.data.frame import Coded, Floats, Frame, code
from bayesfold.data.tables import frame as read_table
from bayesfold.io.source import KINDS, Source


@dataclass(frozen=True)
class Wanted:
    """The columns of a source that are to be read: features, the target, and the rows' weights."""

    features: tuple[str, ...]
    target: str
    weight: str | None

    @property
    def all(self) -> tuple[str, ...]:
        """Every column, each once."""
        return tuple(dict.fromkeys((*self.features, self.target, *([self.weight] if self.weight else []))))


def chosen(
    source: Source, target: str, weight: str | None, columns: Sequence[str] | Mapping[str, str] | None
) -> Wanted:
    """The columns to read; names that the source does not have are refused."""
    source.require(target, *([weight] if weight else []), *(columns or ()))
    if isinstance(columns, Mapping):
        odd = [kind for kind in columns.values() if kind not in KINDS]
        if odd:
            raise ValueError(f"columns says {odd[0]!r} of a column; a column of a text file holds 'text' or 'number'")
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
    return Wanted(features, target, weight)


def label_values(table: pa.Table, wanted: Wanted) -> Any:
    """The column of labels in one piece."""
    column = table.column(wanted.target)
    return column.unify_dictionaries().combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def rows_of(
    source: Source, table: pa.Table, wanted: Wanted, begin: int, may_lack: bool = False
) -> tuple[Frame, Coded, Floats | None]:
    """Features, labels and weights of rows, the first of which is row `begin` of the source."""
    features = set(wanted.features)
    frame = read_table(table.select([name for name in table.column_names if name in features]))
    frame.spare = source.spare
    labels = code(label_values(table, wanted))
    if "" in labels.levels:
        labels = labels.kept([level if level != "" else None for level in labels.levels])
    missing = None if may_lack else labels.first_missing()
    if missing is not None:
        raise ValueError(
            f"{source.place(begin + missing)}: there is no label in column {wanted.target!r}; leave out rows whose "
            "class is unknown"
        )
    broken = next((v for v in labels.levels if isinstance(v, float) and v != int(v)), None)
    if broken is not None:
        raise ValueError(
            f"column {wanted.target!r} holds {broken!r}: labels are classes; round or bin these numbers first"
        )
    weight = None if wanted.weight is None else weights_of(source, table, wanted.weight, begin)
    return frame, labels, weight


def weights_of(source: Source, table: pa.Table, name: str, begin: int) -> Floats:
    """The rows' weights; one that is none is refused by row."""
    weight = read_table(table.select([name])).numbers(name)
    odd = np.flatnonzero(~np.isfinite(weight) | (weight < 0))
    if len(odd):
        raise ValueError(
            f"{source.place(begin + int(odd[0]))}: column {name!r} is {weight[odd[0]]} here; weights must be finite "
            "and at least 0"
        )
    return weight

"""From a source of any size to a model: look at a sample, choose on it, then count every row once.

Kinds of columns, densities, cuts, structure and weights are chosen on at most `MOST_ROWS` rows that are spread over the
source; then one pass counts all rows into what was chosen, and levels and classes grow as they appear. A source that
is no larger than the sample gives exactly what `fit` of its rows gives.

>>> import pyarrow as pa
>>> pets = pa.table({"coat": ["short", "long", "short", "short"], "mass": [4.2, 5.1, 30.0, 22.5],
...                  "pet": ["cat", "cat", "dog", "dog"]})
>>> trained, account = learn_from(find("naive")(), pets, "pet")
>>> account
the table: 4 rows, read by arrow
>>> trained.classes_.tolist()
['cat', 'dog']
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bayesfold.checkpoint import Checkpoint, key_of, resumed
from bayesfold.columns import Categories
from bayesfold.count import add_rows
from bayesfold.decisions import check_decision
from bayesfold.discover import MOST_LEVELS, ColumnReport, ColumnTable, markers
from bayesfold.engines.memory import frame as read_table
from bayesfold.fit import weighed
from bayesfold.frame import Coded, Floats, Frame, code
from bayesfold.kinds import Settings, find
from bayesfold.labels import type_of
from bayesfold.model import Model
from bayesfold.pooled import Pool
from bayesfold.progress import Watcher, watched
from bayesfold.schema import Schema
from bayesfold.sources import KINDS, Look, Source, open_source
from bayesfold.tally import Tally
from bayesfold.threads import BLOCK
from bayesfold.trained import Step, Trained, train
from bayesfold.written import words

__all__ = ["Account", "find", "learn_from"]

MOST_ROWS = 50_000
"""Rows that choices are made on ..."""
MOST_CELLS = 20_000_000
"""... and cells: of a table with very many columns, fewer rows are looked at."""
LEAST_ROWS = 2_000


@dataclass(frozen=True)
class Account:
    """What was read, by which engine, and on how many of its rows choices were made."""

    source: str
    engine: str
    rows: int
    sampled: int

    @property
    def whole(self) -> bool:
        """Whether choices were made on all rows."""
        return self.sampled >= self.rows

    def __repr__(self) -> str:
        read = f"{self.source}: {self.rows:,} rows, read by {self.engine}"
        if self.whole:
            return read
        return (
            f"{read}; kinds of columns, densities, cuts, structure and weights were chosen on {self.sampled:,} rows "
            "that are spread over it, and then every row was counted"
        )


class TooManyLevels(Exception):
    """A column that turns out to be an identifier while rows are counted."""

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.column = column


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


def learn_from(
    settings: Settings,
    what: Any,
    target: str,
    weight: str | None = None,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    watcher: Watcher | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> tuple[Trained, Account]:
    """A model of all rows of a source, and an account of how it was read.

    `target` and `weight` name columns. `columns` are the features to use (a list), or what columns of a text file hold
    ({"zip": "text", "age": "number"}) where that is not to be found out. `checkpoint` is a file in which the count is
    kept from time to time: the same call after an interruption goes on from there. It stays when all is counted, for
    the caller to remove once the model is safe.
    """
    with open_source(what) as source:
        key = "" if checkpoint is None else key_of(settings, source, target, weight, columns)
        before = None if checkpoint is None else resumed(checkpoint, key, source)
        if before is not None:
            count = Count(
                settings, before.trained, Wanted(before.features, target, weight), before.look, before.rows, columns
            )
        else:
            wanted, look = looked_at(source, target, weight, columns, settings.missing)
            trained = taught(settings, source, look, wanted)
            count = Count(settings, trained, wanted, look, look.rows if look.whole else 0, columns)
        keeper = None if checkpoint is None else Checkpoint(Path(checkpoint), key, count.look, tuple(source.rows_of))
        if count.rows == 0 or before is not None:
            count = counted_in(count, source, watcher, keeper)
        check_decision(count.trained)
        step = Step("fit", count.rows, source.name)
        account = Account(source.name, source.engine, count.rows, count.look.sampled)
        return replace(count.trained, history=(step,)), account


@dataclass(frozen=True)
class Count:
    """A count under way: the model, what is counted and how it is read, and the rows that are in it already."""

    settings: Settings
    trained: Trained
    wanted: Wanted
    look: Look
    rows: int
    columns: Any


def looked_at(
    source: Source, target: str, weight: str | None, columns: Sequence[str] | Mapping[str, str] | None, missing: Any
) -> tuple[Wanted, Look]:
    """The columns to read, and a look at them."""
    wanted = chosen(source, target, weight, columns)
    declared = dict(columns) if isinstance(columns, Mapping) else {}
    most = int(max(LEAST_ROWS, min(MOST_ROWS, MOST_CELLS // len(wanted.all))))
    texts = {name: words(markers(missing, name)) for name in wanted.features}
    look = source.look(wanted.all, most, declared, texts)
    if not look.rows:
        raise ValueError(f"{source.name} has no rows" + (" below its first line" if source.is_text else ""))
    return wanted, look


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


# what is chosen on the sample


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


# every row, once


def counted_in(count: Count, source: Source, watcher: Watcher | None, keeper: Checkpoint | None) -> Count:
    """All rows counted; a column that turns out to be an identifier is left out, and all begins again."""
    left_out: list[str] = []
    while True:
        try:
            return count_all(count, source, watcher, keeper)
        except TooManyLevels as found:
            left_out.append(found.column)
            features = tuple(name for name in count.wanted.features if name != found.column)
            wanted, look = replace(count.wanted, features=features), count.look
            if not look.table.num_rows:
                look = looked_at(source, wanted.target, wanted.weight, count.columns, count.settings.missing)[1]
            trained = without(taught(count.settings, source, look, wanted), left_out)
            count = replace(count, trained=trained, wanted=wanted, look=look, rows=0)


def without(trained: Trained, left_out: list[str]) -> Trained:
    """A model with lines in its table for columns that were left out while rows were counted."""
    why = f"left out as an identifier: more than {MOST_LEVELS:,} values"
    lines = [ColumnReport(name, "", f"{why} (families={{{name!r}: 'categorical'}} keeps it)") for name in left_out]
    return replace(trained, columns=ColumnTable((*trained.columns, *lines)))


def count_all(count: Count, source: Source, watcher: Watcher | None, keeper: Checkpoint | None) -> Count:
    """One pass over the source, block by block, into the tables of the model."""
    trained, wanted = count.trained, count.wanted
    model, begin, rows = trained.model_, count.rows, count.rows
    limited = may_grow(model, count.settings)
    cliques = model.tally.layout.cliques
    tally = model.tally if begin else Tally.zero(model.schema, cliques, wanted.weight is not None)
    types = types_to_count(model.schema, count.look, wanted)

    def so_far() -> Trained:
        return replace(trained, model_=model.on(tally, decayed=False))

    if keeper is not None and not begin:
        keeper.keep(so_far(), 0, wanted.features, at_once=True)  # the choices took their time too
    for at, table in watched(source.blocks(types, count.look.markers, begin), count.look.rows, watcher, begin):
        tally = add_block(tally, model, source, wanted, at, table, limited)
        rows = at + table.num_rows
        if keeper is not None and table.num_rows == BLOCK:
            keeper.keep(so_far(), rows, wanted.features)
    if keeper is not None:
        keeper.keep(so_far(), rows, wanted.features, at_once=True)
    return replace(count, trained=so_far(), rows=rows)


def add_block(
    tally: Tally, model: Model | Pool, source: Source, wanted: Wanted, begin: int, table: pa.Table, limited: set[str]
) -> Tally:
    """The tally with one more block of rows in it."""
    frame, labels, weight = rows_of(source, table, wanted, begin)
    try:
        if weight is not None and not weight.any():
            return tally
        weight, frame, labels = weighed(weight, frame, labels)
        schema = tally.schema.with_classes(labels.levels).grown(frame)
        if schema is not tally.schema:
            check_growth(model, schema, limited)
            tally = tally.on(schema)
        add_rows(tally, schema.encode(frame, labels, weight), few=0)
    except ValueError as error:
        raise ValueError(f"{source.place(begin)} and after: {error}") from None
    return tally


def check_growth(model: Model | Pool, schema: Schema, limited: set[str]) -> None:
    """Refuse a class whose probability was not given, and levels beyond what a column of categories has."""
    (model.first if isinstance(model, Pool) else model)._check_classes(schema)
    for column in schema.features:
        if isinstance(column, Categories) and len(column.levels) > MOST_LEVELS and column.name in limited:
            raise TooManyLevels(column.source or column.name)


def may_grow(model: Model | Pool, settings: Settings) -> set[str]:
    """The columns of categories that nobody has declared: they may turn out to be identifiers."""
    declared = settings.families or {}
    return {c.name for c in model.schema.features if isinstance(c, Categories) and (c.source or c.name) not in declared}


def types_to_count(schema: Schema, look: Look, wanted: Wanted) -> dict[str, pa.DataType]:
    """The columns that counting needs; whole numbers of a text file may turn out to be broken ones further on."""
    unused = set(wanted.features) - set(schema.sources)
    needed = [name for name in wanted.all if name not in unused]
    return {name: look.types[name] if name == wanted.target else look.wider(name) for name in needed}

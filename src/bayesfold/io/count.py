"""Every row of a source, counted once into what was chosen; the next blocks are read while one is counted.

Levels and classes grow as they appear. A column that turns out to be an identifier is left out, and all begins again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from bayesfold.data.dates import columns_for
from bayesfold.data.schema import Schema
from bayesfold.io.grouped import Grouped
from bayesfold.io.look import Look
from bayesfold.io.rows import say_place
from bayesfold.io.sample import Sample, choose_on, look_at
from bayesfold.io.selection import Selection, read_rows
from bayesfold.io.source import Source
from bayesfold.io.speculative import Early
from bayesfold.learning.column_table import ColumnReport, ColumnTable
from bayesfold.learning.kinds import Settings
from bayesfold.learning.more_rows import added
from bayesfold.learning.one_column import MOST_LEVELS
from bayesfold.learning.trained import Trained
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.models.refusals import check_classes
from bayesfold.runtime.prefetch import Prefetcher
from bayesfold.runtime.progress import Watcher, watch
from bayesfold.runtime.threads import BLOCK
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally

if TYPE_CHECKING:
    from bayesfold.io.checkpoint import Checkpoint

Blocks = Prefetcher[tuple[int, pa.Table]]


class TooManyLevels(Exception):
    """A column that turns out to be an identifier while rows are counted."""

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.column = column


@dataclass(frozen=True)
class Count:
    """A count under way: the model, what is counted and how it is read, and the rows that were counted already.

    `unlabelled` of them had no class, and were put aside. `declared` is what was said of columns of text files.
    """

    settings: Settings
    trained: Trained
    selection: Selection
    look: Look
    rows: int
    declared: Mapping[str, str]
    unlabelled: int = 0


def start_reading(source: Source, look: Look, selection: Selection, begin: int = 0) -> Blocks:
    """Blocks of these columns from row `begin` on, which are read from now on.

    Integers of a text file may turn out to be floats further on.
    """
    types = {name: look.types[name] if name == selection.target else look.wider(name) for name in selection.all}
    return source.ahead(types, look.markers, begin)


def count_or_leave_out(
    count: Count,
    source: Source,
    watcher: Watcher | None,
    keeper: "Checkpoint | None",
    blocks: Blocks | None,
    early: Early | Grouped | None = None,
) -> Count:
    """The count of all rows; a column that turns out to be an identifier is left out, and counting begins again."""
    left_out: list[str] = []
    while True:
        try:
            return count_all(count, source, watcher, keeper, blocks, early)
        except TooManyLevels as identifier:
            blocks = None
            left_out.append(identifier.column)
            selection, look = count.selection.without(identifier.column), count.look
            if not look.table.num_rows:  # a checkpoint does not hold it
                look = look_at(source, selection, count.declared, count.settings.missing).look
            trained = report_left_out(choose_on(count.settings, Sample(source, selection, look)), left_out)
            count = replace(count, trained=trained, selection=selection, look=look, rows=0, unlabelled=0)


def report_left_out(trained: Trained, left_out: list[str]) -> Trained:
    """A model with lines in its table for columns that were left out while rows were counted."""
    why = f"left out as an identifier: more than {MOST_LEVELS:,} values"
    lines = [ColumnReport(name, "", f"{why} (families={{{name!r}: 'categorical'}} keeps it)") for name in left_out]
    return replace(trained, columns=ColumnTable((*trained.columns, *lines)))


def count_all(
    count: Count,
    source: Source,
    watcher: Watcher | None,
    keeper: "Checkpoint | None",
    blocks: Blocks | None,
    early: Early | Grouped | None = None,
) -> Count:
    """One pass over the source, block by block, into the tables of the model that were not counted `early`.

    `blocks` are being read already.
    """
    trained, selection = count.trained, count.selection
    model, begin, rows, unlabelled = trained.model_, count.rows, count.rows, count.unlabelled
    check = partial(check_growth, model, limited=may_grow(model, count.settings))
    known = () if early is None else early.known(model, count.look.rows)
    cliques = tuple(c for c in model.tally.layout.cliques if c not in known)
    schema = narrow_schema(model.schema, cliques) if known else model.schema
    tally = model.tally if begin else Tally.zero(schema, cliques, selection.weight is not None)
    needed = columns_for(schema.sources, selection.features)
    used = replace(selection, features=tuple(name for name in selection.features if name in needed))
    if blocks is not None and source.is_text and used != selection:
        blocks.close()  # what stands in a column that is left out must not matter
        blocks = None

    def so_far() -> Trained:
        return replace(trained, model_=model.on(tally, decayed=False))

    if keeper is not None and not begin:
        keeper.keep(so_far(), 0, 0, selection.features, at_once=True)  # the choices took their time too
    todo: AbstractContextManager[Iterable[tuple[int, pa.Table]]] = (
        blocks or start_reading(source, count.look, used, begin) if cliques else nullcontext(())
    )
    with todo as numbered_blocks:
        for at, table in watch(iter(numbered_blocks), count.look.rows, watcher, begin):
            tally, aside = add_block(tally, source, used, at, table, check)
            rows, unlabelled = at + table.num_rows, unlabelled + aside
            if keeper is not None and table.num_rows == BLOCK:
                keeper.keep(so_far(), rows, unlabelled, selection.features)
    if keeper is not None:
        keeper.keep(so_far(), rows, unlabelled, selection.features, at_once=True)
    if early is not None and known:
        tally, rows, unlabelled = early.joined(model, known, tally), count.look.rows, early.unlabelled
        check(tally.schema)
    return replace(count, trained=so_far(), rows=rows, unlabelled=unlabelled)


def narrow_schema(schema: Schema, cliques: Sequence[Clique]) -> Schema:
    """The schema of the columns that these tables are of."""
    names = {name for clique in cliques for name in (*clique.keys, *clique.terms)}
    return replace(schema, features=tuple(c for c in schema.features if c.name in names))


def add_block(
    tally: Tally, source: Source, selection: Selection, begin: int, table: pa.Table, check: Callable[[Schema], None]
) -> tuple[Tally, int]:
    """The tally with one more block of rows in it, and how many of them had no class; `check` may refuse what the
    schema becomes."""
    rows = read_rows(source, table, selection, begin)
    if not rows.frame.rows:
        return tally, rows.unlabelled
    try:
        return added(tally, rows.frame, rows.labels, rows.weight, check), rows.unlabelled
    except ValueError as error:
        said = say_place(str(error), lambda row: source.place(begin + rows.place(row)))
        raise ValueError(said or f"{source.place(begin)} and after: {error}") from None


def check_growth(model: Model | Pool, schema: Schema, limited: set[str]) -> None:
    """Refuse a class whose probability was not given, and levels beyond what a column of categories has."""
    check_classes(model.first if isinstance(model, Pool) else model, schema)
    check_levels(schema, limited)


def check_levels(schema: Schema, limited: set[str]) -> None:
    """Refuse levels beyond what a column of categories has."""
    for column in schema.categories:
        if len(column.levels) > MOST_LEVELS and column.name in limited:
            raise TooManyLevels(column.origin)


def may_grow(model: Model | Pool, settings: Settings) -> set[str]:
    """The columns of categories that nobody has declared: they may turn out to be identifiers."""
    declared = settings.families or {}
    return {c.name for c in model.schema.categories if c.origin not in declared}

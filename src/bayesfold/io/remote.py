"""Rows that stay where they are, on the machines of a cluster: choices and counts are made there, and come back.

What is chosen is chosen by one worker, on a sample that depends on what stands in the rows and not on how they are
spread. Every worker counts its rows into a tally of its own; tallies are added. Nobody sends a row.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from bayesfold.data.dates import columns_for
from bayesfold.data.schema import Schema
from bayesfold.io.count import (
    Count,
    TooManyLevels,
    add_block,
    check_growth,
    check_levels,
    may_grow,
    narrow_schema,
    report_left_out,
)
from bayesfold.io.engines import Fold, Remote, Survey
from bayesfold.io.engines._batches import Batches
from bayesfold.io.look import Look
from bayesfold.io.order import sort_new_levels
from bayesfold.io.remote_guess import Guess, GuessingTask, add_guesses, count_on_guess
from bayesfold.io.sample import Sample, choose_on, most_rows
from bayesfold.io.selection import Selection
from bayesfold.io.source import Source
from bayesfold.io.speculative import Early
from bayesfold.io.worker_rows import in_blocks, source_of_worker
from bayesfold.learning.kinds import Settings
from bayesfold.learning.trained import Trained
from bayesfold.models.model import Model
from bayesfold.models.pool import Pool
from bayesfold.runtime.arrow_buffers import empty_table
from bayesfold.tally.layout import Clique
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class Choice:
    """A model of the sample, what is known of all rows, and how many of the sample had no class."""

    trained: Trained
    look: Look
    unlabelled: int


@dataclass(frozen=True)
class Drawn(Batches):
    """Rows of a sample: where they came from, nobody knows."""

    def place(self, row: int) -> str:
        """The same of every row."""
        return f"{self.label}, a row of the sample"


@dataclass(frozen=True)
class CountingTask:
    """What a worker needs to count rows."""

    schema: Schema
    cliques: tuple[Clique, ...]
    selection: Selection
    limited: frozenset[str]  # columns of categories that nobody has declared
    name: str


@dataclass(frozen=True)
class Counted:
    """Some rows, counted; `unlabelled` of them had no class. With `too_many` levels in a column nothing is counted."""

    tally: Tally
    rows: int = 0
    unlabelled: int = 0
    too_many: str | None = None


@dataclass(frozen=True)
class ModelTables:
    """What a model counts, once it knows all classes that were met: the sample may not show every one."""

    schema: Schema
    tally: Tally

    @classmethod
    def of(cls, model: Model | Pool, early: Early | None) -> "ModelTables":
        """The tables of a model."""
        met = () if early is None or early.tally is None else early.tally.schema.target.levels
        schema = model.schema.with_classes(met)
        return cls(schema, model.tally if schema is model.schema else Tally.zero(schema, model.tally.layout.cliques))


def count_there(settings: Settings, source: Source, selection: Selection, declared: Mapping[str, str]) -> Count:
    """Choices made and all rows counted where they are; a column that turns out to be an identifier is left out, and
    all begins again."""
    remote = source.remote
    assert remote is not None
    left_out: list[str] = []
    while True:
        choice, early = choose_there(settings, remote, selection)
        trained, look = choice.trained, choice.look
        if left_out:
            trained = report_left_out(trained, left_out)
        count = Count(settings, trained, selection, look, look.rows, declared, choice.unlabelled)
        if look.whole:
            return count
        counted = tally_there(count, remote, early)
        if counted.too_many is None:
            model = trained.model_
            check_growth(model, counted.tally.schema, set())
            tally = sort_new_levels(counted.tally, model.schema)
            trained = replace(trained, model_=model.on(tally, decayed=False))
            return replace(count, trained=trained, rows=counted.rows, unlabelled=counted.unlabelled)
        left_out.append(counted.too_many)
        selection = selection.without(counted.too_many)


def choose_there(settings: Settings, remote: Remote, selection: Selection) -> tuple[Choice, Early | None]:
    """What one worker chooses on a sample, and what was counted on the way to it, where that can be guessed."""
    work = partial(choose_on_survey, settings, selection, remote.label, dict(remote.types))
    passing = None
    if settings.side_by_side:
        task = GuessingTask(selection, settings.missing, frozenset(settings.families or ()), remote.label)
        passing = Fold(partial(count_on_guess, task), add_guesses)
    answers: tuple[Choice, Guess | None] = remote.sampled(selection.all, most_rows(len(selection.all)), work, passing)
    choice, counted = answers
    return choice, None if counted is None else counted.as_early(selection)


def choose_on_survey(
    settings: Settings, selection: Selection, name: str, types: dict[str, pa.DataType], survey: Survey
) -> Choice:
    """A model of a sample, without its rows."""
    table = survey.sample
    own = {column: types[column] for column in selection.all}
    look = Look(survey.rows, table, own, {}, sampled=table.num_rows)
    sample = Sample(Source((Drawn(table.to_reader, name),), name), selection, look)
    trained = choose_on(settings, sample)
    unlabelled = sample.rows.unlabelled if look.whole and trained.unlabelled is None else 0
    return Choice(trained, replace(look, table=empty_table(own)), unlabelled)


def tally_there(count: Count, remote: Remote, early: Early | None = None) -> Counted:
    """Every row counted by the worker that has it, into what was chosen; but for what was counted already."""
    model, selection = count.trained.model_, count.selection
    tables = ModelTables.of(model, early)
    known = () if early is None else early.known(tables, count.look.rows)
    cliques = tuple(clique for clique in model.tally.layout.cliques if clique not in known)
    schema = narrow_schema(tables.schema, cliques) if known else model.schema
    needed = columns_for(schema.sources, selection.features)
    used = replace(selection, features=tuple(name for name in selection.features if name in needed))
    limited = frozenset(may_grow(model, count.settings))
    task = CountingTask(schema, cliques, used, limited, remote.label)
    rest = Counted(Tally.zero(schema, (), selection.weight is not None), count.look.rows)
    if cliques:
        rest = remote.folded(used.all, Fold(partial(count_some, task), partial(add_counted, task)))
    if early is None or not known or rest.too_many is not None:
        return rest
    return Counted(early.joined(tables, known, rest.tally), rest.rows, early.unlabelled)


def count_some(task: CountingTask, tables: Iterator[pa.Table], where: str) -> Counted:
    """Some of the rows, counted."""
    source = source_of_worker(f"{task.name}, {where}")
    total = Counted(Tally.zero(task.schema, task.cliques, task.selection.weight is not None))
    try:
        for at, block in in_blocks(tables):
            counted, aside = add_block(
                total.tally, source, task.selection, at, block, partial(check_levels, limited=set(task.limited))
            )
            total = Counted(counted, at + block.num_rows, total.unlabelled + aside)
    except TooManyLevels as many:
        return Counted(Tally.zero(task.schema, ()), too_many=many.column)
    return total


def add_counted(task: CountingTask, parts: Sequence[Counted]) -> Counted:
    """What several workers have counted, in their order."""
    total = parts[0]
    for part in parts:
        if part.too_many is not None:
            return part
    for part in parts[1:]:
        total = Counted(total.tally + part.tally, total.rows + part.rows, total.unlabelled + part.unlabelled)
        try:
            check_levels(total.tally.schema, set(task.limited))
        except TooManyLevels as many:
            return Counted(Tally.zero(task.schema, ()), too_many=many.column)
    return total

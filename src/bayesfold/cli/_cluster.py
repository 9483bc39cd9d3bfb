"""Learning where the rows are: the table stays on the machines of a cluster, and statistics come here."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce

import pyarrow as pa

from bayesfold.cli import _choices
from bayesfold.cli._choices import FitRequest
from bayesfold.cli._learning import blank_like, refuse_nothing_to_learn
from bayesfold.cli._lesson import refuse_left_out, resolve_columns
from bayesfold.cli._rows import label_columns, located, rows_of_table
from bayesfold.cli._tables import SourceTable
from bayesfold.cli._words import say
from bayesfold.data.dates import columns_for
from bayesfold.io.engines import Fold
from bayesfold.io.engines.spark import connect
from bayesfold.io.fit import Account, learn_from
from bayesfold.io.open import source_of_part
from bayesfold.io.order import sort_new_levels
from bayesfold.io.selection import Selection
from bayesfold.io.source import Source
from bayesfold.io.worker_rows import in_blocks, source_of_worker
from bayesfold.learning.trained import Trained
from bayesfold.runtime.waiting import waiting


@contextmanager
def open_on_cluster(tables: Sequence[str], master: str | None) -> Iterator[Source]:
    """Open the one table that was named, on a cluster."""
    if len(tables) > 1:
        raise ValueError("Spark reads one table; name a folder of files, a table, or a query that unites several")
    with connect(master, tables[0]) as part:
        yield source_of_part(part)


def fit_as_asked(asked: FitRequest, source: Source, quiet: bool) -> tuple[Trained, Account]:
    """The model that was asked for, of all rows of a source that stays where it is."""
    (target,), text, drop = (resolve_columns(source, names) for names in ((asked.target,), asked.text, asked.drop))
    refuse_left_out(target, drop)
    aside = {target, asked.weight, *drop}
    features = tuple(name for name in source.names if name not in aside)
    given, _ = _choices.split_families(asked.families, text, target)
    settings = _choices.make_settings(
        asked.model,
        Selection(features, target, asked.weight),
        given,
        text,
        _choices.read_markers(asked.missing),
        asked.others,
        asked.loss,
        asked.reject_cost,
    )
    with waiting("learning"):
        trained, account = learn_from(asked.counting(settings), source, target, asked.weight, features)
    if not quiet:
        say(f"{account}\n")
    return trained, account


def fit_like(like: Trained, source: Source, target: str, weight: str | None) -> tuple[Trained, int]:
    """A model of rows that stay where they are, which reads its columns, weighs and smooths as `like` does; and how
    many rows had no class."""
    fresh, remote = blank_like(like, target), source.remote
    assert remote is not None
    schema = fresh.model_.schema
    source.require_features(schema.sources, fresh.target)
    columns = dict.fromkeys((*columns_for(schema.sources, source.names), *label_columns(fresh, source, weight)))
    with waiting("learning"):
        total: WorkerModel = remote.folded(
            tuple(columns), Fold(partial(learn_there, fresh, weight, source.name), add_up)
        )
    if total.trained is None:
        refuse_nothing_to_learn(source, total.unlabelled)
    model = total.trained.model_
    tally = sort_new_levels(model.tally, schema)  # nobody knows who met a new level first
    return replace(total.trained, model_=model.on(tally, decayed=False)), total.unlabelled


@dataclass(frozen=True)
class WorkerModel:
    """A model of some of the rows, if they had classes, and how many of them had none."""

    trained: Trained | None = None
    unlabelled: int = 0


def learn_there(like: Trained, weight: str | None, name: str, tables: Iterator[pa.Table], where: str) -> WorkerModel:
    """The model of the rows that one worker has."""
    fresh, source, aside, rows_learned = like.blank(), source_of_worker(f"{name}, {where}"), 0, 0
    for begin, arrow in in_blocks(tables):
        table = SourceTable(arrow, source, {}, begin)
        rows = rows_of_table(fresh, table, weight)
        aside += rows.unlabelled
        if rows.frame.rows:
            with located(table, rows):
                fresh.learn(rows.frame, rows.labels, rows.weight)
            rows_learned += rows.frame.rows
    return WorkerModel(fresh if rows_learned else None, aside)


def add_up(parts: Sequence[WorkerModel]) -> WorkerModel:
    """The sum of what several workers have learned, in their order."""
    there = [part.trained for part in parts if part.trained is not None]
    return WorkerModel(reduce(Trained.merge, there) if there else None, sum(part.unlabelled for part in parts))

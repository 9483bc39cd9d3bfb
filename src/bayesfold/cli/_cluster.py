"""Learning where the rows are: the table stays on the machines of a cluster, and statistics come here."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, reduce

import pyarrow as pa

from bayesfold.cli import _choices
from bayesfold.cli._choices import Asked
from bayesfold.cli._learning import emptied, refuse_no_rows
from bayesfold.cli._lesson import resolve_columns
from bayesfold.cli._rows import located, needed, of_table
from bayesfold.cli._tables import Table
from bayesfold.cli._words import say
from bayesfold.data.dates import columns_for
from bayesfold.io.engines import Fold
from bayesfold.io.engines.spark import connected
from bayesfold.io.fit import Account, learn_from
from bayesfold.io.open import of_part
from bayesfold.io.order import in_order
from bayesfold.io.selection import Wanted
from bayesfold.io.source import Source
from bayesfold.io.worker_rows import in_blocks, placed
from bayesfold.learning.trained import Trained
from bayesfold.runtime.waiting import waiting


@contextmanager
def opened(tables: Sequence[str], master: str | None) -> Iterator[Source]:
    """The one table that was named, on a cluster."""
    if len(tables) > 1:
        raise ValueError("Spark reads one table; name a folder of files, a table, or a query that unites several")
    with connected(master, tables[0]) as part:
        yield of_part(part)


def chosen(asked: Asked, source: Source, quiet: bool) -> tuple[Trained, Account]:
    """The model that was asked for, of all rows of a source that stays where it is."""
    (target,), text, drop = (resolve_columns(source, names) for names in ((asked.target,), asked.text, asked.drop))
    aside = {target, asked.weight, *drop}
    features = tuple(name for name in source.names if name not in aside)
    given, _ = _choices.apart(asked.families, text, target)
    told = _choices.settings(
        asked.model,
        Wanted(features, target, asked.weight),
        given,
        text,
        _choices.missing(asked.missing),
        asked.others,
        asked.loss,
        asked.reject_cost,
    )
    with waiting("learning"):
        trained, account = learn_from(asked.counting(told), source, target, asked.weight, features)
    if not quiet:
        say(f"{account}\n")
    return trained, account


def taught_like(like: Trained, source: Source, target: str, weight: str | None) -> tuple[Trained, int]:
    """A model of rows that stay where they are, which reads its columns, weighs and smooths as `like` does; and how
    many rows had no class."""
    fresh, remote = emptied(like, target), source.remote
    assert remote is not None
    schema = fresh.model_.schema
    source.require_features(schema.sources, fresh.target)
    columns = dict.fromkeys((*columns_for(schema.sources, source.names), *needed(fresh, source, weight)))
    with waiting("learning"):
        found: Taught = remote.folded(tuple(columns), Fold(partial(taught, fresh, weight, source.name), added_up))
    if found.trained is None:
        refuse_no_rows(source, found.unlabelled)
    model = found.trained.model_
    tally = in_order(model.tally, schema)  # nobody knows who met a new level first
    return replace(found.trained, model_=model.on(tally, decayed=False)), found.unlabelled


@dataclass(frozen=True)
class Taught:
    """A model of some of the rows, if they had classes, and how many of them had none."""

    trained: Trained | None = None
    unlabelled: int = 0


def taught(like: Trained, weight: str | None, name: str, tables: Iterator[pa.Table], where: str) -> Taught:
    """What a worker learns of the rows that it has."""
    fresh, source, aside, rows_learned = like.blank(), placed(f"{name}, {where}"), 0, 0
    for begin, arrow in in_blocks(tables):
        table = Table(arrow, source, {}, begin)
        rows = of_table(fresh, table, weight)
        aside += rows.unlabelled
        if rows.frame.rows:
            with located(table, rows):
                fresh.learn(rows.frame, rows.labels, rows.weight)
            rows_learned += rows.frame.rows
    return Taught(fresh if rows_learned else None, aside)


def added_up(parts: Sequence[Taught]) -> Taught:
    """What several workers have learned, in their order."""
    there = [part.trained for part in parts if part.trained is not None]
    return Taught(reduce(Trained.merge, there) if there else None, sum(part.unlabelled for part in parts))

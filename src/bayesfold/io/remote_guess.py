"""Columns counted by workers while a sample is drawn, on a guess of how they will be read (`speculative`).

Each worker guesses for the rows that it has; what all of them have guessed alike is added up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import pyarrow as pa

from bayesfold.io.blocks import Cut
from bayesfold.io.selection import Selection
from bayesfold.io.speculative import FEW_LEVELS, Early, class_cliques
from bayesfold.io.worker_rows import source_of_worker
from bayesfold.tally.statistic import Tally


@dataclass(frozen=True)
class GuessingTask:
    """What a worker needs to guess."""

    selection: Selection
    missing: Any
    declared: frozenset[str]  # columns of which nothing is to be guessed
    name: str


@dataclass(frozen=True)
class Guess:
    """Some rows, counted as their columns will most likely be read; without a tally nothing could be guessed, or there
    were no rows."""

    tally: Tally | None
    rows: int
    unlabelled: int

    def as_early(self, selection: Selection) -> Early:
        """What was counted while rows were looked at."""
        return Early(source_of_worker(""), selection, None, (), Cut(self.rows), self.tally, unlabelled=self.unlabelled)


def count_on_guess(task: GuessingTask, parts: Iterator[pa.Table], where: str) -> Guess | None:
    """Some of the rows, counted; None where they are odd, which those will say who count what was chosen."""
    early = Early(source_of_worker(f"{task.name}, {where}"), task.selection, task.missing, task.declared)
    for part in parts:
        early.see(part)
    early.rest()
    return None if early.given_up else Guess(early.tally, early.rows, early.unlabelled)


def add_guesses(parts: Sequence[Guess | None]) -> Guess | None:
    """What several workers have counted, in their order; None if one of them could not."""
    there = [part for part in parts if part is not None]
    if len(there) < len(parts):
        return None
    tallies = [part.tally for part in there if part.tally is not None]
    rows, unlabelled = sum(part.rows for part in there), sum(part.unlabelled for part in there)
    return Guess(reduce(add_alike, tallies) if tallies else None, rows, unlabelled)


def add_alike(one: Tally, other: Tally) -> Tally:
    """The sum of two tallies, of the columns that both read alike and that show few levels."""
    theirs = other.schema.columns
    names = {c.name for c in one.schema.features if c.name in theirs and c.blank() == theirs[c.name].blank()}
    total = restrict_to(one, names) + restrict_to(other, names)
    many = {c.name for c in total.schema.categories if len(c.levels) > FEW_LEVELS}
    return restrict_to(total, {c.name for c in total.schema.features} - many)


def restrict_to(tally: Tally, names: set[str]) -> Tally:
    """The tables of these columns."""
    features = tuple(c for c in tally.schema.features if c.name in names)
    return tally.on(replace(tally.schema, features=features), class_cliques(features))

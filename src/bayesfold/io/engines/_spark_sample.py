"""A sample of a DataFrame, drawn by what stands in its rows (`_draw`), for one task that works on it.

Where something is to be found in all rows besides, one pass does both: every task folds the rows that it has, and keeps
those whose hashes are low; the task that works on the sample gets them with what the others found, and adds that up.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bayesfold import __version__
from bayesfold.io.engines import Fold, Sampling, Survey
from bayesfold.io.engines._draw import HASH, KEPT, TIMES, draw_rows, is_representative, largest_hash
from bayesfold.io.engines._spark_replies import (
    FOUND,
    merge_results,
    partition_number,
    raise_failure,
    replies,
    reply,
    try_work,
)
from bayesfold.runtime.arrow_buffers import arrow_numbers, to_numpy

CANDIDATES = 512
"""Rows that may have very many equals; there cannot be more than 1 / HEAVY of them."""
TRACKED = 4_096
"""Counters with which candidates are found: none is missed whose share is above 2 x 3.5 / TRACKED."""
MOST_KEPT = 1 << 17
"""Rows of low hashes that a task holds before equal ones among them become one."""

Doing = Callable[[str], AbstractContextManager[None]]


@dataclass(frozen=True)
class Draw:
    """How rows of a DataFrame are drawn: at most about `most` of so many `rows`; `hashed` has columns c0, c1, ... and
    the hash. Its `columns` are what the work calls them; errors say what was being done."""

    hashed: Any
    columns: Sequence[str]
    rows: int
    most: int
    doing: Doing

    @property
    def share(self) -> float:
        """Of all hashes, those of the rows that are kept, the lowest ones."""
        return min(1.0, KEPT * self.most / self.rows) if self.rows > self.most else 1.0

    def work_on_sample(self, work: Sampling) -> Any:
        """What `work` finds on the sample."""
        answer = self._of_groups(work, self.share, None)
        return raise_failure(self.work_among_equals(work) if answer is None else answer)

    def work_among_equals(self, work: Sampling) -> Any:
        """What `work` finds where many rows are equal, after a look which they are."""
        with self.doing("looking for equal rows"):
            distinct, frequent = self._census()
        return self._of_groups(work, min(1.0, KEPT * self.most / max(1, distinct)), frequent)

    def _of_groups(self, work: Sampling, share: float, frequent: list[int] | None) -> Any:
        """What work finds on rows that are drawn from groups of equal rows: those whose hashes are the lowest `share`
        of all, and frequent ones. None if nobody has looked for these, and there seem to be some."""
        from pyspark.sql import functions as f

        version, columns, rows, most = __version__, list(self.columns), self.rows, self.most
        hashed = self.hashed
        if share < 1:
            hashed = hashed.where((f.col(HASH) <= largest_hash(share)) | f.col(HASH).isin(frequent or []))
        groups = hashed.groupBy(HASH, *hashed.columns[:-1]).agg(f.count("*").alias(TIMES))

        def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            received = list(batches)
            if received:  # the one task that has rows
                table = pa.Table.from_batches(received)
                if frequent is None and share < 1 and not is_representative(table, rows, most, share):
                    yield reply(0, None)
                else:
                    table = draw_rows(table, rows, most, share).rename_columns(columns)
                    yield reply(0, try_work(version, work, Survey(rows, table)))

        with self.doing("choosing on a sample"):
            answers = replies(groups.repartition(1).mapInArrow(draw, FOUND).toArrow())
        return answers[0] if answers else None

    def _census(self) -> tuple[int, list[int]]:
        """About how many rows are distinct, and the hashes of those that may have very many equals."""
        from pyspark.sql import functions as f

        frequent = f.expr(f"approx_top_k({HASH}, {CANDIDATES}, {TRACKED})")
        distinct, heavy = self.hashed.agg(f.approx_count_distinct(HASH), frequent).collect()[0]
        return distinct, [row["item"] for row in heavy or ()]

    def work_with(self, work: Sampling, fold: Fold, gathered: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
        """What `work` finds on the sample and what `fold` finds in all rows, in one pass; `gathered` adds up replies of
        tasks, in the order of their partitions, until they are few."""
        version, columns, rows, most, share = __version__, list(self.columns), self.rows, self.most, self.share
        highest = largest_hash(share)

        def look(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            low = LowHashes(highest)
            tables = low.passing(batches, columns)
            part = partition_number()
            folded = try_work(version, fold.work, tables, f"partition {part}")
            for _ in tables:  # the work may have left some
                pass
            yield reply(part, (folded, low.kept()))

        def add(partial_results: Sequence[tuple[Any, pa.Table | None]]) -> tuple[Any, pa.Table | None]:
            return merge_results(fold.merge, [folded for folded, _ in partial_results]), concatenate_tables(
                [kept for _, kept in partial_results]
            )

        def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            partial_results = list(batches)
            if partial_results:
                folded, kept = add(replies(pa.Table.from_batches(partial_results)))
                answer = None
                if kept is not None and is_representative(kept, rows, most, share):
                    sample = draw_rows(kept, rows, most, share).rename_columns(columns)
                    answer = try_work(version, work, Survey(rows, sample))
                yield reply(0, (answer, folded))

        with self.doing("counting in the executors, and choosing on a sample"):
            gathered_replies = gathered(self.hashed.mapInArrow(look, FOUND), add)
            ((answer, folded),) = replies(gathered_replies.repartition(1).mapInArrow(draw, FOUND).toArrow())
        return raise_failure(self.work_among_equals(work) if answer is None else answer), raise_failure(folded)


class LowHashes:
    """The rows of a partition whose hashes are low, held while all of its rows pass."""

    def __init__(self, highest: int) -> None:
        self.highest = highest
        self.held: list[pa.Table] = []
        self.size = 0

    def passing(self, batches: Iterator[pa.RecordBatch], columns: list[str]) -> Iterator[pa.Table]:
        """Every row, without its hash, under the names that the work knows."""
        for batch in batches:
            table = pa.Table.from_batches([batch])
            low = table.filter(pc.less_equal(table.column(HASH), self.highest))
            self.held.append(without_signs(low).append_column(TIMES, arrow_numbers(np.ones(low.num_rows, np.int64))))
            self.size += low.num_rows
            if self.size > MOST_KEPT:
                self.held = [group_equal_rows(pa.concat_tables(self.held))]
                self.size = self.held[0].num_rows
            yield table.drop_columns([HASH]).rename_columns(columns)

    def kept(self) -> pa.Table | None:
        """Those rows, equal ones as one, with how many they are; None where no row passed."""
        return group_equal_rows(pa.concat_tables(self.held)) if self.held else None


def concatenate_tables(tables: Sequence[pa.Table | None]) -> pa.Table | None:
    """The rows of all tables that there are."""
    there = [table for table in tables if table is not None]
    return group_equal_rows(pa.concat_tables(there)) if there else None


def without_signs(table: pa.Table) -> pa.Table:
    """Zeros without their signs, which no hash tells apart.

    >>> without_signs(pa.table({"c0": [-0.0]})).to_pydict()
    {'c0': [0.0]}
    """
    for place, field in enumerate(table.schema):
        if pa.types.is_floating(field.type):
            table = table.set_column(place, field, pc.add(table.column(place), pa.scalar(0.0, field.type)))
    return table


def group_equal_rows(rows: pa.Table) -> pa.Table:
    """Rows of one hash as one, with how many they are: rows are equal where their hashes of 64 bits are.

    >>> groups = group_equal_rows(pa.table({"c0": ["x", "y", "x"], HASH: [7, 5, 7], TIMES: [1, 2, 3]}))
    >>> groups.to_pydict()
    {'c0': ['y', 'x'], 'hash': [5, 7], 'times': [2, 4]}
    """
    hashes, times = (to_numpy(rows.column(name).combine_chunks()) for name in (HASH, TIMES))
    _, first, group = np.unique(hashes, return_index=True, return_inverse=True)
    together = np.zeros(len(first), np.int64)
    np.add.at(together, group, times)
    one = rows.take(arrow_numbers(first))
    return one.set_column(one.column_names.index(TIMES), TIMES, arrow_numbers(together))

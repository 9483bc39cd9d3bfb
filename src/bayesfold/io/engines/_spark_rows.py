"""Rows that stay in the executors of Spark: work goes to them as Arrow batches; what it found comes back.

Classic and Connect sessions alike: nothing here needs more than the DataFrame API. The executors need bayesfold too, of
the same version.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NoReturn

import pyarrow as pa

from bayesfold import __version__
from bayesfold.io.engines import Fold, Passing, Sampling, Scoring, Survey, Types
from bayesfold.io.engines._batches import types_of
from bayesfold.io.engines._draw import HASH
from bayesfold.io.engines._spark_answers import answer_rows, write_rows
from bayesfold.io.engines._spark_batches import bounded_by_rows
from bayesfold.io.engines._spark_errors import explain_failures
from bayesfold.io.engines._spark_replies import (
    FOUND,
    merge_results,
    partition_number,
    raise_failure,
    replies,
    reply,
    try_work,
)
from bayesfold.io.engines._spark_sample import Draw

FAN_IN = 32
"""Partial results that one task, or the driver, adds up."""


@dataclass(frozen=True)
class Distributed:
    """A DataFrame: it is computed anew each time that work is sent to its rows, unless somebody has cached it."""

    rows: Any
    label: str
    engine = "spark"
    is_text = False
    partitions: list[int] = field(default_factory=list)  # how many there are, once somebody has looked

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The columns and what they hold."""
        from pyspark.sql.pandas.types import to_arrow_schema

        with self._doing("reading the columns"):
            return types_of(to_arrow_schema(self.rows.schema, timezone="UTC"), self.label)

    def count(self) -> int:
        """The number of rows."""
        with self._doing("counting rows"):
            return int(self.rows.count())

    def survey(self, columns: Sequence[str], most: int, passing: Passing | None = None) -> Survey:
        """Refused: rows stay in the executors."""
        self._refuse()

    def scan(
        self, types: Types, markers: Mapping[str, frozenset[str]], skip: int = 0, known: Any = None
    ) -> Iterator[pa.Table]:
        """Refused: rows stay in the executors."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ValueError(
            f"{self.label} is one of Spark's, whose rows stay in the executors: fit_from and predict_from go there; "
            "for anything else give a table that fits here, for example df.limit(10_000).toArrow()"
        )

    def place(self, row: int) -> str:
        """Rows of a DataFrame have no order."""
        return self.label

    def identity(self) -> Any:
        """Nothing: a DataFrame is a plan, and what it reads may change."""
        return None

    # work that goes to the rows

    def sampled(self, columns: Sequence[str], most: int, work: Sampling, passing: Fold | None = None) -> Any:
        """What one task finds on at most about `most` rows, drawn by what stands in them, and what `passing` finds in
        all rows on the way; None where there was no way, because all rows are in the sample."""
        from pyspark.sql import functions as f

        plain = [f"c{place}" for place in range(len(columns))]  # names that are never in the way
        with self._doing("looking at the rows"):
            flags = [f.isnull(name) for name in plain]  # a hash passes over what is missing
            hashed = self._columns(columns).toDF(*plain).withColumn(HASH, f.xxhash64(*plain, *flags))
            rows = self._count()
        if not rows:
            raise ValueError(f"{self.label} has no rows")
        draw = Draw(hashed, columns, rows, most, partial(self._moving, columns))
        if passing is None or rows <= most:
            return draw.work_on_sample(work), None
        return draw.work_with(work, passing, self._gathered)

    def _count(self) -> int:
        """Rows; and, on the way, partitions."""
        from pyspark.sql import functions as f

        parts = self.rows.select(f.spark_partition_id().alias("part"))
        rows, last = parts.agg(f.count("*"), f.max("part")).collect()[0]
        self.partitions[:] = [1 if last is None else last + 1]
        return int(rows)

    def folded(self, columns: Sequence[str], fold: Fold) -> Any:
        """What is found in each partition, merged in the order of the partitions, by ever fewer tasks."""
        version = __version__

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            tables = (pa.Table.from_batches([batch]) for batch in batches)
            part = partition_number()
            yield reply(part, try_work(version, fold.work, tables, f"partition {part}"))

        def add(results: Sequence[Any]) -> Any:
            return merge_results(fold.merge, results)

        with self._moving(columns, "counting in the executors"):
            gathered = self._gathered(self._columns(columns).mapInArrow(work, FOUND), add)
            return raise_failure(add(replies(gathered.toArrow())))

    def _gathered(self, replies_so_far: Any, add: Callable[[Sequence[Any]], Any]) -> Any:
        """Replies, added up by tasks until they are few."""
        from pyspark.sql import functions as f

        def together(parts: pa.Table) -> pa.Table:
            group = min(parts.column("part").to_pylist()) // FAN_IN
            return pa.Table.from_batches([reply(group, add(replies(parts)))])

        for _ in range(self._levels()):
            replies_so_far = replies_so_far.groupBy(f.floor(f.col("part") / FAN_IN)).applyInArrow(together, FOUND)
        return replies_so_far

    def _levels(self) -> int:
        """How many times partial results are added by tasks before the driver adds the last few."""
        if not self.partitions:
            self._count()
        levels, left = 0, self.partitions[0]
        while left > FAN_IN:
            levels, left = levels + 1, -(-left // FAN_IN)
        return levels

    def mapped(self, added: Types, work: Scoring, out: Any = None) -> Any:
        """A DataFrame of the same rows with the columns that `work` makes of each table of them, or how many rows were
        written."""
        rows = answer_rows(self.rows, added, work)
        return rows if out is None else write_rows(rows, self.label, os.fspath(out))

    def _columns(self, columns: Sequence[str]) -> Any:
        return self.rows.select(*(quote_name(name) for name in columns))

    @contextmanager
    def _moving(self, columns: Sequence[str], stage: str) -> Iterator[None]:
        types = [self.types[name] for name in columns]
        with self._doing(stage), bounded_by_rows(self.rows.sparkSession, types):
            yield

    def _doing(self, stage: str) -> AbstractContextManager[None]:
        return explain_failures(self.label, stage)


def quote_name(name: str) -> str:
    """A name as Spark has it, dots and all.

    >>> quote_name("a.b`c")
    '`a.b``c`'
    """
    return "`" + name.replace("`", "``") + "`"

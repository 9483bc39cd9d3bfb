"""Spark: DataFrames whose rows stay in the executors. Work goes to them as Arrow batches; what it found comes back.

Classic and Connect sessions alike: nothing here needs more than the DataFrame API. The executors need bayesfold too, of
the same version.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pickle import loads
from typing import Any, NoReturn

import pyarrow as pa

from bayesfold import __version__
from bayesfold.io.engines import Folding, Merging, Passing, Sampling, Scoring, Survey, Types
from bayesfold.io.engines._batches import types_of
from bayesfold.io.engines._draw import HASH, KEPT, TIMES, drawn, limit, representative
from bayesfold.io.engines._spark_errors import sentence
from bayesfold.runtime.threads import alone

FAN_IN = 32
"""Partial results that one task, or the driver, adds up."""
CANDIDATES = 512
"""Rows that may have very many equals; there cannot be more than 1 / HEAVY of them."""
TRACKED = 4_096
"""Counters with which candidates are found: none is missed whose share is above 2 x 3.5 / TRACKED."""
FOUND = "part long, found binary"
LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
FORMATS = {".parquet": "parquet", ".orc": "orc", ".json": "json", ".csv": "csv"}
PLAIN = {pa.string(): "string", pa.int64(): "long", pa.float64(): "double", pa.bool_(): "boolean"}
"""What Spark calls the types of columns that are appended."""


def takes(what: Any) -> bool:
    """Whether something is a DataFrame of Spark."""
    return type(what).__module__.startswith("pyspark.sql.") and hasattr(what, "mapInArrow")


def take(what: Any) -> "Distributed":
    """The rows of a DataFrame."""
    return Distributed(what, "the DataFrame")


@contextmanager
def connected(master: str | None, what: str) -> Iterator["Distributed"]:
    """A table of Spark, by a session that ends with it: its name, a query, or files in a format that Spark reads.

    `master` is spark://..., yarn, local[4], or sc://... for a server of Spark Connect; None is what Spark is set to.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ImportError("this needs Spark: pip install 'bayesfold[spark]'") from None
    if master is not None and master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers are this machine's
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are told in a sentence
    builder = SparkSession.builder.appName("bayesfold")
    with telling(what, "connecting to Spark"):
        if master is not None and master.startswith("sc://"):
            session = builder.remote(master).getOrCreate()
        else:
            quiet = builder.config("spark.ui.showConsoleProgress", "false")
            session = (quiet if master is None else quiet.master(master)).getOrCreate()
            session.sparkContext.setLogLevel("FATAL")
    try:
        with telling(what, "opening the table"):
            rows = opened(session, what)
        yield Distributed(rows, what)
    finally:
        session.stop()


def opened(session: Any, what: str) -> Any:
    """The DataFrame of a query, of files (delta:/data/sales, sales.parquet), or of a table by its name."""
    if what.lstrip().lower().startswith(("select ", "with ", "from ")):
        return session.sql(what)
    form, colon, path = what.partition(":")
    if colon and form.isalpha() and not path.startswith("//"):
        return session.read.format(form).load(path)
    ending = os.path.splitext(what)[1].lower()
    if ending in FORMATS:
        return session.read.format(FORMATS[ending]).options(header=True, inferSchema=True).load(what)
    return session.read.load(what) if "/" in what else session.table(what)


@dataclass(frozen=True)
class Distributed:
    """A DataFrame: it is computed anew each time that work is sent to its rows, unless somebody has cached it."""

    rows: Any
    label: str
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

    def sampled(self, columns: Sequence[str], most: int, work: Sampling) -> Any:
        """What one task finds on at most about `most` rows, drawn by what stands in them (`_draw`)."""
        from pyspark.sql import functions as f

        plain = [f"c{place}" for place in range(len(columns))]  # names that are never in the way
        with self._doing("looking at the rows"):
            flags = [f.isnull(name) for name in plain]  # a hash passes over what is missing
            hashed = self._columns(columns).toDF(*plain).withColumn(HASH, f.xxhash64(*plain, *flags))
            rows = self._count()
        if not rows:
            raise ValueError(f"{self.label} has no rows")
        share = min(1.0, KEPT * most / rows) if rows > most else 1.0
        found = self._drawn(hashed, columns, rows, most, share, None, work)
        if found is None:
            with self._doing("looking for equal rows"):
                distinct, frequent = self._census(hashed)
            share = min(1.0, KEPT * most / max(1, distinct))
            found = self._drawn(hashed, columns, rows, most, share, frequent, work)
        return raised(found)

    def _drawn(
        self,
        hashed: Any,
        columns: Sequence[str],
        rows: int,
        most: int,
        share: float,
        frequent: list[int] | None,
        work: Sampling,
    ) -> Any:
        """What work finds on rows that are drawn from groups of equal rows: those whose hashes are the lowest `share`
        of all, and frequent ones. None if nobody has looked for these, and there seem to be some."""
        from pyspark.sql import functions as f

        version = __version__
        plain = hashed.columns[:-1]
        if share < 1:
            hashed = hashed.where((f.col(HASH) <= limit(share)) | f.col(HASH).isin(frequent or []))
        groups = hashed.groupBy(HASH, *plain).agg(f.count("*").alias(TIMES))

        def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            found = list(batches)
            if found:  # the one task that has rows
                table = pa.Table.from_batches(found)
                if frequent is None and share < 1 and not representative(table, rows, most, share):
                    yield reply(0, packed(None))
                else:
                    table = drawn(table, rows, most, share).rename_columns(list(columns))
                    yield reply(0, packed(tried(version, work, Survey(rows, table))))

        with self._doing("choosing on a sample"):
            answers = groups.repartition(1).mapInArrow(draw, FOUND).toArrow()
        return loads(answers.column("found")[0].as_py()) if answers.num_rows else None

    def _count(self) -> int:
        """Rows; and, on the way, partitions."""
        from pyspark.sql import functions as f

        parts = self.rows.select(f.spark_partition_id().alias("part"))
        rows, last = parts.agg(f.count("*"), f.max("part")).collect()[0]
        self.partitions[:] = [1 if last is None else last + 1]
        return int(rows)

    def _census(self, hashed: Any) -> tuple[int, list[int]]:
        """About how many rows are distinct, and the hashes of those that may have very many equals."""
        from pyspark.sql import functions as f

        frequent = f.expr(f"approx_top_k({HASH}, {CANDIDATES}, {TRACKED})")
        distinct, heavy = hashed.agg(f.approx_count_distinct(HASH), frequent).collect()[0]
        return distinct, [row["item"] for row in heavy or ()]

    def folded(self, columns: Sequence[str], work: Folding, merge: Merging) -> Any:
        """What `work` finds in each partition, merged in the order of the partitions, by ever fewer tasks."""
        from pyspark.sql import functions as f

        frame, version = self._columns(columns), __version__

        def fold(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            from pyspark import TaskContext

            task = TaskContext.get()
            part = 0 if task is None else task.partitionId()
            tables = (pa.Table.from_batches([batch]) for batch in batches)
            yield reply(part, packed(tried(version, work, tables, f"partition {part}")))

        def add(parts: pa.Table) -> pa.Table:
            some = parts.sort_by("part")
            group = some.column("part")[0].as_py() // FAN_IN
            return pa.Table.from_batches([reply(group, packed(merged(merge, some)))])

        with self._doing("counting in the executors"):
            found = frame.mapInArrow(fold, FOUND)
            for _ in range(self._levels()):
                found = found.groupBy(f.floor(f.col("part") / FAN_IN)).applyInArrow(add, FOUND)
            answers = found.toArrow().sort_by("part")
        return raised(merged(merge, answers))

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
        written: to files (*.parquet, *.orc, *.json, *.csv), or to the table of that name.

        The work is a part of the task that Spark sends to an executor once.
        """
        from pyspark.sql import Observation
        from pyspark.sql import functions as f
        from pyspark.sql.types import StructType

        def score(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                with alone():
                    columns = work(pa.Table.from_batches([batch]))
                yield pa.RecordBatch.from_arrays([*batch.columns, *columns], [*batch.schema.names, *added])

        schema = StructType(list(self.rows.schema.fields))
        for name, kind in added.items():
            schema = schema.add(name, PLAIN[kind])
        answered = self.rows.mapInArrow(score, schema)
        if out is None:
            return answered
        seen = Observation()
        writer = answered.observe(seen, f.count(f.lit(1)).alias("rows")).write
        ending = os.path.splitext(os.fspath(out))[1].lower()
        with self._doing(f"writing {os.fspath(out)}"):
            if ending in FORMATS:
                writer.format(FORMATS[ending]).options(header=True).save(os.fspath(out))
            else:
                writer.saveAsTable(os.fspath(out))
            return seen.get["rows"]

    def _columns(self, columns: Sequence[str]) -> Any:
        return self.rows.select(*(quoted(name) for name in columns))

    def _doing(self, stage: str) -> AbstractContextManager[None]:
        return telling(self.label, stage)


@contextmanager
def telling(label: str, stage: str) -> Iterator[None]:
    """What Spark raises while it does this, as a sentence."""
    try:
        yield
    except failures() as error:
        raise RuntimeError(f"{label}: {stage}: {sentence(error)}") from error


def function_of(added: Types, work: Scoring) -> Any:
    """A function for SQL: of a struct of columns, a struct of what `work` makes of them."""
    from pyspark.sql.pandas.functions import arrow_udf
    from pyspark.sql.types import StructType

    kind = StructType()
    for name, column in added.items():
        kind = kind.add(name, PLAIN[column])

    def answer(rows: pa.Array) -> pa.Array:
        with alone():
            columns = work(pa.Table.from_batches([pa.RecordBatch.from_struct_array(rows)]))
        return pa.StructArray.from_arrays(columns, names=list(added))

    return arrow_udf(answer, kind)  # type: ignore[call-overload]  # the annotations above say which kind it is


def failures() -> tuple[type[Exception], ...]:
    """What Spark raises, the last of them after its session was stopped; Connect's client has no bridge to Java."""
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:
        return PySparkException, OSError, AttributeError
    return PySparkException, Py4JError, OSError, AttributeError


@dataclass(frozen=True)
class Failure:
    """What was wrong with rows: told, and not raised, since Spark would only try again."""

    error: Exception


def tried(version: str, work: Callable[..., Any], *given: Any) -> Any:
    """What work finds, or why it cannot; it has this thread alone, because other tasks have the others."""
    if version != __version__:
        said = f"the executors have bayesfold {__version__}, and this is {version}; install the same version on both"
        return Failure(ValueError(said))
    try:
        with alone():
            return work(*given)
    except (TypeError, ValueError) as error:
        return Failure(error)


def merged(merge: Merging, parts: pa.Table) -> Any:
    """What comes of several results; of failures the first."""
    results = [loads(found.as_py()) for found in parts.column("found")]
    failures = [result for result in results if isinstance(result, Failure)]
    return failures[0] if failures else tried(__version__, merge, results)


def raised(result: Any) -> Any:
    """A result; a failure is raised."""
    if isinstance(result, Failure):
        raise result.error
    return result


def packed(result: Any) -> bytes:
    """A result as bytes; also of classes that only the driver's script knows."""
    from pyspark import cloudpickle

    found: bytes = cloudpickle.dumps(result)  # type: ignore[no-untyped-call]
    return found


def reply(part: int, found: bytes) -> pa.RecordBatch:
    """One row: what was found in a partition."""
    return pa.RecordBatch.from_arrays([pa.array([part], pa.int64()), pa.array([found], pa.binary())], ["part", "found"])


def quoted(name: str) -> str:
    """A name as Spark has it, dots and all.

    >>> quoted("a.b`c")
    '`a.b``c`'
    """
    return "`" + name.replace("`", "``") + "`"

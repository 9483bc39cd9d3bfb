"""New columns for rows of Spark, made in the executors: as a DataFrame, written somewhere, or by a function of SQL."""

import os
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from bayesfold.io.engines import Scoring, Types
from bayesfold.io.engines._spark_errors import explain_failures
from bayesfold.io.engines._spark_session import format_of
from bayesfold.runtime.threads import alone

PLAIN = {pa.string(): "string", pa.int64(): "long", pa.float64(): "double", pa.bool_(): "boolean"}
"""What Spark calls the types of columns that are appended."""


def answer_rows(rows: Any, added: Types, work: Scoring) -> Any:
    """A DataFrame of the same rows with the columns that `work` makes of each table of them.

    The work is a part of the task that Spark sends to an executor once.
    """
    from pyspark.sql.types import StructType

    def score(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            with alone():
                columns = work(pa.Table.from_batches([batch]))
            yield pa.RecordBatch.from_arrays([*batch.columns, *columns], [*batch.schema.names, *added])

    schema = StructType(list(rows.schema.fields))
    for name, kind in added.items():
        schema = schema.add(name, PLAIN[kind])
    return rows.mapInArrow(score, schema)


def write_rows(rows: Any, label: str, out: str) -> int:
    """How many rows of a DataFrame were written: to files (*.parquet, *.orc, *.json, *.csv), or to the table of that
    name."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as f

    seen = Observation()
    writer = rows.observe(seen, f.count(f.lit(1)).alias("rows")).write
    form = format_of(out)
    with explain_failures(label, f"writing {out}"):
        if form is not None:
            writer.format(form).options(header=True).save(os.fspath(out))
        else:
            writer.saveAsTable(out)
        return int(seen.get["rows"])


def make_udf(added: Types, work: Scoring) -> Any:
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

"""A DataFrame of 10,000,000 rows that Spark makes, four string and six float columns, beside MLlib's naive Bayes."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import bayesfold as bf
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, at_least
from benchmarks.timing import Timing

LEVELS = (4, 12, 50, 200)
NUMBERS = 6
REPEATS = 2


def session() -> Any:
    """Two threads of this machine, that nobody else can reach."""
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    told = {"driver.memory": "2g", "driver.bindAddress": "127.0.0.1", "sql.shuffle.partitions": "2"}
    quiet = {"ui.enabled": "false", "ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master("local[2]")
    for name, value in (told | quiet).items():
        builder = builder.config(f"spark.{name}", value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("FATAL")
    return found


def generated(spark: Any, rows: int, seed: int = 0) -> Any:
    """Words and numbers that tell something of one of three classes."""
    told = "if(pmod(xxhash64(id, {many}), 3) = 0, id % 3, 0)"  # in one of three rows the class shifts the word
    word = f"concat('v', pmod(xxhash64(id, {seed}, {{many}}) + {told}, {{many}})) as s{{many}}"
    words = [word.format(many=many) for many in LEVELS]
    numbers = [f"randn({seed + j + 1}) * (1 + 0.2 * (id % 3)) + 0.25 * (id % 3) as d{j}" for j in range(NUMBERS)]
    return spark.range(0, rows, 1, 2).selectExpr(*words, *numbers, "concat('class ', id % 3) as y")


def ours(table: Any) -> Any:
    """A model of all columns."""
    return bf.NaiveBayes().fit_from(table, "y")


def mllib(table: Any) -> Any:
    """Spark's own: words become indicators first, and everything is taken for normal."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import NaiveBayes
    from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler

    words, numbers = [f"s{many}" for many in LEVELS], [f"d{j}" for j in range(NUMBERS)]
    codes, flags = [f"{name} code" for name in words], [f"{name} flags" for name in words]
    stages = [
        StringIndexer(inputCols=words, outputCols=codes, handleInvalid="keep"),
        StringIndexer(inputCol="y", outputCol="label"),
        OneHotEncoder(inputCols=codes, outputCols=flags),
        VectorAssembler(inputCols=[*flags, *numbers], outputCol="features"),
        NaiveBayes(modelType="gaussian"),
    ]
    return Pipeline(stages=stages).fit(table)


def right(ours_model: Any, peer_model: Any, spark: Any, rows: int) -> tuple[float, float]:
    """The share of new rows that each decides right."""
    from pyspark.sql import functions as f

    new = generated(spark, rows, seed=1_000).toArrow()
    mine = np.mean(ours_model.predict(new.drop_columns(["y"])) == np.asarray(new.column("y").to_pylist(), object))
    theirs = peer_model.transform(generated(spark, rows, seed=1_000))
    found = theirs.select(f.avg((f.col("prediction") == f.col("label")).cast("double"))).collect()[0][0]
    return float(mine), float(found)


def timed(work: Callable[[Any], Any], table: Any) -> tuple[float, Any]:
    """Seconds, and what came of it."""
    begin = time.perf_counter()
    found = work(table)
    return time.perf_counter() - begin, found


def run(options: Options) -> Iterator[Line]:
    """Fit beside MLlib's, and ten times the rows beside the rows."""
    spark, rows = session(), options.rows(10_000_000)
    try:
        table, small = generated(spark, rows), generated(spark, rows // 10)
        for work in (ours, mllib):
            work(small)  # what Java compiles on the way is not timed
        taken: dict[Any, list[float]] = {ours: [], mllib: [], "small": []}
        models = {}
        for _ in range(REPEATS):
            for work in (ours, mllib):
                seconds, models[work] = timed(work, table)
                taken[work].append(seconds)
            taken["small"].append(timed(ours, small)[0])
        times = {name: Timing(tuple(seconds)) for name, seconds in taken.items()}
        mine, theirs = right(models[ours], models[mllib], spark, rows // 50)
        note = f"the rows are made anew in every pass; accuracy on new rows: peer {theirs:.4f}, ours {mine:.4f}"
        lines = f"Spark fit {rows:,} x {len(LEVELS) + NUMBERS}"
        yield Line(
            lines,
            "MLlib NaiveBayes",
            times[ours],
            times[mllib],
            at_least(2),
            Agreement(max(0, theirs - mine), 0),
            None,
            note,
        )
        more = times[ours].median / times["small"].median
        note = f"{more:.1f} times as long for ten times the rows"
        yield Line(lines, f"{rows // 10:,} rows", times[ours], times["small"], None, None, None, note)
    finally:
        spark.stop()

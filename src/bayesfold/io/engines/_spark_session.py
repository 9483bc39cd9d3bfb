"""Sessions of Spark, and what a command may call a table of theirs."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bayesfold.io.engines._spark_errors import explain_failures

LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
FORMATS = {".parquet": "parquet", ".orc": "orc", ".json": "json", ".csv": "csv"}


@contextmanager
def open_session(master: str | None, what: str) -> Iterator[Any]:
    """A session that ends with this; messages are about `what`.

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
    with explain_failures(what, "connecting to Spark"):
        if master is not None and master.startswith("sc://"):
            spark = builder.remote(master).getOrCreate()
        else:
            quiet = builder.config("spark.ui.showConsoleProgress", "false")
            spark = (quiet if master is None else quiet.master(master)).getOrCreate()
            spark.sparkContext.setLogLevel("FATAL")
    try:
        yield spark
    finally:
        spark.stop()


def open_table(session: Any, what: str) -> Any:
    """The DataFrame of a query, of files (delta:/data/sales, sales.parquet), or of a table by its name."""
    with explain_failures(what, "opening the table"):
        if what.lstrip().lower().startswith(("select ", "with ", "from ")):
            return session.sql(what)
        form, colon, path = what.partition(":")
        if colon and form.isalpha() and not path.startswith("//"):
            return session.read.format(form).load(path)
        ending = format_of(what)
        if ending is not None:
            return session.read.format(ending).options(header=True, inferSchema=True).load(what)
        return session.read.load(what) if "/" in what else session.table(what)


def format_of(path: str) -> str | None:
    """The format of files, by how their name ends.

    >>> format_of("sales.parquet"), format_of("sales")
    ('parquet', None)
    """
    return FORMATS.get(os.path.splitext(path)[1].lower())

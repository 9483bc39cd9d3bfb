"""One session of Spark for all tests of a process: two threads of this machine, and nobody else can reach it."""

import hashlib
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of a Java that lives for a minute: compiling little takes a third off its processor time."""

os.environ.setdefault("SPARK_SUBMIT_OPTS", SHORT_LIVED)  # of every session that a test or one of its processes starts

QUIET = "ignore:PySpark does not yet fully support pandas"
"""What Spark says of the newest pandas, which nothing here goes through."""


def why_not() -> str:
    """Why there can be no Spark here; "" if there can."""
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        return "Spark needs Java, and there is none here"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is not installed"
    return ""


def builder(master: str) -> Any:
    """A small session: little memory, no page, on the loopback; of Connect, the caller says where."""
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    told = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g",
        "spark.executor.extraJavaOptions": SHORT_LIVED,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
    }
    found = SparkSession.builder.appName("bayesfold tests")
    if master:
        found = found.master(master)
    for name, value in told.items():
        found = found.config(name, value)
    return found


def generated(session: Any, rows: int, partitions: int) -> Any:
    """A table of words, numbers, holes and three classes, the same for everybody."""
    return session.range(0, rows, 1, partitions).selectExpr(
        "concat('c', pmod(xxhash64(id), 7)) as colour",
        "pmod(xxhash64(id, 1), 1000) / 7.0D + id % 3 as size",
        "if(id % 11 = 0, null, concat('z', pmod(xxhash64(id, 2), 40))) as zip",
        "concat('class ', id % 3) as y",
    )


def digest(table: Any) -> str:
    """The digest of the bytes of a model of a table."""
    from bayesfold.io.fit import learn_from
    from bayesfold.learning.kinds import find
    from bayesfold.store.file import to_bytes

    return hashlib.sha256(to_bytes(learn_from(find("naive")(), table, "y")[0])).hexdigest()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The session; what needs it is skipped where it cannot be had."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = builder("local[2]").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()

"""One session of Spark for all tests of a process: two threads of this machine, and nobody else can reach it."""

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

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
    """A small session: little memory, no page, on the loopback."""
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    told = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
    }
    found = SparkSession.builder.master(master).appName("bayesfold tests")
    for name, value in told.items():
        found = found.config(name, value)
    return found


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

"""Spark: DataFrames whose rows stay in the executors (`_spark_rows`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bayesfold.io.engines._spark_rows import Distributed


def takes(what: Any) -> bool:
    """Whether something is a DataFrame of Spark."""
    return type(what).__module__.startswith("pyspark.sql.") and hasattr(what, "mapInArrow")


def take(what: Any) -> "Distributed":
    """The rows of a DataFrame."""
    from bayesfold.io.engines._spark_rows import Distributed

    return Distributed(what, "the DataFrame")


@contextmanager
def connect(master: str | None, what: str) -> Iterator["Distributed"]:
    """A table of Spark, by a session that ends with it: its name, a query, or files in a format that Spark reads."""
    from bayesfold.io.engines._spark_rows import Distributed
    from bayesfold.io.engines._spark_session import open_session, open_table

    with open_session(master, what) as spark:
        yield Distributed(open_table(spark, what), what)

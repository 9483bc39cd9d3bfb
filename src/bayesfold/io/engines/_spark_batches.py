"""How many rows of Spark go to Python at a time.

Spark bounds a batch by its rows and by its bytes, and to know the bytes it measures all columns again for every row,
which takes a third of the time in which rows are moved. So while rows are counted, batches are bounded by rows alone,
fewer of them where a row can be long. What somebody has set is left as it is.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

BYTES, ROWS = (f"spark.sql.execution.arrow.max{what}PerBatch" for what in ("Bytes", "Records"))
USUAL = {BYTES: "67108864b", ROWS: "10000"}
"""Spark's own defaults."""
UNBOUNDED = str(2**31 - 1)
MOST_BYTES = 1 << 26
MOST_LONG_ROWS = 4_096
"""Rows at a time where columns hold texts: those of 16 KB each are 64 MB."""
BYTES_OF_A_CELL = 8


@contextmanager
def bounded_by_rows(session: Any, types: Collection[pa.DataType]) -> Iterator[None]:
    """While this lasts, rows of these columns go to Python without being measured one by one."""
    bounds = {BYTES: UNBOUNDED, ROWS: str(rows_at_a_time(types))}
    changed = set_if_unset(session, bounds)
    try:
        yield
    finally:
        if changed:
            for key in USUAL:
                session.conf.unset(key)


def set_if_unset(session: Any, settings: Mapping[str, str]) -> bool:
    """Whether settings of a session were set: not if somebody had, nor if the server does not allow it, and is only
    slower."""
    from pyspark.errors import PySparkException

    try:
        if any(session.conf.get(key) != value for key, value in USUAL.items()):
            return False
        for key, value in settings.items():
            session.conf.set(key, value)
    except PySparkException:
        return False
    return True


def rows_at_a_time(types: Collection[pa.DataType]) -> int:
    """How many rows of these columns surely take little memory.

    >>> rows_at_a_time([pa.float64()] * 6), rows_at_a_time([pa.string()]), rows_at_a_time([pa.float64()] * 5_000)
    (10000, 4096, 1677)
    """
    most = int(USUAL[ROWS]) if all(map(pa.types.is_primitive, types)) else MOST_LONG_ROWS
    return max(1, min(most, MOST_BYTES // (BYTES_OF_A_CELL * max(1, len(types)))))

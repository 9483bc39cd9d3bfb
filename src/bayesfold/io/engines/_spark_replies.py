"""What tasks of Spark reply: one row of bytes each, with the number of their partition.

What is wrong with rows is a reply too, and is not raised there: Spark would try again four times, and bury the sentence
in a stack.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pickle import loads
from typing import Any

import pyarrow as pa

from bayesfold import __version__
from bayesfold.io.engines import Merging
from bayesfold.runtime.threads import alone

FOUND = "part long, found binary"
"""The columns of a reply, as Spark has them."""


@dataclass(frozen=True)
class Failure:
    """What was wrong with rows."""

    error: Exception


def try_work(version: str, work: Callable[..., Any], *given: Any) -> Any:
    """What work finds, or why it cannot; it has this thread alone, because other tasks have the others."""
    if version != __version__:
        said = f"the executors have bayesfold {__version__}, and this is {version}; install the same version on both"
        return Failure(ValueError(said))
    try:
        with alone():
            return work(*given)
    except (TypeError, ValueError) as error:
        return Failure(error)


def merge_results(merge: Merging, results: Sequence[Any]) -> Any:
    """What comes of several results; of failures the first."""
    failures = [result for result in results if isinstance(result, Failure)]
    return failures[0] if failures else try_work(__version__, merge, results)


def raise_failure(result: Any) -> Any:
    """A result; a failure is raised."""
    if isinstance(result, Failure):
        raise result.error
    return result


def pickle_result(result: Any) -> bytes:
    """A result as bytes; also of classes that only the driver's script knows."""
    from pyspark import cloudpickle

    pickled: bytes = cloudpickle.dumps(result)  # type: ignore[no-untyped-call]
    return pickled


def reply(part: int, result: Any) -> pa.RecordBatch:
    """One row: what was found in a partition."""
    result_bytes = pa.array([pickle_result(result)], pa.binary())
    return pa.RecordBatch.from_arrays([pa.array([part], pa.int64()), result_bytes], ["part", "found"])


def replies(table: pa.Table) -> list[Any]:
    """What was found, in the order of the partitions."""
    return [loads(cell.as_py()) for cell in table.sort_by("part").column("found")]


def partition_number() -> int:
    """The number of the partition that this task has."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return 0 if task is None else task.partitionId()

"""A program that learns a table on a cluster twice, the second time slowly, so that a worker can be killed meanwhile.

It says "counting" when rows are being counted, and then, for each of both models, the digest of its bytes, and how
often partitions were begun: `python -m tests.io.engines.killed_worker MASTER FOLDER ROWS PARTITIONS`.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from tests.sparks import builder, digest, generated

from bayesfold.io.engines._spark_rows import Distributed


def slowly(folder: str) -> Any:
    """Passes rows on; slowly, and noting who does it, once a file says so."""

    def passed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        slow = Path(folder, "slow").exists()
        if slow:
            task = TaskContext.get()
            Path(folder, f"begun-{task.partitionId()}-{task.taskAttemptId()}").touch()
        for batch in batches:
            if slow:
                time.sleep(1.0)
            yield batch

    return passed


def main(master: str, folder: str, rows: int, partitions: int) -> None:
    session = builder(master).config("spark.executor.memory", "512m").config("spark.cores.max", "2").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    plain = generated(session, rows, partitions)
    table = plain.mapInArrow(slowly(folder), plain.schema)
    digests = [digest(table)]
    sampled = Distributed.sampled  # rows are counted on the way

    def noted(self: Distributed, *given: Any) -> Any:
        Path(folder, "slow").touch()
        print("counting", flush=True)
        return sampled(self, *given)

    Distributed.sampled = noted  # type: ignore[method-assign]
    digests.append(digest(table))
    begun = len(list(Path(folder).glob("begun-*")))
    print(*digests, begun, flush=True)
    session.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

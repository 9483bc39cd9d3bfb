"""What Spark says when a job fails, as a sentence that says what to change.

>>> sentence(RuntimeError("Job aborted due to stage failure: Container killed for exceeding memory limits"))[:29]
'an executor ran out of memory'
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

MEMORY = (
    "OutOfMemory", "Java heap space", "GC overhead", "exit code 137", "exit status 137", "code: 137", "memoryOverhead",
    "exceeding memory", "exceeding physical memory", "MemoryError", "Cannot allocate memory", "bad_alloc",
    "Python worker exited unexpectedly",
)  # fmt: skip
MODULE = ("No module named", "ModuleNotFoundError")
VERSION = ("PYTHON_VERSION_MISMATCH", "different version than that in driver")
CONNECTION = (
    "Connection refused", "Connection reset", "UNAVAILABLE", "failed to connect", "Network is unreachable", "timed out",
    "Broken pipe", "Answer from Java side is empty", "error while sending", "All masters are unresponsive",
    "SparkContext was shut down", "stopped SparkContext", "SESSION_OR_CONTEXT_NOT_EXISTS", "INVALID_HANDLE",
    "has no attribute 'setCallSite'", "Py4JNetworkError",
    "CANNOT_PARSE_DATATYPE",  # of a schema that is asked of nobody
)  # fmt: skip
LOST = ("ExecutorLostFailure", "Remote RPC client disassociated", "FetchFailed")
ADVICE = {
    MEMORY: "an executor ran out of memory; give executors more (spark.executor.memory, and for Python's share "
    "spark.executor.memoryOverhead), or make partitions smaller (repartition)",
    MODULE: "the Python of an executor lacks a module ({said}); install bayesfold there, in the version that runs "
    "here, or send an environment along with spark.archives",
    VERSION: "the executors run another Python than the driver; set PYSPARK_PYTHON to one of the same version",
    CONNECTION: "the connection to Spark is lost ({said}); see whether driver and master still run and can be reached "
    "from here, then make a new session and run this again: nothing has changed",
    LOST: "executors were lost again and again ({said}); see why they end (memory, preemption), or raise "
    "spark.task.maxFailures, and run this again: nothing has changed",
}
"""What to do, by the words that show what happened; the first that fits."""
MOST_LETTERS = 300


@contextmanager
def explain_failures(label: str, stage: str) -> Iterator[None]:
    """What Spark raises while it does this, as a sentence that says of what, and in which stage."""
    try:
        yield
    except spark_errors() as error:
        raise RuntimeError(f"{label}: {stage}: {sentence(error)}") from error


def spark_errors() -> tuple[type[Exception], ...]:
    """What Spark raises, the last of them after its session was stopped; Connect's client has no bridge to Java."""
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:
        return PySparkException, OSError, AttributeError
    return PySparkException, Py4JError, OSError, AttributeError


def sentence(error: BaseException) -> str:
    """What happened and what to do; what is not known is told in Spark's own words.

    Spark often wraps what happened in another error, so that all of them are looked at.
    """
    said, within = str(error), error.__context__
    every = said.lower()
    while within is not None:
        every, within = f"{every}\n{within!r}".lower(), within.__context__
    for signs, advice in ADVICE.items():
        if any(sign.lower() in every for sign in signs):
            return advice.format(said=shorten_message(said))
    return shorten_message(said)


def shorten_message(said: str) -> str:
    """The line that says most: the last error of a Python traceback, otherwise the first line.

    >>> shorten_message("An exception was thrown\\nTraceback (most recent call last):\\n  File x\\nKeyError: 'a'\\n")
    "KeyError: 'a'"
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["no reason was given"]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]
    telling = errors[-1] if errors and "Traceback" in said else lines[0]
    return telling if len(telling) <= MOST_LETTERS else f"{telling[:MOST_LETTERS]} ..."

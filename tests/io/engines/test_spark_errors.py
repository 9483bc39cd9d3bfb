"""What Spark says becomes a sentence that says what to change."""

import pytest

from bayesfold.io.engines._spark_errors import sentence


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Job aborted: ExecutorLostFailure (executor 1 exited) Reason: Command exited with code: 137", "memory"),
        ("org.apache.spark.SparkException: ... java.lang.OutOfMemoryError: Java heap space", "spark.executor.memory"),
        ("Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'bayesfold'", "install"),
        ("[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 than 3.11", "PYSPARK_PYTHON"),
        ("<_InactiveRpcError ... StatusCode.UNAVAILABLE failed to connect to all addresses>", "connection"),
        ("[Errno 111] Connection refused", "make a new session"),
        ("Job aborted due to stage failure: ExecutorLostFailure (executor 3 exited)", "spark.task.maxFailures"),
    ],
)
def test_what_is_known_is_told_with_what_to_do(said, told):
    assert told in sentence(RuntimeError(said))


def test_what_is_not_known_is_told_in_one_line():
    said = "An exception was thrown\nTraceback (most recent call last):\n  File x\nKeyError: 'a'\n\nJVM stacktrace: ..."
    assert sentence(RuntimeError(said)) == "KeyError: 'a'"
    assert len(sentence(RuntimeError("x" * 9_999))) < 400


def test_what_an_error_hides_is_looked_at():
    error = RuntimeError("Unable to parse datatype")
    error.__context__ = ConnectionRefusedError("[Errno 111] Connection refused")
    assert "the connection to Spark is lost (Unable to parse datatype)" in sentence(error)

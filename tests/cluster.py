"""A standalone cluster of Spark on the loopback: a master and workers, each a process of its own, ended by its id."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

LOCAL = ("--host", "127.0.0.1", "--webui-port", "0")
PATIENCE = 180
"""Seconds that anything may take on a busy machine."""


@contextmanager
def running(folder: Path, workers: int = 2) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """(address of the master, worker processes); at the end, however it comes, none of them is left."""
    with ExitStack() as stack:
        master, log = started(folder, "master", "org.apache.spark.deploy.master.Master", "--port", "0")
        stack.callback(end, master)
        address = awaited(log, r"Starting Spark master at (spark://127\.0\.0\.1:\d+)")
        others = []
        for i in range(workers):
            told = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work{i}"), address)
            worker, log = started(folder, f"worker{i}", "org.apache.spark.deploy.worker.Worker", *told)
            stack.callback(end, worker)
            awaited(log, r"(Successfully registered with master)")
            others.append(worker)
        yield address, others


def started(folder: Path, name: str, *command: str) -> tuple[subprocess.Popen[bytes], Path]:
    """A process of Spark under a guard, which ends it when this process is gone, whatever became of it; and where it
    writes."""
    import pyspark

    home = Path(pyspark.__file__).parent
    log = folder / f"{name}.log"
    env = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_SCALA_VERSION": "2.13",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": os.environ.get("SPARK_SUBMIT_OPTS", ""),
        "PYSPARK_PYTHON": sys.executable,
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, __file__, str(home / "bin" / "spark-class"), *command, *LOCAL],
            stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=folder, start_new_session=True,
        )  # fmt: skip
    return process, log


def awaited(log: Path, pattern: str) -> str:
    """What a process says, once it says it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(f"{log.name} says nothing like {pattern}: {log.read_text('utf-8', 'replace')[-2_000:]}")


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started, by their ids."""
    kill([process.pid, *descendants(process.pid)])
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def kill(ids: list[int]) -> None:
    """End processes by their ids."""
    for one in ids:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, todo = [], [process]
    while todo:
        some = children.get(todo.pop(), [])
        found += some
        todo += some
    return found


def guard(command: list[str]) -> None:
    """Run a command until it ends, or until whoever asked for it does: then nobody holds the other end of the pipe."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    waiting = threading.Thread(target=sys.stdin.buffer.read, daemon=True)
    waiting.start()
    while process.poll() is None and waiting.is_alive():
        time.sleep(0.2)
    kill([*descendants(process.pid), process.pid])


if __name__ == "__main__":
    guard(sys.argv[1:])

"""Peak memory of a task above its inputs: it runs in a process of its own, which is asked for its high-water mark.

The task is pickled into a file, so its functions live in modules; what it needs is imported and loaded before the mark
is read for the first time. A library that imports more while it works pays for that.
"""

import os
import pickle
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import Task

ROOT = Path(__file__).parents[1]
UNIT = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in KiB elsewhere


def extra_peak(task: Task) -> int:
    """Bytes by which the peak resident size rises while a fresh process runs the task once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "task")
        with file.open("wb") as stream:
            pickle.dump(task, stream, protocol=5)
        command = [sys.executable, "-m", "benchmarks.memory", str(file)]
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout)


def measure(file: str) -> int:
    """Load the task, run it, and return how far the high-water mark rose, in bytes."""
    with Path(file).open("rb") as stream:
        task = pickle.load(stream)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    task()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * UNIT


def main() -> int:
    """Measure in a forked child: a process started by exec inherits the high-water mark of the one that started it."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(measure(sys.argv[1]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Work on files, each piece in a process of its own: seconds with the imports done before, and the peak of memory.

`python -m benchmarks.file_work VARIANT FILE OUT` prints both; `rows/files.py` calls it.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.memory import ROOT, UNIT

TARGET = "y"


@dataclass(frozen=True)
class Run:
    """Seconds of one run, of processor time in all threads and imports, and the most memory that its process held."""

    seconds: float
    processor: float
    peak: int


def ours_fit(path: str, out: str) -> float:
    """Learn every row, with the default choices of naive Bayes."""
    from bayesfold.io.fit import learn_from
    from bayesfold.learning.kinds import find

    start = time.perf_counter()
    learn_from(find("naive")(), path, TARGET)
    return time.perf_counter() - start


def ours_both(path: str, out: str) -> float:
    """Learn every row, then write all rows with their answers."""
    from bayesfold.io.fit import learn_from
    from bayesfold.io.predict import predict_from
    from bayesfold.learning.kinds import find

    start = time.perf_counter()
    predict_from(learn_from(find("naive")(), path, TARGET)[0], path, out)
    return time.perf_counter() - start


def pandas_read(path: str, out: str) -> float:
    """Read the file, and nothing else."""
    import pandas as pd

    start = time.perf_counter()
    pd.read_csv(path) if path.endswith(".csv") else pd.read_parquet(path)
    return time.perf_counter() - start


def decode(path: str, out: str) -> float:
    """Decode a Parquet file batch by batch, and nothing else."""
    import pyarrow.parquet as pq

    from benchmarks.mixed_table import STRINGS

    start = time.perf_counter()
    for _ in pq.ParquetFile(path, read_dictionary=[*STRINGS, TARGET]).iter_batches(65_536):
        pass
    return time.perf_counter() - start


def peer_both(path: str, out: str) -> float:
    """What one writes with pandas and scikit-learn today."""
    import pandas as pd

    from benchmarks.recipe import fit_recipe

    start = time.perf_counter()
    table = pd.read_csv(path) if path.endswith(".csv") else pd.read_parquet(path)
    recipe = fit_recipe(table, table[TARGET])
    classes = recipe.categorical.classes_
    proba = recipe.predict_proba(table)
    answers = {"predicted": classes[proba.argmax(1)], **{f"P({c})": proba[:, k] for k, c in enumerate(classes)}}
    table = table.assign(**answers)
    table.to_csv(out, index=False) if path.endswith(".csv") else table.to_parquet(out)
    return time.perf_counter() - start


VARIANTS = {f.__name__: f for f in (ours_fit, ours_both, pandas_read, decode, peer_both)}


def run(variant: str, path: Path, out: Path) -> Run:
    """One run in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.file_work", variant, str(path), str(out)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return Run(*json.loads(done.stdout))


def peak() -> int:
    """The most memory that this process has held; where the system tells, without what its parent had before it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    name, *files = sys.argv[1:]
    seconds = VARIANTS[name](*files)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([seconds, used.ru_utime + used.ru_stime, peak()]))

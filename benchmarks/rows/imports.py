"""Import times, each in a fresh interpreter: bayesfold beside scikit-learn's base module, on which it depends."""

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.memory import ROOT
from benchmarks.rows import Options
from benchmarks.table import Line, Target, at_most, at_most_longer
from benchmarks.timing import Timing

PEER = "import sklearn.base"
TARGETS: dict[str, Target] = {
    "import bayesfold": at_most(0.15),
    "from bayesfold import NaiveBayes": at_most_longer(0.1),
}


def seconds(statement: str) -> float:
    """Seconds that the statement takes in an interpreter that has imported nothing else."""
    program = f"import time\nstart = time.perf_counter()\n{statement}\nprint(time.perf_counter() - start)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def run(options: Options) -> Iterator[Line]:
    """The statements take turns; the first turn fills the disk's cache and is not counted."""
    statements = [PEER, *TARGETS]
    turns = [[seconds(statement) for statement in statements] for _ in range(3 if options.quick else 8)][1:]
    timings = {statement: Timing(taken) for statement, taken in zip(statements, zip(*turns, strict=True), strict=True)}
    for statement, target in TARGETS.items():
        yield Line(statement, PEER, timings[statement], timings[PEER], target)

"""The command on a small file, from the keystroke to its first result, beside what loading numpy and pyarrow takes.

Each runs in a process of its own whose bytecode is there, as it is where bayesfold is installed. The note has the
processor time of the whole command, which other work on the machine hardly moves.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.rows import Options
from benchmarks.table import Line, Target, at_most
from benchmarks.timing import Timing

PEER = "import numpy, pyarrow"
ANSWER: Target = at_most(0.6)
FIRST = (
    "demo --table patients.csv --rows 400",
    "demo --table later.csv --rows 50 --seed 1",
    "fit patients.csv -t place -o patients.bayes",
    "update patients.bayes later.csv -o both.bayes",
)
COMMANDS: dict[str, Target] = {
    "--help": at_most(0.2),
    "fit patients.csv -t place -m naive -o x.bayes": ANSWER,
    "fit patients.csv -t place -o x.bayes": ANSWER,
    "inspect patients.bayes": ANSWER,
    "predict patients.bayes later.csv": ANSWER,
    "explain patients.bayes later.csv": ANSWER,
    "evaluate patients.bayes later.csv": ANSWER,
    "update patients.bayes later.csv -o x.bayes": ANSWER,
    "forget both.bayes patients.csv -o x.bayes": ANSWER,
    "merge patients.bayes patients.bayes -o x.bayes": ANSWER,
    "export patients.bayes -o x.sql": ANSWER,
    "plot confusion patients.bayes later.csv -o x.html": ANSWER,
    "report patients.bayes later.csv -o x.html": ANSWER,
    "query smoking cancer|smoking=yes": ANSWER,
    "dsep smoking cancer bronchitis": ANSWER,
}


def first(arguments: Sequence[str], folder: Path) -> tuple[float, float]:
    """Seconds until something is said, and seconds of processor time until the end."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment = kept | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as running:
        assert running.stdout is not None
        running.stdout.read(1)
        said = time.perf_counter() - start
        rest = running.stdout.read()
    if running.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {rest.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(options: Options) -> Iterator[Line]:
    """The commands take turns; the first turn writes the bytecode and is not counted."""
    command = ["-m", "bayesfold.cli"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in FIRST:
            first([*command, *work.split()], folder)
        works = {work: [*command, *work.split()] for work in COMMANDS} | {PEER: ["-c", f"{PEER}; print(1)"]}
        turns = [
            {work: first(given, folder) for work, given in works.items()} for _ in range(3 if options.quick else 16)
        ]
    seen = {work: [turn[work] for turn in turns[1:]] for work in works}
    timing = {work: Timing(tuple(said for said, _ in both)) for work, both in seen.items()}
    for work, target in COMMANDS.items():
        note = f"processor {median(cpu for _, cpu in seen[work]):.2f} s"
        yield Line(f"bayesfold {work}", PEER, timing[work], timing[PEER], target, note=note)

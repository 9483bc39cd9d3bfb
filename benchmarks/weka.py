"""Weka as a peer: a Java process that holds the table and does what it is told, so that it can alternate with ours.

The process starts, reads the table and warms up outside the clock. Weka's time is processor time of its one thread, its
compiler and garbage collector left out; ours is by the clock, and what it cost all threads is said beside it.

Needs `javac`, `java` and Debian's `weka` (its jar).
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.timing import Task, Timing

JARS = tuple(Path(folder) / "weka.jar" for folder in ("/usr/share/java", "/usr/local/share/java"))
DRIVER = Path(__file__).with_name("WekaDriver.java")


def missing() -> str:
    """What is missing to run Weka, or nothing."""
    if not (shutil.which("java") and shutil.which("javac")):
        return "there is no java or no javac: apt install default-jdk-headless"
    return "" if any(jar.is_file() for jar in JARS) else "there is no weka.jar: apt install weka"


@dataclass(frozen=True)
class Weka:
    """A running process."""

    process: "subprocess.Popen[str]"
    folder: Path
    classes: int

    def tell(self, order: str) -> float:
        """Have something done ("fit" the table, or "predict" its rows); the seconds that took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        took = self.process.stdout.readline()
        if not took:
            raise RuntimeError(f"Weka could not {order}: it says why above")
        return int(took) / 1e9

    def answers(self) -> npt.NDArray[np.float64]:
        """What the last `predict` found."""
        file = self.folder / "answers"
        self.tell(f"write {file}")
        return np.fromfile(file, ">f8").reshape(-1, self.classes).astype(np.float64)


@contextmanager
def weka(classifier: str, X: npt.NDArray[np.uint8], y: npt.NDArray[np.int64]) -> Iterator[Weka]:
    """Run `classifier` (its class and options, as on Weka's command line) on codes that begin at 0."""
    jar = next(jar for jar in JARS if jar.is_file())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "table.arff", X, y)
        subprocess.run(["javac", "-nowarn", "-cp", str(jar), "-d", name, str(DRIVER)], check=True)
        path = os.pathsep.join([name, str(jar)])
        command = ["java", "-Xmx4g", "-cp", path, DRIVER.stem, str(folder / "table.arff"), classifier]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield Weka(process, folder, int(y.max()) + 1)
        finally:
            process.communicate()  # the end of its input ends it


def beside(peer: Weka, order: str, ours: Task, rounds: int = 5) -> tuple[Timing, Timing, str]:
    """Ours and the peer's seconds, and what ours cost all threads; they take turns, and the first two turns warm up."""
    seconds: list[tuple[float, float, float]] = []
    for _ in range(rounds + 2):
        clock, used = time.perf_counter(), time.process_time()
        ours()
        seconds.append((time.perf_counter() - clock, time.process_time() - used, peer.tell(order)))
    by_clock, used_up, peer_time = (Timing(some) for some in zip(*seconds[2:], strict=True))
    ratio = peer_time.median / used_up.median
    return by_clock, peer_time, f"{1e3 * used_up.median:.1f} ms ({ratio:.1f}x) in processor time of all our threads"


def write(file: Path, X: npt.NDArray[np.uint8], y: npt.NDArray[np.int64]) -> None:
    """The table in Weka's own format, every column nominal, the class last."""
    table = np.column_stack([X, y])
    with file.open("w") as stream:
        stream.write("@relation codes\n")
        for j, levels in enumerate(table.max(0) + 1):
            stream.write(f"@attribute x{j} {{{','.join(map(str, range(levels)))}}}\n")
        stream.write("@data\n")
        np.savetxt(stream, table, fmt="%d", delimiter=",")

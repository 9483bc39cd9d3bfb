"""Run the tests that pass a planted mistake, in a copy of the tree, until one of them notices it.

Libraries are loaded once and every mutant is tried in a fork of that process, so that a mutant costs its tests and not
three seconds of imports. A mutant that hangs is noticed too.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import entry_points
from itertools import accumulate
from math import ceil, inf
from pathlib import Path

import pytest
from tests.mutants.kernels import compiled, is_kernel, tests_of_kernel
from tests.mutants.lines import KEPT, ROOT, file_of
from tests.mutants.plant import Mutant

SOON, AT_MOST = 8.0, 60.0
"""Seconds of tests, by their time without a mistake, that are asked about one mutant first, and altogether."""

LAST = 240.0
"""Seconds of processor time for which every case that reaches a mutant is asked, unless another test noticed it."""

WAITS = 20.0
"""How much longer than its processor time a test may take that waits for the processor, or for something else."""

BROKEN, NOT_COMPILED = 3, 99
FATES = {0: "survived", 1: "killed", 2: "killed", BROKEN: "broken", 4: "not reached", 5: "not reached", None: "hung"}
FATES |= {NOT_COMPILED: "not compiled", -signal.SIGXCPU: "hung"}
"""What the exit codes of pytest mean here; "broken" is a mistake of this program's own, and no mutant that counts."""

NOTE = "noticed.txt"
LEFT = {"build", "dist", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
"""Folders that no copy needs."""

LIBRARIES = (
    "doctest",
    "hypothesis",
    "pandas",
    "polars",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "pytest",
    "safetensors.numpy",
    "scipy.special",
    "sklearn.linear_model",
    "sklearn.utils.estimator_checks",
)


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed, survived, hung or not reached by any test."""

    mutant: Mutant
    fate: str
    tests: int
    seconds: float
    noticed_by: str = ""


def load_libraries() -> None:
    """Load what every test loads, and pytest with its plugins, so that forks have it."""
    for name in LIBRARIES:
        import_module(name)
    for plugin in entry_points(group="pytest11"):
        plugin.load()


def compile_modules() -> None:
    """Keep every module and test compiled beside its source, for copies to take: else each fork would compile them."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for command in (["compileall", "-q", "src"], ["pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "tests"]):
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=kept, capture_output=True, check=False)


def copy_tree(number: int) -> Path:
    """A copy of the sources and tests for one worker."""
    folder = KEPT / f"worker-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in ROOT.iterdir():
        if part.is_dir() and part.name not in LEFT:
            shutil.copytree(part, folder / part.name)  # with compiled modules, which keep their dates
        elif part.is_file() and part.name != ".git":
            shutil.copy2(part, folder / part.name)
    return folder


def tests_of(mutant: Mutant, known: dict) -> list[str]:
    """The tests that pass the mutant's line, those beside its module first, then the quickest."""
    if is_kernel(mutant.path):
        tests = tests_of_kernel(mutant.path, known)
    else:
        lines = known["lines"].get(mutant.path, {})
        tests = set(lines.get(str(mutant.line), []))
        if not tests:  # a line that is run when the module is loaded, or one inside of a longer statement
            tests = {test for some in lines.values() for test in some}
    room = room_of(mutant)
    seconds = known["seconds"]

    def rank(test: str) -> tuple[bool, bool, float]:
        file = test.partition("::")[0]
        return not file.endswith(beside(mutant)), not file.startswith(f"tests/{room}"), seconds.get(test, 0.005)

    return sorted(tests, key=rank)


def room_of(mutant: Mutant) -> str:
    """The folder of a mutant's module, below the package."""
    return mutant.path.removeprefix("src/bayesfold/").rpartition("/")[0]


def beside(mutant: Mutant) -> str:
    """What the file of tests of a mutant's module is called."""
    return "test_" + Path(mutant.path).name.lstrip("_")


def stages_of(mutant: Mutant, known: dict) -> Iterator[tuple[list[str], bool]]:
    """The tests to ask one lot after the other, and whether with one case of each: a lot is loaded as a whole.

    First the module's own examples and the tests beside it, whole, with those that are newer than what `trace` has
    seen; then the others that pass the line. Every case of all these is for `hunt_last` to ask.
    """
    whole = f"tests/{room_of(mutant)}/{beside(mutant)}"
    first = [] if is_kernel(mutant.path) else [mutant.path]
    first += [whole] if (ROOT / whole).exists() else []
    others = [test for test in tests_of(mutant, known) if test.partition("::")[0] not in first]
    soon, later = cut(others, known, SOON), cut(others, known, AT_MOST)
    yield first, True
    yield soon, True
    yield later[len(soon) :], True


def last_of(mutant: Mutant, known: dict) -> list[str]:
    """The tests to ask with every case before a mutant counts as a survivor: the room's own, and all that pass it."""
    folder = ROOT / "tests" / room_of(mutant)
    files = sorted(str(file.relative_to(ROOT)) for file in folder.glob("test_*.py"))
    files.sort(key=lambda file: not file.endswith(beside(mutant)))
    files = files if is_kernel(mutant.path) else [mutant.path, *files]
    return files + [test for test in tests_of(mutant, known) if test.partition("::")[0] not in files]


def cut(tests: list[str], known: dict, most: float) -> list[str]:
    """The first of these tests, as many as take so many seconds, and at least one."""
    spent = accumulate(known["seconds"].get(test, 0.005) for test in tests)
    return [test for k, (test, so_far) in enumerate(zip(tests, spent, strict=True)) if so_far <= most or not k]


def hunt_last(mutant: Mutant, known: dict, folder: Path, most: float = LAST) -> Verdict:
    """Ask every case of whatever reaches a mistake, for so many seconds: what `./dev test` notices is no survivor."""
    tests = last_of(mutant, known)
    verdict = hunt_with(mutant, tests, folder, most + 120.0, quick=False, most=most) if tests else None
    return verdict or Verdict(mutant, "not reached", 0, 0.0)


def hunt(mutant: Mutant, known: dict, folder: Path, these: Sequence[str] = ()) -> Verdict:
    """Ask the tests that pass a mistake about it, or every case of `these`."""
    asked, seconds, fates = 0, 0.0, set()
    for tests, quick in [([*these], False)] if these else stages_of(mutant, known):
        if not tests:
            continue
        expected = sum(known["seconds"].get(test, 0.005) for test in tests)
        verdict = hunt_with(mutant, tests, folder, 30.0 + 5.0 * expected + (0.0 if quick else 300.0), quick)
        asked, seconds = asked + len(tests), seconds + verdict.seconds
        fates.add(verdict.fate)
        if verdict.fate not in ("survived", "not reached"):
            return replace(verdict, tests=asked, seconds=seconds)
    reached = is_kernel(mutant.path) or str(mutant.line) in known["lines"].get(mutant.path, {})
    return Verdict(mutant, "survived" if reached and "survived" in fates else "not reached", asked, seconds)


def hunt_with(mutant: Mutant, tests: list[str], folder: Path, limit: float, quick: bool, most: float = inf) -> Verdict:
    """Plant a mistake in a worker's copy, run these tests for at most so many seconds, and take it out again.

    After `most` seconds no further test is begun. A test that fails without the mistake too is no witness: the others
    are then asked without it.
    """
    begin, asked = time.monotonic(), list(tests)
    while True:
        fate = fate_of(mutant, asked, folder, limit, quick, most)
        witness = first_failure(folder)
        if fate != "killed" or not witness or is_sound(witness, folder, quick):
            return Verdict(mutant, fate, len(tests), time.monotonic() - begin, witness)
        asked = [test for test in asked if test != witness.partition("[")[0]]
        asked += ["--deselect", witness]


def fate_of(mutant: Mutant, tests: list[str], folder: Path, limit: float, quick: bool, most: float = inf) -> str:
    """What becomes of a mistake while it is planted."""
    file = folder / mutant.path
    right = file.read_text(encoding="utf-8")
    try:
        file.write_text(mutant.source, encoding="utf-8")
        with compiled(folder, mutant.path) if is_kernel(mutant.path) else nullcontext(True) as compiles:
            status = run_fork(folder, tests, quick, limit, most) if compiles else NOT_COMPILED
    finally:
        file.write_text(right, encoding="utf-8")
    return FATES.get(status, "killed")  # a signal, too, is noticed


SOUND: dict[str, bool] = {}
"""Whether a test passes where nothing is wrong, of those that were asked or traced."""


def is_sound(witness: str, folder: Path, quick: bool) -> bool:
    """Whether a test passes where nothing is wrong; of the first case of each, `trace` has seen that."""
    if quick and witness.partition("[")[0] in SOUND:
        return SOUND[witness.partition("[")[0]]
    if witness not in SOUND:
        SOUND[witness] = run_fork(folder, [witness], False, 600.0) == 0
    return SOUND[witness]


class FirstFailure:
    """A plug of pytest that notes the test which noticed a mistake: one that fails without any is no witness.

    After so many seconds of processor time it begins no further test, and `stopped` says so.
    """

    def __init__(self, file: Path, most: float = inf) -> None:
        self.file, self.most, self.stopped = file, most, False
        file.unlink(missing_ok=True)

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """End the run where the time is over."""
        if time.process_time() > self.most:
            self.stopped = True
            item.session.shouldstop = "no time left"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the test."""
        if report.failed:
            self.file.write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note the file that could not even be loaded."""
        if report.failed:
            self.file.write_text(report.nodeid, encoding="utf-8")


def first_failure(folder: Path) -> str:
    """The test that the last fork in this folder ended with, if one failed."""
    file = folder / NOTE
    return file.read_text(encoding="utf-8") if file.exists() else ""


def run_fork(folder: Path, tests: list[str], quick: bool, limit: float, most: float = inf) -> int | None:
    """The exit code of pytest in a fork of this process.

    The limit is of processor time, so that on a busy machine nothing hangs that only waits for its turn; None where it
    waited WAITS times as long. Files of tests that this copy of the tree lacks are passed over: pytest would ask none.
    """
    tests = [test for test in tests if test.startswith("-") or (folder / test.partition("::")[0]).exists()]
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(limit), ceil(limit) + 10))
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.dont_write_bytecode = True
        os.environ |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{folder / 'src'}:{folder}"}
        os.environ |= {"PYTHONHASHSEED": "0"}
        sys.path[:0] = [str(folder / "src"), str(folder)]
        sys.path[:] = [path for path in sys.path if path not in ("", str(ROOT), str(ROOT / "src"))]
        for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "bayesfold")]:
            del sys.modules[name]
        options = [
            "-x",
            "-q",
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
            "-p",
            "no:cacheprovider",
            "-o",
            "python_functions=test_*",
            "-o",
            "python_classes=NoClassIsATest",  # a module that is named is looked through, and may call one `Tested`
            f"--rootdir={folder}",
            *(["--quick"] if quick and any(test.startswith("tests/") for test in tests) else []),  # conftest's option
        ]
        code, note = BROKEN, FirstFailure(folder / NOTE, most + time.process_time())
        try:
            code = int(pytest.main([*options, *tests], plugins=[note]))
            code = 0 if note.stopped and not first_failure(folder) else code
        finally:
            os._exit(code)
    deadline = time.monotonic() + WAITS * limit
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def read_lines(every: bool = False) -> dict:
    """Which tests run which line, as `trace` wrote it."""
    known: dict = json.loads(file_of(every).read_text(encoding="utf-8"))
    return known

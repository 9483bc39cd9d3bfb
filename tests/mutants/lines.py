"""Which tests run which line: the quick tier under coverage, folder by folder, kept in build/mutants/.

A folder that has been traced is not traced again, so that a trace that was cut off goes on; `--fresh` begins anew.
Lines that run in processes that a test starts are lines that are run, under no test's name.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from coverage import Coverage, CoverageData

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutants"
LEFT_OUT = ("tests/web/page", "tests/laws/test_spark.py", "tests/io/engines/test_spark_cluster.py", "tests/mutants")
"""Tests that start a browser or a cluster: they take too long to be asked about every line."""

FIRST = ("tally", "families", "models", "data", "decisions", "explanations", "learning", "networks", "store", "io")
FIRST += ("runtime", "kernels", "laws", "estimators", "oracles")
"""Folders of tests that are traced before the others: they say most about the rooms below the command and the page."""

PACKAGE = ROOT / "src" / "bayesfold"

SETTINGS = """[run]
source = {source}
omit = {source}/kernels/*
data_file = {data}
parallel = true
sigterm = true
patch =
    _exit
    fork
    subprocess
"""
"""Paths are whole ones, for processes in other folders; these leave their lines however they end, short of a kill."""


def trace(fresh: bool = False, every: bool = False) -> None:
    """Run the quick tier, or every case of all tests, under coverage, and write what was found to a file."""
    parts = parts_of(every)
    if fresh:
        shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True, exist_ok=True)
    for folder in folders_of_tests():
        found = parts / f"{folder.replace('/', '-')}.json"
        if not found.exists():
            found.write_text(json.dumps(trace_folder(folder, found, every)), "utf-8")
            write(every)
            print(f"traced {folder}", flush=True)


def parts_of(every: bool) -> Path:
    """Where the traces of folders are kept: of every case beside those of the quick tier."""
    return KEPT / ("every" if every else "trace")


def file_of(every: bool) -> Path:
    """Where all of them together are kept; mistakes are planted by the quick tier's."""
    return KEPT / ("every.json" if every else "lines.json")


def folders_of_tests() -> list[str]:
    """What is traced one after the other: the folders of tests, and the examples in the sources."""
    names = [
        f.name for f in sorted((ROOT / "tests").iterdir()) if f.is_dir() and f.name not in ("__pycache__", "mutants")
    ]
    first = [name for name in FIRST if name in names]
    return [f"tests/{name}" for name in dict.fromkeys([*first, *names])] + ["src/bayesfold"]


def trace_folder(folder: str, found: Path, every: bool = False) -> dict:
    """The tests of each line that a folder of tests runs, and how long and how well each test ran."""
    log, data = found.with_suffix(".log"), found.with_suffix(".coverage")
    command = ["-m", "pytest", "-q"]
    quick = not every and folder.startswith("tests/")  # conftest's option, which examples have no use for
    command += ["--quick", *(f"--ignore={path}" for path in LEFT_OUT)] if quick else []
    command += ["-p", "tests.mutants.lines", "-p", "no:cacheprovider", "--durations=0", "--durations-min=0"]
    command += [folder]
    with log.open("w", encoding="utf-8") as out:
        run_traced(command, ROOT, PACKAGE, data, out)
    return read_trace(log.read_text(encoding="utf-8"), data)


def run_traced(command: list[str], folder: Path, source: Path, data: Path, out: IO[str]) -> None:
    """Run what Python is told, and leave in `data` which lines of `source` it and the processes it starts run."""
    settings = data.with_suffix(".ini")
    settings.write_text(SETTINGS.format(source=source, data=data), encoding="utf-8")
    coverage = [sys.executable, "-m", "coverage"]
    for task in (["run", f"--rcfile={settings}", *command], ["combine", "--quiet", f"--rcfile={settings}"]):
        subprocess.run([*coverage, *task], cwd=folder, stdout=out, stderr=subprocess.STDOUT, check=False)


def read_trace(log: str, file: Path) -> dict:
    """What pytest and coverage left of one folder."""
    seconds: dict[str, float] = defaultdict(float)
    for time, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown)\s+(\S+?)(?:\[.*)?$", log, re.MULTILINE):
        seconds[test] += float(time)
    bad = {match.partition("[")[0] for match in re.findall(r"^(?:FAILED|ERROR) (\S+)", log, re.MULTILINE)}
    data = CoverageData(basename=str(file))
    data.read()
    lines: dict[str, dict[int, list[str]]] = {}
    for source in data.measured_files():
        path = str(Path(source).resolve().relative_to(ROOT))
        contexts = data.contexts_by_lineno(source)
        lines[path] = {line: sorted({*filter(None, tests)} - bad) for line, tests in contexts.items()}
    return {"lines": lines, "seconds": seconds, "bad": sorted(bad)}


def write(every: bool = False) -> None:
    """Put what the folders have told so far into one file."""
    lines: dict[str, dict[str, list[str]]] = {}
    seconds: dict[str, float] = {}
    bad: list[str] = []
    for file in sorted(parts_of(every).glob("*.json")):
        part = json.loads(file.read_text("utf-8"))
        seconds |= part["seconds"]
        bad += part["bad"]
        for path, of_path in part["lines"].items():
            mine = lines.setdefault(path, {})
            for line, tests in of_path.items():
                mine[line] = [*mine.get(line, []), *tests]
    together = file_of(every).with_suffix(".new")
    together.write_text(json.dumps({"lines": lines, "seconds": seconds, "bad": bad}), "utf-8")
    together.replace(file_of(every))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tell coverage which test runs; that tests are called `test_` would do, if hypothesis did not call others so."""
    if running := Coverage.current():
        running.switch_context(item.nodeid.partition("[")[0])
    result = yield
    if running:
        running.switch_context("")
    return result

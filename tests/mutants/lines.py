"""Which tests run which line: the quick tier under coverage, once, kept in build/mutants/."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutants"
LEFT_OUT = ("tests/web/page", "tests/laws/test_spark.py", "tests/io/engines/test_spark_cluster.py", "tests/mutants")
"""Tests that start a browser or a cluster: they take too long to be asked about every line."""

SETTINGS = """[run]
source = src/bayesfold
data_file = build/mutants/coverage
omit = src/bayesfold/kernels/*
"""


def trace() -> None:
    """Run the quick tier under coverage and write what it found to build/mutants/lines.json."""
    KEPT.mkdir(parents=True, exist_ok=True)
    settings, log = KEPT / "coverage.ini", KEPT / "quick.log"
    settings.write_text(SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q", "--quick"]
    command += ["-p", "tests.mutants.lines"]
    command += [
        "--durations=0",
        "--durations-min=0",
        "-p",
        "no:cacheprovider",
        *(f"--ignore={path}" for path in LEFT_OUT),
    ]
    with log.open("w", encoding="utf-8") as out:
        subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False)
    write()


def write() -> None:
    """Write the tests of each line, and how long and how well each test ran, from what coverage and pytest left."""
    text = (KEPT / "quick.log").read_text(encoding="utf-8")
    seconds: dict[str, float] = defaultdict(float)
    for time, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown)\s+(\S+?)(?:\[.*)?$", text, re.MULTILINE):
        seconds[test] += float(time)
    bad = {match.partition("[")[0] for match in re.findall(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE)}
    data = CoverageData(basename=str(KEPT / "coverage"))
    data.read()
    lines: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        path = str(Path(file).resolve().relative_to(ROOT))
        contexts = data.contexts_by_lineno(file)
        lines[path] = {line: sorted({*filter(None, found)} - bad) for line, found in contexts.items()}
    (KEPT / "lines.json").write_text(json.dumps({"lines": lines, "seconds": seconds, "bad": sorted(bad)}), "utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tell coverage which test runs; that tests are called `test_` would do, if hypothesis did not call others so."""
    if running := Coverage.current():
        running.switch_context(item.nodeid.partition("[")[0])
    result = yield
    if running:
        running.switch_context("")
    return result

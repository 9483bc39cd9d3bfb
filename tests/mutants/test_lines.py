"""Which lines are run: those of processes that a test starts too, however these end."""

import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from .lines import run_traced
from .not_run import not_run, summary

INNER = """def inner(how):
    if how == "returns":
        return 1
    if how == "forks":
        return 2
    if how == "exits":
        return 3
    if how == "ended":
        return 4
    return 5
"""

STARTS = f"""import os, pathlib, subprocess, sys
pathlib.Path("elsewhere").mkdir()
before = "import os, sys, time; sys.path.insert(0, '..'); from pack.inner import inner; "
for after in (
    "inner('returns')",
    "inner('exits'); os._exit(0)",
    "os.fork() or (inner('forks'), os._exit(0)); os.wait()",
    "inner('ended'); os.kill(os.getpid(), 15); time.sleep(60)",
):
    subprocess.run([{sys.executable!r}, "-c", before + after], cwd="elsewhere", check=False)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_lines_that_run_in_processes_of_a_test_are_run(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").touch()
    (tmp_path / "pack" / "inner.py").write_text(INNER, "utf-8")
    (tmp_path / "starts.py").write_text(STARTS, "utf-8")
    with (tmp_path / "log").open("w") as log:
        run_traced(["starts.py"], tmp_path, tmp_path / "pack", tmp_path / "data.coverage", log)
    data = CoverageData(basename=str(tmp_path / "data.coverage"))
    data.read()
    said = (tmp_path / "log").read_text("utf-8")
    lines = {Path(file).name: sorted(data.lines(file) or ()) for file in data.measured_files()}
    assert lines.get("inner.py") == [1, 2, 3, 4, 5, 6, 7, 8, 9], said


def test_what_is_not_run_is_told_by_package_and_of_a_package_that_is_named_by_line(tmp_path: Path) -> None:
    package = tmp_path / "src" / "bayesfold"
    for room, source in (("cli", INNER), ("io", INNER), ("kernels", "x = 1\n")):
        (package / room).mkdir(parents=True)
        (package / room / "inner.py").write_text(source, "utf-8")
    path = "src/bayesfold/cli/inner.py"
    known = {"lines": {path: {str(line): [] for line in (1, 2, 4, 6, 7, 8)}}}
    assert not_run(known, package)[path] == (10, [3, 5, 9, 10])
    assert summary(known, ("cli",), package).splitlines() == [
        f"{path}: 3, 5, 9-10",
        "cli: 60.0% of 10 lines",
        "io: 0.0% of 10 lines",
        "all: 30.0% of 20 lines",
    ]

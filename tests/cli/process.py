"""The command as a process of its own, and, where that is not the point, in this one."""

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import bayesfold
from bayesfold.cli._main import main

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "COLUMNS", "NO_COLOR")}
ENVIRONMENT["PYTHONPATH"] = str(Path(bayesfold.__file__).parents[1])  # the package that is tested, and no other
COMMAND = [sys.executable, "-m", "bayesfold.cli"]


def run(folder, *arguments, given=None, code=0):
    """Run the command; text in, text out, and the exit code as expected."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        env=ENVIRONMENT | {"PYTHONIOENCODING": "utf-8"},
        input=given if given is None or isinstance(given, bytes) else given.encode(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, f"{arguments}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done


def call(folder, *arguments, code=0):
    """The same in this process, which is quicker."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        found = main([str(a) for a in arguments])
    said = SimpleNamespace(stdout=out.buffer.getvalue().decode(), stderr=err.buffer.getvalue().decode())
    assert found == code, f"{arguments}: exit {found}\n{said.stdout}\n{said.stderr}"
    return said

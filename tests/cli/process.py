"""The command as a process of its own, in a folder of its own."""

import os
import subprocess
import sys

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "COLUMNS", "NO_COLOR", "PYTHONPATH")}
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

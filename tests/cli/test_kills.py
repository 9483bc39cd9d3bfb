"""The command, killed at any moment: a model file is the old one or the new one, and the same command ends the work."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.io.engines.tables import csv, mixed

from bayesfold.store import load

from .process import ENVIRONMENT

KILLS = 50 if os.environ.get("BAYESFOLD_SOAK") == "1" else 2
COLUMNS = ["colour", "zip", "size", "age", "y"]
ROWS = 150_000

COMMAND = """
import sys
from bayesfold.io import checkpoint
from bayesfold.io import sample as sampled
from bayesfold.cli._main import main
checkpoint.SECONDS = 0.0  # at every block
sampled.MOST_ROWS = 2_000
sys.exit(main(sys.argv[1:]))
"""


def started(folder, *arguments):
    command = [sys.executable, "-c", COMMAND, *arguments]
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def finished(folder, *arguments):
    """Seconds that the command takes when nobody kills it."""
    began = time.monotonic()
    process = started(folder, *arguments)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return time.monotonic() - began


def killed(folder, seconds, *arguments):
    process = started(folder, *arguments)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def same(a, b):
    """Whether two model files hold the same bits; when they were made may differ."""
    a, b = load(a), load(b)
    tallies = [
        np.array_equal(getattr(a.model_.tally, name), getattr(b.model_.tally, name))
        for name in ("counts", "sums", "weights")
    ]
    rows = [[(step.what, step.rows) for step in model.history] for model in (a, b)]
    return all(tallies) and a.model_.schema == b.model_.schema and rows[0] == rows[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two tables, a model of the first, and what the second makes of it, both made without a kill."""
    found = tmp_path_factory.mktemp("kills")
    table = mixed(2 * ROWS).select(COLUMNS)
    csv(table.slice(0, ROWS), found / "a.csv")
    csv(table.slice(ROWS), found / "b.csv")
    finished(found, "fit", "a.csv", "--target", "y", "--model", "naive", "-o", "first.bayes")
    finished(found, "update", "first.bayes", "b.csv", "-o", "both.bayes")
    return found


@pytest.mark.slow
def test_fit_with_a_checkpoint(folder):
    out, keep, old = folder / "fitted.bayes", folder / "count.bayes", folder / "both.bayes"
    told = ("fit", "a.csv", "--target", "y", "--model", "naive", "-o", out.name, "--checkpoint", keep.name)
    took = finished(folder, *told)
    assert same(out, folder / "first.bayes")
    assert not keep.exists()
    draw = np.random.default_rng(3)
    for _ in range(KILLS):
        out.write_bytes(old.read_bytes())
        killed(folder, float(draw.uniform(0.2, 1.0)) * took, *told)
        assert out.read_bytes() == old.read_bytes() or same(out, folder / "first.bayes")
        finished(folder, *told)
        assert same(out, folder / "first.bayes")
        assert not keep.exists()


@pytest.mark.slow
def test_update(folder):
    out, old = folder / "updated.bayes", folder / "first.bayes"
    told = ("update", out.name, "b.csv")
    out.write_bytes(old.read_bytes())
    took = finished(folder, *told)
    assert same(out, folder / "both.bayes")
    draw = np.random.default_rng(4)
    for _ in range(KILLS):
        out.write_bytes(old.read_bytes())
        killed(folder, float(draw.uniform(0.2, 1.0)) * took, *told)
        if out.read_bytes() == old.read_bytes():
            finished(folder, *told)
        assert same(out, folder / "both.bayes")

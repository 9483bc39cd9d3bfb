"""Processes at once, killed ones, counts that were interrupted: every row is learned once, whatever happened."""

import contextlib
import signal
import subprocess
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from tests.cli.process import COMMAND, ENVIRONMENT, call

from bayesfold import store
from bayesfold.io import checkpoint
from bayesfold.io import sample as sampled
from bayesfold.io.fit import learn_from
from bayesfold.learning.kinds import find

from .seeds import seeds


def check(seed: int, folder: Path) -> None:
    """All laws, with the numbers of this seed."""
    draw = np.random.default_rng([seed, 6])
    updates_at_once(draw, folder)
    interrupted(draw, folder)


def lines(draw: np.random.Generator, rows: int) -> list[str]:
    """Rows of a small table."""
    return [f"{draw.choice([*'uvw'])},{draw.normal():.3f},{draw.choice([*'np'])}" for _ in range(rows)]


def updates_at_once(draw: np.random.Generator, folder: Path) -> None:
    """Several processes change one model, and one of them may be killed: what the others said is there."""
    (folder / "t.csv").write_text("\n".join(["a,b,y", *lines(draw, 40), "u,1,n", "u,1,p"]), "utf-8")
    call(folder, "fit", "t.csv", "-t", "y", "-m", "naive", "-o", "m.bayes")
    sizes = [int(n) for n in draw.integers(1, 30, int(draw.integers(2, 5)))]
    running = []
    for i, size in enumerate(sizes):
        (folder / f"{i}.csv").write_text("\n".join(["a,b,y", *lines(draw, size)]), "utf-8")
        update = [*COMMAND, "update", "m.bayes", f"{i}.csv"]
        running.append(
            subprocess.Popen(update, cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        )
    killed = bool(draw.random() < 0.5)
    if killed:
        time.sleep(float(draw.uniform(0.1, 1.5)))
        running[0].send_signal(signal.SIGKILL)
    said = [process.communicate(timeout=300)[1] for process in running]
    assert all(process.returncode == 0 for process in running[killed:]), said
    rows, sure = store.load(folder / "m.bayes").rows, 42 + sum(sizes[killed:])
    assert rows in ({sure, sure + sizes[0]} if killed else {sure}), (rows, sizes, killed)


class Stopped(Exception):
    """The interruption."""


def interrupted(draw: np.random.Generator, folder: Path) -> None:
    """A count of files with blank lines that stops somewhere, and goes on, is the count of one that did not."""
    files, every = [], 0
    for k in range(int(draw.integers(1, 4))):
        rows, end = int(draw.integers(1, 90_000)), str(draw.choice(["\n", "\r\n"]))
        blank = int(draw.integers(2, 9))
        body = "".join(f"{i % 7},{'pq'[i * 7 % 3 % 2]}{end * (1 + (i % blank == 0))}" for i in range(rows))
        files.append(folder / f"c{k}.csv")
        files[-1].write_bytes(f"{end}a,y{end}{end}{body}{end * 2}".encode())
        every += rows
    stop, keep = int(draw.integers(1, every + 1)), folder / "count.bayes"

    def watcher(progress: Any) -> None:
        if progress.rows >= stop:
            raise Stopped

    told = find("naive")(), files, "y"
    with patch.object(sampled, "MOST_ROWS", 2_000), patch.object(checkpoint, "SECONDS", 0.0):
        with contextlib.suppress(Stopped):
            learn_from(*told, watcher=watcher, checkpoint=keep)
        again, account = learn_from(*told, checkpoint=keep)
        whole, _ = learn_from(*told)
    assert (account.rows, again.rows, whole.rows) == (every, every, every)
    np.testing.assert_array_equal(again.model_.tally.counts, whole.model_.tally.counts)
    np.testing.assert_array_equal(again.model_.tally.sums, whole.model_.tally.sums)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(20))
def test_any_interruption(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)

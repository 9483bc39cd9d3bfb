"""An interrupt at any moment, while modules are loaded too: one line, exit code 130, and files as they were."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from bayesfold.cli import _main

from .pets import pets, write
from .process import ENVIRONMENT, run

MOMENTS = 200 if os.environ.get("BAYESFOLD_SOAK") == "1" else 12
SCRIPT = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "  # shells may turn it off
    "from bayesfold.cli._main import main; print('ready', flush=True); sys.exit(main())"
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and pipes as POSIX has them")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("interrupts")
    write(found / "pets.csv", pets())
    run(found, "fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "pets.bayes")
    return found


def started(folder, *arguments):
    """A command that has begun."""
    begun = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert begun.stdout.readline() == b"ready\n"
    return begun


@pytest.mark.parametrize("moment", np.linspace(0.002, 1.2, MOMENTS).tolist())
def test_one_interrupt_is_enough(folder, moment):
    """The command waits for rows that never come: nothing else can end it."""
    before = sorted(os.listdir(folder))
    with started(folder, "predict", "pets.bayes", "-", "-o", "never.csv") as waits:
        time.sleep(moment)
        waits.send_signal(signal.SIGINT)
        assert waits.wait(60) == 130
        assert waits.stderr.read().strip() == b"bayesfold: stopped; files are as they were"
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("moment", np.linspace(0.1, 1.0, max(3, MOMENTS // 4)).tolist())
def test_a_model_is_the_old_or_the_new_one_and_the_line_says_which(folder, moment, tmp_path):
    out, old = tmp_path / "m.bayes", (folder / "pets.bayes").read_bytes()
    out.write_bytes(old)
    with started(folder, "update", str(out), "pets.csv") as works:
        time.sleep(moment)
        works.send_signal(signal.SIGINT)
        code, said = works.wait(60), works.stderr.read().decode()
    assert code in (0, 130), said
    if code == 130:
        assert said.endswith(("files are as they were\n", f"{out} was written before that\n")), said
        assert (out.read_bytes() == old) == said.endswith("as they were\n")
    else:
        assert out.read_bytes() != old
    assert os.listdir(tmp_path) == ["m.bayes"]


def test_who_handles_interrupts_otherwise_goes_on_doing_so(folder, monkeypatch):
    monkeypatch.chdir(folder)
    own = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert _main.main(["inspect", "pets.bayes"]) == 0
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, own)
    assert _main.main(["inspect", "pets.bayes"]) == 0
    assert signal.getsignal(signal.SIGINT) is own

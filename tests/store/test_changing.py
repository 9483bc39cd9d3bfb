"""Many processes change one model, and no row is lost; who was overtaken says so and writes nothing."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from tests.cli.pets import pets, write
from tests.cli.process import COMMAND, ENVIRONMENT, call

import bayesfold as bf
from bayesfold import store
from bayesfold.runtime.file_lock import Locked, locked
from bayesfold.store import Changed, changing

SOAK = os.environ.get("BAYESFOLD_SOAK") == "1"
ROUNDS, AT_ONCE = (20, 6) if SOAK else (2, 4)


@pytest.fixture
def folder(tmp_path):
    """A model of 60 pets, and 10 more."""
    write(tmp_path / "pets.csv", pets())
    write(tmp_path / "more.csv", pets(10, seed=3))
    call(tmp_path, "fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "m.bayes")
    return tmp_path


def started(folder, *arguments):
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_updates_at_once_are_all_learned(folder):
    for _ in range(ROUNDS):
        running = [started(folder, "update", "m.bayes", "more.csv") for _ in range(AT_ONCE)]
        for process in running:
            _, said = process.communicate(timeout=120)
            assert process.returncode == 0, said
    trained = store.load(folder / "m.bayes")
    assert trained.rows == 60 + 10 * ROUNDS * AT_ONCE
    assert len(trained.history) == 1 + ROUNDS * AT_ONCE
    running = [started(folder, "forget", "m.bayes", "more.csv") for _ in range(AT_ONCE)]
    assert [process.wait(120) for process in running] == [0] * AT_ONCE
    for process in running:
        process.stderr.close()
    assert store.load(folder / "m.bayes").rows == 60 + 10 * (ROUNDS - 1) * AT_ONCE
    assert not list(folder.glob(".*"))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX's")
def test_killed_among_others(folder):
    draw = np.random.default_rng(2)
    done = 0
    for _ in range(ROUNDS):
        running = [started(folder, "update", "m.bayes", "more.csv") for _ in range(AT_ONCE)]
        time.sleep(float(draw.uniform(0.2, 1.5)))
        running[0].send_signal(signal.SIGKILL)
        for process in running:
            process.communicate(timeout=120)
        done += sum(process.returncode == 0 for process in running[1:])
    rows = store.load(folder / "m.bayes").rows
    assert 60 + 10 * done <= rows <= 60 + 10 * (done + ROUNDS)
    assert done == ROUNDS * (AT_ONCE - 1)


def test_the_command_waits_or_says_that_it_will_not(folder):
    with locked(folder / "m.bayes"):
        said = call(folder, "update", "m.bayes", "more.csv", "--no-wait", code=1).stderr
        assert "m.bayes is being changed by another process; try again when it is done" in said
        assert "being changed" in call(folder, "forget", "m.bayes", "pets.csv", "--no-wait", code=1).stderr
        call(folder, "update", "m.bayes", "more.csv", "-o", "n.bayes")  # another file is nobody's
        waits = started(folder, "update", "m.bayes", "more.csv")
        assert "waiting: another process is changing m.bayes" in waits.stderr.readline()
    waits.communicate(timeout=60)
    assert waits.returncode == 0
    assert store.load(folder / "m.bayes").rows == 70


def test_what_another_program_wrote_is_not_undone(folder):
    path = folder / "m.bayes"
    with changing(path) as file:
        other = store.load(path)
        other.history = ()
        store.save(other, path)
        written = path.read_bytes()
        with pytest.raises(Changed, match=r"m.bayes was changed by another program since it was read; nothing was"):
            file.save(file.trained)
        path.unlink()
        with pytest.raises(Changed):
            file.save(file.trained)
        path.write_bytes(written)


def test_python_updates_a_file_that_others_update(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with bf.updating("m.bayes", source="two more") as clf:
        clf.partial_fit({"coat": ["long", "short"], "mass": [4.0, 20.0], "indoor": [True, False]}, ["cat", "dog"])
        with pytest.raises(Locked), bf.updating("m.bayes", wait=False):
            pass
    found = store.load("m.bayes")
    assert found.rows == 62
    assert found.history[-1].source == "two more"

    def fails():
        with bf.updating("m.bayes") as again:
            again.forget({"coat": ["long"], "mass": [4.0], "indoor": [True]}, ["cat"])
            raise KeyError("something else")

    before = (folder / "m.bayes").read_bytes()
    with pytest.raises(KeyError):
        fails()
    assert (folder / "m.bayes").read_bytes() == before
    assert not list(folder.glob(".*"))


def test_what_is_no_model_is_said_as_before(folder):
    assert "name the model first" in call(folder, "update", "pets.csv", "more.csv", "-o", "x.bayes", code=1).stderr
    assert "did you mean m.bayes?" in call(folder, "update", "mm.bayes", "more.csv", code=1).stderr

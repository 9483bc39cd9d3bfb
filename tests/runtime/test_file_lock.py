"""A lock is held by one, is freed with its process however that ends, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bayesfold.runtime import file_lock
from bayesfold.runtime.file_lock import Locked, locked

HOLDS = """
import sys, time
from bayesfold.runtime.file_lock import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


def test_one_holds_it_and_nothing_is_left(tmp_path):
    path = tmp_path / "m.bayes"
    with locked(path):
        with (
            pytest.raises(Locked, match=r"m.bayes is being changed by another process; try again"),
            locked(path, False),
        ):
            pass
        with locked(tmp_path / "other.bayes"):
            pass
    with locked(path, wait=False):
        pass
    assert os.listdir(tmp_path) == []


def test_a_link_has_the_lock_of_what_it_points_to(tmp_path):
    (tmp_path / "m.bayes").write_bytes(b"")
    (tmp_path / "link").symlink_to("m.bayes")
    with locked(tmp_path / "m.bayes"), pytest.raises(Locked), locked(tmp_path / "link", wait=False):
        pass


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX's")
def test_a_killed_process_holds_nobody_up(tmp_path):
    path = tmp_path / "m.bayes"
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(Locked), locked(path, wait=False):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert os.listdir(tmp_path) == [".m.bayes.lock"]
    with locked(path, wait=False):
        pass
    assert os.listdir(tmp_path) == []


def test_one_after_the_other_however_many_wait(tmp_path):
    path, inside, most = tmp_path / "m.bayes", [], []

    def work():
        for _ in range(20):
            with locked(path):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.0005)
                inside.pop()

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert (max(most), len(most)) == (1, 120)
    assert os.listdir(tmp_path) == []


def test_who_waits_says_so_once(tmp_path, monkeypatch):
    monkeypatch.setattr(file_lock, "SOON", 0.0)
    said, path = [], tmp_path / "m.bayes"
    holding, done = threading.Event(), threading.Event()

    def hold():
        with locked(path):
            holding.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    holding.wait()

    def waiting():
        said.append("waiting")
        done.set()

    with locked(path, waiting=waiting):
        pass
    holder.join()
    assert said == ["waiting"]


def test_who_waits_says_so_after_a_second(tmp_path, monkeypatch):
    now, said = [0.0], []
    monkeypatch.setattr(file_lock.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(file_lock.time, "sleep", lambda seconds: now.append(now.pop() + seconds))
    monkeypatch.setattr(file_lock, "try_to_lock", lambda place, held: now[0] > 5)
    with locked(tmp_path / "m.bayes", waiting=lambda: said.append(now[0])):
        pass
    assert said == [pytest.approx(1.0, abs=0.05)]


class Interrupt:
    """One interrupt, behind so many steps of the interpreter in the module of locks."""

    def __init__(self, steps):
        self.steps = steps

    def __call__(self, frame, event, arg):
        if frame.f_code.co_filename != file_lock.__file__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.steps -= 1
            if self.steps == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed elsewhere")
def test_an_interrupt_at_any_moment_leaves_nothing_behind(tmp_path):
    """In a thread of its own, so that whoever watches the lines of the tests goes on doing so."""

    def interrupted(steps):
        sys.settrace(Interrupt(steps))
        try:
            with locked(tmp_path / "m.bayes", wait=False):
                pass
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(None)
        return False

    with ThreadPoolExecutor(1) as thread:
        steps = 1
        while thread.submit(interrupted, steps).result():
            assert os.listdir(tmp_path) == [], f"step {steps}"
            steps += 1
    assert os.listdir(tmp_path) == []
    assert steps > 100


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed elsewhere")
def test_an_interrupt_of_who_waits_leaves_the_lock_to_who_holds_it(tmp_path, monkeypatch):
    def interrupted(seconds):
        raise KeyboardInterrupt

    path = tmp_path / "m.bayes"
    with locked(path):
        monkeypatch.setattr(file_lock.time, "sleep", interrupted)
        with pytest.raises(KeyboardInterrupt), locked(path):
            pass
        assert os.listdir(tmp_path) == [".m.bayes.lock"]
        with pytest.raises(Locked), locked(path, wait=False):
            pass
    assert os.listdir(tmp_path) == []


def test_a_file_system_without_locks(tmp_path, monkeypatch):
    def none(_):
        raise OSError(next(iter(file_lock.NO_LOCKS)), "no locks here")

    monkeypatch.setattr(file_lock, "lock_handle", none)
    with locked(tmp_path / "m.bayes", wait=False):
        pass
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are counted where the system lists them")
def test_a_lock_that_another_holds_leaves_no_file_open(tmp_path, monkeypatch):
    def held(handle):
        raise BlockingIOError

    monkeypatch.setattr(file_lock, "lock_handle", held)
    before = len(os.listdir("/proc/self/fd"))
    assert [file_lock.try_to_lock(tmp_path / "m.bayes.lock", []) for _ in range(20)] == [False] * 20
    assert len(os.listdir("/proc/self/fd")) < before + 20

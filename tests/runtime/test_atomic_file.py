"""A file is replaced whole, keeps its permissions, and stays as it was when something fails."""

import errno
import itertools
import os
import stat
import sys
import time
from contextlib import contextmanager

import pytest

from bayesfold.cli import _main
from bayesfold.runtime import atomic_file as atomic


def names(folder):
    return sorted(os.listdir(folder))


def test_a_new_file_has_the_permissions_that_any_new_file_has(tmp_path):
    atomic.write(tmp_path / "a", b"new")
    (tmp_path / "b").write_bytes(b"")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o400])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "模型 🐈 model"
    path.write_bytes(b"old")
    path.chmod(mode)
    atomic.write(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert names(tmp_path) == [path.name]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    atomic.write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step, error):
    path = tmp_path / "m"
    path.write_bytes(b"old")

    def fail(*_):
        raise error

    monkeypatch.setattr(atomic.os, step, fail)
    with pytest.raises(type(error)):
        atomic.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["m"]


def test_where_nothing_can_be_saved_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder '.*nowhere' to save in"):
        atomic.write(tmp_path / "nowhere" / "m", b"")
    with pytest.raises(OSError, match="is not a file, so nothing can be saved there"):
        atomic.write(tmp_path, b"")
    assert names(tmp_path) == []


def test_what_a_dead_writer_left_is_swept_away_after_a_while(tmp_path):
    path = tmp_path / "m"
    fresh, stale, other = (tmp_path / name for name in (f".m.{'a' * 16}.new", f".m.{'b' * 16}.new", ".m.mine.new"))
    for left in (fresh, stale, other):
        left.write_bytes(b"half")
    long_ago = time.time() - 2 * atomic.STALE
    for left in (stale, other):
        os.utime(left, (long_ago, long_ago))
    atomic.write(path, b"new")
    assert names(tmp_path) == sorted([fresh.name, other.name, "m"])


def test_the_longest_name_can_be_replaced(tmp_path):
    path = tmp_path / ("长" * 85)  # 255 bytes
    atomic.write(path, b"1")
    atomic.write(path, b"2")
    assert path.read_bytes() == b"2"


def test_a_full_disk_is_said_with_the_name_of_the_file(tmp_path):
    def fail():
        with atomic.replacing(tmp_path / "a.bayes"):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=r"cannot be written: No space left on device: '.*a.bayes'"):
        fail()
    assert names(tmp_path) == []


def test_an_error_of_reading_is_not_taken_for_one_of_writing(tmp_path):
    def fail():
        with atomic.replacing(tmp_path / "a.bayes"):
            raise OSError("Truncated compressed stream")

    with pytest.raises(OSError, match=r"^Truncated compressed stream$"):
        fail()


@pytest.mark.skipif(os.name != "posix", reason="limits are POSIX's")
def test_a_limit_of_the_system_names_the_file(tmp_path):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        with pytest.raises(OSError, match=r"cannot be written: File too large: '.*a.bayes'"):
            atomic.write(tmp_path / "a.bayes", b"x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names(tmp_path) == []


@pytest.mark.filterwarnings("ignore:Exception ignored in.*FileIO", "ignore:unclosed file")  # the process ends
def test_an_interrupt_at_any_line_leaves_the_old_file_or_the_new_one_and_it_is_known_which(tmp_path, monkeypatch):
    path = tmp_path / "m"
    monkeypatch.setattr(atomic, "WRITTEN", [])
    outcomes = set()
    for line in itertools.count():
        path.write_bytes(b"old")
        atomic.WRITTEN.clear()
        try:
            with interrupted_at(line, of=("atomic_file.py", "contextlib.py")):
                atomic.write(path, b"new")
        except KeyboardInterrupt:
            _main.remove_unfinished()
        assert names(tmp_path) == ["m"], line
        assert not atomic.UNFINISHED
        content = path.read_bytes()
        assert content == (b"new" if atomic.WRITTEN else b"old"), line
        outcomes.add(content)
        if not interrupted_at.happened:
            break
    assert line > 30
    assert outcomes == {b"old", b"new"}


@contextmanager
def interrupted_at(line, of):
    """Raise KeyboardInterrupt before the given line that is run in these files, unless the command would wait."""
    left = line
    interrupted_at.happened = False

    def trace(frame, event, _):
        nonlocal left
        if not frame.f_code.co_filename.endswith(of):
            return None
        if event == "line" and not interrupted_at.happened:
            left -= 1
            if left < 0 and not _main.drops_exceptions(frame):
                interrupted_at.happened = True
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.skipif(os.name != "posix", reason="folders can be synced where POSIX is")
def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_it_is_said_to_be_done(tmp_path, monkeypatch):
    done, fsync, put = [], os.fsync, os.replace

    def synced(handle):
        done.append(os.readlink(f"/proc/self/fd/{handle}") if os.path.exists("/proc/self/fd") else handle)
        fsync(handle)

    def replaced(fresh, place):
        done.append("replaced")
        put(fresh, place)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    atomic.write(tmp_path / "m", b"new")
    assert len(done) == 3
    assert done[1] == "replaced"
    if isinstance(done[0], str):
        assert done[0].endswith(".new")
        assert done[2] == str(tmp_path.resolve())

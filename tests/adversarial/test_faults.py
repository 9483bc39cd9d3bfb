"""What goes wrong around a call: a source that breaks off, a file that changes, a disk that is full, a folder that may
not be written to, a clock that jumps. The call fails with a sentence, and everything is as it was."""

import errno
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call
from tests.io.engines.tables import csv, mixed

import bayesfold as bf
from bayesfold.cli._main import main
from bayesfold.io import sample as sampled
from bayesfold.runtime import atomic_file

COLUMNS = ["colour", "size", "age", "y"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals, users and limits as POSIX has them")


class Broken(Exception):
    """What a user's own code raises."""


@pytest.fixture
def many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices on few rows, so that a table of some blocks is counted behind them."""
    monkeypatch.setattr(sampled, "MOST_ROWS", 2_000)


def breaking_off(table: pa.Table, after: int) -> Iterator[pa.RecordBatch]:
    """Batches of a table, and an error of the user's own after some of them."""
    for number, batch in enumerate(table.to_batches(max_chunksize=500)):
        if number == after:
            raise Broken("the database has gone away")
        yield batch


@pytest.mark.parametrize("after", [0, 1, 7])
def test_an_error_in_a_users_iterator_is_passed_on_and_changes_nothing(after: int, tmp_path: Path) -> None:
    table = mixed(5_000).select(COLUMNS)
    clf = bf.NaiveBayes().fit(table.drop_columns("y"), table.column("y"))
    before, threads = clf.predict_proba(table), threading.active_count()
    for act in (
        lambda: clf.fit_from(breaking_off(table, after), target="y"),
        lambda: clf.predict_from(breaking_off(table, after), tmp_path / "out.csv"),
    ):
        with pytest.raises(Broken, match="the database has gone away"):
            act()
    np.testing.assert_array_equal(clf.predict_proba(table), before)
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() <= threads + 2 * (os.cpu_count() or 1)  # a pool may have begun, and no reader stays


def test_an_error_in_a_users_progress_is_passed_on_and_changes_nothing(many_blocks: None, tmp_path: Path) -> None:
    path = csv(mixed(140_000).select(COLUMNS), tmp_path / "t.csv")
    table = mixed(300).select(COLUMNS)
    clf = bf.NaiveBayes().fit(table.drop_columns("y"), table.column("y"))
    before = clf.predict_proba(table)

    def progress(_: Any) -> None:
        raise Broken

    for act in (
        lambda: clf.fit_from(path, target="y", progress=progress),
        lambda: clf.predict_from(path, tmp_path / "out.csv", progress=progress),
    ):
        with pytest.raises(Broken):
            act()
    np.testing.assert_array_equal(clf.predict_proba(table), before)
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


WRITING = {
    "fit": ("fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "old.bayes"),
    "update": ("update", "m.bayes", "pets.csv", "-o", "old.bayes"),
    "predict": ("predict", "m.bayes", "pets.csv", "-o", "old.csv"),
    "predict packed": ("predict", "m.bayes", "pets.csv", "-o", "old.csv.gz"),
    "predict parquet": ("predict", "m.bayes", "pets.csv", "-o", "old.parquet"),
    "export": ("export", "m.bayes", "-o", "old.js"),
    "report": ("report", "m.bayes", "pets.csv", "-o", "old.html"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, a model of it, and every command run once, so that all they load is loaded."""
    found = tmp_path_factory.mktemp("faults")
    write(found / "pets.csv", pets())
    call(found, "fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "m.bayes")
    for arguments in WRITING.values():
        call(found, *arguments)
    return found


def in_a_child(folder: Path, lower: Callable[[], object], arguments: tuple[str, ...]) -> tuple[int, str]:
    """The exit code of the command and what it says, in a fork that has lowered its rights or limits."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.chdir(folder)
            with open(theirs, "w", encoding="utf-8") as sys.stderr:
                lower()
                code = main(list(arguments))
        finally:
            os._exit(code)
    os.close(theirs)
    with open(ours, encoding="utf-8") as lines:
        said = lines.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


@posix
@pytest.mark.parametrize("command", WRITING)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it is forked while threads wait
def test_a_full_disk_leaves_the_old_file(command: str, folder: Path) -> None:
    import resource

    out = folder / WRITING[command][-1]
    out.write_bytes(b"old")
    before = sorted(os.listdir(folder))
    code, said = in_a_child(folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)), WRITING[command])
    assert code == 1, said
    assert said.endswith(f"{out.name}: cannot be written: {os.strerror(errno.EFBIG)}\n")
    assert out.read_bytes() == b"old"
    assert sorted(os.listdir(folder)) == before


@posix
@pytest.mark.parametrize("command", WRITING)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_folder_that_may_not_be_written_to_is_named(command: str, folder: Path, tmp_path: Path) -> None:
    for name in ("m.bayes", "pets.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    for parent in tmp_path.parents:  # others may come here: a worker of pytest's has a folder of its own in between
        if parent == Path(tempfile.gettempdir()):
            break
        parent.chmod(0o755)
    tmp_path.chmod(0o555)
    nobody = 65534
    try:
        code, said = in_a_child(tmp_path, lambda: os.setuid(nobody) if os.getuid() == 0 else None, WRITING[command])
    finally:
        tmp_path.chmod(0o755)
    assert code == 1, said
    assert said.endswith(f"{WRITING[command][-1]}: cannot be written: {os.strerror(errno.EACCES)}\n")
    assert sorted(os.listdir(tmp_path)) == ["m.bayes", "pets.csv"]


@pytest.mark.parametrize("seconds", [-10 * atomic_file.STALE, 10 * atomic_file.STALE])
def test_a_clock_that_jumps_while_a_file_is_written_loses_no_whole_file(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another writer may take the first one's half file for one of the dead; then the first fails, and says so."""
    path, now = tmp_path / "m.bayes", time.time
    path.write_bytes(b"old")
    outcome = ""
    try:
        with atomic_file.replacing(path) as file:
            file.write(b"first")
            monkeypatch.setattr(time, "time", lambda: now() + seconds)
            atomic_file.write(path, b"second")
    except OSError as error:
        outcome = str(error)
    assert path.read_bytes() == (b"second" if outcome else b"first")
    assert not outcome or "m.bayes" in outcome
    assert os.listdir(tmp_path) == ["m.bayes"]

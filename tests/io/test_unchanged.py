"""A file that is written while it is read is refused, and nothing has changed: not the model, and no file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call
from tests.io.engines.tables import csv, mixed

import bayesfold as bf
from bayesfold.cli._main import main
from bayesfold.io import sample as sampled
from bayesfold.learning.trained import Trained

COLUMNS = ["colour", "size", "age", "y"]


@pytest.fixture
def many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices on few rows, so that a table of some blocks is counted behind them."""
    monkeypatch.setattr(sampled, "MOST_ROWS", 2_000)


def replaced(path: Path, text: bytes) -> None:
    """Put another file of the same name in its place, as programs do that write whole files."""
    path.with_suffix(".new").write_bytes(text)
    path.with_suffix(".new").replace(path)


CHANGES: dict[str, Callable[[Path, bytes], object]] = {
    "replaced": lambda path, text: replaced(path, text),
    "written over": lambda path, text: path.write_bytes(text.swapcase()),
    "appended to": lambda path, text: path.write_bytes(text + b"r,1,1,a\n"),
    "made shorter": lambda path, text: path.write_bytes(text[: len(text) // 2]),
    "removed": lambda path, _: path.unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_while_it_is_read_is_refused(change: str, many_blocks: None, tmp_path: Path) -> None:
    path = csv(mixed(140_000).select(COLUMNS), tmp_path / "t.csv")
    table = mixed(300).select(COLUMNS)
    clf = bf.NaiveBayes().fit(table.drop_columns("y"), table.column("y"))
    before, text, told = clf.predict_proba(table), path.read_bytes(), []

    def progress(_: Any) -> None:
        if not told:
            CHANGES[change](path, text)
            told.append(change)

    for act in (
        lambda: clf.fit_from(path, target="y", progress=progress),
        lambda: clf.predict_from(path, tmp_path / "out.csv", progress=progress),
    ):
        path.write_bytes(text)
        told.clear()
        with pytest.raises((ValueError, OSError), match=r"t\.csv"):
            act()
        assert told
    np.testing.assert_array_equal(clf.predict_proba(table), before)
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_changes_while_a_model_learns_or_forgets_it_leaves_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "pets.csv", pets())
    call(tmp_path, "fit", "pets.csv", "-t", "pet", "-m", "naive", "-o", "m.bayes")
    old, text = (tmp_path / "m.bayes").read_bytes(), (tmp_path / "pets.csv").read_bytes()
    monkeypatch.chdir(tmp_path)
    for verb, command in (("learn", "update"), ("forget", "forget")):
        own = getattr(Trained, verb)

        def changing(self: Any, *arguments: Any, own: Any = own, **options: Any) -> Any:
            replaced(Path("pets.csv"), text)
            return own(self, *arguments, **options)

        with monkeypatch.context() as patched:
            patched.setattr(Trained, verb, changing)
            assert main([command, "m.bayes", "pets.csv"]) == 1
        assert "pets.csv was changed while it was read" in capsys.readouterr().err
        assert (tmp_path / "m.bayes").read_bytes() == old

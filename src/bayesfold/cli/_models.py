"""Model files: read with a word of advice, written whole or not at all, with a note of where the rows came from."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bayesfold.cli._names import existing
from bayesfold.data.frame import Level
from bayesfold.learning.trained import Step, Trained
from bayesfold.store import Unreadable, load, save

ENDING = ".bayes"


def load_model(path: str, target: str | None = None) -> Trained:
    """The model in a file; `target` is what the column of the classes is called, if not as the model says."""
    try:
        found = load(existing(path, (ENDING,)))
    except Unreadable:
        if path.endswith(ENDING):
            raise
        raise ValueError(
            f"{path} is no model; name the model first, a file that ends in {ENDING}, then tables"
        ) from None
    return found if target is None else replace(found, target=target)


def save_model(trained: Trained, path: str, step: Step | None = None) -> bool:
    """Write a model, `step` noted as the last thing that happened to it; whether a file of that name was replaced."""
    there = Path(path).exists()
    save(trained if step is None else replace(trained, history=(*trained.history, step)), path)
    return there


def counts(trained: Trained) -> dict[Level, int]:
    """Rows of each class."""
    return dict(zip(trained.model_.classes, trained.model_.class_counts().tolist(), strict=True))


def named(path: str) -> str:
    """A name for a model's file: with another ending it could be a table's, or be taken for one."""
    if not path.endswith(ENDING):
        raise ValueError(
            f"{path}: the name of a model's file ends in {ENDING}, for example -o {Path(path).stem}{ENDING}"
        )
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {Path(path).parent}")
    return path


def step(what: str, rows: int, source: str) -> Step:
    """What happens now."""
    return Step(what, rows, source, datetime.now(UTC).isoformat(timespec="seconds"))


def default_name(paths: list[str]) -> str:
    """patients.csv.gz becomes patients.bayes, in the folder where one works; a stream has no name to take.

    >>> default_name(["data/patients.csv.gz"]), default_name(["-"])
    ('patients.bayes', 'model.bayes')
    """
    name = Path(paths[0]).name.removesuffix(".gz")
    stem = "" if paths[0] == "-" else name.rsplit(".", 1)[0].strip("*?[]{}")
    return f"{stem or 'model'}{ENDING}"

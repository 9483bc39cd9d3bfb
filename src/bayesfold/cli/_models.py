"""Model files: read with a word of advice, written whole or not at all, with a note of where the rows came from."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bayesfold.cli._names import existing
from bayesfold.store import load, save
from bayesfold.trained import Step, Trained

ENDING = ".bayes"


def load_model(path: str) -> Trained:
    """The model in a file."""
    return load(existing(path, (ENDING,)))


def save_model(trained: Trained, path: str, step: Step | None = None) -> bool:
    """Write a model, `step` noted as the last thing that happened to it; whether a file of that name was replaced."""
    there = Path(path).exists()
    save(trained if step is None else replace(trained, history=(*trained.history, step)), path)
    return there


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

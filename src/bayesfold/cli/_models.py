"""Model files: read with a word of advice, written whole or not at all, with a note of where the rows came from."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bayesfold.cli._names import find_file
from bayesfold.cli._words import remark
from bayesfold.data.frame import Level
from bayesfold.learning.trained import Step, Trained
from bayesfold.store import Unreadable, changing, load, save

ENDING = ".bayes"
Save = Callable[[Trained, Step], object]
"""Saves a model, with an entry for its history."""


def load_model(path: str, target: str | None = None) -> Trained:
    """The model in a file; `target` is what the column of the classes is called, if not as the model says."""
    with advise_on_models(path):
        trained = load(find_file(path, (ENDING,)))
    return called(trained, target)


@contextmanager
def advise_on_models(path: str) -> Iterator[None]:
    """Say, where a file is not a model, that the model comes first."""
    try:
        yield
    except Unreadable:
        if path.endswith(ENDING):
            raise
        raise ValueError(
            f"{path} is not a model; name the model first, a file that ends in {ENDING}, then tables"
        ) from None


@contextmanager
def changing_model(model: str, out: str, target: str | None, wait: bool) -> Iterator[tuple[Trained, Save]]:
    """A model, and what saves it when it has changed; in its own place, it is nobody else's from now until then."""
    if os.path.realpath(model) != os.path.realpath(out):
        learned = load_model(model)
        own = learned.target  # the model goes on to predict what it does, whatever these tables call it
        yield called(learned, target), lambda trained, step: save_model(called(trained, own), out, step)
        return
    path = find_file(model, (ENDING,))
    said = partial(remark, f"waiting: another process is changing {model}")
    with ExitStack() as stack:
        with advise_on_models(model):
            file = stack.enter_context(changing(path, wait, said))
        own = file.trained.target

        def save_changed(trained: Trained, step: Step) -> None:
            file.save(replace(called(trained, own), history=(*trained.history, step)))

        yield called(file.trained, target), save_changed


def called(trained: Trained, target: str | None) -> Trained:
    """The model, the column of its classes being called so; as it is called, where that is None."""
    return trained if target in (None, trained.target) else replace(trained, target=target)


def save_model(trained: Trained, path: str, step: Step | None = None) -> bool:
    """Write a model, with `step` as the last entry of its history; whether a file of that name was replaced."""
    there = Path(path).exists()
    save(trained if step is None else replace(trained, history=(*trained.history, step)), path)
    return there


def class_counts(trained: Trained) -> dict[Level, int]:
    """Rows of each class."""
    return dict(zip(trained.model_.classes, trained.model_.class_counts().tolist(), strict=True))


def check_model_name(path: str) -> str:
    """The name of a model's file, checked: with another ending it could be a table's, or be taken for one."""
    if not path.endswith(ENDING):
        raise ValueError(
            f"{path}: the name of a model's file ends in {ENDING}, for example -o {Path(path).stem}{ENDING}"
        )
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {Path(path).parent}")
    return path


def make_step(what: str, rows: int, source: str, digests: Iterable[str] = ()) -> Step:
    """An entry for the history of a model, dated now."""
    return Step(what, rows, source, datetime.now(UTC).isoformat(timespec="seconds"), tuple(digests))


def default_name(paths: list[str]) -> str:
    """patients.csv.gz becomes patients.bayes, in the folder where one works; a stream has no name to take.

    >>> default_name(["data/patients.csv.gz"]), default_name(["-"])
    ('patients.bayes', 'model.bayes')
    """
    name = Path(paths[0]).name.removesuffix(".gz")
    stem = "" if paths[0] == "-" else name.rsplit(".", 1)[0].strip("*?[]{}")
    return f"{stem or 'model'}{ENDING}"

"""A model in a file that is read, changed and written again, by one process at a time.

>>> from tempfile import TemporaryDirectory
>>> from bayesfold.data.frame import Frame
>>> from bayesfold.learning.trained import find, train
>>> from bayesfold.store import load, save
>>> pets = Frame.of({"coat": ["short", "long", "short", "short"]})
>>> with TemporaryDirectory() as folder:
...     path = f"{folder}/pets.bayes"
...     save(train(find("naive")(), pets, ["cat", "cat", "dog", "dog"], "pet"), path)
...     with changing(path) as file:
...         file.trained.learn(Frame.of({"coat": ["curly"]}), ["dog"])
...         file.save(file.trained)
...     load(path).rows
5
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bayesfold.learning.trained import Trained
from bayesfold.runtime.file_lock import locked
from bayesfold.store.file import read_model, save

Name = str | os.PathLike[str]


class Changed(RuntimeError):
    """A file that is no longer the one that was read: to write it would undo what another has done."""


@dataclass(frozen=True)
class Changing:
    """A model that was read from a file, which nobody else changes meanwhile."""

    path: Name
    trained: Trained
    digest: bytes

    def save(self, trained: Trained) -> None:
        """Put a model in the place of the one that was read, if that is still there."""
        if self.digest != digest_of_bytes(self.path):
            raise Changed(
                f"{os.fspath(self.path)} was changed by another program since it was read; nothing was written. Load "
                "the model again and repeat the change"
            )
        save(trained, self.path)


@contextmanager
def changing(path: Name, wait: bool = True, waiting: Callable[[], None] | None = None) -> Iterator[Changing]:
    """The model in a file, locked from before it is read until it is written; others wait, or without `wait` fail.

    `waiting` is called once where it takes a moment until the lock is ours.
    """
    with locked(path, wait, waiting):
        data = Path(path).read_bytes()
        yield Changing(path, read_model(path, data)[0], hashlib.sha256(data).digest())


def digest_of_bytes(path: Name) -> bytes:
    """A digest of a file's bytes; that of no bytes where the file is gone."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except FileNotFoundError:
        return b""

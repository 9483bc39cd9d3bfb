"""The models that can be asked, by name: read from files when the server starts, or made while it runs.

A name is a key of a dict, never a path. A request that has taken an entry keeps it, so an entry can be replaced at any
moment: what is being answered is answered by the old one.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from bayesfold.learning.trained import Trained
from bayesfold.networks.files import examples, read_states
from bayesfold.networks.network import BayesianNetwork
from bayesfold.store import load
from bayesfold.store.to_network import to_network
from bayesfold.web.server.problems import Problem

MODEL = ".bayes"


@dataclass(frozen=True)
class Entry:
    """A classifier, a network, or a classifier that is a network too; `path` is the file it was read from, if any.

    One question at a time is put to an entry: models keep tables that they work out when they are first needed.
    """

    name: str
    trained: Trained | None = None
    network: BayesianNetwork | None = None
    path: Path | None = None
    signature: tuple[int, ...] = ()
    version: int = 1
    made: bool = False  # here, while the server ran
    strength: Mapping[tuple[str, str], float] = field(default_factory=dict)  # of arcs that were learned
    learned: str = ""  # the id of the table that it was learned from here
    lock: Any = field(default_factory=RLock, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """What it is, in a word."""
        return "network" if self.trained is None else "classifier"

    def classifier(self) -> Trained:
        """The classifier, or a problem."""
        if self.trained is None:
            raise Problem("not-possible", f"{self.name} is a network: ask it with query, beliefs or dsep")
        return self.trained

    def net(self) -> BayesianNetwork:
        """The network, or a problem."""
        network = self.network or self._as_network
        if isinstance(network, str):
            raise Problem("not-possible", f"{self.name} is a classifier, not a network: {network}")
        return network

    @cached_property
    def _as_network(self) -> BayesianNetwork | str:
        """The classifier as a network, or why it is none."""
        try:
            return to_network(self.classifier().model_)
        except ValueError as error:
            return str(error)


@dataclass
class Shelf:
    """Entries by name; of those that were made while the server ran, `most` are kept."""

    entries: dict[str, Entry] = field(default_factory=dict)
    most: int = 32
    _lock: Lock = field(default_factory=Lock)
    _changes: dict[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Entry]:
        return iter(list(self.entries.values()))

    def find(self, name: str) -> Entry:
        """The entry of that name, or a problem that says which there are."""
        entry = self.entries.get(name)
        if entry is None:
            near = get_close_matches(name, self.entries, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, self.entries)) or 'none'}"
            raise Problem("not-found", f"there is no model {name!r}; {hint}")
        return entry

    @contextmanager
    def changing(self, name: str) -> Iterator[Entry]:
        """The entry of that name as it is once it is our turn; no other request changes it meanwhile.

        An entry that was taken before the turn may be an old one, and what others have changed would be undone by it.
        """
        self.find(name)
        with self._changes.setdefault(name, RLock()):
            entry = self.find(name)
            with entry.lock:
                yield entry

    def put(self, entry: Entry) -> Entry:
        """Add an entry, under a name that none has yet."""
        with self._lock:
            if entry.made and sum(e.made for e in self) >= self.most:
                raise Problem("not-now", f"{self.most} models that were made here are kept; remove one first")
            name, number = entry.name, 2
            while name in self.entries:
                name, number = f"{entry.name} {number}", number + 1
            self.entries[name] = replace(entry, name=name)
            return self.entries[name]

    def swap(self, entry: Entry) -> Entry:
        """Put an entry in the place of the one of the same name; requests that have that one keep it."""
        with self._lock:
            fresh = replace(entry, version=self.find(entry.name).version + 1)
            self.entries[entry.name] = fresh
            return fresh

    def swap_if_still(self, old: Entry, entry: Entry, version: int) -> bool:
        """Put an entry in the place of an old one, unless another stands there by now; whether it was put there."""
        with self._lock:
            still = self.entries.get(old.name) is old
            if still:
                self.entries[old.name] = replace(entry, version=version)
            return still

    def remove(self, name: str) -> None:
        """Remove what was made here."""
        if not self.find(name).made:
            raise Problem("forbidden", f"{name} was not made here; the server was told to serve it")
        with self._lock:
            self.entries.pop(name, None)


def make_shelf(paths: tuple[str, ...], most: int = 32) -> Shelf:
    """A shelf of what these files hold."""
    shelf = Shelf(most=most)
    for path in paths:
        shelf.put(read_entry(path))
    return shelf


def read_entry(path: str) -> Entry:
    """A model, a network, or a built-in network by its name."""
    if path in examples():
        return Entry(path, network=read_states(path))
    file = Path(path).absolute()
    seen = signature(file)
    name = file.name.removesuffix(".gz").rsplit(".", 1)[0]
    if file.suffix == MODEL:
        return Entry(name, trained=load(file), path=file, signature=seen)
    network = read_states(file)
    network.complete()
    return Entry(name, network=network, path=file, signature=seen)


def signature(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced or written."""
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino

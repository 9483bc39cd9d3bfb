"""Plugs: files of a folder that are found by their name. The file's name is the key, and nothing is registered.

>>> formats = Plugs("bayesfold.networks.formats", "network format")
>>> formats.names()[:2], formats.load("bif").__name__
(['bif', 'json'], 'bayesfold.networks.formats.bif')
>>> formats.load("bff")
Traceback (most recent call last):
ValueError: there is no network format 'bff'; did you mean 'bif'? There are bif, json, net, uai, xdsl, xmlbif
"""

import sys
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, NamedTuple

from bayesfold.runtime.messages import nearest

if TYPE_CHECKING:
    from pathlib import Path


class Plugs(NamedTuple):
    """The files of a package, but those that begin with an underscore; `kind` is what messages call one of them."""

    package: str
    kind: str

    def names(self) -> list[str]:
        """Every plug, by file name, without importing any; a folder that joins `__path__` brings its own."""
        loaded = sys.modules.get(self.package)
        spec = find_spec(self.package) if loaded is None else None
        folders = loaded.__path__ if loaded is not None else spec and spec.submodule_search_locations
        return list(plug_names(tuple(folders or ())))

    def load(self, name: str) -> Any:
        """The module in the file of that name."""
        if name not in self.names():
            near = nearest(name, self.names())
            hint = "there are" if near is None else f"did you mean {near!r}? There are"
            raise ValueError(f"there is no {self.kind} {name!r}; {hint} {', '.join(self.names())}")
        return import_module(f"{self.package}.{name}")

    def load_class(self, name: str) -> Any:
        """The class in the file of that name, which is called so: `m_estimate` has `MEstimate`."""
        return getattr(self.load(name), name.title().replace("_", ""))

    def attribute(self, name: str) -> Any:
        """The module of that name for a package's `__getattr__`: `families.gaussian` needs no import of its own."""
        if name not in self.names():
            raise AttributeError(f"module {self.package!r} has no attribute {name!r}")
        return import_module(f"{self.package}.{name}")

    def for_path(self, path: "str | Path", ignored: Iterable[str] = ()) -> Any:
        """The module whose SUFFIXES have a file's ending; endings in `ignored` (".gz") are passed over."""
        from pathlib import Path  # the list of commands does without

        endings = [s for s in map(str.lower, Path(path).suffixes) if s not in ignored]
        ending = endings[-1] if endings else ""
        for name in sorted(self.names(), key=lambda name: f".{name}" != ending):  # the likeliest first: none in vain
            if ending in self.load(name).SUFFIXES:
                return self.load(name)
        known = ", ".join(suffix for name in self.names() for suffix in self.load(name).SUFFIXES)
        also = f" (and each with {' or '.join(ignored)})" if ignored else ""
        raise ValueError(f"{Path(path).name!r} does not end like any {self.kind}; the endings are {known}{also}")


@cache
def plug_names(folders: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the plugs in these folders, without those that begin with an underscore."""
    return tuple(sorted(module.name for module in iter_modules(folders) if not module.name.startswith("_")))

"""Network files, one format a file; `find` loads by name and `for_path` by a file's ending.

Each has SUFFIXES, `read(data, file) -> BayesianNetwork`, whose warnings name the file, and `write(network) -> str`.

>>> find("bif").SUFFIXES
('.bif',)
>>> for_path("asia.xml.gz").__name__
'bayesfold.networks.formats.xmlbif'
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any


@cache
def find(name: str) -> Any:
    """The format in the file of that name."""
    if name not in names():
        raise ValueError(f"there is no network format {name!r}; there are {', '.join(names())}")
    return import_module(f"bayesfold.networks.formats.{name}")


@cache
def names() -> list[str]:
    """Every format, by file name."""
    return sorted(module.name for module in iter_modules(__path__))


def for_path(path: str | Path) -> Any:
    """The format of a file by how its name ends, .gz aside."""
    suffixes = [s.lower() for s in Path(path).suffixes if s.lower() != ".gz"]
    for name in names():
        if suffixes and suffixes[-1] in find(name).SUFFIXES:
            return find(name)
    every = ", ".join(suffix for name in names() for suffix in find(name).SUFFIXES)
    raise ValueError(
        f"{Path(path).name!r} does not end like a network file; the endings are {every} (and each with .gz)"
    )

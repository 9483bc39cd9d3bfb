"""Which columns depend on which: one file a structure, `find` loads by name.

>>> find("naive").__name__
'Naive'
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


@cache
def find(name: str) -> Any:
    """The structure class in the file of that name."""
    if name not in names():
        raise ValueError(f"there is no structure {name!r}; there are {', '.join(names())}")
    return getattr(import_module(f"bayesfold.models.structures.{name}"), name.title().replace("_", ""))


@cache
def names() -> list[str]:
    """Every structure, by file name."""
    return sorted(module.name for module in iter_modules(__path__))

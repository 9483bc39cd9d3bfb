"""What each kind of classifier may be told, and how it learns: one file a kind, `find` loads by name.

The estimators are thin shells over these settings, and the command and saved models use them as they are: nothing here
knows scikit-learn.

>>> find("kdb")().k
2
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from bayesfold.learning.kinds._settings import COUNTS, Learned, Settings

__all__ = ["COUNTS", "Learned", "Settings", "find", "name_of", "names"]


@cache
def find(name: str) -> type[Settings]:
    """The settings in the file of that name."""
    if name not in names():
        raise ValueError(f"there is no kind of model {name!r}; there are {', '.join(names())}")
    found: type[Settings] = import_module(f"bayesfold.learning.kinds.{name}").KIND
    return found


@cache
def names() -> list[str]:
    """Every kind, by file name."""
    return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def name_of(settings: Settings) -> str:
    """The name under which `find` has these settings."""
    return type(settings).__module__.rpartition(".")[2]

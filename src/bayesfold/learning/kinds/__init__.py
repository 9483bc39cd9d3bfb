"""What each kind of classifier may be told, and how it learns: one file a kind, `find` loads by name.

The estimators are thin shells over these settings, and the command and saved models use them as they are: nothing here
knows scikit-learn.

>>> find("kdb")().k
2
"""

from bayesfold.learning.kinds._settings import COUNTS, Learned, Settings, are_copies
from bayesfold.runtime.registry import Plugs

__all__ = ["COUNTS", "PLUGS", "Learned", "Settings", "are_copies", "find", "name_of", "names"]

PLUGS = Plugs(__name__, "kind of model")
names = PLUGS.names


def find(name: str) -> type[Settings]:
    """The settings in the file of that name."""
    settings: type[Settings] = PLUGS.load(name).KIND
    return settings


def name_of(settings: Settings) -> str:
    """The name under which `find` has these settings."""
    return type(settings).__module__.rpartition(".")[2]

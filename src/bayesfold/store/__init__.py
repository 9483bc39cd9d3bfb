"""Models in files: one `.bayes` file is a model that can go on learning, forgetting and merging after it is loaded.

A file holds the statistic and what was told and chosen, nothing else: no rows, no code. It is written whole or not at
all, and read with suspicion: whatever is wrong with a file is an `Unreadable`, which is a `ValueError`.

>>> from tempfile import TemporaryDirectory
>>> from bayesfold.data.frame import Frame
>>> from bayesfold.learning.trained import find, train
>>> pets = Frame.of({"coat": ["short", "long", "short", "short"], "size": ["s", "s", "l", "l"]})
>>> with TemporaryDirectory() as folder:
...     save(train(find("naive")(), pets, ["cat", "cat", "dog", "dog"], "pet"), f"{folder}/pets.bayes")
...     load(f"{folder}/pets.bayes").classes_.tolist()
['cat', 'dog']

A checkpoint keeps more beside the model: `save(trained, path, extra={"position": 65_536})`, then
`trained, extra = load_with(path)`. `extra` may be whatever a model may be told: text, numbers, lists, dicts, arrays.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayesfold.store.changing import Changed, Changing, changing
from bayesfold.store.file import load, load_any, load_with, save, save_network
from bayesfold.store.unreadable import Unreadable

if TYPE_CHECKING:  # what `__getattr__` gives, for those who read types
    from bayesfold.store.inspection import Inspection, inspect
    from bayesfold.store.network_content import NetworkContent

_HOME = {"Inspection": "inspection", "NetworkContent": "network_content", "inspect": "inspection"}

__all__ = [
    "Changed",
    "Changing",
    "Inspection",
    "NetworkContent",
    "Unreadable",
    "changing",
    "inspect",
    "load",
    "load_any",
    "load_with",
    "save",
    "save_network",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load what most readers of a file do without when it is first used."""
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value

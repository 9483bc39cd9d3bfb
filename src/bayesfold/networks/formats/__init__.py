"""Network files, one format per file; `find` loads by name and `for_path` by a file's ending.

Each has SUFFIXES, `read(data, file) -> BayesianNetwork`, whose warnings name the file, and `write(network) -> str`.
One with NUMBERS = True reads and writes a `MixedNetwork` too; the others are never given one.

>>> find("bif").SUFFIXES
('.bif',)
>>> for_path("asia.xml.gz").__name__
'bayesfold.networks.formats.xmlbif'
"""

from pathlib import Path
from typing import Any

from bayesfold.runtime.registry import Plugs

PLUGS = Plugs(__name__, "network format")
names, find = PLUGS.names, PLUGS.load


def for_path(path: str | Path) -> Any:
    """The format of a file by how its name ends, .gz aside."""
    return PLUGS.for_path(path, ignored=(".gz",))

"""Which columns depend on which: one file per structure; `find` loads by name.

Each has a dataclass with `learn(schema, count) -> Mixture`, where `count(cliques)` is a tally of the rows. A class
method `sizes()`, if it has one, is what to choose from where nothing is said: structures of the same kind, ever larger,
each with `k`, the most features that a column depends on.

>>> find("naive").__name__, unaided()
('Naive', ('aode', 'kdb', 'naive', 'tan'))
"""

from dataclasses import MISSING, fields
from typing import Any

from bayesfold.runtime.registry import Plugs

PLUGS = Plugs(__name__, "structure")
names, find = PLUGS.names, PLUGS.load_class


def unaided() -> tuple[str, ...]:
    """The structures that need no parameters."""
    return tuple(
        name
        for name in names()
        if all(f.default is not MISSING or f.default_factory is not MISSING for f in fields(find(name)))
    )


def sizes(name: str) -> tuple[Any, ...]:
    """The variants of a structure to choose from, where no parameters are given."""
    structure = find(name)
    return structure.sizes() if hasattr(structure, "sizes") else (structure(),)

"""The classes that a file may name: our own, each found by a word, and no others.

A file says "Node" or "family gaussian"; it never says where code is. A subclass is another class, and is refused.

>>> class_named("family gaussian").__name__, word_for(class_named("Node")(("x",)))
('Gaussian', 'Node')
"""

from functools import cache
from importlib import import_module
from typing import Any

from bayesfold import families
from bayesfold.learning import kinds

HOMES = {
    "Analyser": "data.text.tokenizer",
    "Binned": "data.encodings",
    "Calibration": "models.calibration",
    "Categories": "data.encodings",
    "Clique": "tally.statistic",
    "ColumnReport": "learning.column_table",
    "Content": "store.content",
    "Counts": "data.encodings",
    "DropIn": "learning.trained",
    "Flag": "data.vector",
    "Joined": "store.content",
    "Landmarks": "data.landmarks",
    "Measure": "decisions.measure",
    "Mixture": "data.graph",
    "NetworkContent": "store.network_content",
    "Node": "data.graph",
    "OneHot": "data.vector",
    "Part": "store.content",
    "PartLine": "learning.pool.report",
    "Presence": "data.encodings",
    "Rarity": "data.text.idf",
    "Real": "data.encodings",
    "Report": "learning.pool.report",
    "Scaled": "data.vector",
    "Schema": "data.schema",
    "Scores": "learning.scores",
    "Shrinkage": "families._covariance",
    "Step": "learning.trained",
    "Unlabelled": "learning.unlabelled",
    "Vector": "data.vector",
    "Vocabulary": "data.text.vocabulary",
    "Words": "data.text.column",
}
"""The module of each class; families and kinds are found in their folders."""

FAMILY, KIND = "family ", "kind "


@cache
def class_named(name: str) -> type[Any] | None:
    """The class that a word stands for, None where it stands for none."""
    cls: Any = None
    if name in HOMES:
        cls = getattr(import_module(f"bayesfold.{HOMES[name]}"), name)
    elif name.startswith(FAMILY) and name.removeprefix(FAMILY) in families.names():
        cls = families.find(name.removeprefix(FAMILY))
    elif name.startswith(KIND) and name.removeprefix(KIND) in kinds.names():
        cls = kinds.find(name.removeprefix(KIND))
    return cls  # type: ignore[no-any-return]


def word_for(value: Any) -> str | None:
    """The word for a value's class, None where there is none."""
    kind: Any = type(value)
    return word_for_class(kind)


@cache
def word_for_class(cls: type[Any]) -> str | None:
    """The word for a class."""
    home, _, last = cls.__module__.rpartition(".")
    prefix = {"bayesfold.families": FAMILY, "bayesfold.learning.kinds": KIND}.get(home)
    name = cls.__name__ if prefix is None or cls.__name__ in HOMES else prefix + last
    return name if class_named(name) is cls else None

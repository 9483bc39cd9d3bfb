"""What the parameters of a kind mean, read off the docstrings of its settings: the one place where they are written."""

import re
from dataclasses import dataclass, fields
from inspect import getdoc
from typing import Any

from bayesfold.learning.kinds._settings import Settings

HEADING = "Parameters\n----------\n"


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name, its default, what may be given, and what that does."""

    name: str
    default: Any
    kind: str
    text: str


def documented(settings: type[Settings]) -> tuple[Parameter, ...]:
    """Every parameter of a kind, its own before those that it shares with others.

    >>> from bayesfold.learning.kinds import find
    >>> documented(find("kdb"))[0]
    Parameter(name='k', default=2, kind='int', text='How many columns a column may depend on, beside the class.')
    """
    said: dict[str, tuple[str, str]] = {}
    for cls in reversed(settings.__mro__):
        said |= entries(getdoc(cls) or "") if issubclass(cls, Settings) and "__doc__" in vars(cls) else {}
    own = [f for cls in settings.__mro__ for f in vars(cls).get("__annotations__", {})]
    order = {name: i for i, name in reversed(list(enumerate(own)))}
    every = sorted(fields(settings), key=lambda f: order[f.name])
    return tuple(Parameter(f.name, f.default, *said[f.name]) for f in every)


def entries(text: str) -> dict[str, tuple[str, str]]:
    """{name: (what may be given, what that does)} of the section on parameters of a docstring."""
    found: dict[str, tuple[str, str]] = {}
    for entry in re.split(r"(?m)^(?=\S)", text.partition(HEADING)[2]):
        head, _, body = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        said = " ".join(body.split())
        found |= {name: (kind, said) for name in names.split(", ") if name}
    return found

"""Names of our own, which no column of a table can have.

A model names things that are no column of the table: the target, a vector of all columns, whether a cell is there,
lines of an explanation. Such a name is made here, knowing every name that it might meet.

>>> own_name(["age", "class"], "class", "class label"), own_name(["class", "class label"], "class", "class label")
('class label', 'class label (2)')
"""

from collections.abc import Container
from itertools import count
from typing import Self


def own_name(taken: Container[str], *wishes: str) -> str:
    """The first of the wishes that is not taken; else the last of them with a number behind it."""
    numbered = (f"{wishes[-1]} ({i})" for i in count(2))
    return next(name for names in (wishes, numbered) for name in names if name not in taken)


def target_name(names: Container[str]) -> str:
    """What the target is called in a schema whose columns have these names."""
    return own_name(names, "class", "class label")


class OwnLine(str):
    """A line of an explanation that is no column's: it reads as its name, and says what it is."""

    __slots__ = ("kind",)

    kind: str

    def __new__(cls, name: str, kind: str = "") -> Self:
        """A line called `name`, which is the line of that kind."""
        line = super().__new__(cls, name)
        line.kind = kind
        return line

    def __reduce__(self) -> tuple[type["OwnLine"], tuple[str, str]]:
        return OwnLine, (str(self), self.kind)

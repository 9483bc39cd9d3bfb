"""A field of a frozen dataclass that an object may lack until somebody asks for it: then it is made, once.

It is for what takes long to make, and is seldom asked for. Two objects are equal whoever made the field.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Line:
...     name: str
...     points: tuple[int, ...] = ()
>>> make_when_asked(Line, "points", lambda line: tuple(range(line.many)))
>>> lazy = Line("a")
>>> del lazy.__dict__["points"]
>>> lazy.__dict__["many"] = 3
>>> lazy.points, lazy == Line("a", (0, 1, 2)), Line("b").points
((0, 1, 2), True, ())
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any


def make_when_asked(kind: type, name: str, make: Callable[[Any], Any]) -> None:
    """Let objects of a kind make the field of that name, where it is not in their __dict__."""
    made = cached_property(make)
    made.__set_name__(kind, name)
    setattr(kind, name, made)

"""Values computed from an object that changes: cached for one version of it, so that no reader sees an older one's.

>>> class Sum:
...     version = 0
...     numbers = [1, 2]
...     @versioned
...     def total(self):
...         return sum(self.numbers)
>>> found = Sum()
>>> found.total, found.numbers.append(4), found.total
(3, None, 3)
>>> found.version += 1
>>> found.total
7
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

Value = TypeVar("Value")


class versioned(Generic[Value]):  # noqa: N801  (it is used as a decorator, like property)
    """A property that is worked out once for each `version` of its object.

    The version is read before the value is worked out: if the object changes meanwhile, the value is not kept for what
    comes after.
    """

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work = work
        self.name = f"_kept_{work.__name__}"
        self.__doc__ = work.__doc__

    def __get__(self, one: Any, kind: type | None = None) -> Value:
        if one is None:
            return cast(Value, self)
        version, value = one.__dict__.get(self.name, (None, None))
        if version != one.version:
            version = one.version
            value = self.work(one)
            one.__dict__[self.name] = version, value
        return cast(Value, value)

    def __set__(self, one: Any, value: Value) -> None:
        one.__dict__[self.name] = one.version, value

    def is_kept(self, one: Any) -> bool:
        """Whether the value of this version has been worked out."""
        return bool(one.__dict__.get(self.name, (None, None))[0] == one.version)

"""Answers about a large unchanging object, kept as long as it is among the last that were asked about.

Hashing such an object would take as long as the answer, so it is known by its identity; that it is kept beside the
answer makes sure that no other object gets the same.

>>> @kept_by_identity
... def total(numbers, times):
...     print("summed")
...     return times * sum(numbers)
>>> some = (1, 2, 3)
>>> total(some, 2), total(some, 2)
summed
(12, 12)
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

MOST = 16
"""Answers that are kept of each function."""

Asked = TypeVar("Asked")
More = ParamSpec("More")
Answer = TypeVar("Answer")


def kept_by_identity(
    function: Callable[Concatenate[Asked, More], Answer],
) -> Callable[Concatenate[Asked, More], Answer]:
    """The function, whose last answers are kept: for the same first argument, and equal others, the same answer."""
    known: dict[Any, tuple[Asked, Answer]] = {}

    @wraps(function)
    def answer(asked: Asked, /, *more: More.args, **named: More.kwargs) -> Answer:
        key = id(asked), more, *named.items()
        found = known.pop(key, None)
        if found is not None:
            known[key] = found  # behind the others: what was not asked for longest goes first
            return found[1]
        made = function(asked, *more, **named)
        while len(known) >= MOST:
            known.pop(next(iter(known), key), None)  # another thread may have been quicker
        known[key] = asked, made
        return made

    return answer


def kept_while_alive(
    function: Callable[Concatenate[Asked, More], Answer],
) -> Callable[Concatenate[Asked, More], Answer]:
    """The function, whose answers are kept as long as its first argument is there: one too large to be kept for them.

    Whoever changes that object must not ask again.
    """
    known: WeakKeyDictionary[Any, dict[Any, Answer]] = WeakKeyDictionary()

    @wraps(function)
    def answer(asked: Asked, /, *more: More.args, **named: More.kwargs) -> Answer:
        key = more, *named.items()
        answers = known.setdefault(asked, {})
        if key not in answers:
            answers[key] = function(asked, *more, **named)
        return answers[key]

    return answer

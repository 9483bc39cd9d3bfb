"""One change of an object at a time: what two threads let it learn at once, it learns one after the other.

Answers need no lock: they are given by the model that was there when they began.
"""

import os
from collections.abc import Callable
from functools import partial, wraps
from threading import Lock, RLock
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import ref

Owner = TypeVar("Owner")
Told = ParamSpec("Told")
Given = TypeVar("Given")

LOCKS: dict[int, tuple[Any, Any]] = {}
"""The lock of each object by its `id`, beside a reference that takes it away when the object goes; they are not kept in
the objects, which are pickled and copied. (A WeakKeyDictionary takes ten times as long to look into.)"""
MAKING = [Lock()]


def one_writer(change: Callable[Concatenate[Owner, Told], Given]) -> Callable[Concatenate[Owner, Told], Given]:
    """A method of which one call at a time changes an object; it may call others of the same object."""

    @wraps(change)
    def alone(self: Owner, /, *args: Told.args, **kwargs: Told.kwargs) -> Given:
        with lock_of(self):
            return change(self, *args, **kwargs)

    return alone


def lock_of(thing: Any) -> Any:
    """The lock of an object, made when it is first asked for."""
    held = LOCKS.get(id(thing))
    if held is None:
        with MAKING[0]:
            held = LOCKS.setdefault(id(thing), (ref(thing, partial(LOCKS.pop, id(thing))), RLock()))
    return held[1]


def begin_anew() -> None:
    """In a forked child: locks that threads held which are not here would never be let go."""
    LOCKS.clear()
    MAKING[0] = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=begin_anew)

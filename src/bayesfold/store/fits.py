"""Whether a value is what a field's annotation says: what is read from a file may be anything.

>>> fits(("a", 1), tuple[str | int, ...]), fits(2, float), fits(True, float)
(True, True, False)
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

Test = Callable[[Any], bool]

NUMBERS: dict[Any, tuple[type, ...]] = {
    bool: (bool, np.bool_),
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
}

PLAIN: dict[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (int, float),
    NoneType: (NoneType,),
}
"""The types of Python's own that an annotation takes."""


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; a whole number is a float too, a truth value no number."""
    return make_test(hint)(value)


@cache
def make_tests(cls: type[Any]) -> dict[str, Test]:
    """A test for each field of a dataclass; or for each part that a class is `restored` from."""
    if hasattr(cls, "restored"):
        return {name: make_test(hint) for name, hint in get_type_hints(cls.restored).items() if name != "return"}
    hints = get_type_hints(cls)
    return {field.name: make_test(hints[field.name]) for field in fields(cls)}


@cache
def make_test(hint: Any) -> Test:
    """The test that an annotation stands for."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return accept_anything
    if hasattr(origin, "__value__"):  # an alias with parameters, as numpy's NDArray is from Python 3.12 on
        return make_test(origin.__value__[inner])
    if origin in (Union, UnionType):
        several = [make_test(one) for one in inner]
        return lambda value: any(test(value) for test in several)
    if origin is tuple:
        return test_tuple(inner)
    if origin is frozenset:
        members = test_members(inner[0])
        return lambda value: type(value) is frozenset and members(value)
    if origin in (dict, Mapping):
        key, of_key = make_test(inner[0]), make_test(inner[1])
        return lambda value: isinstance(value, Mapping) and all(key(k) and of_key(v) for k, v in value.items())
    if origin is np.ndarray:
        kind = get_args(inner[1])[0]
        return lambda value: type(value) is np.ndarray and (kind is Any or value.dtype == kind)
    return test_class(hint if origin is None else origin)


def accept_anything(value: Any) -> bool:
    """True: a test that accepts any value."""
    return True


def test_tuple(inner: tuple[Any, ...]) -> Test:
    """The test of tuple[X, ...] or tuple[X, Y]."""
    if len(inner) == 2 and inner[1] is Ellipsis:
        every = test_members(inner[0])
        return lambda value: type(value) is tuple and every(value)
    members = [make_test(one) for one in inner]
    return lambda value: (
        type(value) is tuple
        and len(value) == len(members)
        and all(test(one) for test, one in zip(members, value, strict=True))
    )


def test_members(hint: Any) -> Test:
    """The test of a collection's members: most are of plain types, which are looked at all at once."""
    several = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    plain = {kind for one in several for kind in PLAIN.get(one, ())}
    member = make_test(hint)
    return lambda values: plain.issuperset(map(type, values)) or all(map(member, values))


def test_class(kind: Any) -> Test:
    """The test for instances of one class."""
    if kind is bool:
        return lambda value: isinstance(value, NUMBERS[bool])
    if kind in NUMBERS:
        return lambda value: isinstance(value, NUMBERS[kind]) and not isinstance(value, bool)
    if kind in (None, NoneType):
        return lambda value: value is None
    if kind is np.dtype:
        return lambda value: isinstance(value, np.dtype)
    return lambda value: type(value) is kind

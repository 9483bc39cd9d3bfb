"""Our dataclasses and what they hold as JSON and arrays, and back: the same types, the same bits.

Text, whole numbers, finite floats, truth values and None are themselves, a tuple is a JSON list; all else is an object
of one key, which says what it is. There is no way to say anything but what is listed here. A dataclass is its fields;
one that holds more than it says (a vocabulary and its index) gives its parts as `kept()`, and `restored` takes them.

>>> encode({"a": (1, 2.0), 3: float("inf")}, {})
{'dict': [['a', [1, 2.0]], [3, {'float': 'inf'}]]}
>>> decode(encode(frozenset({-0.0}), {}), {})
frozenset({-0.0})
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesfold.learning.kinds import Settings
from bayesfold.store.container import TYPES, Arrays
from bayesfold.store.fits import Test, accept_anything, make_tests
from bayesfold.store.known import class_named, word_for
from bayesfold.store.unreadable import Unreadable

Json = Any

PLAIN = frozenset({type(None), bool, int, str})
SCALARS = {np.dtype(kind).name: np.dtype(kind) for kind in TYPES.values()}
"""The kinds of number that an array or a numpy number in a file may have."""

MANY = "many "
"""Prefix of a class name for a tuple of several objects, each field as a list."""

LEVEL_TYPE = re.compile(r"[<>|=]?[biuf][1248]|\|O")
"""The types that labels may have."""


# to JSON


def encode(value: Any, arrays: Arrays, where: str = "") -> Json:
    """A value as JSON; arrays are put into `arrays`. What cannot be kept is refused, by the place where it stands."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is float:
        return value if np.isfinite(value) else {"float": repr(value)}
    if kind is tuple:
        return encode_tuple(value, arrays, where)
    if kind is list:
        return {"list": [encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value)]}
    if isinstance(value, Mapping):
        return {"dict": [[encode(k, arrays, where), encode(v, arrays, f"{where}[{k!r}]")] for k, v in value.items()]}
    if kind in (set, frozenset):
        return {"set": [encode(v, arrays, where) for v in sorted(value, key=lambda v: (type(v).__name__, repr(v)))]}
    if isinstance(value, np.dtype) and LEVEL_TYPE.fullmatch(value.str):
        return {"dtype": value.str}
    if isinstance(value, np.str_):
        return str(value)
    if isinstance(value, np.generic) and value.dtype.name in SCALARS:
        return {"numpy": [value.dtype.name, encode(value.item(), arrays, where)]}
    if kind is np.ndarray:
        return encode_array(value, arrays, where)
    name = word_for(value)
    if name is None:
        refuse(value, where)
    encoded = {}
    parts = value.kept() if hasattr(value, "kept") else None
    for field, test in field_tests(kind).items():
        part = getattr(value, field) if parts is None else parts[field]  # some are made when they are asked for
        encoded[field] = encode(part, arrays, f"{where}.{field}" if where else field)
        if not test(part):
            raise TypeError(
                f"{where}.{field} is {part!r}, which is not what {kind.__name__} holds there; nothing was saved"
            )
    return {name: encoded}


def encode_tuple(value: tuple[Any, ...], arrays: Arrays, where: str) -> Json:
    """A tuple; of several objects of one class each field is written as one list."""
    kind = type(value[0]) if value else None
    name = word_for(value[0]) if len(value) > 1 and kind not in PLAIN and all(type(v) is kind for v in value) else None
    if name is None or kind is None:
        return [encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value)]
    each = [encode(v, arrays, f"{where}[{i}]")[name] for i, v in enumerate(value)]
    return {MANY + name: {field: [one[field] for one in each] for field in each[0]}}


def encode_array(value: np.ndarray[Any, Any], arrays: Arrays, where: str) -> Json:
    """Numbers go into the file as they stand in memory; text and objects one by one."""
    if value.dtype.name in SCALARS:
        same = [name for name, known in arrays.items() if known is value]
        name = same[0] if same else where or "array"
        arrays[name] = value
        return {"array": name}
    if value.dtype.kind not in "OU":
        refuse(value, where)
    items = [encode(v, arrays, f"{where}[{i}]") for i, v in enumerate(value.ravel().tolist())]
    return {"items": [value.dtype.kind, list(value.shape), items]}


def refuse(value: Any, where: str) -> None:
    """Say what cannot be saved, and where it stands."""
    name, at = f"{type(value).__module__}.{type(value).__qualname__}", where.removeprefix("settings.") or "this"
    raise TypeError(
        f"{at} is {shorten(value)}, of the class {name}: a file holds text, numbers, lists, dicts, arrays of numbers "
        "and bayesfold's own objects, and no code; nothing was saved"
    )


# from JSON


def decode(json: Json, arrays: Mapping[str, Any], where: str = "") -> Any:
    """The value that was encoded; anything else is refused."""
    kind = type(json)
    if kind in PLAIN or kind is float:
        return json
    if kind is list:
        return tuple([v if type(v) in PLAIN else decode(v, arrays, where) for v in json])
    if len(json) != 1:
        raise Unreadable(f"{in_file(where)} is an object of {len(json)} keys, not of one")
    ((tag, inner),) = json.items()
    if tag in DECODERS:
        try:
            return DECODERS[tag](inner, arrays, where)
        except (TypeError, ValueError, OverflowError, KeyError) as error:
            if isinstance(error, Unreadable):
                raise
            raise Unreadable(f"{in_file(where)} is marked as a {tag}, but is not one ({error})") from None
    if tag.startswith(MANY):
        return decode_many(tag.removeprefix(MANY), inner, arrays, where)
    return decode_object(tag, inner, arrays, where)


def decode_object(tag: str, inner: Json, arrays: Mapping[str, Any], where: str) -> Any:
    """One of our dataclasses."""
    cls, tests = class_of(tag, inner, where)
    fields = {name: decode(value, arrays, f"{where}.{name}" if where else name) for name, value in inner.items()}
    for name, value in fields.items():
        check_field(cls, tests, name, (value,), where)
    return construct(cls, fields, where)


def decode_many(tag: str, inner: Json, arrays: Mapping[str, Any], where: str) -> tuple[Any, ...]:
    """Several objects of one class."""
    cls, tests = class_of(tag, inner, where)
    columns = {name: decode(value, arrays, f"{where}.{name}") for name, value in inner.items()}
    sizes = {len(values) if isinstance(values, tuple) else -1 for values in columns.values()}
    if len(sizes) != 1 or -1 in sizes:
        raise Unreadable(f"{in_file(where)} is marked as several {tag}, but its fields are not lists of one length")
    for name, values in columns.items():
        check_field(cls, tests, name, values, where, several=True)
    return tuple(
        construct(cls, dict(zip(columns, row, strict=True)), where) for row in zip(*columns.values(), strict=True)
    )


def class_of(tag: str, inner: Json, where: str) -> tuple[type[Any], Any]:
    """A class by its word, and the tests of its fields; all fields that the file tells must be among them."""
    cls = class_named(tag)
    if cls is None:
        raise Unreadable(f"{in_file(where)} is marked as a {tag!r}, which this version of bayesfold does not know")
    tests = field_tests(cls)
    if type(inner) is not dict or not inner.keys() <= tests.keys():
        strange = sorted(inner.keys() - tests.keys()) if type(inner) is dict else inner
        raise Unreadable(f"{in_file(where)} is a {tag} with {strange!r}, which this version of bayesfold does not know")
    return cls, tests


def field_tests(cls: type[Any]) -> dict[str, Test]:
    """A test for each field; what a person may say in the settings is for the kind to judge, when it learns."""
    key: Any = cls
    tests = make_tests(key)
    return dict.fromkeys(tests, accept_anything) if issubclass(cls, Settings) else tests


def check_field(
    cls: type[Any], tests: Mapping[str, Test], name: str, values: tuple[Any, ...], where: str, several: bool = False
) -> None:
    """Refuse a field of one object, or of several, that is not what the class says."""
    test = tests[name]
    if not all(map(test, values)):
        i = next(i for i, value in enumerate(values) if not test(value))
        at = in_file(f"{where}[{i}].{name}" if several else f"{where}.{name}")
        raise Unreadable(f"{at} is {shorten(values[i])}, which no {cls.__name__} has there")


def construct(cls: type[Any], fields: dict[str, Any], where: str) -> Any:
    """An object of checked fields; one that an older file lacks has its default."""
    try:
        return (cls.restored if hasattr(cls, "restored") else cls)(**fields)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"{in_file(where)} is not a {cls.__name__}: {error}") from None


def decode_float(inner: Json, arrays: Mapping[str, Any], where: str) -> float:
    """A float that JSON has no number for."""
    if inner not in ("inf", "-inf", "nan"):
        raise Unreadable(f"{in_file(where)} is marked as a float, but is {inner!r}")
    return float(inner)


def decode_dict(inner: Json, arrays: Mapping[str, Any], where: str) -> dict[Any, Any]:
    """A dict, each key once."""
    decoded = {}
    for key, value in inner:
        known = decode(key, arrays, where)
        if known in decoded:
            raise Unreadable(f"{in_file(where)} has the key {known!r} twice")
        decoded[known] = decode(value, arrays, f"{where}[{known!r}]")
    return decoded


def decode_set(inner: Json, arrays: Mapping[str, Any], where: str) -> frozenset[Any]:
    """A set, each member once."""
    members = decode(inner, arrays, where)
    if len(set(members)) < len(members):
        raise Unreadable(f"{in_file(where)} has a member twice")
    return frozenset(members)


def decode_items(inner: Json, arrays: Mapping[str, Any], where: str) -> np.ndarray[Any, Any]:
    """An array of text or of objects, its size that of its list."""
    kind, shape, items = inner
    values = decode(items, arrays, where)
    if kind not in ("O", "U") or any(type(v) is not str for v in values if kind == "U"):
        raise Unreadable(f"{in_file(where)} is marked as an array of the kind {kind!r}, which no model has")
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape).astype(object if kind == "O" else str)


def decode_dtype(inner: Json, arrays: Mapping[str, Any], where: str) -> np.dtype[Any]:
    """A numpy dtype."""
    if not isinstance(inner, str) or not LEVEL_TYPE.fullmatch(inner):
        raise Unreadable(f"{in_file(where)} is marked as the type {inner!r}, which no model has")
    return np.dtype(inner)


def decode_list(inner: Json, arrays: Mapping[str, Any], where: str) -> list[Any]:
    """A Python list; JSON's own lists stand for tuples."""
    return list(decode(inner, arrays, where))


def decode_number(inner: Json, arrays: Mapping[str, Any], where: str) -> Any:
    """A numpy scalar."""
    kind, value = inner
    return SCALARS[kind].type(decode(value, arrays, where))


def decode_array(inner: Json, arrays: Mapping[str, Any], where: str) -> Any:
    """An array of numbers."""
    if inner not in arrays:
        raise Unreadable(f"{in_file(where)} is the array {inner!r}, which the file does not hold")
    return arrays[inner]


DECODERS = {
    "array": decode_array,
    "dict": decode_dict,
    "dtype": decode_dtype,
    "float": decode_float,
    "items": decode_items,
    "list": decode_list,
    "numpy": decode_number,
    "set": decode_set,
}


def in_file(where: str) -> str:
    """A place in the file, as messages name it."""
    return where.removeprefix(".") or "its content"


def shorten(value: Any) -> str:
    """A value in print, on one line and cut where it is long."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}, {' x '.join(map(str, value.shape))}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."

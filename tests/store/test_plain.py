"""Values to JSON and back: the same types, the same bits, and nothing that is not on the list."""

import json
import struct
from dataclasses import dataclass, fields, is_dataclass
from typing import get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import families
from bayesfold.data.encodings import Real
from bayesfold.data.vector import Scaled
from bayesfold.learning import kinds
from bayesfold.learning.trained import DropIn
from bayesfold.store.content import Content
from bayesfold.store.known import HOMES, class_named, word_for, word_for_class
from bayesfold.store.plain import decode, encode
from bayesfold.store.unreadable import Unreadable

LEVELS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
NUMBERS = st.sampled_from(["bool", "int8", "int64", "uint64", "float32", "float64"])


def scalars(kind):
    return st.integers(0, 1).map(np.dtype(kind).type)


def deeper(inner):
    keys = LEVELS.filter(lambda v: v == v)
    return (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(keys, inner)
        | st.frozensets(keys)
        | NUMBERS.flatmap(scalars)
        | st.lists(st.floats()).map(np.array)
        | st.lists(st.text(), min_size=1).map(lambda v: np.array(v, object))
    )


def alike(a, b):
    """Equal in type and bits, all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        same = alike(a.tolist(), b.tolist()) if a.dtype == object else a.tobytes() == b.tobytes()
        return same and a.dtype == b.dtype and a.shape == b.shape
    if isinstance(a, float):
        return struct.pack("d", a) == struct.pack("d", b) or (a != a and b != b)
    if isinstance(a, dict):
        return alike(list(a.items()), list(b.items()))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, frozenset):
        return len(a) == len(b) and all(any(alike(v, w) for w in b) for v in a)
    return a == b


@given(st.recursive(LEVELS, deeper, max_leaves=20))
def test_any_value_survives(value):
    arrays = {}
    text = json.dumps(encode(value, arrays), allow_nan=False)
    assert alike(decode(json.loads(text), arrays), value)


def test_the_list_of_classes_is_whole_and_closed():
    for name in HOMES:
        cls = class_named(name)
        assert fields(cls)
        assert cls.__name__ == name
    for name in families.names():
        assert word_for(families.find(name)()) == f"family {name}"
    for name in kinds.names():
        assert word_for(kinds.find(name)()) == f"kind {name}"
    for name in (
        "object",
        "Trained",
        "family os",
        "family __init__",
        "kind _tables",
        "kind ",
        "bayesfold.data.graph.Node",
        "",
    ):
        assert class_named(name) is None


def held_by(hint):
    """The dataclasses that an annotation speaks of."""
    inner = [cls for part in get_args(hint) for cls in held_by(part)]
    return [hint, *inner] if is_dataclass(hint) else inner


def test_every_class_that_a_saved_one_may_hold_is_on_the_list():
    waiting = [Content, DropIn, *map(families.find, families.names()), *map(kinds.find, kinds.names())]
    seen = set()
    while waiting:
        cls = waiting.pop()
        if cls not in seen:
            seen.add(cls)
            hints = get_type_hints(cls)
            waiting += [found for field in fields(cls) for found in held_by(hints[field.name])]
    strangers = sorted(cls.__name__ for cls in seen if word_for_class(cls) is None)
    assert not strangers, "store/known.py does not list them"


@dataclass(frozen=True)
class Node:
    """Somebody else's class of the same name."""

    children: tuple[str, ...] = ()


@pytest.mark.parametrize("value", [Node(), object(), len, 2j, b"bytes", np.array([2j]), range(3), lambda: 1])
def test_what_is_not_on_the_list_is_refused_with_its_place(value):
    with pytest.raises(TypeError, match=r"^loss\['a'\]\[1\] is .*; nothing was saved$"):
        encode({"a": [0, value]}, {}, "settings.loss")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"os.system": {"command": "true"}}, "x is marked as a 'os.system', which this version of bayesfold does"),
        ({"Node": {"children": ["a"], "parent": []}}, r"x is a Node with \['parent'\], which this version"),
        ({"Node": {"children": "a"}}, "x.children is 'a', which no Node has there"),
        ({"Node": {"children": [1]}}, r"x.children is \(1,\), which no Node has there"),
        ({"Node": {}}, "x is not a Node: .* missing 1 required"),
        ({"Node": []}, "x is a Node with"),
        ({"many Node": {"children": [["a"], ["b"]], "power": [1.0]}}, "x is marked as several Node, but its fields"),
        ({"Shrinkage": {"tied": 2.0}}, "x is not a Shrinkage: tied is a share from 0 to 1, not 2.0"),
        ({"dict": [["a", 1], ["a", 2]]}, "x has the key 'a' twice"),
        ({"dict": [[{"list": []}, 1]]}, r"x is marked as a dict, but is not one \(unhashable"),
        ({"set": [1, 1]}, "x has a member twice"),
        ({"float": "1e5"}, "x is marked as a float, but is '1e5'"),
        ({"numpy": ["object", 1]}, "x is marked as a numpy, but is not one"),
        ({"numpy": ["int8", 300]}, "x is marked as a numpy, but is not one"),
        ({"dtype": "O,O"}, "x is marked as the type 'O,O'"),
        ({"array": "secret"}, "x is the array 'secret', which the file does not hold"),
        ({"items": ["V", [1], [1]]}, "x is marked as an array of the kind 'V'"),
        ({"a": 1, "b": 2}, "x is an object of 2 keys, not of one"),
        ({}, "x is an object of 0 keys, not of one"),
    ],
)
def test_what_no_model_holds_is_refused_with_its_place(told, words):
    with pytest.raises(Unreadable, match=words):
        decode(told, {}, "x")


def test_a_field_that_an_older_file_lacks_has_its_default():
    assert decode({"Node": {"children": ["a"]}}, {}).power == 1.0


def test_counts_of_an_older_file_are_not_below_zero():
    told = {"name": "rooms", "family": "poisson"}
    assert decode({"Real": told}, {}) == Real("rooms", family="poisson", least=0.0)
    assert decode({"Real": told | {"family": "gaussian"}}, {}).least is None
    kept = Real("wait", family="poisson", least=1.0)
    assert decode(encode(kept, {}), {}) == kept


def test_a_word_of_numpy_is_a_word():
    assert encode(np.str_("é"), {}, "here") == "é"
    assert type(encode(np.str_("é"), {}, "here")) is str


def test_what_a_field_does_not_hold_is_not_saved():
    with pytest.raises(TypeError, match=r"column.name is 3, which is not what Real holds there; nothing was saved"):
        encode(Real(3), {}, "column")


def test_a_field_that_is_made_when_it_is_asked_for_is_written():
    told = Scaled("mass", knots=((1.0, -0.5), (2.0, 0.5)))
    lazy = Scaled.of(np.array(told.knots).T.copy(), "mass")
    assert encode((lazy, lazy), {}) == encode((told, told), {})
    assert decode(encode(lazy, {}), {}) == told

"""Files that are not as they should be: cut, flipped, edited, and edited with the digest put right again."""

import json
import random
from typing import Any

import numpy as np
from safetensors.numpy import load as arrays_in
from safetensors.numpy import save as file_of

from bayesfold.store.container import digest


def opened(data: bytes) -> tuple[Any, dict[str, Any]]:
    """The JSON and the arrays of a file, the digest aside."""
    length = int.from_bytes(data[:8], "little")
    told = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["bayesfold"])
    arrays = {name: np.array(value) for name, value in arrays_in(data).items() if name != "digest"}
    return told, arrays


def closed(told: Any, arrays: dict[str, Any]) -> bytes:
    """A file that says this, with a digest that fits."""
    text = told if isinstance(told, str) else json.dumps(told)
    return file_of({**arrays, "digest": digest(text, arrays)}, {"bayesfold": text})


def flipped(data: bytes, draw: random.Random) -> bytes:
    """A file with bytes changed, cut, doubled or moved."""
    out = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 5])):
        at, length = draw.randrange(len(out)), draw.choice([1, 1, 1, 2, 8, 64])
        what = draw.randrange(5)
        if what == 0:
            out[at] ^= 1 << draw.randrange(8)
        elif what == 1:
            out[at : at + length] = draw.randbytes(length)
        elif what == 2:
            del out[at : at + length]
        elif what == 3:
            out[at:at] = out[at : at + length]
        else:
            del out[at + 1 :]
    return bytes(out)


STRANGE = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, -0.0, 1e308, "", "x", "y", "class", "auto", "missing",
    [], {}, [[]], ["a", "a"], {"float": "inf"}, {"float": "nan"}, {"float": "1"}, {"list": []}, {"dict": []},
    {"set": [1, 1]}, {"dict": [["a", 1], ["a", 2]]}, {"array": "counts"}, {"array": "sums"}, {"array": "nothing"},
    {"numpy": ["int64", 2**70]}, {"numpy": ["object", 1]}, {"dtype": "O"}, {"dtype": "V8"}, {"os.system": {}},
    {"family gaussian": {}}, {"family kde": {}}, {"family multinormal": {}}, {"family nothing": {}}, {"kind naive": {}},
    {"Node": {"children": ["a"]}}, {"many Node": {"children": [["a"], ["b"]]}}, {"Clique": {"keys": ["class"]}},
    {"Schema": {}}, {"Categories": {"name": "class"}}, {"items": ["O", [2**40], []]},
    {"items": ["U", [1], [2]]}, {"items": ["<U999999999", [1], ["a"]]},
]  # fmt: skip


def places(told: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything in a JSON value."""
    found: list[tuple[Any, Any]] = []
    waiting = [told]
    while waiting:
        box = waiting.pop()
        keys = list(box) if isinstance(box, dict) else range(len(box)) if isinstance(box, list) else ()
        for key in keys:
            found.append((box, key))
            waiting.append(box[key])
    return found


def edited(data: bytes, draw: random.Random) -> bytes:
    """A file in which something was replaced, left out, doubled or exchanged, with a digest that fits."""
    told, arrays = opened(data)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        if draw.random() < 0.15:
            scramble(arrays, draw)
            continue
        box, key = draw.choice(places(told))
        what = draw.randrange(6)
        if what == 0:
            del box[key]
        elif what == 1 and isinstance(box, list):
            box.insert(key, draw.choice(box))
        elif what == 2 and isinstance(box, dict):
            box[draw.choice(["x", "name", "levels", "family", *box])] = box[key]
        elif what == 3:
            other, place = draw.choice(places(told))
            box[key] = json.loads(json.dumps(other[place]))
        elif what == 4 and isinstance(box[key], int | float):
            box[key] = draw.choice([-box[key], box[key] + 1, float(box[key]), str(box[key]), not box[key]])
        else:
            box[key] = json.loads(json.dumps(draw.choice(STRANGE)))
    return closed(told, arrays)


def scramble(arrays: dict[str, Any], draw: random.Random) -> None:
    """Change a number, the size or the type of an array."""
    name = draw.choice(sorted(arrays))
    value = arrays[name]
    what = draw.randrange(6)
    if what == 0 and value.size:
        value.flat[draw.randrange(value.size)] = draw.choice([-1, 0, 1, 2**40, 2**62])
    elif what == 1 and value.size and value.dtype.kind == "f":
        value.flat[draw.randrange(value.size)] = draw.choice([np.nan, np.inf, -1.0, 1e308])
    elif what == 2:
        arrays[name] = value[..., :-1].copy()
    elif what == 3:
        arrays[name] = value.astype(draw.choice(["float32", "int32", "uint8", "float64", "int64"]))
    elif what == 4:
        arrays[name] = np.concatenate([value, value], axis=-1)
    else:
        del arrays[name]

"""The file itself: a safetensors file, whose one line of metadata is JSON, with a digest of all it says.

    8 bytes     the length of the header
    header      JSON: name, type, shape and place of each array; "__metadata__": {"bayesfold": more JSON}
    arrays      counts, sums, ..., and "digest", the SHA-256 of that JSON and of all other arrays

So any program that reads safetensors can look inside, and nothing in it is run.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import safetensors
from safetensors.numpy import save as safetensors_of

from bayesfold import __version__
from bayesfold.store.atomic import write
from bayesfold.store.check import check
from bayesfold.store.content import Content, put_together, taken_apart
from bayesfold.store.plain import Arrays, decode, encode
from bayesfold.store.unreadable import Unreadable
from bayesfold.trained import Trained

FORMAT = 1
"""Raised whenever an older version could misread a file; all formats that were ever released stay readable."""

MOST_TEXT = 90_000_000
"""Characters of JSON that a header may have; safetensors refuses more than 100 MB."""

REMEDY = "; take another copy of the file, or save the model again"

OTHERS = {
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip file: unpack it first",
    b"PAR1": "a Parquet table: is it the data rather than the model?",
    b"ARROW1": "an Arrow table: is it the data rather than the model?",
    b"\x80\x02": "a pickle, which is code; bayesfold never runs any",
    b"\x80\x03": "a pickle, which is code; bayesfold never runs any",
    b"\x80\x04": "a pickle, which is code; bayesfold never runs any",
    b"\x80\x05": "a pickle, which is code; bayesfold never runs any",
}


def save(trained: Trained, path: str | os.PathLike[str], extra: Any = None) -> None:
    """Write a model to a file, whole or not at all; `extra` is kept beside it and given back by `load_with`."""
    write(path, to_bytes(trained, extra))


def load(path: str | os.PathLike[str]) -> Trained:
    """The model in a file."""
    return load_with(path)[0]


def load_with(path: str | os.PathLike[str]) -> tuple[Trained, Any]:
    """The model in a file, and what was kept beside it."""
    data = Path(path).read_bytes()
    try:
        return from_bytes(data)
    except Unreadable as error:
        raise Unreadable(f"{os.fspath(path)}: {error}") from None


# bytes


def to_bytes(trained: Trained, extra: Any = None) -> bytes:
    """The bytes of a model's file: the same for the same model."""
    arrays: Arrays = {}
    content = taken_apart(trained, extra)
    told = {"format": FORMAT, "version": __version__, "content": encode(content, arrays)}
    check(content)
    text = json.dumps(told, allow_nan=False, separators=(",", ":"))
    if len(text) > MOST_TEXT:
        raise ValueError(
            f"the names and levels of this model take {len(text) / 1e6:.0f} MB of text, and a file holds "
            f"{MOST_TEXT / 1e6:.0f}; leave out columns with very many levels. Nothing was saved"
        )
    arrays = {name: np.asarray(value, order="C") for name, value in arrays.items()}
    return safetensors_of({**arrays, "digest": digest(text, arrays)}, {"bayesfold": text})


def from_bytes(data: bytes) -> tuple[Trained, Any]:
    """The model of a file's bytes; whatever is wrong with them is an `Unreadable`."""
    text = text_of(data)
    told = parsed(text)
    version, number = told.get("version"), told.get("format")
    if type(number) is not int or number < 1 or type(version) is not str:
        raise Unreadable("it does not say which version of bayesfold wrote it; save the model again")
    if number > FORMAT:
        raise Unreadable(f"it was written by bayesfold {version}; this is {__version__}: upgrade bayesfold to read it")
    try:
        arrays = arrays_of(data)
        check_digest(text, arrays)
        content = decode(told.get("content"), arrays)
        if not isinstance(content, Content):
            raise Unreadable("it holds no model")
        check(content)
        return put_together(content), content.extra
    except RecursionError:
        raise Unreadable("its lists are nested deeper than any model's; it was not written by bayesfold") from None
    except Unreadable as error:
        if version != __version__:
            raise Unreadable(f"{error}. It was written by bayesfold {version}; this is {__version__}") from None
        raise


def digest(text: str, arrays: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """The SHA-256 of what a file says: its text, then each array's name, type, shape and bytes."""
    found = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        value = arrays[name]
        found.update(f"{name}\0{value.dtype.str}\0{value.shape}\0".encode())
        found.update(memoryview(value).cast("B") if value.size else b"")
    return np.frombuffer(found.digest(), np.uint8)


def check_digest(text: str, arrays: Arrays) -> None:
    """Refuse a file that is not as it was written; its digest is taken out of the arrays."""
    told = arrays.pop("digest", None)
    if told is None or told.dtype != np.uint8 or told.tobytes() != digest(text, arrays).tobytes():
        raise Unreadable(
            "it was changed since it was written (its digest does not fit); take a copy, or save the model again"
        )


def text_of(data: bytes) -> str:
    """Our text in a file's header."""
    for mark, what in OTHERS.items():
        if data.startswith(mark):
            raise Unreadable(f"this is {what}; not a model that bayesfold saved")
    length = int.from_bytes(data[:8], "little")
    if len(data) < 10 or data[8:9] != b"{" or length > 100_000_000:
        refuse_bytes("this is not a model that bayesfold saved" if data else "the file is empty")
    if length > len(data) - 8:
        refuse_bytes(f"the file is cut off: its header should have {length} bytes, and {len(data) - 8} are there")
    header = parsed(data[8 : 8 + length])
    metadata = header.get("__metadata__")
    text = metadata.get("bayesfold") if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise Unreadable("this is a safetensors file, but not a model that bayesfold saved")
    return text


def arrays_of(data: bytes) -> Arrays:
    """The arrays, each as large as the bytes that are there for it."""
    try:
        found = safetensors.deserialize(data)  # type: ignore[no-untyped-call]
    except safetensors.SafetensorError as error:
        refuse_bytes(f"its arrays are not where its header says ({error}): it is cut off or was edited")
    arrays: Arrays = {}
    for name, told in found:
        kind = DTYPES.get(told["dtype"])
        if kind is None:
            raise Unreadable(f"the array {name!r} is of the type {told['dtype']}, which no model has")
        arrays[name] = np.frombuffer(told["data"], kind).reshape(told["shape"])
    return arrays


DTYPES = {
    "BOOL": "?", "F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8",
    "U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
}  # fmt: skip
"""The names that safetensors has for types."""


def parsed(text: str | bytes) -> dict[str, Any]:
    """JSON whose objects have each key once."""
    try:
        found = json.loads(text, object_pairs_hook=once, parse_constant=refuse_constant)
    except RecursionError:
        raise Unreadable("its header is nested deeper than any model's; it was not written by bayesfold") from None
    except Unreadable:
        raise
    except ValueError as error:
        raise Unreadable(
            f"its header cannot be read ({error}): it is damaged; take a copy, or save the model again"
        ) from None
    if not isinstance(found, dict):
        raise Unreadable("its header is not what bayesfold writes")
    return found


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, unless a key is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("its header says something twice; it was not written by bayesfold")
    return found


def refuse_constant(text: str) -> NoReturn:
    """NaN and Infinity are no JSON."""
    raise Unreadable(f"its header has the number {text}; it was not written by bayesfold")


def refuse_bytes(why: str) -> NoReturn:
    """Say what is wrong with the bytes, and what to do."""
    raise Unreadable(f"{why}{REMEDY}")

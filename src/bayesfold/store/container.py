"""Text and arrays as the bytes of a safetensors file, with a digest of all they say.

    8 bytes     the length of the header
    header      JSON: name, type, shape and place of each array; "__metadata__": {"bayesfold": the text}
    arrays      one after the other; "digest" is the SHA-256 of the text and of all others

So any program that reads safetensors can look inside, and nothing in it is run. Sizes are those of the bytes that are
there, whatever the header says.

>>> text, arrays = unpack(pack("{}", {"n": np.arange(3)}))
>>> text, arrays["n"].tolist()
('{}', [0, 1, 2])
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import safetensors
from safetensors.numpy import save

from bayesfold.runtime.json_members import members_once
from bayesfold.store.unreadable import Unreadable, damaged

Arrays = dict[str, np.ndarray[Any, Any]]

NAME, DIGEST = "bayesfold", "digest"
MOST_HEADER = 100_000_000
"""Bytes of a header; safetensors has the same limit."""

PICKLE = "a pickle, which is code; bayesfold never runs any"
OTHERS = {
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip file: unpack it first",
    b"PAR1": "a Parquet table: is it the data rather than the model?",
    b"ARROW1": "an Arrow table: is it the data rather than the model?",
    **{bytes([0x80, protocol]): PICKLE for protocol in range(2, 6)},
}
TYPES = {
    "BOOL": "?", "F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8",
    "U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
}  # fmt: skip
"""Types of numbers by safetensors' names for them."""


def pack(text: str, arrays: Mapping[str, Any]) -> bytes:
    """The bytes of a file: the same for the same text and arrays."""
    whole = {name: np.asarray(value, order="C") for name, value in arrays.items()}
    return save({**whole, DIGEST: digest(text, whole)}, {NAME: text})


def unpack(data: bytes) -> tuple[str, Arrays]:
    """The text and the arrays of a file, as they were written; anything else is refused."""
    text = header_text(data)
    return text, arrays_beside(text, data)


def arrays_beside(text: str, data: bytes) -> Arrays:
    """The arrays of a file, if its digest says that they and the text are as they were written."""
    arrays = arrays_of(data)
    stored = arrays.pop(DIGEST, None)
    if stored is None or stored.dtype != np.uint8 or stored.tobytes() != digest(text, arrays).tobytes():
        raise damaged("it was changed since it was written (its digest does not fit)")
    return arrays


def digest(text: str, arrays: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """The SHA-256 of what a file says: its text, then each array's name, type, shape and bytes."""
    sha = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    for name in sorted(arrays):
        value = arrays[name]
        sha.update(f"\0{name}\0{value.dtype.str}\0{value.shape}\0".encode())
        sha.update(memoryview(value).cast("B") if value.size else b"")
    return np.frombuffer(sha.digest(), np.uint8)


def header_text(data: bytes) -> str:
    """The text in a file's header."""
    if not data:
        raise damaged("the file is empty")
    length = int.from_bytes(data[:8], "little")
    if length > MOST_HEADER or data[8:9] not in (b"{", b""):
        for mark, what in OTHERS.items():  # not before: a header of 640 bytes begins as a pickle does
            if data.startswith(mark):
                raise Unreadable(f"this is {what}; not a model that bayesfold saved")
        raise Unreadable("this is not a model that bayesfold saved; such files are made by save() and by bayesfold fit")
    if length > len(data) - 8:
        raise damaged(f"it is cut off: its header has {length} bytes, and {max(0, len(data) - 8)} of them are there")
    metadata = parse_header(data[8 : 8 + length]).get("__metadata__")
    text = metadata.get(NAME) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise Unreadable("this is a safetensors file; not a model that bayesfold saved")
    return text


def arrays_of(data: bytes) -> Arrays:
    """The arrays of a file by name, the digest included."""
    try:
        entries = safetensors.deserialize(data)  # type: ignore[no-untyped-call]
    except safetensors.SafetensorError as error:
        raise damaged(f"its arrays are not where its header says ({error})") from None
    arrays: Arrays = {}
    for name, entry in entries:
        if entry["dtype"] not in TYPES:
            raise damaged(f"its array {name!r} has the type {entry['dtype']}, which no model has")
        arrays[name] = np.frombuffer(entry["data"], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return arrays


def parse_header(text: str | bytes) -> dict[str, Any]:
    """The object in a header's JSON; repeated keys, NaN and Infinity are refused."""
    try:
        header = json.loads(text, object_pairs_hook=members_once, parse_constant=refuse_constant)
    except RecursionError:
        raise damaged("its header is nested deeper than any model's") from None
    except ValueError as error:
        raise damaged(f"its header cannot be read ({error})") from None
    if not isinstance(header, dict):
        raise damaged("its header is not what bayesfold writes")
    return header


def refuse_constant(text: str) -> None:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(f"{text} is not a number")

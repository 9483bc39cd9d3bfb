"""Models to files and back: what a model holds as JSON and arrays, in a container that is written whole."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesfold import __version__
from bayesfold.learning.trained import Trained
from bayesfold.runtime.atomic_file import write
from bayesfold.store.check import check
from bayesfold.store.container import (
    DIGEST,
    MOST_HEADER,
    Arrays,
    arrays_beside,
    arrays_of,
    header_text,
    pack,
    parse_header,
)
from bayesfold.store.content import Content, put_together, take_apart
from bayesfold.store.plain import decode, encode
from bayesfold.store.unreadable import Unreadable, damaged

if TYPE_CHECKING:
    from bayesfold.store.network_content import NetworkContent

FORMAT = 1
"""Raised whenever an older version could misread a file; all formats that were ever released stay readable."""


def save(trained: Trained, path: str | os.PathLike[str], extra: Any = None) -> None:
    """Write a model to a file, whole or not at all; `extra` is kept beside it and given back by `load_with`."""
    write(path, to_bytes(trained, extra))


def load(path: str | os.PathLike[str]) -> Trained:
    """The model in a file."""
    return load_with(path)[0]


def load_with(path: str | os.PathLike[str]) -> tuple[Trained, Any]:
    """The model in a file, and what was kept beside it."""
    return read_model(path, Path(path).read_bytes())


def read_model(path: str | os.PathLike[str], data: bytes) -> tuple[Trained, Any]:
    """The model in the bytes of a file, and what was kept beside it."""
    try:
        return from_bytes(data)
    except Unreadable as error:
        raise Unreadable(f"{os.fspath(path)}: {error}") from None


def digest_of(path: str | os.PathLike[str]) -> str:
    """The digest that a file has of its content, in hexadecimal: two files of one model have the same."""
    return arrays_of(Path(path).read_bytes())[DIGEST].tobytes().hex()


def save_network(content: "NetworkContent", path: str | os.PathLike[str]) -> None:
    """Write a network that classifies to a file, whole or not at all."""
    from bayesfold.store.network_content import network_in

    network_in(content)
    write(path, bytes_of(content))


def load_any(path: str | os.PathLike[str]) -> "Trained | NetworkContent":
    """The model in a file, or the network that classifies."""
    data = Path(path).read_bytes()
    try:
        content = content_in(data)
    except Unreadable as error:
        raise Unreadable(f"{os.fspath(path)}: {error}") from None
    return read_model(path, data)[0] if isinstance(content, Content) else content


def to_bytes(trained: Trained, extra: Any = None) -> bytes:
    """The bytes of a model's file: the same for the same model."""
    if not trained.model_.classes:
        raise ValueError(
            "no row and no class is left to save; forget with keep_levels=True keeps the names for rows to come"
        )
    content = take_apart(trained, extra)
    data = bytes_of(content)  # what cannot be kept at all is said first
    check(content)
    return data


def bytes_of(content: "Content | NetworkContent") -> bytes:
    """The bytes of a file that holds this."""
    arrays: Arrays = {}
    header = {"format": FORMAT, "version": __version__, "content": encode(content, arrays)}
    text = json.dumps(header, allow_nan=False, separators=(",", ":"))
    size = len(text) + text.count('"') + text.count("\\")  # it is text within text
    if size > 0.9 * MOST_HEADER:
        raise ValueError(
            f"the names and levels of this model take {size / 1e6:.0f} MB, and a file has room for "
            f"{0.9 * MOST_HEADER / 1e6:.0f}; leave out columns with very many levels. Nothing was saved"
        )
    return pack(text, arrays)


def from_bytes(data: bytes) -> tuple[Trained, Any]:
    """The model of a file's bytes, and what was kept beside it; whatever is wrong with them is an `Unreadable`."""
    content = content_in(data)
    if not isinstance(content, Content):
        raise Unreadable("it holds a NetworkClassifier: bayesfold.load reads it, in Python")
    return put_together(content), content.extra


def content_in(data: bytes) -> "Content | NetworkContent":
    """What a file's bytes hold, checked; whatever is wrong with them is an `Unreadable`."""
    text = header_text(data)
    header = parse_header(text)
    version, number = header.get("version"), header.get("format")
    if type(number) is not int or number < 1 or type(version) is not str:
        raise damaged("it does not say which version of bayesfold wrote it")
    if number > FORMAT:
        raise Unreadable(f"it was written by bayesfold {version}; this is {__version__}: upgrade bayesfold to read it")
    arrays = arrays_beside(text, data)
    try:
        content = decode(header.get("content"), arrays)
        if isinstance(content, Content):
            check(content)
            return content
        from bayesfold.store.network_content import NetworkContent, network_in  # most files hold none

        if not isinstance(content, NetworkContent):
            raise Unreadable("it holds no model")
        network_in(content)
        return content
    except RecursionError:
        raise damaged("its lists are nested deeper than any model's") from None
    except Unreadable as error:
        if version != __version__:
            other = f"it was written by bayesfold {version}, and this is {__version__}"
            raise Unreadable(f"{error}; {other}: upgrade, or save the model again") from None
        raise damaged(str(error)) from None

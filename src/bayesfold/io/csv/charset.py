"""Which letters the bytes of a text file stand for: by its mark, else by the first ones beyond ASCII.

A file that is not UTF-8 is read through a stream that makes UTF-8 of it, as a compressed one is read unpacked.

>>> [guess_encoding(text) for text in ("naïve".encode(), "naïve".encode("cp1252"), b"plain", "a".encode("utf-16"))]
['utf-8', 'cp1252', None, 'utf-16']
"""

import codecs
import re
from typing import Any

import pyarrow as pa

UTF8, LEGACY = "utf-8", "cp1252"
"""The usual encoding, and the one that spreadsheets on Windows write by default."""
OLD_MAC = "mac-roman"
"""The encoding of files whose lines end in a carriage return alone."""
SPOKEN = {LEGACY: "Windows-1252 (Western European)", OLD_MAC: "Mac Roman"}
PIECE = 1 << 20
BEYOND = re.compile(r"[^\x00-\x7f]+")
FIRST = 64
"""Bytes that show whether letters take two of them."""
NO_TEXT = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Encodings of Python that text files are not written in."""


MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Bytes at the beginning of a text that tell its encoding."""


def guess_encoding(head: bytes, whole: bool = True) -> str | None:
    """The encoding of a text that begins like this, or is `whole`; None: it is ASCII so far."""
    for mark, name in MARKS:
        if head.startswith(mark):
            return name
    zeros = [head[side:FIRST:2].count(0) for side in (0, 1)]  # of two bytes a letter, Western ones have a 0 in one
    if max(zeros) > FIRST // 8 and min(zeros) == 0:
        return "utf-16-be" if zeros[0] else "utf-16-le"
    return None if head.isascii() else guess_by_letters(head, whole)


def guess_by_letters(text: bytes, whole: bool) -> str | None:
    """The encoding by the letters beyond ASCII: UTF-8, unless most of them are none there; None: there are none.

    The last letter of a text that is not `whole` may be cut off: then it says nothing.
    """
    read = codecs.getincrementaldecoder(UTF8)("surrogateescape").decode(text, final=whole)
    letters = "".join(BEYOND.findall(read))
    wrong = sum("\udc80" <= c <= "\udcff" for c in letters)
    if not letters:
        return None
    return LEGACY if wrong > len(letters) - wrong else UTF8


def guess_by_all_bytes(stream: Any) -> str:
    """The encoding of a text of which the beginning does not tell it."""
    while piece := read_fully(stream, PIECE):
        if not piece.isascii():
            more = read_fully(stream, PIECE)
            return guess_by_letters(piece + more, len(more) < PIECE) or UTF8
    return UTF8


def read_fully(stream: Any, size: int) -> bytes:
    """The next bytes of a stream, fewer than `size` only at its end: one that unpacks may give fewer at once."""
    held = []
    while size and (piece := stream.read(size)):
        held.append(piece)
        size -= len(piece)
    return b"".join(held)


def in_pairs(head: bytes) -> bool:
    """Whether bytes beyond ASCII stand in pairs, as those of Chinese, Japanese and Korean letters do.

    >>> in_pairs("颜色,y;红,1;蓝色,0".encode("gbk")), in_pairs("Größe,Maß;fünf,größer".encode("cp1252"))
    (True, False)
    """
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", head)]
    return bool(runs) and sum(size % 2 == 0 for size in runs) > 0.9 * len(runs)


def resolve_encoding(name: str) -> str:
    """The name of an encoding as Python spells it; an unknown one is refused."""
    examples = "for example utf-8, cp1252, latin-1, utf-16, cp850, gbk or shift_jis"
    try:
        codec = codecs.lookup(name)
        "".encode(name)  # what is no encoding of text is refused here
        codec.incrementaldecoder().decode(b"")
    except (LookupError, TypeError, AttributeError, ValueError):
        raise ValueError(f"there is no encoding {name!r}; {examples}") from None
    if codec.name in NO_TEXT:
        raise ValueError(f"{name!r} is not an encoding of text files; {examples}")
    return codec.name


def as_utf8(stream: Any, encoding: str, old_lines: bool) -> Any:
    """A stream of bytes as UTF-8 whose lines end in a line break; `old_lines` end in a carriage return alone."""
    text = stream if encoding == UTF8 else pa.transcoding_input_stream(stream, encoding, UTF8)
    return pa.TransformInputStream(text, with_line_breaks) if old_lines else text


def with_line_breaks(text: pa.Buffer) -> bytes:
    """Line breaks in place of carriage returns."""
    return bytes(text.to_pybytes().replace(b"\r", b"\n"))


def name_encoding(encoding: str) -> str:
    """The name of an encoding for messages."""
    return SPOKEN.get(encoding, encoding.upper() if encoding.startswith("utf") else encoding)


def find_undecodable(stream: Any, encoding: str) -> tuple[int, int]:
    """The line, from 1, and the byte at which a text ceases to be of an encoding; (0, 0): it is all of it."""
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    while True:
        piece = stream.read(PIECE)
        try:
            line += decoder.decode(piece, final=not piece).count("\n")
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(encoding, "ignore")
            return line + before.count("\n"), error.object[error.start]
        if not piece:
            return 0, 0

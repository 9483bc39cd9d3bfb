"""The first line of a text table: names of columns, what separates fields, and where the rows begin.

>>> import io
>>> header_of(lambda begin: io.BytesIO(b"sep=;\\nprice, net;town\\n1,5;Bern\\n"[begin:]), "t.csv")
Header(names=('price, net', 'town'), separator=';', begin=22, line=3)
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bayesfold.io.csv.row_index import LONGEST, PIECE, first_line

SEPARATORS = ",;\t|"
HINT = re.compile(rb"(?:\xef\xbb\xbf)?\"?sep=([^\"\r\n\x80-\xff])\"?\r?\n", re.IGNORECASE)
"""What spreadsheets write before the first line, to tell each other the separator."""
SOME = 20
"""Rows that a separator is tried on, where there are several."""


@dataclass(frozen=True)
class Header:
    """The columns, what stands between fields, and the byte (in UTF-8) and the line at which the first row begins."""

    names: tuple[str, ...]
    separator: str
    begin: int
    line: int


def header_of(opened: Callable[[int], Any], label: str) -> Header:
    """The header of a text that is opened, in UTF-8, at any byte."""
    with opened(0) as stream:
        line = first_line(stream)
    hint = HINT.fullmatch(line)
    before = len(line) if hint else 0
    if hint:
        with opened(before) as stream:
            line = first_line(stream)
    if not line.strip():
        raise ValueError(f"{label} is empty: its first line is to name the columns")
    number = 2 if hint else 1
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{label}, line {number}: {not_utf8(line[error.start])}") from None
    separator = hint[1].decode() if hint else separator_of(text, opened)
    named = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    names = tuple(name or f"column {i + 1}" for i, name in enumerate(named))
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        at = [str(i + 1) for i, name in enumerate(names) if name == twice[0]]
        raise ValueError(f"{label} has several columns named {twice[0]!r} (columns {', '.join(at)}); rename them")
    return Header(names, separator, before + len(line), number + 1)


def separator_of(text: str, opened: Callable[[int], Any]) -> str:
    """One of the separators that the first line has; of several, the one that cuts all rows into the most fields."""
    found = [s for s in SEPARATORS if s in text]
    if len(found) < 2:
        return found[0] if found else ","
    with opened(0) as stream:
        head = stream.read(PIECE)
    some = (head if len(head) < PIECE else head[: head.rfind(b"\n") + 1]).decode("utf-8-sig", "replace")
    with long_fields():
        rows = {s: list(islice(csv.reader(io.StringIO(some, newline=""), delimiter=s), SOME)) for s in found}
    agree = [s for s in found if len({len(row) for row in rows[s] if row}) == 1]
    return max(agree, key=lambda s: len(rows[s][0]), default=found[0])


@contextmanager
def long_fields() -> Iterator[None]:
    """Python's csv module refuses fields that it finds too long."""
    limit = csv.field_size_limit(LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def not_utf8(byte: int) -> str:
    """What to do with a byte that is not text."""
    return f"byte 0x{byte:02x} is not UTF-8 text; mend it, or say how all of the file is written: encoding='cp1252'"

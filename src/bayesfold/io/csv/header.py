"""The header of a text table: names of columns, what separates fields, and where the rows begin.

It is the first row, behind a line that names the separator, blank lines, comments and a title. Quotes count where a
field begins, as in every row.

>>> import io
>>> header_of(lambda begin: io.BytesIO(b"sep=;\\nprice, net;town\\n1,5;Bern\\n"[begin:]), "t.csv")
Header(names=('price, net', 'town'), separator=';', begin=22, line=3, title='')
>>> text = b'Our pipes of 2024\\n\\npipe 5" wide,num,y\\n1,2,3\\n4,5,6\\n7,8,9\\n'
>>> header_of(lambda begin: io.BytesIO(text[begin:]), "t.csv").names
('pipe 5" wide', 'num', 'y')
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bayesfold.io.csv.first_rows import FirstRow, first_rows
from bayesfold.io.csv.row_index import LONGEST, PIECE

SEPARATORS = ",;\t|"
MOST = 1 << 24
"""Most bytes of a header."""
HINT = re.compile(rb"(?:\xef\xbb\xbf)*\"?sep=([^\"\r\n\x80-\xff])\"?\r?\n", re.IGNORECASE)
"""The line that spreadsheets write before the header, to tell each other the separator."""
SOME = 20
"""Rows that each separator is tried on, where several are possible."""
MARKS = frozenset(("na", "n/a", "nan", "null", "none", "nil", "<na>", "?", "-", ".", "*"))
"""What rows often have where a number is missing, and names of columns are not."""
MOST_TITLES, LEAST_ROWS = 10, 3
"""Most lines before the header, and fewest rows with as many fields as the header below it."""


@dataclass(frozen=True)
class Header:
    """The columns, what stands between fields, the byte (in UTF-8) and the line at which the first row begins, and the
    first of the lines that were taken for a title."""

    names: tuple[str, ...]
    separator: str
    begin: int
    line: int
    title: str = ""


def header_of(opened: Callable[[int], Any], label: str) -> Header:
    """The header of a text that is opened, in UTF-8, at any byte."""
    with opened(0) as stream:
        start = stream.read(PIECE)
    hint = HINT.match(start)
    before = hint.end() if hint else 0
    while start.startswith(codecs.BOM_UTF8, before):  # a program that adds a mark may find one there
        before += len(codecs.BOM_UTF8)
    number = 2 if hint else 1
    with opened(before) as stream:
        first, head = first_rows(stream, hint[1].decode() if hint else SEPARATORS, MOST)
    if not head.strip():
        raise ValueError(f"{label} is empty; its first line must name the columns")
    separator = hint[1].decode() if hint else separator_of(first, head)
    header = header_at(first.get(separator), separator, before, number, label)
    titles = None if hint or not may_be_title(header, head) else title_of(head)
    if titles is None:
        return check_names(header, label)
    skipped, separator = titles
    with opened(before + len(skipped)) as stream:
        first, _ = first_rows(stream, separator, MOST)
    title = next(field for row in split_rows(header.separator, skipped) for field in row if field.strip())
    below_titles = header_at(
        first.get(separator), separator, before + len(skipped), number + skipped.count(b"\n"), label, title
    )
    return check_names(below_titles, label)


def header_at(first: FirstRow | None, separator: str, before: int, number: int, label: str, title: str = "") -> Header:
    """The header in the first row of a text behind so many bytes and lines."""
    if first is None:
        raise ValueError(
            f"{label}, line {number}: the line that names the columns is longer than {MOST >> 20} MB; is this a text "
            "table, and is every quote in that line closed?"
        )
    rest = first.line.lstrip(b"\r\n")
    number += first.line[: len(first.line) - len(rest)].count(b"\n")
    try:
        text = rest.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{label}, line {number}: {advise_on_byte(rest[error.start])}") from None
    if not first.closed or ("\n" in text.strip() and not is_strict(text, separator)):
        raise ValueError(
            f"{label}, line {number}: a quote is opened in the line that names the columns, and swallows the rows "
            "behind it; close it, or double it if it is part of a name"
        )
    with long_fields():
        named = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    names = tuple(name or f"column {i + 1}" for i, name in enumerate(named))
    return Header(names, separator, before + len(first.line), number + max(1, text.count("\n")), title)


def is_strict(text: str, separator: str) -> bool:
    """Whether fields end where their closing quotes stand."""
    try:
        with long_fields():
            list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        return False
    return True


def check_names(header: Header, label: str) -> Header:
    """The header; a name that stands there twice is refused."""
    twice = [name for name, times in Counter(header.names).items() if times > 1]
    if twice:
        at = [str(i + 1) for i, name in enumerate(header.names) if name == twice[0]]
        raise ValueError(f"{label} has several columns named {twice[0]!r} (columns {', '.join(at)}); rename them")
    return header


def separator_of(first: dict[str, FirstRow], head: bytes) -> str:
    """One of the separators that the first row has; of several, the one that cuts all rows into the most fields."""
    candidates = [s for s in SEPARATORS if s in first and first[s].closed and s.encode() in first[s].line]
    if len(candidates) < 2:
        return candidates[0] if candidates else ","
    rows = {s: split_rows(s, head) for s in candidates}
    agree = [s for s in candidates if len({len(row) for row in rows[s] if row}) == 1]
    return max(agree, key=lambda s: len(rows[s][0]), default=candidates[0])


def split_rows(separator: str, head: bytes) -> list[list[str]]:
    """The first rows of a text as a separator cuts them."""
    text = (head if len(head) < PIECE else head[: head.rfind(b"\n") + 1]).decode("utf-8", "replace")
    with long_fields():
        try:
            return list(islice(csv.reader(io.StringIO(text, newline=""), delimiter=separator), SOME))
        except csv.Error:
            return []


def may_be_title(header: Header, head: bytes) -> bool:
    """Whether a first row may be no names of columns: it has one field, or empty ones, or rows do not fit it."""
    if len(header.names) == 1:
        return True
    rows = [row for row in split_rows(header.separator, head) if row]
    return len({len(row) for row in rows}) > 1 or (bool(rows) and filled(rows[0]) < len(rows[0]))


def title_of(head: bytes) -> tuple[bytes, str] | None:
    """The lines before a header, and the separator behind them; None: there are none.

    They have one field or begin with #, and at least `LEAST_ROWS` rows of the header's many fields come behind them.
    Where the header is known by numbers below it, they may have several fields, of which rows show that they are none.
    """
    lines = head.splitlines(keepends=True)[: SOME + MOST_TITLES]
    for i in range(1, min(MOST_TITLES, len(lines) - 1) + 1):
        above = [line for line in lines[:i] if line.strip()]
        again = any(line.startswith(b"#") for line in above) and lines[i].startswith(b"#")
        opened = any(
            line.startswith(b'"') and line.count(b'"') % 2 for line in above
        )  # a quote counts where a field begins
        if again or not lines[i].strip() or opened:
            continue
        for separator in SEPARATORS:
            below = [row for row in split_rows(separator, b"".join(lines[i:])) if row]
            widths = {len(row) for row in below}
            rows = sum(bool(line.strip()) for line in lines[i:])
            if len(widths) != 1 or min(widths) < 2 or rows <= LEAST_ROWS:
                continue
            others = [row for line in above for row in split_rows(separator, line)]
            comments = all(len(row) == 1 or row[0].startswith("#") for row in others)
            if comments and any(len(row) not in widths for row in others):  # else #id is a name
                return b"".join(lines[:i]), separator
            if names_numbers(below) and all(is_part_of_title(row, min(widths)) for row in others):
                return b"".join(lines[:i]), separator
    return None


def is_part_of_title(row: list[str], width: int) -> bool:
    """Whether a row above names may be a title: shorter than rows, half empty, or filled up with empty fields.

    R and pandas leave the first name empty, and programs that end every line with a separator the last one; the row
    below the names of these is a row, and has numbers where others have.

    >>> is_part_of_title(["Sales", "March", ""], 3), is_part_of_title(["", "town", "size"], 3)
    (True, False)
    """
    return len(row) < width or 2 * filled(row) <= len(row) or bool(row[0].strip() and not row[-1].strip())


def filled(row: list[str]) -> int:
    """How many fields of a row are not empty."""
    return sum(bool(field.strip()) for field in row)


def names_numbers(rows: list[list[str]]) -> bool:
    """Whether the first of some rows is names and no row like the others: none empty, twice or a number, above numbers.

    >>> names_numbers([["town", "size"], ["Bern", "3"], ["Rome", ""]]), names_numbers([["r1", "5.1"], ["r2", "4.9"]])
    (True, False)
    """
    names, *others = rows
    if any(not name.strip() or is_numeral(name) or name.strip().lower() in MARKS for name in names):
        return False
    if len(set(names)) < len(names):
        return False
    columns = [[field for field in column if field.strip()] for column in zip(*others, strict=True)]
    return any(column and all(map(is_numeral, column)) for column in columns)


def is_numeral(field: str) -> bool:
    """Whether a field is written as numbers are, whatever marks their decimals and thousands."""
    return re.fullmatch(r"[-+]?[\d.,'\s]*\d[\d.,'\s]*(e[-+]?\d+)?%?", field.strip(), re.IGNORECASE) is not None


@contextmanager
def long_fields() -> Iterator[None]:
    """Lift the limit that Python's csv module sets on the length of fields."""
    limit = csv.field_size_limit(LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def advise_on_byte(byte: int) -> str:
    """The message for a byte that is not UTF-8."""
    return f"byte 0x{byte:02x} is not UTF-8 text; mend it, or say how all of the file is written: encoding='cp1252'"

"""Rows in the bytes of a text table: how many there are, and some of them from everywhere.

A line break is the end of a row where an even number of quotes stands before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 18
"""Bytes looked at at once, ..."""
LEAST_PIECE = 1 << 14
"""... and the least of them that is kept before fewer pieces are."""
KEPT = 1 << 22
"""Bytes that may always be kept for a sample."""


NO_ENDS = np.empty(0, np.intp)


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, none at the end."""
        ...


@dataclass(frozen=True)
class Seen:
    """Rows in a file, some of their bytes, whether quotes were such that both can be trusted, and if there were any."""

    rows: int
    bytes: bytes
    reliable: bool
    quoted: bool


def look(stream: Readable, most: int) -> Seen:
    """Count rows, and keep some from the beginning of evenly spread pieces.

    A line break is the end of a row where an even number of quotes stands before it.
    """
    kept: list[tuple[bytes, NDArray[np.intp]]] = []
    rows = held = quotes = 0
    quota, stride, number, limit, last = PIECE, 1, 0, KEPT, 10
    while piece := stream.read(PIECE):
        has_quotes, wanted = b'"' in piece, number % stride == 0
        if has_quotes or quotes % 2:
            ends = row_ends(piece, quotes)
            found = len(ends)
        else:
            found = int(np.count_nonzero(np.frombuffer(piece, np.uint8) == 10))
            ends = row_ends(piece[: 2 * quota], quotes) if wanted else NO_ENDS
        if wanted:
            kept.append(cut(piece, ends, quota, first=number == 0))
            held += len(kept[-1][0])
        rows, quotes = rows + found, quotes + (piece.count(b'"') if has_quotes else 0)
        limit = max(KEPT, 2 * most * (number + 1) * PIECE // max(1, rows))
        while held > limit:
            if quota > LEAST_PIECE:
                quota //= 2
                kept = [(data[:end], ends[ends < end]) for data, ends in kept for end in [cut_at(ends, quota)]]
            else:
                stride *= 2
                kept = kept[::2]
            held = sum(len(data) for data, _ in kept)
        number, last = number + 1, piece[-1]
    return Seen(rows + (last != 10), b"".join(data for data, _ in kept), quotes % 2 == 0, quotes > 0)


def row_ends(piece: bytes, quotes: int) -> NDArray[np.intp]:
    """Where rows end in a piece before which so many quotes stand."""
    data = np.frombuffer(piece, np.uint8)
    breaks = np.flatnonzero(data == 10)
    if not quotes % 2 and b'"' not in piece:
        return breaks
    at = np.flatnonzero(data == 34)
    found: NDArray[np.intp] = breaks[(np.searchsorted(at, breaks) + quotes) % 2 == 0]
    return found


def cut(piece: bytes, ends: NDArray[np.intp], quota: int, first: bool) -> tuple[bytes, NDArray[np.intp]]:
    """The whole rows of a piece up to about `quota` bytes, and where they end."""
    if not len(ends):
        return b"", ends
    begin = 0 if first else int(ends[0]) + 1
    ends = (ends if first else ends[1:]) - begin
    end = cut_at(ends, quota)
    return piece[begin : begin + end], ends[ends < end]


def cut_at(ends: NDArray[np.intp], quota: int) -> int:
    """Where the last row that fits ends; one row always does."""
    fit = ends[: max(1, int(np.searchsorted(ends, quota)))]
    return int(fit[-1]) + 1 if len(fit) else 0


def whole_lines(stream: Readable, size: int) -> Iterator[bytes]:
    """The bytes in pieces of about `size`, each of which ends where a line does."""
    rest = b""
    while piece := stream.read(size):
        end = piece.rfind(b"\n") + 1 or piece.rfind(b"\r") + 1
        if end:
            yield rest + piece[:end]
        rest = piece[end:] if end else rest + piece
    if rest:
        yield rest


def first_line(stream: Readable) -> bytes:
    """The bytes up to and with the first line break outside quotes."""
    found = b""
    while piece := stream.read(PIECE):
        ends = row_ends(piece, found.count(b'"'))
        if len(ends):
            return found + piece[: int(ends[0]) + 1]
        found += piece
    return found

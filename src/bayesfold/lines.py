"""Rows in the bytes of a text table: how many there are, some of them from everywhere, and where they can be cut.

A line break ends a row unless it stands in a quoted field: one that begins with a quote.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bayesfold.kernels import fields

PIECE = 1 << 18
"""Bytes looked at at once, ..."""
LEAST_PIECE = 1 << 14
"""... and the least of them that is kept before fewer pieces are."""
KEPT = 1 << 22
"""Bytes that may always be kept for a sample."""
AT_ONCE = 1 << 25
"""Bytes that are cut off at once, at most, ..."""
LONGEST = 1 << 28
"""... and where a row is longer than that."""
SPARE = 16
"""Bytes behind a buffer that may be looked at."""
EVERY = 1 << 62

Bytes = NDArray[np.uint8]


class TooLong(ValueError):
    """A row that does not end: a quote was opened, perhaps, and never closed."""


class Readable(Protocol):
    """What bytes can be read from."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill a buffer with the next bytes; returns how many there were, 0 at the end."""
        ...


@dataclass(frozen=True)
class Seen:
    """Rows in a file, some of their bytes, and whether all quotes were closed, so that both can be trusted."""

    rows: int
    bytes: bytes
    reliable: bool


@dataclass(frozen=True)
class Piece:
    """Whole rows: the first `size` bytes of a buffer, which end with a line break, and at most how many rows."""

    buffer: Bytes
    size: int
    rows: int

    @classmethod
    def of(cls, data: bytes) -> "Piece":
        """Bytes that are whole rows; the last may lack its line break.

        >>> Piece.of(b"a,b\\nc,d").rows
        2
        """
        buffer = np.zeros(len(data) + 1 + SPARE, np.uint8)
        buffer[: len(data)] = np.frombuffer(data, np.uint8)
        size = len(data)
        if data and data[-1] != 10:
            buffer[size] = 10
            size += 1
        return cls(buffer, size, data.count(b"\n") + 1)

    @property
    def bytes(self) -> bytes:
        """The rows as they stand."""
        return self.buffer[: self.size].tobytes()


def look(stream: Readable, most: int, separator: str = ",") -> Seen:
    """Count rows, and keep some from the beginning of evenly spread pieces: twice `most`, or those of `KEPT` bytes."""
    kept: list[Bytes] = []
    state = np.zeros(3, np.intp)
    buffer = np.zeros(PIECE + SPARE, np.uint8)
    mark, last = ord(separator), 10
    held = size = number = 0
    quota, stride = PIECE, 1
    while got := filled(stream, buffer, 0, PIECE):
        begin = stop = 0
        if number % stride == 0:
            if number:
                begin = stop = fields.cut(buffer, 0, got, mark, 1, state)
            if begin or not number:
                stop = min(begin + quota, got)
                end = fields.cut(buffer, begin, stop, mark, EVERY, state)
                kept.append(with_spare(buffer[begin:end]))
                held += end - begin
            else:  # no row ends here
                stop = got
        fields.cut(buffer, stop, got, mark, EVERY, state)
        number, size, last = number + 1, size + got, buffer[got - 1]
        limit = max(KEPT, 2 * most * size // max(1, int(state[1])))
        while held > limit:
            if quota > LEAST_PIECE:
                quota //= 2
                kept = [with_spare(some[: rows_end(some, quota, mark)]) for some in kept]
            else:
                stride *= 2
                kept = kept[::2]
            held = sum(len(some) - SPARE for some in kept)
    rows = int(state[1]) + (last != 10)
    return Seen(rows, b"".join(some[:-SPARE].tobytes() for some in kept), bool(state[0] != 2))


def with_spare(some: Bytes) -> Bytes:
    """A copy of bytes that may be looked at eight at a time."""
    held = np.zeros(len(some) + SPARE, np.uint8)
    held[: len(some)] = some
    return held


def rows_end(some: Bytes, quota: int, mark: int) -> int:
    """Where the last row that fits ends; one row always does."""
    whole = len(some) - SPARE
    end = fields.cut(some, 0, min(quota, whole), mark, EVERY, np.zeros(3, np.intp))
    return int(end or fields.cut(some, 0, whole, mark, 1, np.zeros(3, np.intp)))


def filled(stream: Readable, buffer: Bytes, begin: int, end: int) -> int:
    """Read until a part of a buffer is full, or nothing is left; returns how many bytes there were."""
    at = begin
    while at < end and (got := stream.readinto(memoryview(buffer.data)[at:end])):
        at += got
    return at - begin


def pieces(stream: Readable, separator: str, rows: int) -> Iterator[Piece]:
    """The bytes in pieces of `rows` rows, and fewer only where they take more than `AT_ONCE` bytes, or at the end."""
    mark = ord(separator)
    buffer = np.empty(AT_ONCE + SPARE, np.uint8)
    held, more = 0, min(AT_ONCE, 1 << 21)
    while True:
        state = np.zeros(3, np.intp)
        at = end = 0
        while True:
            if held > at:
                found = fields.cut(buffer, at, held, mark, rows - int(state[1]), state)
                at, end = held, found if found > at else end
            if state[1] >= rows or (end and held >= AT_ONCE):
                break
            if held + SPARE >= len(buffer):
                if held >= LONGEST:
                    raise TooLong(f"a row is longer than {LONGEST:,} bytes")
                buffer = np.concatenate([buffer, np.empty(7 * len(buffer), np.uint8)])
            got = filled(stream, buffer, held, min(held + more, len(buffer) - SPARE))
            if not got:
                break
            held += got
        if not held:
            return
        if not end:  # the end of all, where the last line break may be lacking
            buffer[held] = 10
            end = held = held + 1
            state[1] += 1
        yield Piece(buffer, end, int(state[1]))
        more = max(1 << 16, min(AT_ONCE, end + (end >> 6) - (held - end)))
        fresh = np.empty(max(AT_ONCE, 2 * (held - end)) + SPARE, np.uint8)
        fresh[: held - end] = buffer[end:held]
        buffer, held = fresh, held - end


def first_line(stream: Readable) -> bytes:
    """The bytes up to and with the first line break outside quotes, whatever the separator."""
    found = np.zeros(PIECE + SPARE, np.uint8)
    size = 0
    while got := filled(stream, found, size, len(found) - SPARE):
        size += got
        ends = row_ends(found[:size])
        if len(ends):
            return found[: int(ends[0]) + 1].tobytes()
        found = np.concatenate([found, np.zeros(len(found), np.uint8)])
    return found[:size].tobytes()


def row_ends(data: Bytes) -> NDArray[np.intp]:
    """Line breaks before which an even number of quotes stands."""
    breaks = np.flatnonzero(data == 10)
    at = np.flatnonzero(data == 34)
    found: NDArray[np.intp] = breaks[np.searchsorted(at, breaks) % 2 == 0]
    return found

"""Rows in the bytes of a text table: how many there are, some of them from everywhere, and where they can be cut.

A line break ends a row unless it stands in a quoted field: one that begins with a quote. A blank line is no row.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import local
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bayesfold.kernels.csv import row_ends
from bayesfold.runtime.arrow_buffers import Spare
from bayesfold.runtime.threads import pool, workers

SCANNED = 1 << 22
"""Bytes that a thread reads and scans at once."""
PIECE = 1 << 18
"""Bytes looked at in one go."""
LEAST_PIECE = 1 << 14
"""Smallest piece of a sample, in bytes; below it, fewer pieces are kept instead."""
KEPT = 1 << 22
"""Bytes that may always be kept for a sample."""
AT_ONCE = 1 << 25
"""Most bytes that are cut off in one go."""
LONGEST = 1 << 28
"""Most bytes of a single row."""
SPARE = 16
"""Bytes behind a buffer that may be looked at."""
EVERY = 1 << 62

_own = local()

Bytes = NDArray[np.uint8]


class CannotCutRows(ValueError):
    """Bytes that cannot be cut into rows: a quote was opened, perhaps, and never closed."""


class Readable(Protocol):
    """Something that bytes can be read from."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill a buffer with the next bytes; returns how many there were, 0 at the end."""
        ...


@dataclass(frozen=True)
class Marks:
    """Row rows[i] begins at byte starts[i]; the last of them stands for the end of all."""

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]


@dataclass(frozen=True)
class Seen:
    """Rows in a file, some of their bytes, where some begin, and whether all quotes were closed, as they should be."""

    rows: int
    bytes: bytes
    marks: Marks
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
    def view(self) -> memoryview:
        """The rows as they stand."""
        return memoryview(self.buffer.data)[: self.size]


@dataclass(frozen=True)
class Scanned:
    """The next bytes, as many as are looked at at once, and how many rows end in them; -1: there is a quote or, it may
    be, a blank line."""

    buffer: Bytes
    size: int
    breaks: int


def scan_stream(stream: Readable) -> Iterator[Scanned]:
    """All bytes of a stream, in one buffer after the other."""
    buffer = np.zeros(PIECE + SPARE, np.uint8)
    while got := fill_buffer(stream, buffer, 0, PIECE):
        yield Scanned(buffer, got, row_ends.breaks(buffer, 0, got))


def scan_file(path: Path, first: int) -> Iterator[Scanned]:
    """All bytes of a file from byte `first` on; threads read and scan some each, ahead of who looks at them."""
    size, spare = path.stat().st_size, Spare()

    def scan(begin: int) -> list[Scanned]:
        buffer = spare.array((SCANNED + SPARE,), np.uint8)
        with path.open("rb", buffering=0) as file:
            file.seek(begin)
            got = fill_buffer(file, buffer, 0, SCANNED)
        ends = ((at, min(at + PIECE, got)) for at in range(0, got, PIECE))
        return [Scanned(buffer[at:], end - at, row_ends.breaks(buffer, at, end)) for at, end in ends]

    under_way: deque[Future[list[Scanned]]] = deque()
    for begin in range(first, size, SCANNED):
        under_way.append(pool().submit(scan, begin))
        if len(under_way) > workers():
            yield from under_way.popleft().result()
    while under_way:
        yield from under_way.popleft().result()


def count_and_sample(scans: Iterable[Scanned], most: int, separator: str = ",", size: int = 0) -> Seen:
    """Count rows, and keep some from the beginning of evenly spread pieces: `most` to twice as many.

    `size` is about how many bytes there are, if that is known: then what will be too much is not kept at first.
    """
    kept: list[Bytes] = []
    state = start_of_row()
    mark, last = ord(separator), 10
    marks: list[tuple[int, int]] = []
    held = passed = number = 0
    quota, stride = PIECE, 1
    for piece in scans:
        buffer, got, before = piece.buffer, piece.size, int(state[1])
        plain = piece.breaks >= 0 and state[0] < 2
        stop = row_ends.cut(buffer, 0, got, mark, 1, state) if number else 0
        if stop or not number:  # a row begins here
            marks.append((int(state[1]), passed + stop))
            if number % stride == 0:
                begin, stop = stop, min(stop + quota, got)
                end = row_ends.cut(buffer, begin, stop, mark, EVERY, state)
                kept.append(with_spare(buffer[begin:end]))
                held += end - begin
            if not plain:
                row_ends.cut(buffer, stop, got, mark, EVERY, state)
        number, passed, last = number + 1, passed + got, buffer[got - 1]
        if plain:  # a field begins behind what separates fields or rows, and a row behind what separates rows
            state[0], state[1], state[3] = last not in (mark, 10, 13), before + piece.breaks, 2 * (last != 10)
        limit = max(KEPT, 2 * most * passed // max(1, int(state[1])))
        if number == 1 and size > got:
            share = 5 * limit * PIECE // (8 * size)  # of the limit a little more than half
            quota, stride = min(PIECE, max(share, LEAST_PIECE)), max(1, LEAST_PIECE // max(1, share))
            kept = shorten_chunks(kept, quota, mark)
            held = sum(len(chunk) - SPARE for chunk in kept)
        while held > limit:
            if quota > LEAST_PIECE:
                quota //= 2
                kept = shorten_chunks(kept, quota, mark)
            else:
                stride *= 2
                kept = kept[::2]
            held = sum(len(chunk) - SPARE for chunk in kept)
    rows = int(state[1]) + (state[3] == 2)  # the last line break may be lacking
    known = np.array([*marks, (rows, passed)], np.int64).T.copy()
    return Seen(rows, b"".join(chunk[:-SPARE].tobytes() for chunk in kept), Marks(*known), bool(state[0] != 2))


def start_of_row() -> NDArray[np.intp]:
    """The state of a cut at the first byte of a row."""
    return np.zeros(4, np.intp)


def with_spare(data: Bytes) -> Bytes:
    """A copy of bytes that may be looked at eight at a time."""
    held = np.zeros(len(data) + SPARE, np.uint8)
    held[: len(data)] = data
    return held


def shorten_chunks(kept: list[Bytes], quota: int, mark: int) -> list[Bytes]:
    """The rows of each chunk that fit; at least one row of each."""
    shorter = []
    for chunk in kept:
        whole = len(chunk) - SPARE
        end = row_ends.cut(chunk, 0, min(quota, whole), mark, EVERY, start_of_row())
        end = end or row_ends.cut(chunk, 0, whole, mark, 1, start_of_row())
        shorter.append(with_spare(chunk[:end]))
    return shorter


def fill_buffer(stream: Readable, buffer: Bytes, begin: int, end: int) -> int:
    """Read until a part of a buffer is full, or nothing is left; returns how many bytes there were."""
    at = begin
    while at < end and (got := stream.readinto(memoryview(buffer.data)[at:end])):
        at += got
    return at - begin


def cut_into_pieces(stream: Readable, separator: str, rows: int) -> Iterator[Piece]:
    """The bytes in pieces of `rows` rows, and fewer only where they take more than `AT_ONCE` bytes, or at the end."""
    mark = ord(separator)
    buffer = np.empty(AT_ONCE + SPARE, np.uint8)
    held, more = 0, min(AT_ONCE, 1 << 21)
    while True:
        state = start_of_row()
        at = end = 0
        while True:
            if held > at:
                row_end = row_ends.cut(buffer, at, held, mark, rows - int(state[1]), state)
                at, end = held, row_end if row_end > at else end
            if state[1] >= rows or (end and held >= AT_ONCE):
                break
            if held + SPARE >= len(buffer):
                if held >= LONGEST:
                    raise CannotCutRows(f"a row is longer than {LONGEST:,} bytes")
                buffer = np.concatenate([buffer, np.empty(7 * len(buffer), np.uint8)])
            got = fill_buffer(stream, buffer, held, min(held + more, len(buffer) - SPARE))
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


def plan_blocks(marks: Marks, rows: int) -> Iterator[tuple[int, int]]:
    """(first row, row behind the last) of what is to be read at once: blocks of `rows`, or less where they are long."""
    begin, every = 0, int(marks.rows[-1])
    while begin < every:
        i = int(np.searchsorted(marks.rows, begin, "right")) - 1
        j = int(np.searchsorted(marks.starts, marks.starts[i] + AT_ONCE, "right")) - 1
        end = min(begin - begin % rows + rows, every, int(marks.rows[max(i + 1, j)]))
        yield begin, end
        begin = end


def read_rows_at(path: Path, first: int, marks: Marks, begin: int, end: int, separator: str) -> Piece:
    """Some rows of a file whose row 0 stands at byte `first`; in a buffer that the thread will use again."""
    i, j = (int(np.searchsorted(marks.rows, row, "right")) - 1 for row in (begin, end))
    low, near, high = (int(marks.starts[min(k, len(marks.rows) - 1)]) for k in (i, j, j + 1))
    buffer = getattr(_own, "buffer", None)
    if buffer is None or len(buffer) < high - low + 1 + SPARE:
        buffer = _own.buffer = np.empty(max(AT_ONCE >> 1, high - low) + (1 << 20) + SPARE, np.uint8)
    with path.open("rb", buffering=0) as file:
        file.seek(first + low)
        size = fill_buffer(file, buffer, 0, high - low)
    if size < high - low:
        raise CannotCutRows("the file has become shorter while it was read")
    buffer[size] = 10
    begun = skip_rows(buffer, 0, size, separator, begin - int(marks.rows[i]))
    ended = skip_rows(buffer, near - low, size, separator, end - int(marks.rows[j]))
    whole = ended if ended == 0 or buffer[ended - 1] == 10 else ended + 1  # the last line break may be lacking
    return Piece(buffer[begun:], whole - begun, end - begin)


def skip_rows(buffer: Bytes, at: int, size: int, separator: str, rows: int) -> int:
    """Where the next row begins behind so many rows."""
    return int(row_ends.cut(buffer, at, size, ord(separator), rows, start_of_row())) if rows else at

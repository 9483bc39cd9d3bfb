"""Documents as rows of term counts: words or characters and their n-grams, as scikit-learn's CountVectorizer has them.

>>> indexed = count_terms(["Win a PRIZE, win it!", "Meet at ten"], Vocabulary.of([]), Analyser(), grow=True)
>>> list(indexed.vocabulary), indexed.rows.data.tolist()
(['win', 'prize', 'it', 'meet', 'at', 'ten'], [2, 1, 1, 1, 1, 1])
>>> count_terms(["win a car"], indexed.vocabulary, Analyser()).unknown                # "a" is no word, "car" is unknown
array([1], dtype=int32)

Text that is not UTF-8 (Arrow columns may hold it) is read as Python's errors="replace" reads it: each ill-formed piece
becomes U+FFFD, which is no word character. A missing document has no terms.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.sparse import Sparse
from bayesfold.data.text.documents import Documents, to_documents
from bayesfold.data.text.vocabulary import Store, Vocabulary, lengthen
from bayesfold.kernels.text import vocabulary as loops
from bayesfold.kernels.text.words import Reader
from bayesfold.runtime.threads import each, workers

KINDS = {"word": 0, "char": 1, "char_wb": 2}
TABLE, ARENA, ENTRIES, SCRATCH, ODD = 1, 2, 3, 4, 5  # why the kernel stopped
CHUNK = 256
WORTH_A_THREAD = 1 << 20
"""Bytes of text below which a second thread does not pay."""

PIECES = 4
"""Pieces of a column for each thread, where the vocabulary stays as it is: a thread that is held up does fewer."""

NO_TABLES = np.empty(0, np.uint16), np.empty(0, np.int32)


@dataclass(frozen=True)
class Analyser:
    """What the terms of a document are: analyzer "word" (two or more word characters), "char" or "char_wb"; n-grams
    of ngrams[0] to ngrams[1] of them; `buckets` (a power of two) of a hashed vocabulary, 0 for an exact one."""

    analyzer: str = "word"
    ngrams: tuple[int, int] = (1, 1)
    lowercase: bool = True
    buckets: int = 0

    def __post_init__(self) -> None:
        if self.analyzer not in KINDS:
            raise ValueError(f"analyzer={self.analyzer!r} is not one of {', '.join(map(repr, KINDS))}")
        low, high = self.ngrams
        if not 1 <= low <= high <= 32:
            raise ValueError(f"ngram_range={self.ngrams!r} must be (fewest, most) with 1 <= fewest <= most <= 32")
        if self.buckets < 0 or self.buckets & (self.buckets - 1) or self.buckets > 1 << 30:
            raise ValueError(f"hashed={self.buckets!r} must be a power of two up to 2**30, such as 2**18")

    @property
    def code(self) -> NDArray[np.int64]:
        """These settings as the kernel reads them."""
        return np.array([KINDS[self.analyzer], *self.ngrams, 32 if self.lowercase else 0, self.buckets], np.int64)


@dataclass(frozen=True)
class Indexed:
    """Documents as rows of term counts, with how many terms each has and how many of them are unknown."""

    vocabulary: Vocabulary
    rows: Sparse
    terms: NDArray[np.int32]
    unknown: NDArray[np.int32]
    odd: int  # documents that went through str.lower() or were not UTF-8


@cache
def character_table(lowercase: bool) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
    """Of every character 4 x how far off its lower case is + its kind (1 word, 2 white space), as this Python has them.

    stage[c >> 8] is the block of a character, of 256; equal blocks are kept once. U+0130 and U+03A3, whose lower case
    is two characters or depends on the context, are not asked for.
    """
    points = np.arange(0x110000, dtype=np.int32)
    points[0xD800:0xE000] = 0xFFFD  # surrogates do not occur in UTF-8
    points[[0x130, 0x3A3]] = 0x69, 0x3C3
    before = points.tobytes().decode("utf-32-le")
    text = before.lower() if lowercase else before
    fold = 4 * (np.frombuffer(text.encode("utf-32-le"), np.int32) - points)
    for bit, pattern in ((1, r"\w+"), (2, r"\s+")):
        for run in re.finditer(pattern, text):
            fold[run.start() : run.end()] |= bit
    blocks: dict[bytes, int] = {}
    stage = np.empty(len(points) >> 8, np.uint16)
    for b in range(len(stage)):
        part = slice(b << 8, (b + 1) << 8)
        stage[b] = blocks.setdefault(fold[part].tobytes(), len(blocks))
    _, first = np.unique(stage, return_index=True)
    rows = (first[:, None] << 8 | np.arange(256)).ravel()
    return stage, fold[rows]


def count_terms(values: Any, vocabulary: Vocabulary, analyser: Analyser, grow: bool = False) -> Indexed:
    """Documents as rows of counts over a vocabulary, which gains the terms it did not have if it may `grow`.

    Large columns are cut into pieces that run side by side. Where the vocabulary grows, the first piece's terms join it
    at once, and those of each other piece, which has a vocabulary of its own, when it is done: in order, so numbers do
    not depend on how many pieces there are.
    """
    text = values if isinstance(values, Documents) else to_documents(values)
    grow = grow and not analyser.buckets
    most = workers() if grow else PIECES * workers()
    least = max(WORTH_A_THREAD, 4 * (analyser.buckets or vocabulary.size))  # each piece has an array as long as that
    pieces = cut_evenly(text, min(most, max(1, text.bytes // least)) if workers() > 1 else 1)
    if not grow:
        done = each(lambda piece: Pass(text, *piece, analyser, vocabulary.store, vocabulary.size).run(), pieces)
        return join_passes(done, [None] * len(done), vocabulary, analyser.buckets or vocabulary.size)
    store = vocabulary.appendable()
    with store.lock:
        stores = [store, *(Store() for _ in pieces[1:])]
        done = each(
            lambda i: Pass(text, *pieces[i], analyser, stores[i], None, text.bytes if i == 0 else 0).run(),
            range(len(pieces)),
        )
        maps = [None, *(store.adopt(other, other.size) for other in stores[1:])]
        grown = vocabulary if store.size == vocabulary.size else Vocabulary(store, store.size)
    return join_passes(done, maps, grown, grown.size)


def cut_evenly(text: Documents, pieces: int) -> list[tuple[int, int]]:
    """Documents cut into this many runs of about the same length, as (first, end)."""
    marks = text.offsets[0] + np.arange(1, pieces) * (text.bytes // pieces)
    bounds = [0, *np.searchsorted(text.offsets, marks).tolist(), len(text)]
    return [(a, b) for a, b in pairwise(bounds) if b > a or pieces == 1]


class Pass:
    """One thread's pass over documents begin..end, enlarging its arrays whenever the loop asks for it."""

    def __init__(
        self,
        text: Documents,
        begin: int,
        end: int,
        analyser: Analyser,
        store: Store,
        known: int | None,
        size: int = 0,
    ) -> None:
        self.text, self.begin, self.end, self.analyser, self.store = text, begin, end, analyser, store
        rows = end - begin
        room = max(CHUNK, max(size, int(text.offsets[end] - text.offsets[begin])) // 8)
        self.starts, self.tokens = np.zeros(rows + 1, np.int64), np.zeros((rows, 2), np.int32)
        self.columns, self.values = np.empty(room, np.int32), np.empty(room, np.int32)
        self.last = np.full(max(analyser.buckets or len(store.ends), 1), -1, np.int32)
        self.scratch, self.letters = np.zeros(1 << 12, np.uint8), np.zeros(1 << 12, np.intp)
        self.tables = NO_TABLES
        self.odd = 0
        chunk = *np.empty((2, CHUNK), np.uint64), *np.empty((2, CHUNK), np.intp)
        self.reader = Reader(analyser.code, known is None, known or 0, (chunk[0], *chunk[2:], chunk[1]))
        self.reader.look_up_in(store.table, store.ends, store.arena, store.top, self.last)
        self.reader.read_by(*self.tables, self.scratch, self.letters)
        self.reader.write_to(self.starts, self.columns, self.values, self.tokens)

    def run(self) -> "Pass":
        """Read every document; scratch memory is freed at the end."""
        d = self.begin
        while d < self.end:
            d = self.reader.read(self.text.data, self.text.offsets, d, self.end, d - self.begin, False)
            if d < self.end:
                if self.reader.why == ODD and len(self.tables[0]):
                    self.alone(d)
                    d += 1
                else:
                    self.enlarge(self.text, d)
        self.entries = int(self.reader.entries)
        del self.reader, self.last, self.scratch, self.letters
        return self

    def alone(self, d: int) -> None:
        """A document that Python must lower or mend first."""
        self.odd += 1
        one = self.text.lowered(d, self.analyser.lowercase)
        while not self.reader.read(one.data, one.offsets, 0, 1, d - self.begin, True):
            self.enlarge(one, 0)

    def enlarge(self, text: Documents, d: int) -> None:
        """Make room for what the document has too little of."""
        why, store = self.reader.why, self.store
        if why in (ODD, SCRATCH):
            if why == ODD:
                self.tables = character_table(self.analyser.lowercase)
            else:
                size = 2 * int(text.offsets[d + 1] - text.offsets[d]) + 64
                self.scratch, self.letters = np.zeros(size, np.uint8), np.zeros(size, np.intp)
            self.reader.read_by(*self.tables, self.scratch, self.letters)
        elif why == ENTRIES:
            size = 2 * len(self.columns) + CHUNK
            self.columns, self.values = lengthen(self.columns, size), lengthen(self.values, size)
            self.reader.write_to(self.starts, self.columns, self.values, self.tokens)
        else:
            if why == TABLE:
                store.reserve(max(store.size, CHUNK), 0)
                last = np.full(len(store.ends), -1, np.int32)
                last[: len(self.last)] = self.last
                self.last = last
            elif why == ARENA:
                store.reserve(0, len(store.arena))  # whatever is used: it doubles
            self.reader.look_up_in(store.table, store.ends, store.arena, store.top, self.last)


def join_passes(done: list[Pass], maps: list[Any], vocabulary: Vocabulary, width: int) -> Indexed:
    """The rows of several passes, one behind the other, under common numbers."""
    ends = np.cumsum([0, *(one.entries for one in done)])
    columns, values = done[0].columns, done[0].values
    if len(columns) < ends[-1]:
        columns, values = (lengthen(old[: ends[1]], int(ends[-1])) for old in (columns, values))

    def move(i: int) -> None:
        size, part = done[i].entries, slice(ends[i], ends[i + 1])
        values[part] = done[i].values[:size]
        if maps[i] is None:
            columns[part] = done[i].columns[:size]
        else:
            loops.renumber(done[i].columns[:size], maps[i], columns[part])

    each(move, range(1, len(done)))
    starts = concatenate(
        [done[0].starts, *(one.starts[1:] + before for one, before in zip(done[1:], ends[1:], strict=False))]
    )
    tokens = concatenate([one.tokens for one in done])
    rows = Sparse(starts, columns[: ends[-1]], values[: ends[-1]], width)
    return Indexed(vocabulary, rows, tokens[:, 0], tokens[:, 1], sum(one.odd for one in done))


def concatenate(parts: list[Any]) -> Any:
    """Arrays one behind the other; one alone is not copied."""
    return np.concatenate(parts) if len(parts) != 1 else parts[0]

"""A vocabulary: terms in the order they were first seen, each with a number; it grows and never forgets a term.

A `Vocabulary` is the first `size` terms of a `Store`, which only ever appends: whoever grows a vocabulary gets a new
one, and the old one still means what it meant. Growing one that is not the newest of its store copies the store.

>>> v = Vocabulary.of(["win", "meet"])
>>> longer = v.grown(Vocabulary.of(["meet", "prize"]))
>>> list(longer), len(v), longer.numbers(["prize", "win", "no"]).tolist()
(['win', 'meet', 'prize'], 2, [2, 0, -1])
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.kernels.text import vocabulary as loops

SPARE = 16
"""Bytes behind the last term that the loops may read."""

MOST_TERMS, MOST_LETTERS = 1 << 31, 1 << 32
"""Limits of a vocabulary: numbers and places of terms stand side by side in 64 bits."""


class Store:
    """The terms' bytes one behind the other, where each ends, and a table from keys to numbers."""

    def __init__(self, terms: int = 1 << 10, letters: int = 1 << 13) -> None:
        self.table = np.zeros((power_of_two(2 * terms), 2), np.uint64)
        self.ends = np.zeros(terms + 1, np.int64)
        self.arena = np.zeros(letters + SPARE, np.uint8)
        self.top = np.zeros(1, np.int64)
        self.lock = Lock()

    @property
    def size(self) -> int:
        """Terms in the store."""
        return int(self.top[0])

    def reserve(self, terms: int, letters: int) -> None:
        """Room for so many terms and bytes more; arrays that others still read are left alone."""
        used = int(self.ends[self.size])
        if self.size + terms >= MOST_TERMS or used + letters + SPARE > MOST_LETTERS:
            raise ValueError(
                f"a vocabulary of {self.size:,} terms cannot grow any more; read the text with hashed=2**20, or fewer "
                "kinds of n-grams"
            )
        if len(self.ends) - 1 < self.size + terms:
            self.ends = lengthen(self.ends, max(2 * len(self.ends), self.size + terms + 1))
        if len(self.table) < 2 * (self.size + terms):
            larger = np.zeros((power_of_two(2 * (self.size + terms)), 2), np.uint64)
            loops.rehash(self.table, larger)
            self.table = larger
        if len(self.arena) < used + letters + SPARE:
            longer = min(max(2 * len(self.arena), used + letters + SPARE), MOST_LETTERS)
            self.arena = lengthen(self.arena, longer)

    def adopt(self, other: "Store", size: int, grow: bool = True) -> NDArray[np.int32]:
        """The numbers here of the other store's first terms, which join if they are new (or are -1)."""
        numbers = np.empty(size, np.int32)
        if grow:
            self.reserve(size, int(other.ends[size]))
        loops.adopt(other.arena, other.ends, grow, self.table, self.ends, self.arena, self.top, numbers)
        return numbers

    def first(self, size: int) -> "Store":
        """A store of the first terms alone."""
        fresh = Store(max(size, 1), int(self.ends[size]))
        fresh.adopt(self, size)
        return fresh


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary(Sequence[str]):
    """The first `size` terms of a store; equal to another if the terms and their order are."""

    store: Store
    size: int = 0

    @classmethod
    def of(cls, terms: Iterable[str]) -> "Vocabulary":
        """The distinct terms of a list, in order."""
        encoded = [term.encode("utf-8", "replace") for term in terms]
        joined = b"".join(encoded)
        ends = np.concatenate([[0], np.cumsum([len(t) for t in encoded])]).astype(np.int64)
        return cls.from_bytes(joined, ends)

    @classmethod
    def from_bytes(cls, joined: bytes, ends: NDArray[np.int64]) -> "Vocabulary":
        """The terms in a run of bytes, by where they end."""
        given = Store(1, 0)
        given.arena = np.frombuffer(joined + bytes(SPARE), np.uint8).copy()
        given.ends = ends
        store = Store(max(len(ends) - 1, 1), len(joined))
        store.adopt(given, len(ends) - 1)
        return cls(store, store.size)

    def kept(self) -> dict[str, NDArray[Any]]:
        """The terms as two arrays: their bytes, and where each begins and ends."""
        ends = self.store.ends[: self.size + 1]
        return {"letters": self.store.arena[: ends[-1]].copy(), "ends": ends.copy()}

    @classmethod
    def restored(cls, letters: NDArray[np.uint8], ends: NDArray[np.int64]) -> "Vocabulary":
        """The vocabulary of such arrays, which may come from a file: they are checked first."""
        right = letters.ndim == ends.ndim == 1 and len(ends) and ends[0] == 0 and ends[-1] == len(letters)
        if not right or (np.diff(ends) < 0).any():
            raise ValueError("its terms do not begin and end within its bytes")
        joined = letters.tobytes()
        joined.decode()  # a term that is no text cannot be shown
        inside = ends[ends < len(letters)]
        if (letters[inside] & 0xC0 == 0x80).any():
            raise ValueError("one of its terms ends within a character")
        vocabulary = cls.from_bytes(joined, ends)
        if vocabulary.size != len(ends) - 1:
            raise ValueError("it has a term twice")
        return vocabulary

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(self.size))]
        i = range(self.size)[number]
        begin, end = self.store.ends[i : i + 2]
        return self.store.arena[begin:end].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(self.size))

    def __contains__(self, term: object) -> bool:
        return isinstance(term, str) and self.numbers([term])[0] >= 0

    def numbers(self, terms: Iterable[str]) -> NDArray[np.int32]:
        """The number of each term, -1 where it is unknown."""
        asked = [term.encode("utf-8", "replace") for term in terms]
        given = Store(1, 0)
        given.arena = np.frombuffer(b"".join(asked) + bytes(SPARE), np.uint8).copy()
        given.ends = np.concatenate([[0], np.cumsum([len(t) for t in asked])]).astype(np.int64)
        numbers = self.store.adopt(given, len(asked), grow=False)
        return np.where(numbers < self.size, numbers, -1).astype(np.int32)

    def hashed(self, buckets: int) -> NDArray[np.intp]:
        """The bucket of each term, if terms are hashed to `buckets`."""
        buckets_of_terms = np.empty(self.size, np.intp)
        loops.buckets_of(self.store.arena, self.store.ends, buckets, buckets_of_terms)
        return buckets_of_terms

    def places(self, other: "Vocabulary") -> NDArray[np.int32]:
        """The number here of each of another's terms, -1 where it is unknown."""
        if other.store is self.store and other.size <= self.size:
            return np.arange(other.size, dtype=np.int32)
        numbers = self.store.adopt(other.store, other.size, grow=False)
        return np.where(numbers < self.size, numbers, -1).astype(np.int32)

    def grown(self, other: "Vocabulary") -> "Vocabulary":
        """This vocabulary with the terms of another that it lacks."""
        if other.store is self.store:
            return self if other.size <= self.size else other
        if (self.places(other) >= 0).all():
            return self
        store = self.appendable()
        with store.lock:
            store.adopt(other.store, other.size)
            return Vocabulary(store, store.size)

    def appendable(self) -> Store:
        """The store, if nobody else has appended to it; otherwise one of these terms alone."""
        if not self.size:
            return Store()
        return self.store if self.store.size == self.size else self.store.first(self.size)

    def bytes_of(self, size: int) -> tuple[bytes, bytes]:
        """The first terms: their bytes, and where each ends."""
        ends = self.store.ends[: size + 1]
        return self.store.arena[: ends[-1]].tobytes(), ends.tobytes()

    @cached_property
    def _digest(self) -> int:
        return hash(self.bytes_of(self.size))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        if self.store is other.store or self.size != other.size:
            return self.size == other.size
        return self.bytes_of(self.size) == other.bytes_of(self.size)

    def __hash__(self) -> int:
        return self._digest

    def __repr__(self) -> str:
        shown = ", ".join(repr(term) for term in self[:4])
        return f"<{self.size:,} terms: {shown}{', ...' if self.size > 4 else ''}>"

    def __reduce__(self) -> Any:
        joined, ends = self.bytes_of(self.size)
        return Vocabulary.from_bytes, (joined, np.frombuffer(ends, np.int64))


def lengthen(old: NDArray[Any], size: int) -> NDArray[Any]:
    """A longer array that begins with the old one."""
    fresh = np.zeros(size, old.dtype)
    fresh[: len(old)] = old
    return fresh


def power_of_two(least: int) -> int:
    """The smallest power of two that is no less."""
    return 1 << max(4, (least - 1).bit_length())

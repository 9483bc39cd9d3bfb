"""A column of text as a block of term counts: one number per term of a vocabulary that grows with what is learned.

>>> body = Words("body", analyser=Analyser("word")).grown(Frame.of({"body": ["win a prize", "meet at ten"]}))
>>> list(body.vocabulary)
['win', 'prize', 'meet', 'at', 'ten']
>>> body.encode(Frame.of({"body": ["Win! Win!", None]})).data.tolist()
[2]
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bayesfold.data.encoding import NO_MARKERS, Cell, Encoding, Places
from bayesfold.data.frame import Floats, Frame, Level, is_text
from bayesfold.data.sparse import Sparse
from bayesfold.data.text.documents import text_array
from bayesfold.data.text.idf import Rarity
from bayesfold.data.text.tokenizer import Analyser, Indexed, count_terms
from bayesfold.data.text.vocabulary import Vocabulary
from bayesfold.runtime.arrow_buffers import arrow_texts

WEIGHINGS = ("count", "presence", "log")
NORMS = (None, "l1", "l2")


@cache
def empty_vocabulary() -> Vocabulary:
    """The vocabulary without terms, from which columns that read a text in the same way grow together."""
    return Vocabulary.of([])


@dataclass(frozen=True)
class Words(Encoding):
    """What a term weighs in a document: its count, 1 ("presence") or log(1 + count) ("log"), divided by the length of
    the document ("l1": the sum of the weights, "l2": the root of the sum of their squares; terms that the vocabulary
    does not have count too).

    With a `rarity` the weight is first multiplied by the idf that the first rows show, and unknown terms have no
    length: scikit-learn's order of things.
    """

    name: str
    vocabulary: Vocabulary = field(default_factory=empty_vocabulary)
    analyser: Analyser = Analyser()  # noqa: RUF009  (it is frozen)
    source: str = ""
    weighing: str = "count"
    norm: str | None = None
    missing: frozenset[Level] = NO_MARKERS
    rarity: Rarity | None = None
    is_block: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.weighing not in WEIGHINGS:
            raise ValueError(f"tf={self.weighing!r} is not one of {', '.join(map(repr, WEIGHINGS))}")
        if self.norm not in NORMS:
            raise ValueError(f"norm={self.norm!r} is not one of {', '.join(map(repr, NORMS))}")

    @property
    def in_words(self) -> str:
        """How it is read, for a person."""
        return f"text: {self.terms}"

    @property
    def terms(self) -> str:
        """What its terms are and what they weigh, for a person."""
        low, high = self.analyser.ngrams
        kind = {"word": "words", "char": "characters", "char_wb": "characters within words"}[self.analyser.analyzer]
        many = "" if high == 1 else f" in runs of {low} to {high}" if low < high else f" in runs of {low}"
        case = "" if self.analyser.lowercase else ", capitals kept"
        hashed = f", hashed to {self.analyser.buckets:,} places" if self.analyser.buckets else ""
        idf = f", idf of {self.rarity.documents:,} documents" if self.rarity else ""
        return f"{kind}{many}{case}{hashed}, by {self.weighing}{idf}{f' and {self.norm} length' if self.norm else ''}"

    @property
    def family(self) -> str:
        """The family that reads terms."""
        return "text"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells are texts."""
        return ((self.origin, "words", self.missing),)

    @property
    def width(self) -> int:
        """Terms in the vocabulary."""
        return self.analyser.buckets or self.vocabulary.size

    def indexed(self, frame: Frame, grow: bool = False) -> Indexed:
        """The column's documents over this vocabulary; the frame keeps what was read last."""
        key = ("terms", self.sources[0], self.analyser, self.missing)
        before, kept = frame.kept.get(key, (None, None))
        if kept is not None and (kept.vocabulary == self.vocabulary or (grow and before == self.vocabulary)):
            documents: Indexed = kept
            return documents
        documents = count_terms(read_text(frame, self.sources[0], self.missing), self.vocabulary, self.analyser, grow)
        frame.kept[key] = self.vocabulary if grow else None, documents
        return documents

    def grown(self, frame: Frame) -> "Words":
        """This column with the terms that it did not know; the first rows say how rare they are."""
        if self.rarity is not None and not self.rarity.documents:
            documents = self.indexed(frame, grow=not self.analyser.buckets)
            return replace(self, vocabulary=documents.vocabulary, rarity=Rarity.of(documents.rows))
        if self.analyser.buckets:
            return self
        vocabulary = self.indexed(frame, grow=True).vocabulary
        return self if vocabulary is self.vocabulary else replace(self, vocabulary=vocabulary)

    def grown_by_row(self, row: Mapping[str, Any], fresh: Mapping[str, Level]) -> "Words":
        """This column with the terms that a row shows for the first time."""
        return self.grown(self.frame_of(row))

    def united(self, other: Any) -> "Words":
        """This column with the other's terms."""
        vocabulary = self.vocabulary.grown(other.vocabulary)
        return self if vocabulary is self.vocabulary else replace(self, vocabulary=vocabulary)

    def blank(self) -> "Words":
        """This column without a term."""
        return replace(self, vocabulary=empty_vocabulary())

    def sorted_behind(self, known: Any) -> "Words":
        """Its terms that `known` does not have, sorted behind those that it has; hashed ones have their places."""
        if self.analyser.buckets:
            return self
        old = set(known.vocabulary)
        terms = sorted(term for term in self.vocabulary if term not in old)
        return replace(self, vocabulary=Vocabulary.of([*known.vocabulary, *terms]))

    @property
    def declares(self) -> tuple[Level, ...]:
        """How many of its first terms stay."""
        return (self.vocabulary.size,)

    def without(self, seen: NDArray[np.bool_]) -> "Words":
        """This column without the terms that no document shows."""
        if seen.all():
            return self
        kept = np.flatnonzero(seen)
        rarity = self.rarity
        if rarity is not None:
            rarity = replace(rarity, df=rarity.df[kept[kept < len(rarity.df)]])
        return replace(self, vocabulary=Vocabulary.of(self.vocabulary[int(i)] for i in kept), rarity=rarity)

    def sums_in(self, other: Any, order: int) -> Places:
        """The place that each term's sums have among those of a column which has all the terms."""
        if self.analyser.buckets:
            return np.arange(self.sums(order))
        at = other.vocabulary.places(self.vocabulary).astype(np.intp)
        return np.asarray((at[:, None] * order + np.arange(order)).ravel(), np.intp)

    def decode(self, values: Any, draw: "np.random.Generator", columns: dict[str, Any]) -> None:
        """Write documents of the terms, unless another reading of the same text has."""
        columns.setdefault(self.origin, self.texts(values))

    def encode(self, frame: Frame) -> Sparse:
        """The weight of each term in each document."""
        documents = self.indexed(frame)
        rows = documents.rows
        if rows.width != self.width:  # it was read before others joined the vocabulary
            rows = replace(rows, width=self.width)
        if self.weighing == "count" and self.norm is None and self.rarity is None:
            return rows
        weights, unknown = self.weighed(rows.data), documents.unknown
        if self.rarity is not None:
            weights, unknown = weights * self.rarity.idf(rows.columns), np.zeros_like(unknown)
        if self.norm is not None:
            length = document_lengths(self.norm, weights, rows, self.weighed(np.ones(1))[0], unknown)
            weights = weights / length[rows.row]
        return replace(rows, data=weights)

    def weighed(self, counts: Any) -> Floats:
        """Counts as weights, before the length of the document."""
        if self.weighing == "presence":
            return np.ones(len(counts))
        x = np.asarray(counts, np.float64)
        return np.log1p(x) if self.weighing == "log" else x

    def texts(self, counts: NDArray[np.int64]) -> NDArray[Any]:
        """One document per row of counts: its terms, one behind the other."""
        if self.analyser.analyzer != "word" or self.analyser.ngrams[1] > 1 or self.analyser.buckets:
            raise ValueError(f"a text of {self.terms} cannot be drawn: its terms overlap, or have no names")
        terms = np.array([*self.vocabulary], object)
        return np.array([" ".join(np.repeat(terms, row)) or None for row in counts], object)

    def named(self, places: Any) -> list[str]:
        """The terms at these places; hashed terms have no name, and are called by their place."""
        if self.analyser.buckets:
            return [f"bucket {place}" for place in places]
        return [self.vocabulary[int(place)] for place in places]


def document_lengths(norm: str, weights: Floats, rows: Sparse, one: float, unknown: Any) -> Floats:
    """The length of each document, 0 of one without terms; each unknown term weighs as one term that occurs once."""
    if norm == "l1":
        return np.asarray(np.bincount(rows.row, weights, len(rows)) + one * unknown)
    return np.asarray(np.sqrt(np.bincount(rows.row, weights * weights, len(rows)) + one * one * unknown))


def read_text(frame: Frame, name: str, missing: frozenset[Level]) -> Any:
    """A column as text, null where it shows a marker; numbers and truth values are refused."""
    values = frame.column(name)
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        if values.dtype.kind == "f" and np.isnan(values).all():
            return pa.nulls(len(values))
        raise TypeError(f"column {name!r} holds numbers, and is declared to be text; declare another family for it")
    text = values if isinstance(values, pa.Array) else text_array(values)
    if pa.types.is_dictionary(text.type):
        text = text.dictionary_decode()
    if missing and is_text(text.type):
        import pyarrow.compute as pc  # it takes as long to load as pyarrow itself

        marked = pc.is_in(text, value_set=arrow_texts([str(m) for m in missing]).cast(text.type))
        text = pc.if_else(marked, None, text)
    return text

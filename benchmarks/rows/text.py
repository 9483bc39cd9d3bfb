"""Raw text to a model and to predictions, ASCII and 30 % other letters, beside CountVectorizer + MultinomialNB.

The documents are drawn from 50,000 made-up words by Zipf's law, about 100 to a document; of the second corpus 15 % are
accented and 15 % Chinese. The peers get a tenth of the documents and are scaled up by bytes: they take seconds. Both
sides count the same: the class counts of every word are compared.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import bayesfold
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, at_least
from benchmarks.timing import alternate

CLASSES, WORDS, LENGTH = 20, 50_000, 100
LETTERS = "etaoinshrdlucmfwygpbvk"
ACCENTS = str.maketrans("aeou", "áéöü")
CHINESE = str.maketrans({letter: chr(0x4E00 + 7 * i) for i, letter in enumerate(LETTERS)})


def corpora(documents: int) -> tuple[dict[str, list[str]], Any]:
    """The two corpora, and the classes."""
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list(LETTERS), rng.integers(2, 11))) for _ in range(WORDS)]
    p = 1 / np.arange(1, WORDS + 1)
    drawn = rng.choice(WORDS, (documents, LENGTH), p=p / p.sum())
    capital = rng.random((documents, LENGTH)) < 0.1
    plain = [
        " ".join(words[w].title() if c else words[w] for w, c in zip(row, capitals, strict=True))
        for row, capitals in zip(drawn, capital, strict=True)
    ]
    mixed = [
        text.translate(ACCENTS) if i % 20 < 3 else text.translate(CHINESE) if i % 20 < 6 else text
        for i, text in enumerate(plain)
    ]
    return {"ASCII": plain, "30 % other": mixed}, rng.integers(0, CLASSES, documents)


def ours(texts: Any, y: Any) -> Any:
    """The textbook's multinomial."""
    return bayesfold.TextClassifier(model="multinomial", alpha=1.0, weights=None).fit(texts, y)


def theirs(vectorizer: Any, texts: list[str], y: Any) -> Any:
    """What people write."""
    return make_pipeline(vectorizer(), MultinomialNB()).fit(texts, y)


def hashing() -> Any:
    """Counts, not signs and lengths."""
    return HashingVectorizer(n_features=2**18, alternate_sign=False, norm=None)


def same_counts(texts: list[str], y: Any) -> Agreement:
    """Whether both sides count every word of every class alike."""
    mine, peer = ours(texts, y), theirs(CountVectorizer, texts, y)
    words = mine.schema_.features[0].vocabulary
    counts = mine.model_.flat.forms[0].counts[1:]
    order = [peer[0].vocabulary_[word] for word in words]
    if len(order) != len(peer[0].vocabulary_):
        return Agreement(float("inf"), 0.0)
    return Agreement(float(np.abs(peer[1].feature_count_[:, order] - counts).max()), 0.0)


def run(options: Options) -> Iterator[Line]:
    """Fit and predict, for both corpora and both peers."""
    documents = options.rows(50_000)
    texts, y = corpora(documents)
    for name, target in (("ASCII", 15), ("30 % other", 12)):
        docs = texts[name]
        few = docs[: documents // 10]
        column = pa.array(docs)
        share = sum(map(len, map(str.encode, few))) / sum(map(len, map(str.encode, docs)))
        agreement = same_counts(few, y[: len(few)])
        fitted, peer = ours(column, y), theirs(CountVectorizer, few, y[: len(few)])
        for peer_name, vectorizer in (("CountVectorizer + NB", CountVectorizer), ("HashingVectorizer + NB", hashing)):
            fits = alternate(partial(ours, column, y), partial(theirs, vectorizer, few, y[: len(few)]), peer_repeats=3)
            yield line(f"text fit {documents:,} {name}", peer_name, fits, share, target, agreement)
        answers = alternate(partial(fitted.predict, column), partial(peer.predict, few), peer_repeats=3)
        yield line(f"text predict {documents:,} {name}", "CountVectorizer + NB", answers, share, target, agreement)


def line(what: str, peer: str, times: Any, share: float, target: float, agreement: Agreement) -> Line:
    """One line of the table, the peer's time scaled up to all documents."""
    mine, its = times
    note = "the peer did a tenth of the documents"
    return Line(what, peer, mine, its.times(1 / share), at_least(target), agreement, note=note)

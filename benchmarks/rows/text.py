"""Raw text to a model and to predictions, ASCII and 30 % other letters, beside CountVectorizer + MultinomialNB.

The documents are drawn from 50,000 made-up words by Zipf's law, about 100 to a document; of the second corpus 15 % are
accented and 15 % Chinese. The peers get a tenth of the documents and are scaled up by bytes: they take seconds. Both
sides count the same: the class counts of every word are compared. HashingVectorizer has 2^18 places, and so have we
beside it. Work on two cores is shown beside the same work on one.
"""

import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import bayesfold
from bayesfold.runtime.threads import workers
from benchmarks.cores import on_one_and_more
from benchmarks.corpora import corpora
from benchmarks.rows import Options
from benchmarks.table import Agreement, Line, at_least, duration
from benchmarks.timing import Task, Timing, alternate

PLACES = 2**18


def ours(texts: Any, y: Any, places: int | None = None) -> Any:
    """The textbook's multinomial."""
    return bayesfold.TextClassifier(model="multinomial", alpha=1.0, weights=None, hashed=places).fit(texts, y)


def theirs(vectorizer: Any, texts: list[str], y: Any) -> Any:
    """What people write."""
    return make_pipeline(vectorizer(), MultinomialNB()).fit(texts, y)


def hashing() -> Any:
    """Counts, not signs and lengths."""
    return HashingVectorizer(n_features=PLACES, alternate_sign=False, norm=None)


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
        for peer_name, vectorizer, places in (
            ("CountVectorizer + NB", CountVectorizer, None),
            ("HashingVectorizer + NB", hashing, PLACES),
        ):
            fit, its_fit = partial(ours, column, y, places), partial(theirs, vectorizer, few, y[: len(few)])
            fits = alternate(fit, its_fit, peer_repeats=3)
            yield line(f"text fit {documents:,} {name}", peer_name, fits, share, target, agreement)
            answers = alternate(partial(fit().predict, column), partial(its_fit().predict, few), peer_repeats=3)
            yield line(f"text predict {documents:,} {name}", peer_name, answers, share, target, agreement)
        if workers() > 1:
            yield two_threads(f"text fit {documents:,} {name}", partial(ours, column, y))
            yield two_threads(f"text predict {documents:,} {name}", partial(ours(column, y).predict, column))


def line(what: str, peer: str, times: Any, share: float, target: float, agreement: Agreement) -> Line:
    """One line of the table, the peer's time scaled up to all documents."""
    mine, its = times
    note = "the peer did a tenth of the documents"
    return Line(what, peer, mine, its.times(1 / share), at_least(target), agreement, note=note)


def two_threads(what: str, task: Task) -> Line:
    """The same work on two cores and on one; the note says what it costs in processor time, whoever else is there."""
    one, two = on_one_and_more(task, 2)
    total, more, alone = (duration(statistics.median(s)) for s in (one.total, two.total, two.alone))
    note = f"processor time {total} on one core, {more} on two; {alone} if each of two threads has a core to itself"
    return Line(f"{what}, two cores", "one core", Timing(two.clock), Timing(one.clock), at_least(1), note=note)

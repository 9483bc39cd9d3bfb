"""Terms of documents: equal to scikit-learn's CountVectorizer on any text, however it is stored or cut up."""

import os
import random
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from bayesfold.data.text import tokenizer as terms
from bayesfold.data.text.documents import Documents, to_documents
from bayesfold.data.text.tokenizer import Analyser, count_terms
from bayesfold.data.text.vocabulary import Vocabulary

DATA = Path(__file__).parents[4] / "shared" / "data"
SOAKED = os.environ.get("BAYESFOLD_SOAK") == "1"
WAYS = [
    ("word", (1, 1)),
    ("word", (1, 2)),
    ("word", (2, 3)),
    ("char", (1, 1)),
    ("char", (2, 4)),
    ("char_wb", (1, 2)),
    ("char_wb", (3, 5)),
]
HAND = [
    "",
    "a",
    "aa",
    "Win a PRIZE, win it!",
    "ΣΑΣ ΟΔΥΣΣΕΥΣ Σ ΑΣ. ΑΣ1",  # a final sigma is another letter, and what is final depends on the context
    "İstanbul I ı DİYARBAKIR",  # its lower case is two characters
    "e\u0301te\u0301 caf\u00e9 CAFE\u0301",  # combining marks are no word characters
    "a\u200db zwj\u200dx \U0001f469\u200d\U0001f469\u200d\U0001f467",
    "中文 中文字 日",
    "\u212a Kelvin \u212b \u023ax \u023a\u023a ǅ ﬁne",  # lower case is shorter, or longer, in UTF-8
    "x" * 1000 + " yy",
    "_a __ 1_2 ١٢ ⅷⅷ ²²",
    "\x00nul\x00ab\x00c",
    "tab\t\tx\n y \x1c\x1d z\x85\x85w",
    "ab\xa0cd\u2003ef  gh ",
    " lead",
    "trail ",
    "sevenby eightbyt ninebytes eightbyt sevenby nine",
]
TORTURE = "abAB1_ .,é\u0301ßΣσςİıΑ中文🙂\u200d\u00a0\n\t\u2003\u023a\u212a\x00"


def as_sklearn(docs, analyzer="word", ngrams=(1, 1), lowercase=True):
    """scikit-learn's terms, and its counts under our numbers; None where it finds no term at all."""
    peer = CountVectorizer(analyzer=analyzer, ngram_range=ngrams, lowercase=lowercase)
    try:
        return peer, peer.fit_transform(docs)
    except ValueError:
        return None, None


def assert_equal(docs, analyzer="word", ngrams=(1, 1), lowercase=True, given=None):
    found = count_terms(
        docs if given is None else given, Vocabulary.of([]), Analyser(analyzer, ngrams, lowercase), grow=True
    )
    peer, counts = as_sklearn(docs, analyzer, ngrams, lowercase)
    if peer is None:
        assert len(found.vocabulary) == 0
        return found
    names = list(found.vocabulary)
    assert sorted(names) == sorted(peer.vocabulary_)
    order = np.array([peer.vocabulary_[name] for name in names])
    rows = found.rows
    ours = csr_array((rows.data, order[rows.columns], rows.starts), shape=rows.shape)
    assert abs(ours - csr_array(counts)).nnz == 0
    assert found.terms.tolist() == np.asarray(counts.sum(1)).ravel().tolist()
    return found


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize(("analyzer", "ngrams"), WAYS)
def test_awkward_text(analyzer, ngrams, lowercase):
    assert_equal(HAND, analyzer, ngrams, lowercase)


@pytest.mark.parametrize(("analyzer", "ngrams"), WAYS)
@given(docs=st.lists(st.text(max_size=30) | st.text(TORTURE, max_size=30), min_size=1, max_size=8))
def test_any_text(docs, analyzer, ngrams):
    assert_equal(docs, analyzer, ngrams)


def every_character():
    step = 1 if SOAKED else 10
    return [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000 and (c < 0x3000 or c % step == 0)]


def test_every_character():
    points = every_character()
    assert_equal(["".join(points[i : i + 64]) for i in range(0, len(points), 64)])


def test_every_character_doubled_and_beside_a_sigma():
    points = [c for c in every_character() if ord(c) < 0x30000]
    some = points if SOAKED else points[::5]
    assert_equal([f"{c}{c} {c}Σ Σ{c}x" for c in some])


@pytest.mark.parametrize("file", ["sms_spam.csv", "bbc_news.csv.gz"])
@pytest.mark.parametrize(("analyzer", "ngrams"), WAYS if SOAKED else [("word", (1, 1)), ("char_wb", (3, 3))])
def test_public_text(file, analyzer, ngrams):
    if not (DATA / file).is_file():
        pytest.skip("the public sets are not here")
    docs = pd.read_csv(DATA / file, keep_default_na=False)["text"].tolist()
    assert_equal(docs if SOAKED or analyzer == "word" else docs[:300], analyzer, ngrams)


@pytest.mark.parametrize(
    "store",
    [
        lambda docs: pa.array(docs, pa.string()),
        lambda docs: pa.array(docs, pa.large_string()),
        lambda docs: pa.array(["before", *docs, "behind"], pa.string()).slice(1, len(docs)),
        lambda docs: pa.chunked_array([docs[:4], docs[4:]]),
        lambda docs: pa.array(docs).dictionary_encode(),
        lambda docs: pa.array([d.encode() for d in docs], pa.binary()),
        lambda docs: pa.array(docs, pa.string_view()),
        lambda docs: pl.Series(docs).to_arrow(),
        lambda docs: pd.Series(docs),
        lambda docs: np.array(docs, object),
        lambda docs: tuple(docs),
    ],
)
def test_however_it_is_stored(store):
    assert_equal(HAND, given=store(HAND))


@pytest.mark.parametrize(("analyzer", "ngrams"), WAYS)
def test_however_it_is_cut_up(monkeypatch, analyzer, ngrams):
    draw = random.Random(3)
    docs = ["".join(draw.choice(TORTURE) for _ in range(draw.randrange(60))) for _ in range(200)]
    alone = count_terms(docs, Vocabulary.of(["known"]), Analyser(analyzer, ngrams), grow=True)
    monkeypatch.setattr(terms, "WORTH_A_THREAD", 1)
    for pieces in (2, 3, 7):
        monkeypatch.setattr(terms, "workers", lambda pieces=pieces: pieces)
        cut = count_terms(docs, Vocabulary.of(["known"]), Analyser(analyzer, ngrams), grow=True)
        assert list(cut.vocabulary) == list(alone.vocabulary)
        for name in ("starts", "columns", "data"):
            np.testing.assert_array_equal(getattr(cut.rows, name), getattr(alone.rows, name))
        np.testing.assert_array_equal(cut.terms, alone.terms)
        known = count_terms(docs, cut.vocabulary, Analyser(analyzer, ngrams))
        np.testing.assert_array_equal(known.rows.data, alone.rows.data)
        assert not known.unknown.any()


@given(
    pieces=st.lists(
        st.binary(max_size=6)
        | st.text(max_size=6).map(str.encode)
        | st.sampled_from(
            [b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe4\xb8", b"\xf0\x9f\x99", b"ab", b" "]
        ),
        max_size=8,
    )
)
@pytest.mark.parametrize(("analyzer", "ngrams"), WAYS)
def test_what_is_not_utf8_is_read_with_replacement_characters(pieces, analyzer, ngrams):
    raw = [b"".join(pieces), b"next one"]
    text = pa.Array.from_buffers(
        pa.string(),
        2,
        [None, pa.py_buffer(np.array([0, len(raw[0]), len(raw[0]) + 8], np.int32)), pa.py_buffer(b"".join(raw))],
    )
    assert_equal([r.decode("utf-8", "replace") for r in raw], analyzer, ngrams, given=text)


def test_a_document_never_reaches_into_the_next_one():
    cut_off = np.frombuffer("中".encode()[:2] + b"xy", np.uint8)
    found = count_terms(Documents(cut_off, np.array([0, 2, 4])), Vocabulary.of([]), Analyser("char"), grow=True)
    assert list(found.vocabulary) == ["\ufffd", "x", "y"]


def test_offsets_outside_the_buffer_are_refused():
    ends = pa.py_buffer(np.array([0, 9, 2], np.int32))
    text = pa.Array.from_buffers(pa.string(), 2, [None, ends, pa.py_buffer(b"ab")])
    with pytest.raises(ValueError, match="offsets point outside its buffer"):
        to_documents(text)


def test_a_missing_document_has_no_terms():
    found = count_terms(["one two", None, "two"], Vocabulary.of([]), Analyser(), grow=True)
    assert found.terms.tolist() == [2, 0, 1]
    assert count_terms([None, None], Vocabulary.of([]), Analyser(), grow=True).rows.shape == (2, 0)


def test_a_lone_surrogate_is_no_word_character():
    assert_equal(["ab\ud800cd ef"], given=["ab\ud800cd ef"])


def test_what_is_no_text_is_refused_by_row():
    with pytest.raises(TypeError, match="row 1 holds int; documents must be text"):
        to_documents(["one", 2])
    with pytest.raises(TypeError, match="documents must be text, not int64"):
        to_documents(pa.array([1, 2]))


def test_terms_that_are_not_known_are_counted():
    known = count_terms(["win a prize"], Vocabulary.of([]), Analyser(), grow=True).vocabulary
    found = count_terms(["win the car", "", "prize prize"], known, Analyser())
    assert (found.terms.tolist(), found.unknown.tolist()) == ([3, 0, 2], [2, 0, 0])
    assert found.rows.sum(1).tolist() == [1.0, 0.0, 2.0]


def test_a_hashed_vocabulary_is_bounded_and_the_same_everywhere(monkeypatch):
    docs = [f"word{i} word{i} other{i % 7}" for i in range(500)]
    few = Analyser(buckets=64)
    found = count_terms(docs, Vocabulary.of([]), few, grow=True)
    assert found.rows.shape == (500, 64)
    assert found.rows.data.sum() == 1500
    assert len(found.vocabulary) == 0
    monkeypatch.setattr(terms, "WORTH_A_THREAD", 1)
    again = count_terms(docs, Vocabulary.of([]), few)
    np.testing.assert_array_equal(found.rows.columns, again.rows.columns)
    wide = count_terms(docs, Vocabulary.of([]), Analyser(buckets=1 << 20)).rows
    exact = count_terms(docs, Vocabulary.of([]), Analyser(), grow=True).rows
    np.testing.assert_array_equal(np.diff(wide.starts), np.diff(exact.starts))


def test_documents_for_python_are_counted():
    assert count_terms(["ΣΑΣ", "plain", "İ"], Vocabulary.of([]), Analyser(), grow=True).odd == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"analyzer": "line"}, "analyzer='line' is not one of 'word', 'char', 'char_wb'"),
        ({"ngrams": (2, 1)}, "must be .fewest, most."),
        ({"buckets": 100}, "must be a power of two"),
    ],
)
def test_an_analyser_that_cannot_be_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Analyser(**options)


def test_a_letter_alone_is_no_word_however_many_bytes_it_has():
    """Letters whose first byte is the first or the last of those for two, three and four bytes."""
    letters = ["b", "\u00b5", "\u00fe", "\u07ea", "\u0e01", "\u0905", "\uac00", "\uff41", "\U00010428", "\U00020000"]
    docs = to_documents([" ".join([letter, "ab", letter * 2]) for letter in letters])
    found = count_terms(docs, Vocabulary.of([]), Analyser(), True)
    doubled = [2 * letter.lower() for letter in letters]
    assert sorted(found.vocabulary) == sorted({"ab", *doubled})
    pairs = count_terms(docs, Vocabulary.of([]), Analyser(ngrams=(2, 2)), True)
    assert sorted(pairs.vocabulary) == sorted({f"ab {word}" for word in doubled})

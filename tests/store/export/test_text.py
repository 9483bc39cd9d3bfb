"""Text in JavaScript: terms, weights and answers are Python's, for every character."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.store import export
from bayesfold.store.export._lower_columns import letters_of

from .answers import ask_node, in_node

DOCS = [
    "Win a PRIZE now, win!", "meeting at ten; lunch?", "prize inside: ΟΔΥΣΣΕΥΣ ΣΑΣ Σ", "İstanbul'da ǅ ǆ Straße STRASSE",
    "中文 没有 空格 win", "é e\u0301 ÅNGSTRÖM \u212b K \u212a", "a\t\tb  c\u00a0d\u2003\u2003e", "win_win 2024 ٣٤ Ⅻ ½",
    "", "lunch at noon, see you", "you win money ΑΣ. ΑΣ\u0301 ΑΣΒ", "ZWJ \u0915\u094d\u200d\u0937 👩\u200d🔬 ok ok",
]  # fmt: skip
LABELS = np.array(["spam", "ham"] * 6)
NEW = [*DOCS, "never seen words", "Σ", "aΣ", "aΣ b", "a.Σ", "a\u0308Σ\u0308b", "ΣΣ ΑΣΣ", "İİ", None, "  ", "x", "ok 👩"]
READINGS = [
    {},
    {"ngram_range": (1, 3), "norm": "l2", "tf": "log"},
    {"lowercase": False, "norm": "l1"},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"analyzer": "char_wb", "ngram_range": (2, 5), "norm": "l2"},
    {"idf": "frozen", "norm": "l2", "missing": "x"},
    {"min_df": 2, "stop_words": ["win"], "idf": True},
]
MODELS = [{"model": m, "alpha": 1.0, "weights": None} for m in ("multinomial", "complement", "bernoulli")]


@pytest.mark.parametrize("model", [{}, *MODELS, {"model": "nb_lr"}], ids=str)
@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_a_text_is_read_as_python_reads_it(model, reading):
    clf = bf.TextClassifier(**model, **reading).fit(DOCS, LABELS)
    proba, labels = in_node(clf, {"text": NEW})
    expected = clf.predict_proba(NEW)
    np.testing.assert_allclose(proba, expected, rtol=0, atol=1e-9)
    sure = np.abs(expected[:, 0] - 0.5) > 1e-9
    assert np.array(labels)[sure].tolist() == clf.predict(NEW)[sure].tolist()


CLF = bf.TextClassifier(model="multinomial", alpha=1.0, weights=None, norm="l1").fit(DOCS, LABELS)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=10))
@settings(max_examples=max(5, settings().max_examples // 4))
def test_any_text(docs):
    proba, _ = in_node(CLF, {"text": docs})  # unknown words have a length, so that they too tell
    np.testing.assert_allclose(proba, CLF.predict_proba(docs), rtol=0, atol=1e-12)


def test_every_character_is_one_of_a_word_or_is_not():
    points = [p for p in range(0x110000) if not 0xD800 <= p < 0xE000]
    docs = ["prize " + " ".join(chr(p) + "x" for p in points[i : i + 512]) for i in range(0, len(points), 512)]
    proba, _ = in_node(CLF, {"text": docs})  # the length of a document says how many of its terms are words
    np.testing.assert_allclose(proba, CLF.predict_proba(docs), rtol=0, atol=1e-12)


@pytest.mark.slow
def test_letters_are_those_of_this_python():
    found = letters_of(True)
    lower = dict(found.lower)
    words = {p for a, b in found.words for p in range(a, b + 1)}
    spaces = {p for a, b in found.spaces for p in range(a, b + 1)}
    for p in range(0x110000):
        if 0xD800 <= p < 0xE000 or p in (0x130, 0x3A3):
            continue
        small = chr(p).lower()
        assert small == chr(lower.get(p, p))
        assert (p in words) == bool(re.match(r"\w", small))
        assert (p in spaces) == bool(re.match(r"\s", small))


def test_text_beside_other_columns_in_a_pool():
    X = pd.DataFrame({"body": DOCS * 4, "country": ["DE", "XX", "FR"] * 16, "hour": np.arange(48.0) % 24})
    clf = bf.BayesClassifier(families={"body": "text"}).fit(X, [*LABELS] * 4)
    proba, _ = in_node(clf, {name: X[name].tolist() for name in X})
    np.testing.assert_allclose(proba, clf.predict_proba(X), rtol=0, atol=1e-9)


def test_a_number_is_no_text():
    assert ask_node(CLF, [{"text": 5}])["error"] == 'column "text" is text, but this row has 5'


@pytest.mark.parametrize("form", ["onnx", "sql"])
def test_graphs_and_queries_cannot_read_texts_and_say_so(form):
    with pytest.raises(
        TypeError, match=r"column 'text' is read as .*, which cannot be exported yet; .js and .json can"
    ):
        export.find(form).write(CLF)

"""What the terms of a document weigh."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from bayesfold.data.frame import Frame
from bayesfold.data.text.column import Words
from bayesfold.data.text.idf import Rarity
from bayesfold.data.text.tokenizer import Analyser

DOCUMENTS = ["win a prize, win", "meet at ten", "a prize at ten", ""]


def grown(**options: Any) -> Words:
    """A column whose vocabulary has every term of the documents."""
    return Words("body", analyser=Analyser("word"), **options).grown(Frame.of({"body": DOCUMENTS}))


@pytest.mark.parametrize("norm", [None, "l1", "l2"])
def test_a_term_weighs_its_count_times_its_idf_as_in_scikit_learn(norm: str | None) -> None:
    rarity = Rarity.of(grown().encode(Frame.of({"body": DOCUMENTS})))
    column = grown(norm=norm, rarity=rarity)
    new = ["win win ten", "prize unheard of", "", "ten ten ten at", "unheard of"]
    counts, tfidf = CountVectorizer(), TfidfTransformer(norm=norm)
    tfidf.fit(counts.fit_transform(DOCUMENTS))
    order = [counts.vocabulary_[term] for term in column.vocabulary]
    found = column.encode(Frame.of({"body": new}))
    weights = csr_array((found.data, found.columns, found.starts), shape=(5, column.width)).toarray()
    np.testing.assert_allclose(weights, tfidf.transform(counts.transform(new)).toarray()[:, order], rtol=1e-12)


def test_its_cells_are_texts_that_a_form_asks_for_by_the_name_of_their_source() -> None:
    assert Words("terms of body", source="body", missing=frozenset({"-"})).cells == (
        ("body", "words", frozenset({"-"})),
    )

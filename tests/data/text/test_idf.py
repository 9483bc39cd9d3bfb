"""How rare terms are, against scikit-learn's smoothed idf."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from bayesfold.data.sparse import Sparse
from bayesfold.data.text.idf import Rarity


def test_idf_is_that_of_scikit_learn():
    docs = ["a b b", "a c", "a", "b c c c"]
    peer = TfidfVectorizer(token_pattern=r"\w").fit(docs)
    columns = [[0, 1], [0, 2], [0], [1, 2]]
    starts = np.cumsum([0, *map(len, columns)])
    rows = Sparse(starts, np.concatenate(columns).astype(np.int32), np.ones(7), 3)
    found = Rarity.of(rows)
    assert (found.documents, found.df.tolist()) == (4, [3, 2, 2])
    np.testing.assert_allclose(found.idf(np.arange(3)), peer.idf_)
    assert found.idf(np.array([3, 99])).tolist() == [np.log(5) + 1] * 2, "terms that came later"


def test_rarities_are_equal_by_what_they_counted():
    one = Rarity(3, np.array([3, 1]))
    assert one == Rarity(3, np.array([3, 1]))
    assert hash(one) == hash(Rarity(3, np.array([3, 1])))
    assert one != Rarity(4, np.array([3, 1]))
    assert one != Rarity(3, np.array([3, 2]))
    assert one != 3
    assert Rarity(3, np.array([0, 3])).documents == 3
    for df in ([4], [-1], [[1]]):
        with pytest.raises(ValueError, match="a term is in at least 0 and at most all 3 documents"):
            Rarity(3, np.array(df))

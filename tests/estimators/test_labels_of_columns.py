"""Columns of a data frame whose labels are no texts (numbers, dates, several levels) are found by them all the same."""

import warnings

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf

RNG = np.random.default_rng(5)
Y = np.where(RNG.random(90) < 0.5, "p", "q")
CELLS = np.column_stack([(Y == "p") * 3.0, (Y == "p") * -9.0, np.zeros(90)]) + RNG.normal(size=(90, 3))
LABELS = {
    "numbers": [0, 1, 2],
    "years": [2019, 2022, 2020],
    "levels": pd.MultiIndex.from_tuples([("size", "u"), ("size", "v"), ("price", "u")]),
    "dates": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]),
    "fractions": [0.5, 1.0, 1.5],
}
MODELS = [bf.NaiveBayes, bf.AODE, bf.GaussianBayes, bf.TAN, bf.NetworkClassifier]


def table(labels):
    return pd.DataFrame(CELLS, columns=LABELS[labels])


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("labels", sorted(LABELS))
def test_columns_in_another_order_are_found_by_their_labels(labels, make):
    """They were read by their places without a word: probabilities of .99 became .01."""
    X = table(labels)
    model = make().fit(X, Y)
    wanted, turned = model.predict_proba(X), X.iloc[:, [2, 0, 1]]
    with pytest.warns(UserWarning, match="the columns stand in another order than in fit"):
        assert np.array_equal(model.predict_proba(turned), wanted)
    with pytest.warns(UserWarning, match="another order"):
        model.forget(turned[:20], Y[:20])
    model.partial_fit(X[:20], Y[:20])
    assert np.allclose(model.predict_proba(X), wanted, atol=1e-9)


@pytest.mark.parametrize("labels", sorted(set(LABELS) - {"numbers"}))
def test_a_column_that_is_not_there_is_missed_by_its_label(labels):
    X = table(labels)
    model = bf.NaiveBayes().fit(X, Y)
    other = X.copy()
    other.columns = [
        *X.columns[:2],
        ("price", "w") if labels == "levels" else X.columns[2] + (X.columns[2] - X.columns[0]),
    ]
    with pytest.raises(ValueError, match="the table has no column"), pytest.warns(UserWarning, match="not used"):
        model.predict_proba(other)


@pytest.mark.parametrize("labels", [[0, 1, 2], [5, 6, 7]])
def test_frames_without_names_are_read_by_place_as_arrays_are(labels):
    """Labels 0, 1, 2 are those of a frame that nobody named."""
    X = pd.DataFrame(CELLS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        by_place = bf.NaiveBayes().fit(CELLS, Y).predict_proba(pd.DataFrame(CELLS, columns=labels))
        assert np.array_equal(bf.NaiveBayes().fit(X, Y).predict_proba(CELLS), by_place)
        assert np.array_equal(bf.NaiveBayes().fit(pd.DataFrame(CELLS, columns=labels), Y).predict_proba(X), by_place)

"""Rows that weigh nothing are nowhere looked at, models that have forgotten everything say so, and what has decayed is
forgotten by the weight that it has now: for every estimator."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf

ROWS = 48
X = pd.DataFrame(
    {
        "a": np.arange(ROWS) % 4,
        "b": (np.arange(ROWS) * 7) % 5,
        "c": (np.arange(ROWS) * 3) % 7,
    }
)
Y = np.where((X["a"] + X["b"]) % 3 == 0, "p", "q")
EVERY: dict[str, Callable[[], Any]] = {
    kind.__name__: kind
    for kind in (bf.NaiveBayes, bf.AODE, bf.SPODE, bf.TAN, bf.KDB, bf.GaussianBayes, bf.BayesClassifier)
} | {
    kind.__name__: kind for kind in (bf.GaussianNB, bf.CategoricalNB, bf.MultinomialNB, bf.BernoulliNB, bf.ComplementNB)
}
every = pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)


@every
def test_a_model_that_forgot_everything_has_no_answer(make):
    model = make().fit(X, Y)
    model.forget(X, Y)
    for ask in (model.predict, model.predict_proba, model.predict_log_proba, model.predict_joint_log_proba):
        with pytest.raises(ValueError, match="has forgotten all its rows"):
            ask(X)
    with pytest.raises(ValueError, match="has forgotten all its rows"):
        model.predict_proba(dict(X.iloc[0]))
    with pytest.raises(ValueError, match="has forgotten all its rows"):
        model.explain(X)
    with pytest.raises(ValueError, match="has forgotten all its rows"):
        model.score(X, Y)


@every
def test_what_has_decayed_is_forgotten_by_the_weight_it_has(make):
    model = make().fit(X, Y)
    model.decay(0.5)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="this model has decayed"):
        model.forget(X[:4], Y[:4])
    np.testing.assert_array_equal(model.predict_proba(X), before)
    model.partial_fit(X[:4], Y[:4])
    with pytest.raises(ValueError, match="this model has decayed"):
        model.forget(X[:4], Y[:4])
    model.forget(X[:4], Y[:4], np.ones(4))
    np.testing.assert_allclose(model.predict_proba(X), before, atol=1e-9)


@every
def test_rows_of_no_weight_are_learned_and_forgotten_as_if_they_were_not_there(make):
    if make is bf.CategoricalNB:
        pytest.skip("its levels are all numbers up to the largest, whatever they weigh")
    odd = X.copy()
    if make not in (bf.GaussianNB, bf.GaussianBayes, bf.MultinomialNB, bf.BernoulliNB, bf.ComplementNB):
        odd["a"] = "level " + odd["a"].astype(str)
    weight = np.where(X["a"] == 3, 0.0, 2.0)
    some = slice(0, 10)
    model = make().fit(odd, Y, weight)
    before = model.predict_proba(odd)
    model.partial_fit(odd[some], Y[some], sample_weight=weight[some])
    model.forget(odd[some], Y[some], weight[some])
    np.testing.assert_allclose(model.predict_proba(odd), before, atol=1e-9)


@pytest.mark.parametrize("learn", ["fit", "partial_fit", "forget"])
def test_rows_are_numbered_as_they_were_given(learn):
    weight = np.where(np.arange(ROWS) < 5, 0.0, 1.0)
    numbers = X.astype(float)
    model = bf.NaiveBayes(numeric="gaussian").fit(numbers, Y)
    numbers.loc[10, "b"] = np.inf
    with pytest.raises(ValueError, match="column 'b' is infinite in row 10;"):
        getattr(model, learn)(numbers, Y, sample_weight=weight)
    labels = Y.astype(object)
    labels[20] = None
    with pytest.raises(ValueError, match="row 20 has no label"):
        getattr(model, learn)(X.astype(float), labels, sample_weight=weight)
    heavy = weight.copy()
    heavy[30] = 1e200
    with pytest.raises(ValueError, match=r"row 30 has the weight 1e\+200"):
        getattr(model, learn)(X.astype(float), Y, sample_weight=heavy)


def test_a_row_that_was_not_learned_is_numbered_as_it_was_given():
    words = X.astype(str)
    model = bf.NaiveBayes().fit(words[:20], Y[:20])
    weight = np.where(np.arange(ROWS) < 5, 0.0, 1.0)
    strange = words.copy()
    strange.loc[0, "a"], strange.loc[9, "a"] = "new", "newer"
    with pytest.raises(ValueError, match="row 9 was not learned"):
        model.forget(strange, Y, weight)
    twice = pd.concat([words[:20], words[:20]], ignore_index=True)
    with pytest.raises(ValueError, match="was not learned") as caught:
        model.forget(twice, [*Y[:20], *Y[:20]], np.where(np.arange(40) < 5, 0.0, 1.0))
    assert int(str(caught.value).removeprefix("row ").split()[0]) >= 20

"""Rows that a model has not seen: folds, subtraction and refits."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB as Peer

from bayesfold import GaussianNB, MinimumRisk, MultinomialNB, NaiveBayes, evaluate
from bayesfold.decisions.held_out import deal, posteriors, taken, truths

DRAW = np.random.default_rng(0)
Y = np.array([*"abc"])[DRAW.integers(0, 3, 90)]
X = pd.DataFrame({"n": DRAW.normal(size=90) + (Y == "a"), "t": np.where(DRAW.random(90) < 0.3, "x", Y)})


@pytest.mark.parametrize("folds", [2, 7, 90])
def test_folds_are_even_within_every_class(folds):
    _, truth = truths(Y)
    dealt = deal(truth, folds, 3, seed=1)
    assert dealt.shape == (3, 90)
    for fold in dealt:
        sizes = np.bincount(fold, minlength=folds)
        assert sizes.max() - sizes.min() <= 1
        for k in range(3):
            sizes = np.bincount(fold[truth == k], minlength=folds)
            assert sizes.max() - sizes.min() <= 1
    np.testing.assert_array_equal(deal(truth, folds, 3, seed=1), dealt)
    assert (deal(truth, folds, 1, seed=2) != dealt[:1]).any()


@pytest.mark.parametrize("folds", [3, "leave-one-out"])
@pytest.mark.parametrize("weighted", [False, True])
def test_subtraction_equals_a_refit_with_the_same_schema(folds, weighted):
    classes, truth = truths(Y)
    weight = np.random.default_rng(1).random(90) if weighted else None
    table = X.assign(n=pd.cut(X.n, [-9, 0, 1, 9], labels=["low", "mid", "high"]))  # nothing is held but the schema
    model, dealt = NaiveBayes(schema=NaiveBayes().fit(table, Y).schema_), deal(truth, folds, 1, 0)
    ways = [posteriors(model, table, Y, dealt, classes, weight, subtract) for subtract in (True, False)]
    np.testing.assert_allclose(*ways, atol=1e-12)


def test_refits_of_any_classifier_agree_with_scikit_learn():
    classes, truth = truths(Y)
    dealt, numbers = deal(truth, 4, 2, 0), X[["n"]].to_numpy()
    for way in (True, False):
        ours = posteriors(GaussianNB(), numbers, Y, dealt, classes, None, way)
        theirs = posteriors(Peer(), numbers, Y, dealt, classes, None, False)
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_a_class_that_only_the_fold_shows_has_probability_zero():
    y = ["a"] * 10 + ["b"] * 9 + ["c"]
    dealt = np.array([[*([0, 1] * 9), 0, 0]])
    p = posteriors(Peer(), np.arange(20.0)[:, None], y, dealt, ("a", "b", "c"), None, False)
    assert p.shape == (1, 20, 3)
    assert p[0, 19, 2] == 0.0
    np.testing.assert_allclose(p.sum(2), 1.0)


@pytest.mark.parametrize("kind", [pl.from_pandas, pa.Table.from_pandas, lambda t: t.to_dict("list"), lambda t: t])
def test_every_kind_of_table_is_cut(kind):
    rows = np.array([3, 0, 7])
    cut = taken(kind(X), rows)
    p = NaiveBayes().fit(kind(X), Y).predict_proba(cut)
    np.testing.assert_array_equal(p, NaiveBayes().fit(X, Y).predict_proba(X.iloc[rows]))
    assert taken(X.to_dict("records"), rows)[0] == X.iloc[3].to_dict()


def test_the_model_that_was_given_is_not_changed():
    model = NaiveBayes()
    for subtract in (True, False):
        posteriors(model, X, Y, deal(truths(Y)[1], 3, 1, 0), ("a", "b", "c"), None, subtract)
    assert not hasattr(model, "model_")


@pytest.mark.parametrize(
    ("folds", "repeats", "words"),
    [
        (1, 1, "from 2 to the number of rows"),
        (91, 1, "from 2 to the number of rows"),
        (2.5, 1, "whole number"),
        ("loo", 1, "leave-one-out"),
        ([0, 1], 1, "a fold for each of 90 rows"),
        (np.arange(90) % 2, 2, "repeats=2"),
        (5, 0, "repeats=0"),
    ],
)
def test_what_is_wrong_with_folds_is_said(folds, repeats, words):
    with pytest.raises(ValueError, match=words):
        deal(truths(Y)[1], folds, repeats, 0)


def test_a_missing_label_is_refused():
    with pytest.raises(ValueError, match="row 1 has no label"):
        truths(pd.Series(["a", None]))


COSTS = np.array([[0.0, 5.0, 9.0], [1.0, 0.0, 9.0], [2.0, 3.0, 0.0]])
BY_NAME = {"a": {"b": 5, "c": 9}, "b": {"a": 1, "c": 9}, "c": {"a": 2, "b": 3}}
RARE = np.array([*"aaaaaaaaaabbbbbbbbbbc"])
NUMBERS = np.abs(np.random.default_rng(1).normal(size=(21, 2)) + (RARE == "b")[:, None])


@pytest.mark.parametrize("how", ["refit", "subtract"])
def test_costs_by_place_are_those_by_name_where_a_fold_lacks_a_class(how):
    by_place, by_name = (evaluate(NaiveBayes(loss=loss), NUMBERS, RARE, folds=5, how=how) for loss in (COSTS, BY_NAME))
    np.testing.assert_array_equal(by_place.loss, by_name.loss)
    for name, one in by_name.scores["NaiveBayes"].items():
        assert by_place.scores["NaiveBayes"][name].value == one.value


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(priors=[0.4, 0.4, 0.2]),
        GaussianNB(loss=COSTS, reject_cost=0.5),
        MultinomialNB(class_prior=[0.4, 0.4, 0.2], loss=COSTS),
    ],
)
def test_what_was_told_of_every_class_is_kept_where_a_fold_lacks_one(model):
    anew, subtracted = (evaluate(model, NUMBERS, RARE, folds=5, how=how) for how in ("refit", "subtract"))
    (name,) = anew.models
    np.testing.assert_allclose(anew.proba[name], subtracted.proba[name], rtol=1e-6)
    assert {m: one.value for m, one in anew.scores[name].items()} == pytest.approx(
        {m: one.value for m, one in subtracted.scores[name].items()}, rel=1e-6
    )


def test_class_probabilities_and_weights_by_name_are_those_of_the_classes_that_are_left():
    told = {"priors": {"a": 0.4, "b": 0.4, "c": 0.2}, "class_weight": {"a": 1.0, "b": 2.0, "c": 3.0}}
    judged = evaluate(NaiveBayes(**told), NUMBERS, RARE, folds=5, how="refit")
    rare = int(judged.folds[0, 20])
    rest, rows = judged.folds[0] != rare, judged.folds[0] == rare
    alone = NaiveBayes(priors=[0.5, 0.5], class_weight={"a": 1.0, "b": 2.0}).fit(NUMBERS[rest], RARE[rest])
    np.testing.assert_allclose(judged.proba["NaiveBayes"][0, rows, :2], alone.predict_proba(NUMBERS[rows]), rtol=1e-12)


def test_a_classifier_inside_one_that_decides_is_told_too():
    model = MinimumRisk(NaiveBayes(priors=[0.4, 0.4, 0.2]), loss=COSTS)
    judged = evaluate(model, NUMBERS, RARE, folds=5)
    plain = evaluate(NaiveBayes(priors=[0.4, 0.4, 0.2]), NUMBERS, RARE, folds=5, how="refit")
    np.testing.assert_array_equal(judged.proba["MinimumRisk"], plain.proba["NaiveBayes"])
    assert model.loss is COSTS
    assert model.estimator.priors == [0.4, 0.4, 0.2]


def test_a_model_that_knows_other_classes_or_no_probabilities_is_refused():
    class Stranger(Peer):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y)
            self.classes_ = np.array(["a", "b", "z"])
            return self

    x = X[["n"]].to_numpy()
    with pytest.raises(ValueError, match="the fitted model knows the classes 'z', which y does not show"):
        evaluate(Stranger(), x, Y, folds=3)
    with pytest.raises(TypeError, match=r"Perceptron gives no probabilities \(predict_proba\)"):
        evaluate(Perceptron(), x, Y, folds=3)

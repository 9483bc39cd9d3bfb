"""ROC points beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

import bayesfold as bf
from bayesfold.plots import roc

from .sources import PAIR, THREE, TRUTH, TWO, X, drawn, proba, traces


def test_points_are_those_of_scikit_learn():
    for k, curve in enumerate(roc.data(THREE)):
        fpr, tpr, _ = roc_curve(k == TRUTH, proba(THREE)[:, k], drop_intermediate=False)
        np.testing.assert_allclose(curve.false_alarms, fpr)
        np.testing.assert_allclose(curve.hits, tpr)
        assert curve.area == pytest.approx(roc_auc_score(k == TRUTH, proba(THREE)[:, k]))


def test_of_two_classes_the_second_is_shown():
    (curve,) = roc.data(PAIR)
    assert curve.name == "well"
    assert curve.area == pytest.approx(roc_auc_score(TWO == "well", proba(PAIR)[:, 1]))


def test_the_figure_holds_the_numbers():
    numbers = roc.data(THREE)
    figure = drawn(roc, numbers)
    for curve in numbers:
        (trace,) = traces(figure, str(curve.name))
        np.testing.assert_array_equal(trace.x, curve.false_alarms)
        np.testing.assert_array_equal(trace.y, curve.hits)
        assert f"{curve.area:.3f}" in trace.name


def test_a_model_that_is_not_there():
    with pytest.raises(ValueError, match="no model 'tree'; there are 'NaiveBayes'"):
        roc.data(THREE, model="tree")


def test_labels_and_probabilities_will_do():
    p = np.array([[0.7, 0.3], [0.2, 0.8], [0.6, 0.4]])
    assert roc.data((["b", "a", "b"], p, ["b", "a"]))[0].area == 1.0
    with pytest.raises(ValueError, match="'c'"):
        roc.data((["c", "a", "b"], p, ["b", "a"]))


def test_rows_weigh_what_they_weigh_in_the_scores():
    weight = np.where(TWO == "well", 1 + np.arange(len(TWO)) % 4, 1.0)
    every = bf.evaluate(bf.NaiveBayes(numeric="gaussian"), X, TWO, folds=2, sample_weight=weight, how="subtract")
    (curve,), p = roc.data(every), proba(every)[:, 1]
    assert curve.area == pytest.approx(roc_auc_score(TWO == "well", p, sample_weight=weight))
    fpr, tpr, _ = roc_curve(TWO == "well", p, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(curve.false_alarms, fpr)
    np.testing.assert_allclose(curve.hits, tpr)
    (again,) = roc.data((TWO, proba(every), every.classes, weight))
    assert again.area == curve.area


def test_a_class_whose_rows_weigh_nothing_has_no_curve():
    p = np.full((4, 3), 1 / 3)
    found = roc.data((list("abca"), p, list("abc"), [1.0, 1.0, 0.0, 1.0]))
    assert [curve.name for curve in found] == ["a", "b"]
    with pytest.raises(ValueError, match="every row is of the class 'a'"):
        roc.data((list("abca"), p, list("abc"), [1.0, 0.0, 0.0, 1.0]))


def test_names_of_many_classes_stand_beside_the_curves():
    y = np.arange(90) % 9
    p = np.eye(9)[y] * 0.5 + 0.5 / 9
    names = tuple(f"c{k}" for k in range(9))
    found = roc.data(([names[k] for k in y], p, names))
    figure, few = roc.draw(found), roc.draw(found[:6])
    assert figure["layout"]["legend"]["x"] > 1 > few["layout"]["legend"]["x"]
    assert figure["layout"]["width"] > few["layout"]["width"]

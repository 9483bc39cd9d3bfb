"""ROC points beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

import bayesfold as bf
from bayesfold.plots import roc

from .sources import PAIR, THREE, TRUTH, TWO, X, Y, drawn, proba, traces


def pooled(evaluation, y):
    """The answers as those of one model."""
    return y, proba(evaluation), evaluation.classes


def test_points_are_those_of_scikit_learn():
    for k, curve in enumerate(roc.data(pooled(THREE, Y))):
        fpr, tpr, _ = roc_curve(k == TRUTH, proba(THREE)[:, k], drop_intermediate=False)
        np.testing.assert_allclose(curve.false_alarms, fpr)
        np.testing.assert_allclose(curve.hits, tpr)
        assert curve.area == pytest.approx(roc_auc_score(k == TRUTH, proba(THREE)[:, k]))


def test_of_two_classes_the_second_is_shown():
    (curve,) = roc.data(pooled(PAIR, TWO))
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
    (curve,), p = roc.data((*pooled(every, TWO), weight)), proba(every)[:, 1]
    assert curve.area == pytest.approx(roc_auc_score(TWO == "well", p, sample_weight=weight))
    fpr, tpr, _ = roc_curve(TWO == "well", p, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(curve.false_alarms, fpr)
    np.testing.assert_allclose(curve.hits, tpr)
    (again,) = roc.data(every)
    assert again.area == pytest.approx(every.scores["NaiveBayes"]["AUC"].value)


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


def test_of_folds_the_area_is_the_one_that_is_printed():
    for repeats in (1, 3):
        every = bf.evaluate(bf.NaiveBayes(), X, TWO, folds=5, repeats=repeats)
        (curve,) = roc.data(every)
        assert curve.area == pytest.approx(every.scores["NaiveBayes"]["AUC"].value)
        assert curve.folds == 5 * repeats
    assert "mean of 15 folds" in drawn(roc, (curve,)).layout.title.text
    many = np.mean([curve.area for curve in roc.data(THREE)])
    assert many == pytest.approx(THREE.scores["NaiveBayes"]["AUC"].value)


def test_the_line_of_folds_is_the_mean_of_their_lines():
    fold, p = THREE.folds[0], proba(THREE)
    (curve, *_) = roc.data((Y, p, THREE.classes, None, fold))
    assert (np.diff(curve.false_alarms) >= 0).all()
    assert (np.diff(curve.hits) >= -1e-12).all()
    assert (curve.hits[-1], curve.false_alarms[-1]) == (1.0, 1.0)
    at = np.linspace(0.013, 0.987, 7)  # nowhere a corner
    lines = [roc_curve(TRUTH[fold == f] == 0, p[fold == f, 0], drop_intermediate=False)[:2] for f in range(5)]
    wanted = np.average([np.interp(at, x, y) for x, y in lines], axis=0, weights=np.bincount(fold))
    np.testing.assert_allclose(np.interp(at, curve.false_alarms, curve.hits), wanted)


def test_a_guess_by_the_prior_is_no_worse_than_chance_though_folds_differ():
    """A fold that has more of a class was answered by a model that has seen less of it."""
    fold = np.repeat(np.arange(4), 10)
    y = np.array(["a", "b"])[(np.arange(40) % 10 < 3 + fold).astype(int)]
    share = np.array([0.6, 0.5, 0.4, 0.3])[fold]
    p = np.column_stack([1 - share, share])
    assert roc.data((y, p, ["a", "b"]))[0].area < 0.5
    assert roc.data((y, p, ["a", "b"], None, fold))[0].area == pytest.approx(0.5)


def test_folds_of_one_class_say_nothing_and_rows_alone_are_compared_with_each_other():
    y, p = list("aabb"), np.array([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    assert roc.data((y, p, ["a", "b"], None, np.array([0, 1, 2, 3])))[0].area == 0.75
    assert roc.data((y, p, ["a", "b"], None, np.array([0, 0, 1, 1])))[0].area == 0.75
    (curve,) = roc.data((y, p, ["a", "b"], None, np.array([0, 1, 1, 0])))
    assert (curve.area, curve.folds) == (0.5, 2)

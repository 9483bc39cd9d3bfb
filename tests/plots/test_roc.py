"""ROC points beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from bayesfold.plots import roc

from .sources import PAIR, THREE, TRUTH, TWO, drawn, proba, traces


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

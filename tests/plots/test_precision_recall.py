"""Precision and recall beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_recall_curve

from bayesfold.plots import precision_recall

from .sources import THREE, TRUTH, drawn, proba, traces


def test_points_are_those_of_scikit_learn():
    for k, curve in enumerate(precision_recall.data(THREE)):
        precision, recall, _ = precision_recall_curve(k == TRUTH, proba(THREE)[:, k])
        np.testing.assert_allclose(curve.recall[1:], recall[::-1][1:])
        np.testing.assert_allclose(curve.precision[1:], precision[::-1][1:])
        assert curve.average == pytest.approx(average_precision_score(k == TRUTH, proba(THREE)[:, k]))


def test_the_figure_holds_the_numbers():
    numbers = precision_recall.data(THREE)
    for curve in numbers:
        (trace,) = traces(drawn(precision_recall, numbers), str(curve.name))
        np.testing.assert_array_equal(trace.x, curve.recall)
        np.testing.assert_array_equal(trace.y, curve.precision)


def test_rows_may_weigh_differently():
    weight = 1.0 + np.arange(len(TRUTH)) % 3
    p = proba(THREE)
    for k, curve in enumerate(precision_recall.data((THREE.truth, p, [0, 1, 2], weight))):
        expected = average_precision_score(k == TRUTH, p[:, k], sample_weight=weight)
        assert curve.average == pytest.approx(expected)

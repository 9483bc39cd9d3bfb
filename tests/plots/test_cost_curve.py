"""The cost of each threshold."""

import numpy as np
import pytest

from bayesfold.plots import cost_curve

from .sources import PAIR, THREE, TWO, drawn, proba, traces


def test_costs_by_hand():
    found = cost_curve.data(PAIR)
    assert found.name == "well"
    loss = np.array([[0, 1], [8, 0]])
    truth, q = (TWO == "well").astype(int), proba(PAIR)[:, 1]
    for t in (0.1, 0.5, 8 / 9, 0.99):
        assert found.curve.at(t) == pytest.approx(loss[(q >= t).astype(int), truth].mean())
    assert found.curve.implied == pytest.approx(8 / 9)


def test_another_loss_may_be_asked_about():
    assert cost_curve.data(PAIR, loss={"ill": {"well": 3}, "well": {"ill": 1}}).curve.implied == pytest.approx(0.25)


def test_the_figure_holds_the_numbers():
    found = cost_curve.data(PAIR)
    figure = drawn(cost_curve, found)
    (curve,), (implied,) = traces(figure, "mean cost"), traces(figure, "implied")
    np.testing.assert_array_equal(curve.y[1:-1], found.curve.costs)
    assert (curve.x[0], curve.x[-1]) == (0.0, 1.0)
    assert (curve.y[0], curve.y[-1]) == (found.curve.at(0.0), found.curve.at(1.0))
    assert implied.x[0] == found.curve.implied


def test_three_classes_have_none():
    with pytest.raises(ValueError, match="two classes, and there are 3"):
        cost_curve.data(THREE)


def test_rows_may_weigh_differently():
    weight = 1.0 + np.arange(len(TWO)) % 3
    q, loss = proba(PAIR)[:, 1], np.array([[0, 1], [8, 0]])
    found = cost_curve.data((TWO, proba(PAIR), PAIR.classes, weight), loss=loss)
    costs = loss[(q >= 0.7).astype(int), (TWO == "well").astype(int)]
    assert found.curve.at(0.7) == pytest.approx(np.average(costs, weights=weight))

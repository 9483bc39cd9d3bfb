"""The calibration curve and its histogram."""

import numpy as np
import pytest
from scipy.stats import binomtest

from bayesfold.plots import calibration

from .sources import THREE, TRUTH, drawn, proba, traces


def test_bins_by_hand():
    found = calibration.data(THREE, bins=5)
    p = proba(THREE)
    sure, right = p.max(1), p.argmax(1) == TRUTH
    for k in range(5):
        there = (sure > k / 5) & (sure <= (k + 1) / 5)
        assert found.weight[k] == there.sum()
        if there.any():
            assert found.confidence[k] == pytest.approx(sure[there].mean())
            assert found.accuracy[k] == pytest.approx(right[there].mean())


def test_the_figure_holds_the_numbers():
    found = calibration.data(THREE)
    figure = drawn(calibration, found)
    (curve,), (bars,) = traces(figure, "the model"), traces(figure, "rows")
    np.testing.assert_array_equal(curve.y, found.accuracy[found.weight > 0])
    np.testing.assert_array_equal(bars.y, found.weight)
    assert f"{found.error:.3f}" in curve.name


def test_bars_are_intervals_of_shares():
    found = calibration.data(THREE)
    (curve,) = traces(drawn(calibration, found), "the model")
    n, p = found.weight[found.weight > 0], found.accuracy[found.weight > 0]
    for at, (rows, right) in enumerate(zip(n, p, strict=True)):
        interval = proportion_interval(round(right * rows), int(rows))
        assert curve.y[at] - curve.error_y.arrayminus[at] == pytest.approx(interval.low, abs=1e-6)
        assert curve.y[at] + curve.error_y.array[at] == pytest.approx(interval.high, abs=1e-6)


def proportion_interval(right, rows):
    """scipy's interval, by Wilson."""
    return binomtest(right, rows).proportion_ci(method="wilson")

"""The calibration curve and its histogram."""

import numpy as np
import pytest

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

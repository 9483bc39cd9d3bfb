"""The calibration curve and its histogram."""

import numpy as np
import pytest
from scipy.stats import binomtest

import bayesfold as bf
from bayesfold.plots import calibration

from .sources import THREE, TRUTH, X, Y, drawn, proba, traces


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


def test_rows_that_were_answered_several_times_count_once():
    """Their bars are as wide as those of so many rows: repeats judge the same rows again."""
    every = bf.evaluate(bf.NaiveBayes(numeric="gaussian"), X, Y, folds=5, repeats=4, how="subtract")
    found = calibration.data(every)
    assert found.weight.sum() == pytest.approx(len(Y))
    np.testing.assert_allclose(np.nan_to_num(found.rows), found.weight)
    (curve,) = traces(drawn(calibration, found), "the model")
    at = int(found.weight[found.weight > 0].argmax())
    n, p = (part[found.weight > 0][at] for part in (found.weight, found.accuracy))
    z = 1.959964
    reach = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert curve.error_y.array[at] + curve.error_y.arrayminus[at] == pytest.approx(2 * reach, rel=1e-5)


@pytest.mark.parametrize("unseen", [None, "good-turing", 0.3])
def test_the_error_is_the_one_that_evaluate_prints(unseen):
    weight = np.where(Y == "ward", 7.0, 1.0)
    names = np.where(np.arange(len(Y)) == 3, "alone", Y)
    clf = bf.NaiveBayes(numeric="gaussian", unseen_class=unseen)
    every = bf.evaluate(clf, X, names, folds=5, sample_weight=weight, how="subtract")
    found = calibration.data(every)
    assert found.error == pytest.approx(every.scores["NaiveBayes"]["ECE"].value, abs=1e-12)
    assert found.weight.sum() == pytest.approx(weight.sum())


def test_rows_that_weigh_differently_count_for_fewer_in_the_bars():
    p, weight = np.tile([0.8, 0.2], (4, 1)), [3.0, 1.0, 1.0, 1.0]
    found = calibration.data((list("aabb"), p, ["a", "b"], weight), bins=5)
    assert found.weight.tolist() == [0, 0, 0, 6, 0]
    assert found.accuracy[3] == pytest.approx(4 / 6)
    assert found.rows[3] == pytest.approx(36 / 12)
    shared = calibration.data((list("aabb"), p, ["a", "b"]), bins=5, unseen_share=0.25)
    assert shared.confidence[2] == pytest.approx(0.6)

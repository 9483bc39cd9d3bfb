"""Measures beside scikit-learn's and beside their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peer

from bayesfold import decide
from bayesfold.decisions import metrics

DRAW = np.random.default_rng(0)


def answers(classes, rows=200, seed=0, ties=False):
    draw = np.random.default_rng(seed)
    p = draw.dirichlet(np.full(classes, 0.7), rows)
    p = (np.round(p, 1) + 0.01) if ties else p
    p /= p.sum(1, keepdims=True)
    truth = np.array([draw.choice(classes, p=row**0.5 / (row**0.5).sum()) for row in p])
    return p, truth, draw.random(rows) + 0.1


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("ties", [False, True])
def test_beside_scikit_learn(classes, ties):
    p, truth, w = answers(classes, ties=ties)
    for weight in (None, w):
        ours = np.average(metrics.log_losses(p, truth), weights=weight)
        assert ours == pytest.approx(peer.log_loss(truth, p, sample_weight=weight))
        ours = np.average(metrics.briers(p, truth), weights=weight)
        theirs = peer.brier_score_loss(truth, p if classes > 2 else p[:, 1], sample_weight=weight)
        assert ours == pytest.approx(theirs)
        if weight is None and classes > 2:
            assert metrics.auc(p, truth) == pytest.approx(peer.roc_auc_score(truth, p, multi_class="ovr"))
        if classes == 2:
            theirs = peer.roc_auc_score(truth, p[:, 1], sample_weight=weight)
            assert metrics.auc(p, truth, weight) == pytest.approx(theirs)


def test_the_area_is_the_share_of_pairs_in_order():
    score, positive = DRAW.integers(0, 5, 40) / 4, DRAW.random(40) < 0.4
    pairs = [(a > b) + 0.5 * (a == b) for a in score[positive] for b in score[~positive]]
    assert metrics.area(score, positive) == pytest.approx(np.mean(pairs))
    assert np.isnan(metrics.area(score, np.ones(40, bool)))
    assert np.isnan(metrics.auc(np.full((3, 2), 0.5), np.zeros(3, int)))


def test_probability_zero_for_what_came_true_is_a_finite_loss():
    assert metrics.log_losses(np.array([[1.0, 0.0]]), np.array([1]))[0] == pytest.approx(-np.log(1e-15))


@pytest.mark.parametrize("weighted", [False, True])
def test_calibration_error_by_its_definition(weighted):
    p, truth, w = answers(4, rows=500)
    w = w if weighted else np.ones(len(p))
    sure, right = p.max(1), p.argmax(1) == truth
    error = 0.0
    for low, high in zip(np.arange(15) / 15, np.arange(1, 16) / 15, strict=True):
        there = (sure > low) & (sure <= high)
        if there.any():
            gap = abs(np.average(sure[there], weights=w[there]) - np.average(right[there], weights=w[there]))
            error += gap * w[there].sum() / w.sum()
    assert metrics.reliability(p, truth, w).error == pytest.approx(error)


@given(rows=st.integers(1, 40), seed=st.integers(0, 10_000), miss=st.integers(1, 30), alarm=st.integers(1, 30))
def test_the_cost_curve_is_what_each_threshold_costs(rows, seed, miss, alarm):
    draw = np.random.default_rng(seed)
    q, truth = draw.integers(0, 11, rows) / 10, draw.integers(0, 2, rows)
    p, loss = np.column_stack([1 - q, q]), np.array([[0.0, miss], [alarm, 0.0]])
    curve = metrics.cost_curve(p, truth, loss)
    for t in (0.0, 0.05, 0.3, 0.31, 0.9, 1.0, 1.1):
        decided = (q >= t).astype(int)
        assert curve.at(t) == pytest.approx(loss[decided, truth].mean())
    assert curve.at(curve.best) == curve.costs.min()
    assert curve.implied == pytest.approx(alarm / (alarm + miss))
    clear = np.abs(q - curve.implied) > 1e-9
    np.testing.assert_array_equal(decide(p, loss)[clear], (q >= curve.implied)[clear])


@pytest.mark.parametrize(
    ("loss", "threshold"), [([[0, 5], [0, 0]], 0.0), ([[0, 0], [3, 0]], 1.0), ([[4, 0], [0, 4]], np.nan)]
)
def test_a_threshold_where_one_decision_is_never_dearer(loss, threshold):
    np.testing.assert_equal(metrics.implied_threshold(loss), threshold)


def test_three_classes_have_no_threshold():
    with pytest.raises(ValueError, match="two classes, and there are 3"):
        metrics.cost_curve(*answers(3)[:2], 1 - np.eye(3))


def test_costs_and_what_was_believed_of_them():
    p, truth, _ = answers(3)
    loss = np.array([[0, 9, 1], [2, 0, 3], [4, 1, 0.0]])
    decided = decide(p, loss, reject_cost=0.8)
    expected = [0.8 if d < 0 else loss[d, t] for d, t in zip(decided, truth, strict=True)]
    np.testing.assert_array_equal(metrics.costs(decided, truth, loss, 0.8), expected)
    believed = [0.8 if d < 0 else loss[d] @ q for d, q in zip(decided, p, strict=True)]
    np.testing.assert_allclose(metrics.believed_costs(p, decided, loss, 0.8), believed)
    assert max(believed) <= 0.8


def test_a_confidence_on_an_edge_belongs_to_the_bin_below_it():
    """Bins are (a, b], as in Guo et al. 2017, and the first holds 0 too."""
    p = np.array([[0.8, 0.2], [0.8, 0.2], [0.75, 0.25], [0.85, 0.15], [1.0, 0.0]])
    found = metrics.reliability(p, np.array([0, 1, 0, 0, 0]), bins=10)
    np.testing.assert_array_equal(found.weight, [0, 0, 0, 0, 0, 0, 0, 3, 1, 1])
    assert found.accuracy[7] == pytest.approx(2 / 3)
    assert found.confidence[7] == pytest.approx(2.35 / 3)


def test_a_score_is_halved_for_two_classes_however_many_columns_there_are():
    p = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]])
    assert metrics.briers(p, np.array([0, 0])).tolist() == [0.25 + 0.0625 + 0.0625, 2.0]
    assert metrics.briers(p, np.array([0, 0]), classes=2).tolist() == [0.1875, 1.0]
    assert metrics.briers(p[:, :2], np.array([1, 1])).tolist() == [(0.25 + 0.5625) / 2, 0.0]
    assert p[0].tolist() == [0.5, 0.25, 0.25], "what was given is not changed"
    assert metrics.hits(np.array([0, -1, 1]), np.array([0, 1, 0])).tolist() == [1.0, 0.0, 0.0]


def test_areas_of_several_classes_are_means_over_those_that_are_there():
    p = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.4, 0.5, 0.1], [0.1, 0.1, 0.8]])
    truth = np.array([0, 1, 0, 1])
    # of class 0 all four pairs are in order, of class 1 two and of class 2 there is no row
    assert metrics.auc(p, truth) == pytest.approx((1.0 + 2 / 4) / 2)
    assert metrics.area(np.array([1.0, 2.0, 2.0]), np.array([True, True, False]), np.array([1.0, 3.0, 2.0])) == (
        pytest.approx((0 * 1 * 2 + 0.5 * 3 * 2) / (4 * 2))
    )
    assert np.isnan(metrics.area(np.array([1.0, 2.0]), np.array([True, False]), np.array([1.0, 0.0])))


def test_bins_without_a_row_count_for_nothing_and_rows_that_repeat_count_once():
    p = np.array([[0.75, 0.25], [0.75, 0.25], [0.0, 1.0], [1.0, 0.0]])
    found = metrics.reliability(p, np.array([0, 1, 1, 1]), np.array([1.0, 3.0, 2.0, 2.0]), bins=4, repeats=2)
    assert found.edges.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert found.weight.tolist() == [0.0, 0.0, 4.0, 4.0]
    assert found.confidence[2:].tolist() == [0.75, 1.0]
    assert found.accuracy[2:].tolist() == [0.25, 0.5]
    assert found.rows[2:].tolist() == pytest.approx([16 / 10 / 2, 2 / 2])
    assert found.error == pytest.approx((0.5 * 4 + 0.5 * 4) / 8)
    everything = metrics.reliability(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 0]), bins=1)
    assert everything.weight.tolist() == [2.0]


def test_a_threshold_beyond_every_score_leaves_nobody():
    p = np.array([[0.75, 0.25], [0.25, 0.75], [0.25, 0.75]])
    curve = metrics.cost_curve(p, np.array([0, 1, 0]), np.array([[0.0, 8.0], [2.0, 1.0]]), np.array([1.0, 2.0, 1.0]))
    assert curve.thresholds[:2].tolist() == [0.25, 0.75]
    assert curve.thresholds[2] > 0.75
    assert curve.costs.tolist() == [(2 + 2 * 1 + 2) / 4, (0 + 2 * 1 + 2) / 4, (0 + 2 * 8 + 0) / 4]
    assert curve.best == 0.75
    assert [curve.at(t) for t in (0.0, 0.25, 0.5, 0.75, 0.8, 1.0)] == [1.5, 1.5, 1.0, 1.0, 4.0, 4.0]
    assert curve.implied == pytest.approx(2 / (2 + 7))


@pytest.mark.parametrize(
    ("loss", "threshold"),
    [([[0, 0], [0, 0]], np.nan), ([[1, 3], [2, 0]], 1 / 4), ([[0, 3], [0, 1]], 0.0), ([[0, 1], [3, 1]], 1.0)],
)
def test_a_threshold_where_right_answers_cost_too(loss, threshold):
    np.testing.assert_equal(metrics.implied_threshold(loss), threshold)


def test_ranks_are_counts_of_those_that_score_as_much():
    score, positive = np.array([0.2, 0.9, 0.5, 0.9]), np.array([False, True, True, False])
    thresholds, of, against = metrics.ranked(score, positive, np.array([1.0, 2.0, 4.0, 8.0]))
    assert (thresholds.tolist(), of.tolist(), against.tolist()) == (
        [np.inf, 0.9, 0.5, 0.2], [0, 2, 6, 6], [0, 8, 8, 9],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ([1.0, 2.0], "sample_weight= has 2 values for 3 rows"),
        ([1.0, -1.0, np.nan], "row 1 has the weight -1.0; weights must be finite and at least 0"),
        ([0.0, 1.0, np.inf], "row 2 has the weight inf"),
        ([0.0, 0.0, 0.0], "every sample weight is zero, so there is nothing to score"),
    ],
)
def test_weights_that_are_none_are_named(weight, said):
    with pytest.raises(ValueError, match=said):
        metrics.checked_weight(weight, 3)
    assert metrics.checked_weight([0, 0, 5], 3).tolist() == [0.0, 0.0, 5.0]


@pytest.mark.parametrize("unit", [1e-300, 1e-3, 1.0, 1e200])
def test_weights_say_as_much_in_any_unit(unit):
    w = np.array([4.0, 2.0, 2.0, 0.0])
    assert metrics.effective_rows(w * unit) == pytest.approx(64 / 24)
    np.testing.assert_allclose(metrics.weights_as_rows(w * unit), w / 8 * 64 / 24)

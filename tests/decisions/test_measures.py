"""One place for measures: areas within folds, intervals by the rows that weights leave."""

import numpy as np
import pytest
from scipy.stats import norm, t

from bayesfold.decisions import metrics
from bayesfold.decisions.measures import SEEN_LOSS, Answers, Known, areas, mean, mean_log_loss, measured
from bayesfold.decisions.metrics import effective_rows
from bayesfold.decisions.never_seen import as_new


def test_a_guess_by_the_prior_of_other_folds_is_not_worse_than_chance():
    """A fold with more of a class was answered by a model that has seen less of it: across folds ranks turn over."""
    draw = np.random.default_rng(0)
    truth, fold = draw.integers(0, 2, 200), np.arange(200) % 10
    p = np.array([truth[fold != f].mean() for f in fold])
    p = np.column_stack([1 - p, p])
    assert areas(p, truth, np.ones(200)).value < 0.4
    assert areas(p, truth, np.ones(200), fold).value == 0.5


def test_a_fold_without_a_class_has_no_area():
    truth, fold = np.array([0, 0, 0, 1, 0, 1]), np.array([0, 0, 0, 1, 1, 1])
    p = np.column_stack([1 - np.arange(6) / 6, np.arange(6) / 6])
    found = areas(p, truth, np.ones(6), fold)
    assert np.isnan(found.rows[:3]).all()
    assert found.value == 0.5  # of the second fold alone


def test_weights_that_differ_leave_fewer_rows_and_wider_intervals():
    draw = np.random.default_rng(1)
    rows, w = draw.normal(size=400), np.where(np.arange(400) % 20 == 0, 20.0, 1.0)
    assert effective_rows(w) == pytest.approx((20 * 20 + 380) ** 2 / (20 * 400 + 380))
    equal, uneven = mean(rows, np.ones(400)), mean(rows, w)
    assert uneven.high - uneven.low > 1.8 * (equal.high - equal.low)
    same = mean(rows, np.full(400, 1e300))
    np.testing.assert_allclose([same.low, same.high], [equal.low, equal.high])


def test_the_interval_of_a_weighted_mean_holds_the_truth():
    draw = np.random.default_rng(2)
    held = 0
    for _ in range(400):
        w = draw.integers(1, 21, 60).astype(float)
        found = mean(draw.normal(size=60), w)
        held += found.low <= 0 <= found.high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize("rows", [3, 10, 100])
def test_the_area_of_rows_in_perfect_order_has_an_interval(rows):
    score = np.linspace(0, 1, rows)
    found = areas(np.column_stack([1 - score, score]), (score > 0.5).astype(int), np.ones(rows))
    assert found.value == found.high == 1.0
    assert 1 - 8 / rows < found.low < 1 - 1 / rows


def test_the_interval_of_an_area_holds_the_truth():
    """Two normals 2.5 apart, 12 and 18 rows of each: often all in order, where the rows' own spread says nothing."""
    draw, truth, hits = np.random.default_rng(3), np.repeat([0, 1], [12, 18]), 0
    for _ in range(300):
        score = 1 / (1 + np.exp(-draw.normal(2.5 * truth)))
        found = areas(np.column_stack([1 - score, score]), truth, np.ones(30))
        hits += found.low <= 0.9615 <= found.high  # P(N(2.5, 1) > N(0, 1))
    assert hits / 300 >= 0.93


def test_of_hardly_more_than_one_row_there_is_a_mean_and_no_interval():
    for weight in (1e9, 1e15):
        found = mean(np.array([1.0, 0.0, 0.0]), np.array([weight, 0.5, 0.25]))
        assert found.value == pytest.approx(1.0)
        assert np.isnan([found.low, found.high]).all()


@pytest.mark.parametrize("weights", [[2.0], [2.0, 0.0, 0.0], [1e9, 0.5, 0.25], [1.0, 1.0, 1.0]])
def test_every_measure_knows_its_rows_however_few_weigh(weights):
    """Differences between models, and means by fold, are taken row by row, also of rows that have no interval."""
    w, truth = np.array(weights), np.array([0, 1, 1])[: len(weights)]
    p = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])[: len(weights)]
    cost = np.array([[0.0, 5.0], [1.0, 0.0]])
    found = measured(Answers(p, p.argmax(1), p.argmax(1)), Known(truth, w, cost, True, 0.4))
    own = p[np.arange(len(w)), truth]
    by_hand = {
        "accuracy": [1, 1, 0],
        "log-loss": -np.log(own),
        "Brier": (1 - own) ** 2,
        "cost": [0, 0, 5],
        "cost, none rejected": [0, 0, 5],
        "total risk": [0.1 * 5, 0.2 * 1, 0.3 * 5],
        "coverage": [1, 1, 1],
    }
    assert {*found} == {*by_hand, "AUC", "ECE"}
    for name, rows in by_hand.items():
        np.testing.assert_allclose(found[name].rows, rows[: len(w)], rtol=1e-12)
        assert found[name].value == pytest.approx(np.average(rows[: len(w)], weights=w))
    assert found["AUC"].rows.shape == w.shape


def wilson(value, n):
    """The shares whose distance from this one is just the normal quantile of their own deviation."""
    z = norm.ppf(0.975)
    ends = np.sort(np.roots([1 + z**2 / n, -2 * value - z**2 / n, value**2]).real)
    return ends.tolist()


def student(rows, w, n, wider):
    """How far the mean of weighted rows may be off."""
    value = w @ rows / w.sum()
    return t.ppf(0.975, n - 1) * np.sqrt(wider * (w**2 @ (rows - value) ** 2) / (w @ w) / (n - 1))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("folds", [1, 2, 5])
@pytest.mark.parametrize("together", [1, 3])
def test_every_interval_is_its_formula(weighted, folds, together):
    """Of three classes, some rows rejected, in folds and in units of several rows."""
    draw = np.random.default_rng(folds)
    p, truth = draw.dirichlet([2.0, 1.0, 1.0], 60), draw.integers(0, 3, 60)
    w = draw.uniform(0.2, 3.0, 60) if weighted else np.ones(60)
    unit, fold = np.arange(60) // together, np.arange(60) // together % folds
    forced = p.argmax(1)
    decision = np.where(p.max(1) < 0.5, -1, forced)
    cost = np.array([[0.0, 5.0, 2.0], [1.0, 0.0, 3.0], [4.0, 1.0, 0.0]])
    known = Known(truth, w, cost, True, 0.4, fold if folds > 1 else None, group=unit if together > 1 else None)
    found = measured(Answers(p, decision, forced), known)
    n = w.sum() ** 2 / (w @ w)
    of_unit = (np.bincount(unit, w) ** 2).sum() / (w @ w)
    wider = of_unit * (1 + folds / (folds - 1) if folds > 1 else 1)
    for name in ("accuracy", "coverage"):
        np.testing.assert_allclose([found[name].low, found[name].high], wilson(found[name].value, n / wider))
    second = np.argsort(p, axis=1)[:, -2]
    worse = {
        "Brier": [((row - np.eye(3)[k]) ** 2).sum() for row, k in zip(p, second, strict=True)],
        "cost": [0.4 if d < 0 else cost[d, k] for d, k in zip(decision, second, strict=True)],
        "cost, none rejected": [cost[d, k] for d, k in zip(forced, second, strict=True)],
        "total risk": np.zeros(60),
    }
    for name, least in (("Brier", 0.0), ("cost", -9.0), ("cost, none rejected", -9.0), ("total risk", -9.0)):
        one = found[name]
        reach = student(one.rows, w, n, wider)
        further = (
            np.sqrt(w @ np.maximum(np.array(worse[name]) - one.value, 0) ** 2 / w.sum()) * wilson(0.0, n / wider)[1]
        )
        np.testing.assert_allclose(
            [one.low, one.high], [max(one.value - reach, least), one.value + np.hypot(reach, further)]
        )
    loss = found["log-loss"]
    reach = student(loss.rows, w, n, wider)
    surprise = np.maximum(-np.log(np.sort(p, axis=1)[:, -2]) - loss.value, 0.0)
    further = t.ppf(0.975, n - 1) * np.sqrt(w @ surprise**2 / w.sum()) * of_unit / n
    np.testing.assert_allclose(
        [loss.low, loss.high], [max(loss.value - reach, 0), loss.value + np.hypot(reach, further)]
    )


def test_where_every_class_is_new_each_row_is_there_and_has_no_loss_among_the_seen():
    p, truth = np.array([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]]), np.array([2, 2])
    known = Known(truth, np.ones(2), 1 - np.eye(3), never_seen=as_new(truth, [0, 1], 0.1), seen_apart=True)
    found = measured(Answers(p, p.argmax(1)), known)[SEEN_LOSS]
    assert np.isnan(found.value)
    assert found.rows.shape == (2,)
    assert np.isnan(found.rows).all()


def test_the_interval_of_a_log_loss_holds_the_truth_before_the_first_surprise():
    """Rows of which a model is 98 % sure, and right: of 60 none may be a surprise, and losses do not vary."""
    draw = np.random.default_rng(0)
    p = np.tile([0.98, 0.02], (60, 1))
    truth = -(0.98 * np.log(0.98) + 0.02 * np.log(0.02))
    held = {"of a mean": 0, "of a log-loss": 0}
    for _ in range(300):
        losses = metrics.log_losses(p, (draw.random(60) < 0.02).astype(np.intp))
        found = {"of a mean": mean(losses, np.ones(60)), "of a log-loss": mean_log_loss(losses, p, None)}
        for name, one in found.items():
            held[name] += one.low <= truth <= one.high
    assert held["of a mean"] < 0.8 * 300
    assert held["of a log-loss"] > 0.9 * 300


def test_where_a_model_is_sure_and_right_its_cost_and_its_brier_score_are_as_unsure_as_its_accuracy():
    p, truth = np.tile([1.0, 0.0], (50, 1)), np.zeros(50, np.intp)
    found = measured(Answers(p, truth, truth), Known(truth, np.ones(50), 1.0 - np.eye(2), True, 0.3))
    for name in ("Brier", "cost", "cost, none rejected"):
        assert found[name].low == found[name].value == 0.0
        assert found[name].high == pytest.approx(1 - found["accuracy"].low)
    dear = measured(Answers(p, truth), Known(truth, np.ones(50), np.array([[0.0, 8.0], [1.0, 0.0]]), True))
    assert dear["cost"].high == pytest.approx(8 * found["cost"].high)


def test_the_interval_of_a_cost_holds_the_truth_before_the_first_mistake():
    """Of 60 rows none may be wrong though one of 25 is; costs do not vary then."""
    draw, held, p = np.random.default_rng(0), 0, np.tile([0.96, 0.04], (60, 1))
    for _ in range(300):
        truth = (draw.random(60) < 0.04).astype(np.intp)
        known = Known(truth, np.ones(60), 1.0 - np.eye(2), True)
        one = measured(Answers(p, np.zeros(60, np.intp)), known)["cost"]
        held += one.low <= 0.04 <= one.high
    assert held > 0.93 * 300


def test_rejected_rows_cost_what_rejecting_costs_whatever_they_are():
    p, truth = np.tile([0.6, 0.4], (20, 1)), np.zeros(20, np.intp)
    found = measured(Answers(p, np.full(20, -1), truth), Known(truth, np.ones(20), 1.0 - np.eye(2), True, 0.3))
    assert (found["cost"].low, found["cost"].high) == pytest.approx((0.3, 0.3))


def test_a_guess_is_no_surprise():
    even = np.full((20, 2), 0.5)
    found = mean_log_loss(-np.log(even[:, 0]), even, None)
    assert found.high == pytest.approx(found.value)


def test_a_log_loss_of_one_class_or_one_row_has_no_surprise():
    assert mean_log_loss(np.zeros(5), np.ones((5, 1)), None).high == 0.0
    assert np.isnan(mean_log_loss(np.array([0.3]), np.array([[0.7, 0.3]]), None).high)


@pytest.mark.parametrize(
    ("weights", "many"), [([1.0], 1), ([1.0, 1e-3], 1), ([1.0, 1.0], 2), ([3.0, 1.0], 1.6), ([1.0] * 3, 3)]
)
def test_two_rows_have_an_interval_and_one_has_none(weights, many):
    """Rows count by their weights: one that weighs nearly all is nearly alone."""
    w = np.array(weights)
    losses = np.linspace(0.5, 1.0, len(w))
    p = np.tile([0.5, 0.5], (len(w), 1))
    assert effective_rows(w) == pytest.approx(many, rel=0.01)
    for found in (mean(losses, w), mean_log_loss(losses, p, w)):
        assert found.value == pytest.approx(np.average(losses, weights=w))
        if many == 1:
            assert np.isnan([found.low, found.high]).all()
        else:
            assert found.low < found.value < found.high

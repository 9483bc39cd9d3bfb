"""The log-loss by folds carried on to a pool of all rows: by exact subtraction, and never by a row's own copy."""

import numpy as np
import pytest

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Frame
from bayesfold.learning.kinds import find
from bayesfold.learning.pool import carry, recommend
from bayesfold.learning.pool.stacking import BIAS_RIDGE, RIDGES, HeldOutAnswers
from bayesfold.learning.weights import log_normal, pool


def drawn(rows, seed=0, copies=1):
    """Two classes of normals with covariances of their own, each row `copies` times; labels."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, rows)
    x = draw.normal(size=(rows, 4)) * np.where(y, 1.5, 0.7)[:, None] + 0.6 * y[:, None]
    return Frame.of({f"x{j}": np.tile(x[:, j], copies) for j in range(4)}), np.tile(y, copies)


def learned(monkeypatch, *table):
    """The settings' report, and the arguments that the losses were carried on with."""
    given = []
    original = carry.carry_on
    monkeypatch.setattr(recommend, "carry_on", lambda *parts: given.append(parts) or original(*parts))
    return find("bayes")().learn(*table).report, given[0]


def test_parts_are_carried_on_by_what_one_row_left_out_gets_less_what_a_fold_gets(monkeypatch):
    _, (unseen, whole, batch) = learned(monkeypatch, *drawn(40))
    losses = carry.losses_by_subtraction(whole, batch, unseen.own, unseen.fold)
    for i in (0, 7, 23):
        alone = batch.take(np.array([i]))
        fold = batch.take(np.flatnonzero(unseen.fold == unseen.fold[i]))
        own = unseen.own[i]
        for found, gone in zip(losses, (alone, fold), strict=True):  # a normal without one row keeps its scale
            assert found[i] == pytest.approx(-whole.without(gone).log_proba(alone)[0, own], abs=0.02)
        assert abs(losses[0][i] - losses[1][i]) > 1e-3


def test_weights_are_carried_on_to_those_fitted_without_the_row_alone():
    draw = np.random.default_rng(1)
    own, fold = draw.integers(0, 2, 40), np.arange(40) % 4
    said = np.log(draw.dirichlet([2, 2], (40, 3)) * 0.5 + 0.5 * np.eye(2)[own][:, None])
    found = HeldOutAnswers(said, own, None, fold).losses_under_weights_of_others()
    for i in range(40):
        rest = np.arange(40) != i
        settings = {"start": 1 / 3, "ridge": RIDGES[True], "bias_ridge": BIAS_RIDGE, "nonnegative": True}
        refitted = pool(said[rest], own[rest], **settings).logits(said[i : i + 1])
        assert found[i] == pytest.approx(-log_normal(refitted)[0, own[i]], abs=2e-3)


def test_what_is_shown_is_the_loss_by_folds_and_what_it_is_carried_on_by(monkeypatch):
    report, (unseen, whole, batch) = learned(monkeypatch, *drawn(60))
    by_folds = carry.log_losses(unseen.crossed(), unseen.own)
    carried = carry.carry_on(unseen, whole, batch)
    assert carried.mean() < -0.005  # a quarter of 60 rows more makes normals better
    assert report.loss == pytest.approx((by_folds + carried).mean())
    shown = report.scores.measures["log-loss"]
    assert shown.value == pytest.approx(report.loss)
    assert shown.low < report.loss < shown.high


def test_no_row_is_carried_on_by_its_copy(monkeypatch):
    _, (unseen, whole, batch) = learned(monkeypatch, *drawn(40, copies=2))
    carried = carry.carry_on(unseen, whole, batch)
    np.testing.assert_array_equal(carried, carried[0])  # by the weights alone, which is the same for all


def test_a_row_that_stands_for_several_is_not_carried_on_by_the_others(monkeypatch):
    frame, y = drawn(40)
    weight = np.where(np.arange(40) % 2, 3.0, 1.0)
    given = []
    original = carry.carry_on
    monkeypatch.setattr(recommend, "carry_on", lambda *parts: given.append(parts) or original(*parts))
    find("bayes")(weights_are="counts").learn(frame, y, weight)
    unseen, whole, batch = given[0]
    carried = carry.carry_on(unseen, whole, batch)
    assert len(set(carried[weight > 1])) == 1  # by the weights alone
    assert len(set(carried[weight == 1])) == 20


def test_no_loss_falls_below_zero(monkeypatch):
    """A rule without noise: the whole pool has found it, and folds taken out of it by subtraction cost much."""
    draw = np.random.default_rng(2)
    codes = draw.integers(0, 3, (125, 6))
    y = ((codes[:, 0] == codes[:, 1]) | (codes[:, 4] == 0)).astype(int)
    frame = Frame.of({f"x{j}": [f"level {k}" for k in codes[:, j]] for j in range(6)})
    report, (unseen, whole, batch) = learned(monkeypatch, frame, y)
    alone, with_fold = carry.losses_by_subtraction(whole, batch, unseen.own, unseen.fold)
    loss = carry.log_losses(unseen.crossed(), unseen.own).mean()
    assert with_fold.mean() > loss
    assert alone.mean() < 0.5 * with_fold.mean()
    assert 0 < report.loss < loss


def test_many_rows_are_not_carried_on(monkeypatch):
    monkeypatch.setattr(carry, "MOST_ROWS", 59)
    report, given = learned(monkeypatch, *drawn(60))
    assert carry.carry_on(*given) is None
    assert "carried" not in report.held_out


@pytest.mark.parametrize("classes", [6, 14])
def test_a_table_of_every_combination_once_shows_no_more_than_a_guess(classes):
    """Left out alone, a row is the one combination that is missing, and its class with it: .5 for log(14) = 2.6."""
    draw = np.random.default_rng(classes)
    year, corps = (a.ravel() for a in np.meshgrid(np.arange(1875, 1895), np.arange(classes)))
    some = draw.permutation(len(year))[: 2 * len(year) // 3]
    table = Frame.of({"deaths": draw.poisson(0.7, len(year))[some], "year": year[some]}), corps[some]
    report = find("bayes")().learn(*table).report
    assert report.loss > np.log(classes) - 0.1


def test_the_last_fold_adds_no_more_than_its_share_of_what_was_learned(monkeypatch):
    _, (unseen, whole, batch) = learned(monkeypatch, *drawn(60))
    monkeypatch.setattr(carry, "losses_by_subtraction", lambda *_: (np.zeros(60), np.full(60, 9.0)))
    by_folds = carry.log_losses(unseen.crossed(), unseen.own)
    by_weights = unseen.losses_under_weights_of_others().mean()
    prior = carry.entropy(unseen.own, None)
    carried = (by_folds + carry.carry_on(unseen, whole, batch)).mean()
    assert carried == pytest.approx(by_weights - min(prior - by_weights, by_weights) / 4)


@pytest.mark.parametrize(
    ("loss", "prior", "most"), [(0.4, 0.7, 0.3), (0.2, 0.7, 0.2), (0.7, 0.7, 0.0), (0.9, 0.7, 0.0), (0.35, 0.7, 0.35)]
)
def test_a_fold_more_gains_at_most_its_share_of_what_there_is_to_gain(loss, prior, most):
    for folds in (1, 4, 10):
        assert carry.most_to_gain(loss, prior, folds) == pytest.approx(most / folds)


def test_the_loss_of_shares_is_that_of_classes_that_are_there():
    own = np.array([0, 2, 2, 2, 0, 4])
    share = np.array([2, 3, 1]) / 6
    assert carry.entropy(own, None) == pytest.approx(-(share @ np.log(share)))
    weight = np.array([1.0, 2.0, 0.0, 2.0, 3.0, 0.0])
    assert carry.entropy(own, weight) == pytest.approx(np.log(2))


def test_copies_are_rows_of_one_fold_of_which_the_same_is_said():
    joint = np.array([[0.0, -1], [0, -1 - 1e-11], [0, -2], [0, -2], [0, -3], [0, -4], [0, -4], [0, -4]])
    fold = np.array([0, 0, 0, 1, 2, 3, 3, 0])
    expected = [True, True, False, False, False, False, False, False]
    assert carry.copied_within_fold(joint, fold, Batch(8)).tolist() == expected
    weight = np.array([1.0, 1, 1, 1, 2, 1, 1, 1])
    several = Batch(8, weight=weight, copies=True)
    assert carry.copied_within_fold(joint, fold, several).tolist() == [*expected[:4], True, *expected[5:]]
    assert carry.copied_within_fold(joint, fold, Batch(8, weight=weight)).tolist() == expected
    losses = carry.log_losses(np.log([[1.0, 3.0], [2.0, 2.0]]), np.array([1, 0]))
    np.testing.assert_allclose(losses, -np.log([0.75, 0.5]))

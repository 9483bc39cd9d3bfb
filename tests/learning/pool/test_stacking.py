"""Weights between parts, and losses carried on to all rows."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from bayesfold import BayesClassifier
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.pool import recommend, stacking
from bayesfold.learning.pool.stacking import FOLDS, Unseen, known_without
from bayesfold.learning.weights import log_loss


def unseen(halves):
    draw = np.random.default_rng(0)
    own = draw.integers(0, 2, 50)
    said = np.log(draw.dirichlet([2, 2], (50, 1)))
    return Unseen(said, own, None, "", FOLDS, None if halves is None else halves(said), np.arange(50))


def first(said):
    return said[:, 0]


@pytest.mark.parametrize("curve", [(0.2, 8.0), (0.0, 3.0), (0.5, 0.0)])
def test_a_loss_on_the_curve_is_carried_on_along_it(curve, monkeypatch):
    """loss(n) = a + b / n, known of n/2 and of 3n/4."""
    a, b = curve
    rows = 100
    losses = iter([a + b / (rows / 2), a + b / (rows * (1 - 1 / FOLDS))])
    monkeypatch.setattr(stacking, "log_loss", lambda *_: next(losses))
    at_folds = a + b / (rows * (1 - 1 / FOLDS))
    assert unseen(np.copy).carried_on(at_folds, first) == pytest.approx(a + b / rows)


def test_more_rows_do_no_harm_and_do_not_halve_a_loss():
    better_with_fewer = unseen(lambda said: np.log(np.full_like(said, 0.5)))
    loss = log_loss(first(better_with_fewer.said), better_with_fewer.own)
    assert loss > np.log(2)
    assert better_with_fewer.carried_on(loss, first) == loss
    hopeless = unseen(lambda said: 50 * said)
    assert hopeless.carried_on(loss, first) == loss / 2
    assert unseen(None).carried_on(loss, first) == loss  # rows left out one by one


def test_rows_whose_class_is_in_one_fold_alone_are_not_asked():
    fold, own = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 2, 2])
    np.testing.assert_array_equal(known_without(fold, own), [False, True, True, True, True])


def test_the_estimate_of_a_small_table_is_near_what_new_rows_get():
    x, y = load_wine(return_X_y=True)
    x = x[:, ::3]
    gaps = []
    for k in range(2):
        rest = np.arange(len(y)) % 2 != k
        clf = BayesClassifier().fit(x[rest], y[rest])
        log_p = clf.predict_log_proba(x[~rest])
        gaps.append(clf.report_.loss + log_p[np.arange((~rest).sum()), y[~rest]].mean())
    assert abs(np.mean(gaps)) < 0.08  # two times 89 rows: their own noise is .03


@pytest.mark.parametrize("folds", [4, 8])
@pytest.mark.parametrize("anew", [0.0, np.inf], ids=["chosen on halves", "chosen anew"])
def test_what_is_said_of_a_fold_does_not_hang_on_its_labels(folds, anew, monkeypatch):
    """Neither what is learned nor what is chosen for a fold has seen it."""
    monkeypatch.setattr(effort, "CHOSEN_ANEW", anew)
    monkeypatch.setattr(effort, "MORE_FOLDS", np.inf if folds == 8 else 0.0)
    x, y = load_wine(return_X_y=True)
    x, y, fold = x[:90, :4], y[:90] % 2, np.arange(90) % folds
    monkeypatch.setattr(stacking, "dealt", lambda batch, parts: fold)
    said = []
    learned = stacking.folded
    monkeypatch.setattr(stacking, "folded", lambda *given: said.append(learned(*given)) or said[-1])
    monkeypatch.setattr(recommend, "folded", stacking.folded)
    other = np.where(fold == 1, 1 - y, y)
    for labels in (y, other):
        BayesClassifier().fit(x, labels)
    asked, different = said
    assert (asked.own != different.own).sum() == (fold == 1).sum()
    np.testing.assert_array_equal(asked.said[fold == 1], different.said[fold == 1])
    assert (asked.said[fold == 2] != different.said[fold == 2]).any()

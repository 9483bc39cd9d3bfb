"""Weights between parts, and what is said of rows that neither parts nor weights have seen."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from bayesfold import BayesClassifier
from bayesfold.learning.pool import cost as effort
from bayesfold.learning.pool import recommend, stacking
from bayesfold.learning.pool.stacking import HeldOutAnswers, known_without


def test_a_fold_is_judged_under_weights_that_have_not_seen_it():
    draw = np.random.default_rng(0)
    own, fold = draw.integers(0, 2, 60), np.arange(60) % 4
    said = np.log(draw.dirichlet([2, 2], (60, 3)))
    crossed = HeldOutAnswers(said, own, None, fold).crossed()
    turned = HeldOutAnswers(said, np.where(fold == 1, 1 - own, own), None, fold).crossed()
    np.testing.assert_array_equal(crossed[fold == 1], turned[fold == 1])
    assert (crossed[fold == 2] != turned[fold == 2]).all()
    others = HeldOutAnswers(said[fold != 1], own[fold != 1], None, fold[fold != 1]).fitted()
    np.testing.assert_allclose(crossed[fold == 1], others.logits(said[fold == 1]))


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
    monkeypatch.setattr(recommend, "FEW_ROWS", 90 if folds == 8 else 0)
    x, y = load_wine(return_X_y=True)
    x, y, fold = x[:90, :4], y[:90] % 2, np.arange(90) % folds
    monkeypatch.setattr(stacking, "deal", lambda batch, parts, **told: fold)
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

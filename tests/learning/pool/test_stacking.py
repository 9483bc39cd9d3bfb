"""Weights between parts, and what is said of rows that neither parts nor weights have seen."""

from dataclasses import replace

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


@pytest.mark.parametrize("anew", [0.0, np.inf], ids=["chosen on halves", "chosen anew"])
def test_what_is_said_of_a_fold_does_not_hang_on_its_labels(anew, monkeypatch):
    """Neither what is learned nor what is chosen for a fold has seen it."""
    monkeypatch.setattr(effort, "CHOSEN_ANEW", anew)
    x, y = load_wine(return_X_y=True)
    x, y, fold = x[:90, :4], y[:90] % 2, np.arange(90) % stacking.FOLDS
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


def answers(third, many=80, weight=None, fold=True, seed=4):
    """Two parts that know a little, and a third that has to earn its place."""
    draw = np.random.default_rng(seed)
    own = draw.integers(0, 2, many)
    right = np.eye(2)[own]
    said = [0.5 + 0.2 * (right - 0.5) + draw.uniform(-0.05, 0.05, (many, 1)) * [1, -1] for _ in range(2)]
    said.append(
        {"knows": 0.05 + 0.9 * right, "noise": draw.dirichlet([5, 5], many), "equal": np.full((many, 2), 0.5)}[third]
    )
    folds = np.arange(many) % 4 if fold else None
    return HeldOutAnswers(np.log(np.stack(said, axis=1)), own, weight, folds, centre=(0.5, 0.5, 0.0))


@pytest.mark.parametrize("fold", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("third", "earns"), [("noise", False), ("knows", True), ("equal", False)])
def test_a_part_that_has_to_earn_its_place_does_so_by_what_it_adds(third, earns, weighted, fold):
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 80) if weighted else None
    found = answers(third, weight=weight, fold=fold).fitted()
    assert (found.weights[2] > 0) == earns
    if not earns:
        assert found.weights[2] == 0.0
        alone = replace(answers(third, weight=weight, fold=fold), centre=(0.5, 0.5))
        two = replace(alone, said=np.ascontiguousarray(alone.said[:, :2])).fitted()
        np.testing.assert_allclose(found.weights[:2], two.weights)
        assert found.loss > 0


def test_few_rows_earn_nothing_even_where_a_part_knows():
    earned = [answers("knows", many=many).fitted().weights[2] > 0 for many in (2, 4, 80)]
    assert earned[0] is np.False_
    assert earned[-1]
    light = answers("knows", weight=np.r_[np.full(2, 1.0), np.full(78, 1e-9)])
    assert light.fitted().weights[2] == 0.0, "rows that weigh nothing are no rows"


def test_what_is_said_together_is_by_weights_of_the_other_folds_and_is_not_shared():
    held = answers("knows")
    first = held.crossed()
    first[:] = 0.0
    assert (held.crossed() != 0.0).any(), "what is returned is a copy"
    losses = held.losses_under_weights_of_others()
    assert losses.shape == (80,)
    assert (losses > 0).all()


def test_rows_whose_class_nobody_else_knows_have_no_loss():
    held = answers("noise", many=12)
    own = held.own.copy()
    own[:] = np.arange(12) % 2
    own[0] = 1 - own[0]
    fold = np.zeros(12, int)
    fold[1::2] = 1  # class 1 is in fold 1, class 0 in fold 0, but for row 0
    lone = replace(held, own=own, fold=fold)
    known = known_without(fold, own)
    assert np.isnan(lone.losses_under_weights_of_others()).tolist() == (~known).tolist()
    every = replace(held, own=np.arange(12) % 2, fold=np.arange(12) % 2)
    assert not np.isnan(every.losses_under_weights_of_others()).any(), "where none is known, all are asked"


@pytest.mark.parametrize(
    ("parts", "centre"),
    [
        (["naive"], (1.0,)),
        (["naive", "kdb"], (0.5, 0.5)),
        (["gaussian", "parzen"], (1.0, 0.0)),
        (["naive", "aode", "kdb", "gaussian"], (1 / 6, 1 / 6, 1 / 6, 1 / 2)),
        (["parzen"], ()),
    ],
)
def test_tables_share_one_weight_and_covariances_have_another(parts, centre):
    assert stacking.centre_of(parts) == pytest.approx(centre)

"""Rows of classes that no learned row shows: what they cost, with and without a share that is left to them."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.decisions.compare import judge
from bayesfold.decisions.measures import SEEN_LOSS
from bayesfold.decisions.metrics import LEAST_PROBABILITY
from bayesfold.decisions.never_seen import NeverSeen, as_new, costs_over, without_folds

RNG = np.random.default_rng(1)
Y = np.array(["oak", "elm"] * 12 + ["yew", "fir"])
X = pd.DataFrame(
    {
        "leaf": np.where(RNG.random(26) < 0.2, "toothed", np.where(Y == "oak", "lobed", "needle")),
        "bark": RNG.choice(["rough", "smooth"], 26),
    }
)
FOLDS = np.arange(26) % 4
TOLD = {"families": {"leaf": "categorical", "bark": "categorical"}, "missing_as": "skip"}
NEVER = -np.log(LEAST_PROBABILITY)


def by_hand(**options):
    """Log-losses of rows, each by a model fitted to the rows of other folds, and which classes these show."""
    losses, seen = np.empty(26), np.empty(26, bool)
    for f in range(4):
        rest, rows = f != FOLDS, np.flatnonzero(f == FOLDS)
        clf = bf.NaiveBayes(**TOLD, **options).fit(X[rest], Y[rest])
        place = {c: k for k, c in enumerate(clf.classes_.tolist())}
        p = clf.predict_proba(X.iloc[rows], unseen=True)
        for i, line in zip(rows, p, strict=True):
            seen[i] = Y[i] in place
            losses[i] = -np.log(max(line[place.get(Y[i], -1)], LEAST_PROBABILITY))
    return losses, seen


@pytest.mark.parametrize("how", ["subtract", "refit"])
@pytest.mark.parametrize("setting", [None, "good-turing", 0.25])
def test_evaluate_gives_rows_of_new_classes_what_is_left_to_them(how, setting):
    losses, seen = by_hand(unseen_class=setting)
    found = bf.evaluate(bf.NaiveBayes(**TOLD, unseen_class=setting), X, Y, folds=FOLDS, how=how)
    scores = found.scores["NaiveBayes"]
    assert seen.sum() == 24
    np.testing.assert_allclose(scores["log-loss"].rows, losses, rtol=1e-9)
    assert scores["log-loss"].value == pytest.approx(losses.mean(), rel=1e-9)
    assert scores[SEEN_LOSS].value == pytest.approx(losses[seen].mean(), rel=1e-9)
    np.testing.assert_allclose(
        scores[SEEN_LOSS].by_fold, [losses[seen & (f == FOLDS)].mean() for f in range(4)], rtol=1e-9
    )
    np.testing.assert_array_equal(found.never_seen["NaiveBayes"].rows, [~seen])
    np.testing.assert_allclose(found.proba["NaiveBayes"].sum(axis=2), 1.0, rtol=1e-12)
    assert (scores["log-loss"].rows[~seen].max() == pytest.approx(NEVER)) == (setting is None)


def test_leaving_rows_out_one_by_one():
    clf = bf.NaiveBayes(**TOLD, unseen_class="good-turing")
    scores = bf.evaluate(clf, X, Y, folds="leave-one-out").scores["NaiveBayes"]
    np.testing.assert_allclose(scores["log-loss"].rows[-2:], -np.log(1 / 25), rtol=1e-12)  # one other was seen once
    known = clf.fit(X, Y).leave_one_out(X, Y)[0]
    place = clf.classes_.tolist().index("oak")
    assert scores["log-loss"].rows[0] == pytest.approx(-np.log((1 - 2 / 25) * np.exp(known[place])), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_classes_that_only_some_repeats_never_saw_are_told_whichever_repeat_is_the_first(seed):
    """Folds of groups put the two rows of yew together in some repeats, and apart in others."""
    names = np.where(np.isin(np.arange(26), [0, 3]), "yew", np.repeat(["oak", "elm"], 13))
    unit = np.repeat(np.arange(13), 2)
    clf = bf.NaiveBayes(**TOLD)
    found = bf.evaluate(clf, X, names, folds=3, repeats=6, groups=unit, random_state=seed)
    never = np.array([[(names == c)[f == k].sum() == 2 for c, k in zip(names, f, strict=True)] for f in found.folds])
    never &= names == "yew"
    assert 0 < never.any(axis=1).sum() < 6
    np.testing.assert_array_equal(found.never_seen["NaiveBayes"].rows, never)
    truth, p = found.truth, found.proba["NaiveBayes"]
    losses = -np.log(np.maximum(p[:, np.arange(26), truth], LEAST_PROBABILITY))
    scores = found.scores["NaiveBayes"]
    assert scores["log-loss"].value == pytest.approx(losses.mean())
    means = [line[~gone].mean() for line, gone in zip(losses, never, strict=True)]
    assert scores[SEEN_LOSS].value == pytest.approx(np.mean(means))
    assert f"a class never seen in training in 2 of 26 rows ('yew'): log-loss {NEVER:.3f} each" in str(found)


@pytest.mark.parametrize("first", ["plain", "copies"])
def test_models_of_which_one_knows_a_class_are_compared(first):
    """Of a row that stands for two, one copy is left out, and its class is known still."""
    names = np.where(Y == "fir", "oak", Y)
    weight = np.where(Y == "yew", 2.0, 1.0)
    models = {"plain": bf.NaiveBayes(**TOLD), "copies": bf.NaiveBayes(**TOLD, weights_are="counts")}
    models = {first: models.pop(first), **models}
    options = {"folds": "leave-one-out", "sample_weight": weight, "how": "subtract"}
    found = bf.evaluate(models, X, names, **options)
    assert SEEN_LOSS in str(found)
    assert all(SEEN_LOSS in scores for scores in found.scores.values())
    assert [int(found.never_seen[name].rows.sum()) for name in ("plain", "copies")] == [1, 0]


def test_it_is_said_in_words():
    models = {"plain": bf.NaiveBayes(**TOLD), "careful": bf.NaiveBayes(**TOLD, unseen_class=0.25)}
    found = bf.evaluate(models, X, Y, folds=FOLDS)
    notes = found.notes()
    many = "a class never seen in training in 2 of 26 rows ('fir', 'yew')"
    left = "nothing is left to such classes; unseen_class='good-turing' leaves them a share"
    assert notes[0] == f"plain: {many}: log-loss {NEVER:.3f} each ({left})"
    assert notes[1] == f"careful: {many}: log-loss {-np.log(0.25):.3f} each (by what is left to such classes)"
    assert str(found).endswith("\n\n".join(notes))
    assert "never seen in training" in found._repr_html_()
    assert SEEN_LOSS in str(found)
    difference = found.difference("careful", "plain", SEEN_LOSS)
    assert difference.value == pytest.approx(-np.log(0.75), rel=1e-9)  # what is left to others costs every known row
    assert difference.low <= difference.value <= difference.high


def test_nothing_is_said_where_every_class_was_seen():
    found = bf.evaluate(bf.NaiveBayes(**TOLD, unseen_class=0.25), X[:24], Y[:24], folds=4)
    plain = bf.evaluate(bf.NaiveBayes(**TOLD), X[:24], Y[:24], folds=4)
    assert found.notes() == []
    assert SEEN_LOSS not in found.scores["NaiveBayes"]
    loss, before = (e.scores["NaiveBayes"]["log-loss"].value for e in (found, plain))
    assert loss == pytest.approx(before - np.log(0.75), rel=1e-9)
    for measure in ("accuracy", "AUC"):
        assert found.scores["NaiveBayes"][measure].value == pytest.approx(plain.scores["NaiveBayes"][measure].value)


def test_measures_of_a_new_class_by_hand():
    p = np.array([[0.8, 0.2], [0.4, 0.6], [0.5, 0.5]])
    truth, never = np.array([0, 1, 2]), NeverSeen(np.array([False, False, True]), np.full(3, 0.2))
    wide = np.column_stack([p, np.zeros(3)])
    found = judge((0, 1, 2), truth, {"m": wide}, {"m": np.array([0, 1, 0])}, never_seen={"m": never}).scores["m"]
    np.testing.assert_allclose(found["log-loss"].rows, -np.log([0.64, 0.48, 0.2]), rtol=1e-12)
    brier = [0.36**2 + 0.16**2 + 0.2**2, 0.32**2 + 0.52**2 + 0.2**2, 2 * 0.4**2 + 0.8**2]
    np.testing.assert_allclose(found["Brier"].rows, brier, rtol=1e-12)
    assert found["accuracy"].value == pytest.approx(2 / 3)
    assert found[SEEN_LOSS].value == pytest.approx(-np.log([0.64, 0.48]).mean(), rel=1e-12)
    sure = np.array([0.64, 0.48, 0.4])
    assert found["ECE"].value == pytest.approx((0.36 + 0.52 + sure[2]) / 3, rel=1e-12)


def test_what_decisions_cost_where_the_class_is_new():
    p, truth = np.array([[0.8, 0.2, 0.0], [0.5, 0.5, 0.0]]), np.array([0, 2])
    loss = costs_over([[0, 5], [1, 0]], (0, 1, 2), (0, 1))
    np.testing.assert_array_equal(loss[:2], [[0, 5, 5], [1, 0, 5]])
    found = judge(
        (0, 1, 2), truth, {"m": p}, {"m": np.array([0, 1])}, loss, never_seen={"m": as_new(truth, [0, 1], 0.1)}
    )
    assert found.scores["m"]["cost"].value == pytest.approx((0 + 5) / 2)
    believed = [0.9 * 0.2 * 5 + 0.1 * 5, 0.9 * 0.5 * 1 + 0.1 * 5]
    assert found.scores["m"]["total risk"].value == pytest.approx(np.mean(believed), rel=1e-12)


def test_rejecting_knows_what_is_left_when_models_are_compared():
    told = {**TOLD, "alpha": 3.0, "reject_cost": 0.45}
    plain, told_share = bf.NaiveBayes(**told), bf.NaiveBayes(**told, unseen_class=0.25)
    found = bf.evaluate({"plain": plain, "careful": told_share}, X, Y, folds=FOLDS)
    best = found.proba["careful"].max(axis=2)
    np.testing.assert_array_equal(found.decisions["careful"] < 0, 1 - 0.75 * best > 0.45)
    coverage = [found.scores[name]["coverage"].value for name in ("plain", "careful")]
    assert 0 < coverage[1] < coverage[0]


def test_a_row_that_stands_for_several_is_seen_until_the_last():
    truth, fold = np.array([0, 1, 1]), np.array([0, 1, 2])
    p = np.full((3, 2), 0.5)
    _, never = without_folds(p, truth, fold, np.array([3.0, 2.0]), None, np.ones(3))
    assert not never.rows.any()
    _, never = without_folds(p, truth, fold, np.array([1.0, 2.0]), None, np.ones(3))
    assert never.rows.tolist() == [True, False, False]


def test_a_row_all_of_whose_probability_was_its_own_class_says_nothing_of_others():
    known, _ = without_folds(np.array([[0.0, 0.0, 1.0]]), np.array([2]), np.array([0]), np.array([4, 4, 1]), None)
    np.testing.assert_array_equal(known, [[0.5, 0.5, 0.0]])


@pytest.mark.parametrize("how", ["subtract", "refit"])
def test_a_class_that_was_declared_is_known_without_a_row(how):
    """A schema names its classes, so that each has the probability that smoothing leaves it."""
    clf = bf.NaiveBayes(schema=bf.NaiveBayes(**TOLD).fit(X, Y).schema_, unseen_class=0.25)
    found = bf.evaluate(clf, X, Y, folds=FOLDS, how=how)
    assert found.notes() == []
    losses = found.scores["NaiveBayes"]["log-loss"].rows
    f = FOLDS[-1]
    fitted = clf.fit(X[f != FOLDS], Y[f != FOLDS])
    place = fitted.classes_.tolist().index("fir")
    assert losses[-1] == pytest.approx(-np.log(0.75 * fitted.predict_proba(X[-1:])[0, place]), rel=1e-9)

"""Evaluation and comparison: what is reported is what a plain loop over folds gives."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics as peer
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB as Peer

import bayesfold as bf

X, CODES = load_wine(return_X_y=True, as_frame=True)
X = X[["alcohol", "hue", "magnesium"]]
Y = np.array(["barolo", "grignolino", "barbera"])[CODES]
LOSS = {
    "barolo": {"grignolino": 1, "barbera": 9},
    "grignolino": {"barolo": 2, "barbera": 2},
    "barbera": {"barolo": 1, "grignolino": 1},
}


def area_within_folds(truth, p, fold):
    """scikit-learn's area in each fold, the mean by rows."""
    areas = [
        peer.roc_auc_score(truth[fold == f], p[fold == f] if p.shape[1] > 2 else p[fold == f, 1], multi_class="ovr")
        for f in np.unique(fold)
    ]
    return np.average(areas, weights=np.bincount(fold))


def test_scores_are_those_of_a_plain_loop():
    found = bf.evaluate(bf.NaiveBayes(), X, Y, folds=5, how="refit")
    p = found.proba["NaiveBayes"][0]
    expected = np.empty_like(p)
    for f in range(5):
        out = found.folds[0] == f
        expected[out] = bf.NaiveBayes().fit(X[~out], Y[~out]).predict_proba(X[out])
    np.testing.assert_allclose(p, expected, atol=1e-12)
    scores = found.scores["NaiveBayes"]
    assert found.classes == ("barbera", "barolo", "grignolino")
    assert scores["accuracy"].value == pytest.approx((np.array(found.classes)[expected.argmax(1)] == Y).mean())
    assert scores["log-loss"].value == pytest.approx(peer.log_loss(Y, expected))
    assert scores["AUC"].value == pytest.approx(area_within_folds(Y, expected, found.folds[0]))
    assert list(scores) == ["accuracy", "log-loss", "Brier", "AUC", "ECE"]


def test_costs_with_and_without_rejecting():
    clf = bf.NaiveBayes(loss=LOSS, reject_cost=0.4)
    found = bf.evaluate(clf, X, Y, folds=5)
    p, scores = found.proba["NaiveBayes"][0], found.scores["NaiveBayes"]
    decided = bf.decide(p, LOSS, 0.4, found.classes)
    names = np.array(found.classes)

    def cost(codes):
        return np.mean(
            [0.4 if d < 0 else 0.0 if names[d] == t else LOSS[names[d]][t] for d, t in zip(codes, Y, strict=True)]
        )

    assert scores["cost"].value == pytest.approx(cost(decided))
    assert scores["cost, none rejected"].value == pytest.approx(cost(bf.decide(p, LOSS, classes=found.classes)))
    assert scores["coverage"].value == pytest.approx((decided >= 0).mean())
    assert 0 < scores["coverage"].value < 1
    risks = np.minimum(bf.conditional_risk(p, LOSS, found.classes).min(1), 0.4)
    assert scores["total risk"].value == pytest.approx(risks.mean())
    assert scores["accuracy"].value == pytest.approx(((decided >= 0) & (names[decided] == Y)).mean())


def test_each_model_decides_by_its_own_loss_and_is_measured_by_the_common_one():
    found = bf.evaluate({"risk": bf.NaiveBayes(loss=LOSS), "mode": bf.NaiveBayes(), "peer": Peer()}, X, Y, folds=5)
    assert found.how == "everything refitted without each"
    np.testing.assert_array_equal(found.decisions["mode"][0], found.proba["mode"][0].argmax(1))
    np.testing.assert_array_equal(found.proba["mode"], found.proba["risk"])
    assert found.scores["risk"]["cost"].value < found.scores["mode"]["cost"].value
    assert found.scores["risk"]["total risk"].value < found.scores["mode"]["total risk"].value
    again = bf.evaluate(bf.NaiveBayes(loss=LOSS), X, Y, folds=5, loss=1 - np.eye(3), how="refit")
    assert again.scores["NaiveBayes"]["cost"].value == pytest.approx(1 - again.scores["NaiveBayes"]["accuracy"].value)


def test_the_interval_of_a_difference_is_that_of_the_corrected_resampled_t_test():
    found = bf.evaluate([bf.NaiveBayes(), bf.NaiveBayes(numeric="categorical")], X, Y, folds=6, repeats=4)
    assert found.models == ("NaiveBayes", "NaiveBayes 2")
    a, b = ([], [])
    for repeat in range(4):
        for f in range(6):
            out = found.folds[repeat] == f
            for values, name in ((a, "NaiveBayes"), (b, "NaiveBayes 2")):
                p = found.proba[name][repeat, out]
                values.append(-np.log(p[np.arange(out.sum()), found.truth[out]]).mean())
    d = np.subtract(b, a)
    np.testing.assert_allclose(found.scores["NaiveBayes"]["log-loss"].by_fold, a)
    error = np.sqrt((1 / 24 + 1 / 5) * d.var(ddof=1))
    got = found.difference("NaiveBayes 2", "NaiveBayes", "log-loss")
    assert got.value == pytest.approx(d.mean(), abs=0.01)  # folds differ in size by a row
    assert got.high - got.value == pytest.approx(stats.t.ppf(0.975, 23) * error)
    assert got.low < got.value < got.high
    wider = found.difference("NaiveBayes 2", "NaiveBayes", "log-loss", confidence=0.99)
    assert wider.low < got.low
    assert got.excludes_zero == (got.low > 0 or got.high < 0)


def test_leave_one_out_is_one_pass_and_exact():
    found = bf.evaluate(bf.NaiveBayes(), X, Y, folds="leave-one-out", how="subtract")
    clf = bf.NaiveBayes().fit(X, Y)
    np.testing.assert_allclose(np.log(found.proba["NaiveBayes"][0]), clf.leave_one_out(X, Y), atol=1e-9)
    assert "leave-one-out" in str(found)
    twice = bf.evaluate([clf, clf], X, Y, folds="leave-one-out", how="subtract")
    assert np.isnan(twice.difference("NaiveBayes 2", "NaiveBayes", "AUC").low)


def test_weights_count_rows():
    weight = np.where(np.arange(len(Y)) % 3 == 0, 2.0, 1.0)
    found = bf.evaluate(bf.NaiveBayes(), X, Y, folds=5, sample_weight=weight)
    right = found.decisions["NaiveBayes"][0] == found.truth
    assert found.scores["NaiveBayes"]["accuracy"].value == pytest.approx(np.average(right, weights=weight))


@pytest.mark.parametrize(("how", "folds"), [("refit", 3), ("subtract", 3), ("refit", None), ("subtract", None)])
def test_a_weight_that_counts_rows_is_so_many_rows(how, folds):
    """Refitted without a row, a model has learned none of its copies; one that was subtracted has learned the others.

    The last two classes are each one row's, one of them with copies: what is said of classes never seen counts too.
    """
    draw = np.random.default_rng(0)
    x = {"a": draw.choice([*"uvw"], 24), "b": draw.choice([*"st"], 24)}
    y, copies = np.array([*"pq" * 11, "r", "z"]), np.array([*draw.integers(1, 4, 22), 3, 1])
    rows = np.repeat(np.arange(24), copies)
    fold = np.arange(24) % folds if folds else "leave-one-out"
    of_copies = fold[rows] if folds else rows if how == "refit" else "leave-one-out"
    plain = {"unseen_class": "good-turing", "alpha": 1.0}
    counted, repeated = (
        bf.evaluate(bf.NaiveBayes(**plain, **more), *table, how=how, folds=dealt, sample_weight=weight)
        for more, table, dealt, weight in (
            ({"weights_are": "counts"}, (x, y), fold, copies),
            ({}, ({name: values[rows] for name, values in x.items()}, y[rows]), of_copies, None),
        )
    )
    for name, measure in repeated.scores["NaiveBayes"].items():
        if name != "AUC":  # a row that has a model of its own is compared with those of others
            assert counted.scores["NaiveBayes"][name].value == pytest.approx(measure.value, rel=1e-9), name


def test_the_same_folds_for_all_also_when_given():
    given = np.arange(len(Y)) % 4
    found = bf.evaluate([bf.NaiveBayes(), DummyClassifier()], X, Y, folds=given)
    np.testing.assert_array_equal(found.folds, given[None])
    assert found.scores["DummyClassifier"]["AUC"].value == pytest.approx(0.5, abs=0.05)


def test_it_prints_in_a_terminal_and_in_a_notebook():
    found = bf.evaluate({"a <b>": bf.NaiveBayes(loss=LOSS, reject_cost=0.4), "c": bf.NaiveBayes()}, X, Y, folds=3)
    text = str(found)
    assert repr(found) == text
    for word in ("178 rows, 3 classes, 3 folds", "refitted", "coverage", "c minus a <b>", "95 % intervals", " to "):
        assert word in text
    html = found._repr_html_()
    assert "a &lt;b&gt;" in html
    assert "<b>" not in html


def test_two_classes():
    data = load_breast_cancer()
    found = bf.evaluate(bf.GaussianNB(), data.data, data.target, folds=4)
    p = found.proba["GaussianNB"][0]
    assert found.scores["GaussianNB"]["Brier"].value == pytest.approx(peer.brier_score_loss(data.target, p[:, 1]))
    area = area_within_folds(data.target, p, found.folds[0])
    assert found.scores["GaussianNB"]["AUC"].value == pytest.approx(area)


def test_rows_are_subtracted_only_where_nothing_was_chosen_on_them():
    plain = bf.NaiveBayes(numeric="gaussian")
    assert not plain.chooses(X)
    assert bf.NaiveBayes().chooses(X)
    assert "nothing was chosen" in bf.evaluate(plain, X, Y, folds=3).how
    assert "refitted" in bf.evaluate([plain, bf.NaiveBayes()], X, Y, folds=3).how
    held = bf.evaluate(bf.NaiveBayes(), X, Y, folds=3, how="subtract")
    assert "schema, densities, structure, weights held" in held.how


def test_every_measure_has_an_interval_whatever_the_repeats():
    once, often = (bf.evaluate(bf.GaussianNB(), X, Y, folds=5, repeats=r).scores["GaussianNB"] for r in (1, 5))
    for name in ("accuracy", "log-loss", "Brier", "AUC"):
        assert once[name].low < once[name].value < once[name].high
        narrower = (often[name].high - often[name].low) / (once[name].high - once[name].low)
        assert 0.8 < narrower < 1.25  # the rows are the same, however often they are dealt


WRONG = {
    "a way there is not": (lambda: bf.evaluate(bf.NaiveBayes(), X, Y, how="guess"), ValueError, "how='guess'"),
    "subtracting from a peer": (lambda: bf.evaluate(Peer(), X, Y, how="subtract"), ValueError, "'GaussianNB' cannot"),
    "two losses": (
        lambda: bf.evaluate([bf.NaiveBayes(loss=LOSS), bf.NaiveBayes(loss=1 - np.eye(3))], X, Y),
        ValueError,
        "differ in loss; say by which",
    ),
    "a loss for each row": (
        lambda: bf.evaluate(bf.NaiveBayes(), X, Y, loss=np.zeros((178, 3, 3))),
        ValueError,
        "one loss",
    ),
    "no probabilities": (lambda: bf.evaluate(RidgeClassifier(), X, Y), TypeError, "RidgeClassifier gives no prob"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case):
    call, kind, words = WRONG[case]
    with pytest.raises(kind, match=words):
        call()


def test_judging_does_not_need_scikit_learn():
    code = "import sys, bayesfold.decisions.evaluate; print({'sklearn', 'pandas', 'scipy.stats'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said == "set()\n"


def test_labels_of_any_kind():
    for y in (pd.Series(Y), pd.Categorical(Y), list(Y)):
        found = bf.evaluate(bf.NaiveBayes(), X, y, folds=3)
        np.testing.assert_array_equal(np.array(found.classes)[found.truth], Y)


def test_what_other_libraries_call_loss_is_none_of_ours():
    from sklearn.ensemble import GradientBoostingClassifier

    X, y = np.arange(20.0)[:, None], np.repeat(["a", "b"], 10)
    judged = bf.evaluate({"ours": bf.GaussianNB(), "theirs": GradientBoostingClassifier(n_estimators=3)}, X, y, folds=2)
    assert "cost" not in judged.scores["ours"]
    assert judged.scores["theirs"]["accuracy"].value > 0.8


@pytest.mark.parametrize("rows", [5, 200])
@pytest.mark.parametrize("how", ["refit", "subtract"])
def test_a_weight_too_few_or_too_many_is_refused(rows, how):
    X, y = np.arange(60.0).reshape(30, 2), np.arange(30) % 2
    with pytest.raises(ValueError, match=f"sample_weight= has {rows} values for 30 rows"):
        bf.evaluate(bf.GaussianNB(), X, y, sample_weight=np.ones(rows), how=how)


@pytest.mark.filterwarnings("ignore:columns left out")
@pytest.mark.parametrize("model", [bf.KDB(), bf.GaussianNB()], ids=lambda m: type(m).__name__)
def test_copies_of_a_row_judge_no_model_that_has_seen_one(model):
    draw = np.random.default_rng(0)
    once = draw.normal(size=(120, 4))
    labels = draw.integers(0, 2, 120)
    table = pd.DataFrame(np.repeat(once, 3, axis=0), columns=list("abcd"))
    numbered = table.assign(row=np.arange(360)) if isinstance(model, bf.KDB) else table
    found = bf.evaluate([model, Peer()], numbered, np.repeat(labels, 3), folds=5, repeats=2, random_state=1)
    assert all((fold.reshape(120, 3) == fold.reshape(120, 3)[:, :1]).all() for fold in found.folds)
    for scores in found.scores.values():
        assert scores["accuracy"].value < 0.65


def test_rows_that_are_equal_because_columns_can_show_little_are_no_copies():
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"a": draw.choice(["x", "y"], 200), "b": draw.choice(["u", "v"], 200)})
    found = bf.evaluate(bf.KDB(), table, draw.integers(0, 2, 200), folds=5)
    assert np.bincount(found.folds[0]).tolist() == [40] * 5


def test_a_label_that_is_missing_is_no_class_called_nan():
    table = pd.DataFrame({"x": np.arange(60) % 7, "unit": np.arange(60) // 3})
    labels = ["a" if i % 2 else "b" for i in range(60)]
    for groups in (None, "unit"):
        with pytest.raises(ValueError, match="row 4 has no label"):
            bf.evaluate(bf.NaiveBayes(), table, [*labels[:4], float("nan"), *labels[5:]], groups=groups)
        with pytest.raises(ValueError, match="row 4 has no label"):
            bf.evaluate(bf.NaiveBayes(), table, np.ma.masked_array(labels, np.arange(60) == 4), groups=groups)
    with pytest.raises(ValueError, match="row 4 has no group"):
        bf.evaluate(bf.NaiveBayes(), table[["x"]], labels, groups=["u", "u", "v", "v", float("nan"), *(["w"] * 55)])


def test_a_number_and_its_text_are_two_classes():
    table = pd.DataFrame({"x": np.arange(60) % 7})
    found = bf.evaluate(bf.NaiveBayes(), table, [1 if i % 2 else "1" for i in range(60)])
    assert len(found.classes) == 2


@pytest.mark.parametrize("odd", [-1.0, np.nan])
def test_a_weight_that_is_none_is_refused_whoever_learns(odd):
    table, weight = pd.DataFrame({"x": np.arange(60) % 7}), np.ones(60)
    weight[4] = odd
    with pytest.raises(ValueError, match="row 4 has the weight"):
        bf.evaluate(Peer(), table, np.arange(60) % 2, sample_weight=weight)


@pytest.mark.parametrize("how", ["auto", "refit", "subtract"])
@pytest.mark.parametrize("value", [np.nan, 1.0, "x"])
@pytest.mark.filterwarnings("ignore:columns left out")
def test_rows_that_are_all_equal_cannot_be_dealt_into_folds(value, how):
    table = pd.DataFrame({"x": [value] * 20})
    with pytest.raises(ValueError, match=r"all rows are equal.*leave-one-out"):
        bf.evaluate(bf.NaiveBayes(), table, [*"ab"] * 10, how=how)
    assert bf.evaluate(bf.NaiveBayes(), table, [*"ab"] * 10, how=how, folds="leave-one-out").scores


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.filterwarnings("ignore:columns left out")
def test_few_contents_are_never_all_in_one_fold(seed):
    table = pd.DataFrame({"x": [1.0] * 3 + [2.0] * 3, "z": [7.0] * 3 + [9.5] * 3})
    found = bf.evaluate(bf.NaiveBayes(), table, [*"aab"] * 2, folds=2, repeats=3, random_state=seed)
    assert all(len(set(fold.tolist())) == 2 for fold in found.folds)


def test_a_fold_of_each_row_has_more_than_one_fold():
    with pytest.raises(ValueError, match="folds= puts all rows into one fold"):
        bf.evaluate(bf.NaiveBayes(), pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}), [*"abab"], folds=[3, 3, 3, 3])

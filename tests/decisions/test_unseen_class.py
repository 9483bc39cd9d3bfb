"""unseen_class=: the share left to classes never seen, against numbers worked out by hand, on every classifier."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import bayesfold as bf
from bayesfold.decisions.unseen_class import unseen_name, unseen_share, with_unseen
from bayesfold.estimators.settled import SettledClassifier

NAMES = [n for n in bf.__all__ if isinstance(getattr(bf, n), type) and issubclass(getattr(bf, n), SettledClassifier)]
every = pytest.mark.parametrize("name", NAMES)

RNG = np.random.default_rng(0)
Y = np.array(["oak", "elm"] * 9 + ["yew", "fir"])  # two classes in 20 rows were seen once
X = pd.DataFrame(
    {
        "leaf": np.where(Y == "oak", "lobed", np.where(Y == "elm", "toothed", "needle")),
        "bark": RNG.choice(["rough", "smooth"], len(Y)),
    }
)


def make(name: str, **setting: Any) -> Any:
    return getattr(bf, name)(**setting)


@pytest.mark.parametrize(
    ("rows", "share"),
    [
        ([9, 9, 1, 1], 2 / 20),
        ([2, 1], 1 / 3),
        ([0, 2, 1], 1 / 3),  # a class that was named and not seen yet is no class seen once
        ([7, 3], 0.5 / 10),
        ([1, 1, 1], 2.5 / 3),
        ([1], 0.5),
        ([], 0.5),
    ],
)
def test_good_and_turings_estimate_by_hand(rows: list[int], share: float) -> None:
    assert unseen_share("good-turing", rows) == pytest.approx(share, rel=1e-15)


@pytest.mark.parametrize("setting", [0, 1, 0.0, 1.0, -0.1, 1.5, float("nan"), "turing", True, [0.1]])
def test_what_is_no_share_is_refused(setting: Any) -> None:
    with pytest.raises(ValueError, match=r"unseen_class=.* must be None, 'good-turing', or a share"):
        bf.NaiveBayes(unseen_class=setting).fit(X, Y)


@every
def test_the_share_is_known_and_leaves_the_classes_as_they_were(name: str) -> None:
    plain, clf = make(name).fit(X, Y), make(name, unseen_class="good-turing").fit(X, Y)
    assert plain.unseen_share_ == 0.0
    assert clf.unseen_share_ == pytest.approx(0.1, rel=1e-15)
    proba = clf.predict_proba(X)
    np.testing.assert_array_equal(proba, plain.predict_proba(X))
    np.testing.assert_array_equal(clf.predict(X), plain.predict(X))
    with_new = clf.predict_proba(X, unseen=True)
    np.testing.assert_allclose(with_new[:, :-1], 0.9 * proba, rtol=1e-14)
    np.testing.assert_allclose(with_new[:, -1], 0.1, rtol=1e-14)
    np.testing.assert_allclose(with_new.sum(axis=1), 1.0, rtol=1e-14)
    assert clone(clf).get_params()["unseen_class"] == "good-turing"


@every
def test_the_setting_is_read_when_rows_are_answered(name: str) -> None:
    clf = make(name).fit(X, Y)
    assert clf.set_params(unseen_class=0.25).unseen_share_ == 0.25
    assert not clf.set_params(unseen_class=None).predict_proba(X, unseen=True)[:, -1].any()


def test_scikit_learns_checks_pass_with_a_share() -> None:
    check_estimator(bf.NaiveBayes(unseen_class="good-turing", numeric="gaussian"))


def test_the_column_has_a_name_that_no_class_has() -> None:
    frame = bf.NaiveBayes(unseen_class=0.2).fit(X, Y).predict_proba(X, as_frame=True, unseen=True)
    assert frame.columns.tolist() == ["elm", "fir", "oak", "yew", "unseen"]
    assert unseen_name(["unseen", "seen"]) == "class never seen"


def test_rows_are_rejected_as_if_a_new_class_cost_as_much_as_the_dearest_mistake() -> None:
    """R(d) = (1 - s) sum_t loss[d][t] P(t) + s max(loss), worked out over all classes and the new one."""
    loss = np.array([[0.0, 4.0, 2.0, 1.0], [1.0, 0.0, 3.0, 1.0], [2.0, 1.0, 0.0, 6.0], [1.0, 2.0, 1.0, 0.0]])
    share = 0.15
    clf = bf.NaiveBayes(unseen_class=share, loss=loss, alpha=5.0).fit(X, Y)
    p = clf.predict_proba(X, unseen=True)
    risks = p @ np.column_stack([loss, np.full(4, 6.0)]).T
    order = np.sort(risks.min(axis=1))
    cost = float((order[0] + order[-1]) / 2)
    without = clf.predict(X)
    np.testing.assert_array_equal(without, clf.classes_[risks.argmin(axis=1)])
    rejected = clf.set_params(reject_cost=cost).predict(X) == "reject"
    np.testing.assert_array_equal(rejected, risks.min(axis=1) > cost)
    assert 0 < rejected.sum() < len(X)
    assert rejected.sum() > (clf.set_params(unseen_class=None).predict(X) == "reject").sum()


def test_new_where_that_is_the_most_probable_answer() -> None:
    """Under 0/1 loss, calling a known class new costs 1 - s; so a reject cost of 1 - s is the mode over all answers."""
    clf = bf.NaiveBayes(unseen_class=0.42, reject_label="new").fit(X, Y)
    p = clf.predict_proba(X, unseen=True)
    predicted = clf.set_params(reject_cost=1 - clf.unseen_share_).predict(X)
    np.testing.assert_array_equal(predicted, np.array([*clf.classes_, "new"])[p.argmax(axis=1)])
    assert 0 < (predicted == "new").sum() < len(X)


def test_one_row_as_a_dict() -> None:
    clf = bf.NaiveBayes(unseen_class=0.42, reject_label="new", reject_cost=0.58).fit(X, Y)
    rows = X.to_dict(orient="records")
    assert [clf.predict(row)[0] for row in rows] == clf.predict(X).tolist()
    np.testing.assert_allclose(clf.predict_proba(rows[0], unseen=True), clf.predict_proba(X[:1], unseen=True))


def test_rows_count_whatever_they_weigh_unless_weights_are_copies() -> None:
    weight = np.array([1.0] * 18 + [3.0, 1.0])
    table, y = X.assign(size=np.arange(20.0)), Y
    assert bf.NaiveBayes(unseen_class="good-turing").fit(table, y, weight).unseen_share_ == pytest.approx(0.1)
    copies = bf.NaiveBayes(unseen_class="good-turing", weights_are="counts").fit(table, y, weight)
    whole = np.repeat(np.arange(20), weight.astype(int))
    written_out = bf.NaiveBayes(unseen_class="good-turing").fit(table.iloc[whole], y[whole])
    assert copies.unseen_share_ == written_out.unseen_share_ == pytest.approx(1 / 22)


def test_rows_without_labels_make_no_estimate() -> None:
    hidden = pd.Series(Y).where(np.arange(20) % 5 > 0)
    with pytest.raises(ValueError, match="rows without labels have a share in all of them; give a number"):
        bf.NaiveBayes(unlabelled=0.5, unseen_class="good-turing").fit(X, hidden)
    assert bf.NaiveBayes(unlabelled=0.5, unseen_class=0.05).fit(X, hidden).unseen_share_ == 0.05


def test_a_share_for_each_row() -> None:
    made = with_unseen(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0.5, 0.25]))
    np.testing.assert_array_equal(made, [[0.25, 0.25, 0.5], [0.75, 0.0, 0.25]])


def test_reasons_add_up_and_say_what_is_left() -> None:
    plain, clf = bf.NaiveBayes().fit(X, Y), bf.NaiveBayes(unseen_class=0.2).fit(X, Y)
    why, before = clf.explain(X)[0], plain.explain(X)[0]
    assert why.log_odds == before.log_odds
    p = dict(zip(clf.classes_.tolist(), clf.predict_proba(X, unseen=True)[0], strict=False))
    assert why.log_odds == pytest.approx(np.log(p[why.decision] / p[why.against]), abs=1e-12)
    assert "its class is one never seen with probability 0.2;" in str(why)
    assert "never seen" not in str(before)


def test_what_an_answer_is_worth_knows_of_new_classes() -> None:
    plain, clf = bf.NaiveBayes().fit(X, Y), bf.NaiveBayes(unseen_class=0.2).fit(X, Y)
    before, after = plain.what_to_ask({"bark": "rough"}), clf.what_to_ask({"bark": "rough"})
    assert after.risk == pytest.approx(0.8 * before.risk + 0.2, abs=1e-12)
    assert after["leaf"] == pytest.approx(0.8 * before["leaf"], abs=1e-12)

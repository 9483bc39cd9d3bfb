"""loss=, reject_cost= and reject_label= on every classifier there is, and class frequencies that have changed."""

import io
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.base import clone

import bayesfold as bf
from bayesfold.estimators.base import Classifier

NAMES = [n for n in bf.__all__ if isinstance(getattr(bf, n), type) and issubclass(getattr(bf, n), Classifier)]
RNG = np.random.default_rng(0)
CODES = np.arange(240) % 3
X = RNG.poisson(1 + (np.arange(4) + CODES[:, None]) % 3)
WORDS = np.array(["home", "ward", "intensive"])
Y = WORDS[CODES]
LOSS = {
    "home": {"ward": 4, "intensive": 20},
    "ward": {"home": 1, "intensive": 8},
    "intensive": {"home": 5, "ward": 2},
}
every = pytest.mark.parametrize("name", NAMES)


def make(name: str, **setting: Any) -> Any:
    return getattr(bf, name)(**setting)


def test_every_classifier_is_found() -> None:
    assert {"BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "NaiveBayes"} <= set(NAMES)


@every
def test_predict_is_the_decision_of_least_risk(name: str) -> None:
    clf = make(name, loss=LOSS).fit(X, Y)
    proba = clf.predict_proba(X)
    expected = bf.decide(proba, LOSS, classes=clf.classes_)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[expected])
    assert (clf.predict(X) != clf.classes_[proba.argmax(1)]).any()
    risk = bf.conditional_risk(proba, LOSS, classes=clf.classes_)
    assert (risk[np.arange(len(X)), expected] <= risk[np.arange(len(X)), proba.argmax(1)]).all()


@every
def test_rejected_rows_have_the_label_and_count_as_errors(name: str) -> None:
    clf = make(name, loss=LOSS).fit(X, Y)
    risk = bf.conditional_risk(clf.predict_proba(X), LOSS, classes=clf.classes_).min(1)
    cost = (risk.min() + risk.max()) / 2
    predicted = clf.set_params(reject_cost=cost).fit(X, Y).predict(X)
    rejected = predicted == "reject"
    assert 0 < rejected.sum() < len(X)
    np.testing.assert_array_equal(rejected, risk > cost)
    assert clf.score(X, Y) == pytest.approx((predicted == Y).mean())
    assert clf.score(X[rejected], Y[rejected]) == 0.0
    weight = RNG.random(len(X))
    assert clf.score(X, Y, sample_weight=weight) == pytest.approx(np.average(predicted == Y, weights=weight))


@every
def test_settings_are_read_when_rows_are_predicted(name: str) -> None:
    clf = make(name).fit(X, Y)
    plain, proba = clf.predict(X), clf.predict_proba(X)
    clf.set_params(loss=LOSS, reject_cost=0.01, reject_label="call the doctor")
    assert (clf.predict(X) == "call the doctor").any()
    np.testing.assert_array_equal(clf.predict_proba(X), proba)
    clf.set_params(loss=None, reject_cost=None)
    np.testing.assert_array_equal(clf.predict(X), plain)
    assert clone(make(name, loss=LOSS)).get_params()["loss"] == LOSS


@every
def test_a_common_loss_is_the_posterior_mode(name: str) -> None:
    clf = make(name).fit(X, Y)
    np.testing.assert_array_equal(make(name, loss=1 - np.eye(3)).fit(X, Y).predict(X), clf.predict(X))


@every
def test_priors_at_prediction_time_are_bayes_rule(name: str) -> None:
    """P'(c | x) ~ P(x | c) P'(c): what a fit with those priors gives."""
    clf = make(name).fit(X, Y)
    new = {"home": 0.9, "ward": 0.08, "intensive": 0.02}
    shifted = clf.predict_proba(X, priors=new)
    by_hand = clf.predict_joint_log_proba(X) - clf.model_.log_prior() + np.log([new[c] for c in clf.classes_])
    by_hand = np.exp(by_hand - by_hand.max(1, keepdims=True))
    np.testing.assert_allclose(shifted, by_hand / by_hand.sum(1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(np.exp(clf.predict_log_proba(X, priors=new)), shifted, rtol=1e-9)
    np.testing.assert_array_equal(clf.predict(X, priors=new), clf.classes_[shifted.argmax(1)])
    as_list = [new[c] for c in clf.classes_]
    np.testing.assert_array_equal(clf.predict_proba(X, priors=as_list), shifted)
    never = dict(zip(clf.classes_, (0.5, 0.5, 0.0), strict=True))
    assert not clf.predict_proba(X, priors=never)[:, 2].any()


def test_priors_at_prediction_time_equal_priors_of_the_model() -> None:
    new = {"home": 0.9, "ward": 0.08, "intensive": 0.02}
    told = bf.NaiveBayes(priors=new).fit(X, Y)
    shifted = bf.NaiveBayes().fit(X, Y).predict_proba(X, priors=new)
    np.testing.assert_allclose(shifted, told.predict_proba(X), atol=1e-12)


def test_one_row_as_a_dict() -> None:
    table = pd.DataFrame(X, columns=[*"abcd"])
    clf = bf.NaiveBayes(loss=LOSS, reject_cost=0.5).fit(table, Y)
    rows = table[:20].to_dict(orient="records")
    assert [clf.predict(row)[0] for row in rows] == clf.predict(table[:20]).tolist()
    new = [0.2, 0.2, 0.6]
    np.testing.assert_allclose(clf.predict_proba(rows[0], priors=new), clf.predict_proba(table[:1], priors=new))


@pytest.mark.parametrize(
    ("y", "label", "kind"),
    [(CODES, -1, "i"), (CODES, "unsure", "O"), (CODES.astype(float), -1, "f"), (CODES == 1, "unsure", "O")],
)
def test_labels_keep_their_type_where_it_can_hold_the_reject_label(y: Any, label: Any, kind: str) -> None:
    clf = bf.GaussianNB(reject_cost=0.05, reject_label=label).fit(X, y)
    predicted = clf.predict(X)
    assert predicted.dtype.kind == kind
    found = [p == label for p in predicted.tolist()]
    assert any(found)
    assert not all(found)
    assert clf.score(X, y) == pytest.approx(np.mean([a == b for a, b in zip(predicted.tolist(), y, strict=True)]))


@pytest.mark.parametrize(("classes", "label"), [([2**64 - 1, 5], -1), ([2**60 + 1, 5], -1.0), ([2**60 + 1, 5], -1)])
def test_classes_keep_every_digit_beside_the_reject_label(classes: list[int], label: Any) -> None:
    table = {"a": ["x", "y"] * 20}
    clf = bf.NaiveBayes(reject_cost=0.1, reject_label=label).fit(table, np.array(classes * 20, np.uint64))
    asked = pa.table({"a": pa.array(["x", "y", None])})
    assert clf.predict(asked).tolist() == [*classes, label]
    assert [one.label for one in clf.explain(asked)] == [*classes, label]
    out = io.BytesIO()
    clf.predict_from(asked, out)
    assert [line.split(",")[1] for line in out.getvalue().decode().splitlines()[1:3]] == [str(c) for c in classes]
    assert clf.score(table, np.array(classes * 20, np.uint64)) == 1.0


def test_a_stream_may_know_the_costs_of_classes_to_come() -> None:
    early = CODES < 2
    clf = bf.NaiveBayes(loss=LOSS).partial_fit(X[early], Y[early])
    assert set(clf.predict(X)) <= {"home", "ward"}
    assert "intensive" in clf.partial_fit(X, Y).predict(X)
    with pytest.raises(ValueError, match="2 x 2, but there are 3 classes"):
        clf.set_params(loss=[[0, 1], [1, 0]]).predict(X)


WRONG = {
    "a loss of the wrong size": (Y, {"loss": [[0, 1], [1, 0]]}, "2 x 2, but there are 3 classes"),
    "a loss that lacks a class": (Y, {"loss": {"home": {"ward": 1}}}, "'home' costs when the truth is 'intensive'"),
    "a loss for each row": (Y, {"loss": np.zeros((240, 3, 3))}, "bf.decide"),
    "a reject cost for each row": (Y, {"reject_cost": np.ones(240)}, "one reject_cost for all rows"),
    "no label for a rejected number": (CODES, {"reject_cost": 1.0}, "reject_label=-1"),
    "a class as reject label": (Y, {"reject_cost": 1.0, "reject_label": "ward"}, "cannot be called 'ward'"),
    "the default label is a class": (np.where(Y == "ward", "reject", Y), {"reject_cost": 1.0}, "'reject'"),
    "not a number": (Y, {"reject_cost": "dear"}, "reject_cost='dear'"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("name", ["NaiveBayes", "MultinomialNB"])
def test_what_is_wrong_is_said_by_fit_and_nothing_changes(name: str, case: str) -> None:
    y, setting, words = WRONG[case]
    clf = make(name).fit(X, Y)
    before = clf.predict_proba(X)
    with pytest.raises(ValueError, match=words):
        clf.set_params(**setting).fit(X[::-1], y)
    np.testing.assert_array_equal(clf.predict_proba(X), before)


@pytest.mark.parametrize(
    "priors", [{"home": 1.0}, [0.5, 0.5], [0.5, 0.4, 0.3], {"home": -1, "ward": 1, "intensive": 1}]
)
def test_priors_are_checked(priors: Any) -> None:
    with pytest.raises(ValueError, match="priors"):
        bf.NaiveBayes().fit(X, Y).predict_proba(X, priors=priors)


@pytest.mark.parametrize(
    "clf", [bf.NetworkClassifier(), bf.NaiveBayes(reject_cost=0.4), bf.MinimumRisk(bf.NaiveBayes(), reject_cost=0.4)]
)
def test_the_score_is_of_rows_and_not_of_pairs_of_rows(clf):
    table = pd.DataFrame(X, columns=[*"abcd"])
    clf = clone(clf).fit(table, Y)
    right = clf.score(table, Y)
    assert right == np.mean(clf.predict(table) == Y)
    for labels in (Y[:, None], pd.DataFrame({"y": Y}), pd.Series(Y, index=np.arange(len(Y))[::-1]), list(Y)):
        assert clf.score(table, labels) == right
    with pytest.raises(ValueError, match="there are 240 rows but 1 labels"):
        clf.score(table, ["home"])
    with pytest.raises(ValueError, match="row 1 has no label"):
        clf.score(table, [*Y[:1], None, *Y[2:]])
    with pytest.raises(ValueError, match="row 2 has the weight nan"):
        clf.score(table, Y, np.ma.masked_array(np.ones(240), np.arange(240) == 2))


@pytest.mark.parametrize("kind", [bf.NaiveBayes, bf.NetworkClassifier])
def test_labels_of_another_type_than_the_classes_are_no_score_of_nothing(kind):
    table = pd.DataFrame(X, columns=[*"abcd"])
    clf = kind().fit(table, CODES)
    objects = np.array(CODES.tolist(), object)
    assert clf.score(table, objects) == clf.score(table, CODES) == kind().fit(table, objects).score(table, CODES)
    for labels in (CODES.astype(str), CODES.astype(str).tolist()):
        with pytest.raises(ValueError, match=r"labels such as '0' are of another type than the classes, 0, 1, 2"):
            clf.score(table, labels)
    assert kind(reject_cost=0, reject_label="none").fit(table, CODES).score(table, CODES) == 0


def test_classes_that_are_lists_are_refused_in_words():
    pairs = np.empty(len(Y), object)
    pairs[:] = [(int(c), 1) for c in CODES]
    with pytest.raises(TypeError, match="cannot be told apart; use text, numbers or truth values"):
        bf.NaiveBayes().fit(pd.DataFrame(X), pairs)

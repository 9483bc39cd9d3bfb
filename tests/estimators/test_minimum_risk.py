"""Any classifier of scikit-learn's, deciding by what its decisions cost."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import bayesfold as bf

DATA = load_breast_cancer()
X, Y = DATA.data[:300, :6], np.array(["ill", "well"])[DATA.target[:300]]
LOSS = {"ill": {"well": 1}, "well": {"ill": 30}}


@pytest.mark.parametrize("inner", [LogisticRegression(max_iter=5000), RandomForestClassifier(20, random_state=0)])
def test_it_decides_from_the_inner_probabilities(inner):
    clf = bf.MinimumRisk(inner, loss=LOSS).fit(X, Y)
    proba = inner.fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(clf.predict_proba(X), proba)
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[bf.decide(proba, LOSS, classes=clf.classes_)])
    assert (clf.predict(X) == "ill").sum() > (inner.predict(X) == "ill").sum()


def test_it_rejects_and_counts_rejects_as_errors():
    clf = bf.MinimumRisk(LogisticRegression(max_iter=5000), loss=LOSS, reject_cost=0.3).fit(X, Y)
    predicted = clf.predict(X)
    assert (predicted == "reject").any()
    assert clf.score(X, Y) == pytest.approx((predicted == Y).mean())


def test_it_equals_the_loss_of_our_own_classifiers():
    table = pd.DataFrame(X, columns=[f"c{j}" for j in range(6)])
    ours = bf.NaiveBayes(loss=LOSS, reject_cost=0.3).fit(table, Y)
    wrapped = bf.MinimumRisk(bf.NaiveBayes(), loss=LOSS, reject_cost=0.3).fit(table, Y)
    np.testing.assert_array_equal(wrapped.predict(table), ours.predict(table))
    assert wrapped.feature_names_in_.tolist() == list(table.columns)


def test_what_the_inner_classifier_leaves_to_classes_never_seen_is_weighed(tmp_path):
    told = {"reject_cost": 0.35, "reject_label": "new"}
    ours = bf.NaiveBayes(numeric="gaussian", unseen_class=0.3, **told).fit(X, Y)
    clf = bf.MinimumRisk(bf.NaiveBayes(numeric="gaussian", unseen_class=0.3), **told).fit(X, Y)
    np.testing.assert_array_equal(clf.predict(X), ours.predict(X))
    plain = bf.MinimumRisk(bf.NaiveBayes(numeric="gaussian"), **told).fit(X, Y)
    assert (clf.predict(X) == "new").sum() > (plain.predict(X) == "new").sum()
    clf.save(tmp_path / "m.bayes")
    np.testing.assert_array_equal(bf.load(tmp_path / "m.bayes").predict(X), clf.predict(X))
    folds = np.arange(len(Y)) % 3
    judged = bf.evaluate({"ours": ours, "wrapped": clf}, X, Y, folds=folds, how="refit")
    np.testing.assert_array_equal(judged.decisions["ours"], judged.decisions["wrapped"])


def test_a_fitted_classifier_is_kept_when_frozen():
    fitted = LogisticRegression(max_iter=5000).fit(X, Y)
    clf = bf.MinimumRisk(FrozenEstimator(fitted), loss=LOSS).fit(X[:5], Y[:5])
    np.testing.assert_allclose(clf.predict_proba(X), fitted.predict_proba(X))


@pytest.mark.slow
def test_weights_and_searches_reach_the_inner_classifier():
    weight = np.where(Y == "ill", 5.0, 1.0)
    clf = bf.MinimumRisk(LogisticRegression(max_iter=5000)).fit(X, Y, sample_weight=weight)
    inner = LogisticRegression(max_iter=5000).fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(clf.predict_log_proba(X), inner.predict_log_proba(X))
    with config_context(enable_metadata_routing=True):
        asking = LogisticRegression(max_iter=5000).set_fit_request(sample_weight=True)
        routed = bf.MinimumRisk(asking).fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(routed.predict_proba(X), clf.predict_proba(X))
    pipe = make_pipeline(StandardScaler(), bf.MinimumRisk(LogisticRegression(), loss=LOSS))
    search = GridSearchCV(pipe, {"minimumrisk__estimator__C": [0.1, 1.0]}, cv=3).fit(X, Y)
    assert search.best_estimator_.predict(X).shape == Y.shape


def test_without_probabilities_there_is_no_risk():
    with pytest.raises(TypeError, match=r"LinearSVC gives no probabilities.*CalibratedClassifierCV"):
        bf.MinimumRisk(LinearSVC(), loss=LOSS).fit(X, Y)


@pytest.mark.slow
def test_a_wrong_loss_is_refused_and_what_was_fitted_stays():
    clf = bf.MinimumRisk(LogisticRegression(max_iter=5000), loss=LOSS).fit(X, Y)
    before = clf.predict(X)
    with pytest.raises(ValueError, match="3 x 3, but there are 2 classes"):
        clf.set_params(loss=np.zeros((3, 3))).fit(X[:50], Y[:50])
    np.testing.assert_array_equal(clf.set_params(loss=LOSS).predict(X), before)


@pytest.mark.parametrize("inner", [bf.NaiveBayes(), bf.GaussianNB(), FrozenEstimator(bf.NaiveBayes().fit(X, Y))])
def test_one_of_our_own_is_saved_with_its_costs(inner, tmp_path):
    clf = bf.MinimumRisk(inner, loss=LOSS, reject_cost=0.3).fit(X, Y)
    clf.save(tmp_path / "careful.bayes")
    loaded = bf.load(tmp_path / "careful.bayes")
    assert type(loaded) is type(getattr(inner, "estimator", inner))
    np.testing.assert_array_equal(loaded.predict(X), clf.predict(X))
    assert clf.estimator_.get_params().get("loss") is None  # what is inside stays as it was


def test_what_a_file_cannot_hold_is_said(tmp_path):
    clf = bf.MinimumRisk(LogisticRegression(max_iter=5000), loss=LOSS).fit(X, Y)
    with pytest.raises(TypeError, match=r"cannot hold a LogisticRegression; keep this one with joblib or skops"):
        clf.save(tmp_path / "careful.bayes")
    assert not list(tmp_path.iterdir())


def test_weights_of_rows_are_handed_on_and_boosting_knows_it():
    X, y = load_breast_cancer(return_X_y=True)
    weight = np.where(y == 1, 3.0, 1.0)
    ours = bf.MinimumRisk(bf.GaussianNB()).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(ours.predict_proba(X), bf.GaussianNB().fit(X, y, weight).predict_proba(X))
    boosted = AdaBoostClassifier(bf.MinimumRisk(LogisticRegression(max_iter=5_000)), n_estimators=3)
    assert boosted.fit(X[:, :3], y).score(X[:, :3], y) > 0.8

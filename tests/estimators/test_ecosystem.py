"""The classifiers inside scikit-learn's machinery: pipelines, searches, calibration, routing, processes, pickles."""

import pickle
import subprocess
import sys
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

import bayesfold

NAMES = ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "NaiveBayes")
RNG = np.random.default_rng(0)
Y = np.arange(120) % 3
X = RNG.poisson(0.5 + (np.arange(5) + Y[:, None]) % 3)
TEXTS = ["win money now", "meet at noon", "win a prize", "noon meeting", "money prize win", "lunch at noon"] * 5
KINDS = ["spam", "ham", "spam", "ham", "spam", "ham"] * 5


def make(name: str, **setting: Any) -> Any:
    return getattr(bayesfold, name)(**setting)


@pytest.mark.parametrize("name", NAMES)
def test_clone_and_pickle(name: str) -> None:
    clf = make(name).fit(X, Y)
    clf.predict_proba(X)
    copy = clone(clf)
    assert not hasattr(copy, "model_")
    assert copy.get_params() == clf.get_params()
    for dumped in (pickle.dumps(clf), pickle.dumps(clf, protocol=5)):
        again = pickle.loads(dumped)
        np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
        again.partial_fit(X[:9], Y[:9]).forget(X[:9], Y[:9])
        np.testing.assert_allclose(again.predict_proba(X), clf.predict_proba(X), rtol=1e-10)
        np.testing.assert_allclose((again + clf).predict_proba(X), (clf + clf).predict_proba(X), rtol=1e-10)


def test_a_stream_is_pickled_and_goes_on() -> None:
    clf = bayesfold.NaiveBayes().fit(pd.DataFrame({"a": ["x", "y"] * 20, "b": np.arange(40.0)}), ["p", "q"] * 20)
    row = {"a": "x", "b": 3.0}
    clf.partial_fit(row, "p").predict_proba(row)
    again = pickle.loads(pickle.dumps(clf))
    for _ in range(3):
        np.testing.assert_array_equal(again.predict_proba(row), clf.predict_proba(row))
        again.partial_fit(row, "q")
        clf.partial_fit(row, "q")


@pytest.mark.slow
def test_a_pickle_is_read_by_another_process(tmp_path: Any) -> None:
    clf = bayesfold.NaiveBayes().fit(pd.DataFrame({"a": ["x", "y"] * 20, "b": np.arange(40.0)}), ["p", "q"] * 20)
    path = tmp_path / "model.pickle"
    path.write_bytes(pickle.dumps(clf))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')).predict([{{'a': 'x', 'b': 3}}]).tolist())"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "['p']\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_processes_agree(name: str) -> None:
    clf = make(name).fit(X, Y)
    expected = clf.predict_proba(X)
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(clf.predict_proba)(X) for _ in range(2))
    for proba in found:
        np.testing.assert_array_equal(proba, expected)
    refitted = joblib.Parallel(n_jobs=2)(joblib.delayed(clone(clf).fit)(X, Y) for _ in range(2))
    for other in refitted:
        np.testing.assert_array_equal(other.predict_proba(X), expected)


@pytest.mark.parametrize("name", ["BernoulliNB", "ComplementNB", "MultinomialNB"])
def test_text_pipelines(name: str) -> None:
    for vectorizer in (CountVectorizer(), TfidfVectorizer(), CountVectorizer(dtype=np.uint8)):
        pipeline = make_pipeline(vectorizer, make(name)).fit(TEXTS, KINDS)
        assert pipeline.score(TEXTS, KINDS) == 1
        assert pipeline.predict(["win win"]).tolist() == ["spam"]


def test_number_and_code_pipelines() -> None:
    assert make_pipeline(StandardScaler(), make("GaussianNB")).fit(X, Y).score(X, Y) > 0.6
    words = np.array([["a", "u"], ["b", "v"], ["c", "u"]])[Y]
    assert make_pipeline(OrdinalEncoder(), make("CategoricalNB")).fit(words, Y).score(words, Y) == 1
    assert make("NaiveBayes").fit(words, Y).score(words, Y) == 1


def test_search_and_cross_validation() -> None:
    search = GridSearchCV(make("MultinomialNB"), {"alpha": [0.1, 1.0], "fit_prior": [True, False]}, cv=3, n_jobs=2)
    assert search.fit(X, Y).best_score_ > 0.6
    search = GridSearchCV(
        make("NaiveBayes"), {"alpha": [0.0, 1.0, "auto"], "numeric": ["gaussian", "categorical"]}, cv=3
    )
    assert search.fit(X, Y).best_score_ > 0.6
    assert (
        cross_validate(make("GaussianNB"), X, Y, cv=3, scoring=["accuracy", "neg_log_loss"])["test_accuracy"].mean()
        > 0.5
    )
    held_out = cross_val_predict(make("GaussianNB"), X, Y, cv=3, method="predict_proba")
    assert held_out.shape == (120, 3)


@pytest.mark.parametrize("name", NAMES)
def test_wrappers(name: str) -> None:
    for wrapped in (
        CalibratedClassifierCV(make(name), cv=3),
        BaggingClassifier(make(name), n_estimators=3, random_state=0),
        OneVsRestClassifier(make(name)),
        VotingClassifier([("a", make(name)), ("b", make("GaussianNB"))], voting="soft"),
    ):
        assert wrapped.fit(X, Y).predict_proba(X).shape == (120, 3)


@pytest.mark.parametrize("name", NAMES)
def test_sample_weights_are_routed(name: str) -> None:
    weight = RNG.random(120)
    with config_context(enable_metadata_routing=True):
        clf = make(name).set_fit_request(sample_weight=True).set_partial_fit_request(sample_weight=True)
        routed = make_pipeline(clf).fit(X, Y, sample_weight=weight)
        plain = make_pipeline(make(name).set_fit_request(sample_weight=False)).fit(X, Y)
        scored = cross_validate(
            clf.set_score_request(sample_weight=True), X, Y, cv=3, params={"sample_weight": weight}, error_score="raise"
        )
    np.testing.assert_array_equal(routed.predict_proba(X), make(name).fit(X, Y, sample_weight=weight).predict_proba(X))
    np.testing.assert_array_equal(plain.predict_proba(X), make(name).fit(X, Y).predict_proba(X))
    assert len(scored["test_score"]) == 3


def test_learning_and_saving_need_no_scikit_learn() -> None:
    modules = "bayesfold.learning.fit, bayesfold.models.model, bayesfold.tally.counter, bayesfold.families._counts"
    code = f"import sys, {modules}; print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"

"""An estimator holds what was learned as one thing: copies, older pickles, merging and files go by it."""

import copy
import pickle

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.estimators.saved import trained_of

rng = np.random.default_rng(0)
X = np.abs(rng.normal(size=(60, 3))).round(2)
Y = np.array(["a", "b", "c"])[np.arange(60) % 3]
CLASSIFIERS = [bf.NaiveBayes(), bf.TAN(), bf.BayesClassifier(), bf.GaussianNB(), bf.MultinomialNB()]


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_what_a_copy_learns_the_original_does_not(clf):
    clf = clf.fit(X, Y)
    before = clf.model_.class_counts().tolist()
    other = copy.copy(clf).partial_fit(X[:3], Y[:3])
    assert clf.model_.class_counts().tolist() == before
    assert other.model_.class_counts().sum() == sum(before) + 3
    assert trained_of(clf).rows == len(X)


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_a_pickle_of_a_version_with_an_attribute_for_each_thing_is_read(clf):
    clf = clf.fit(X, Y)
    held = clf._trained
    older = {name: value for name, value in vars(clf).items() if name != "_trained"} | {
        "model_": held.model_,
        "columns_": held.columns,
        "classes_": held.classes_,
        "_named": (held.model_.classes, held.classes_),
        "_label_type": held.label_type,
    }
    if isinstance(clf, bf.BayesClassifier):
        older |= {"report_": held.report, "reweigh_needed_": False}
    del older["reject_label"]  # as if that version had no such parameter yet
    again = type(clf).__new__(type(clf))
    again.__setstate__(pickle.loads(pickle.dumps(older)))
    assert again.reject_label is None
    assert "model_" not in vars(again)
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert again.partial_fit(X[:2], Y[:2]).classes_.tolist() == ["a", "b", "c"]
    assert str(getattr(again, "report_", None)) == str(getattr(clf, "report_", None))


def test_a_blank_has_no_history_and_a_merged_one_has_both(tmp_path):
    first, second = (bf.NaiveBayes().fit(X, Y) for _ in range(2))
    for clf, name in ((first, "first"), (second, "second")):
        clf.save(tmp_path / name, source=name)
    first, second = (bf.load(tmp_path / name) for name in ("first", "second"))
    assert [step.source for step in trained_of(first.merge(second)).history] == ["first", "second"]
    assert trained_of(first.blank()).history == ()


def test_parameters_set_after_the_fit_are_those_that_are_saved(tmp_path):
    clf = bf.NaiveBayes().fit(X, Y).set_params(reject_cost=0.2)
    clf.save(tmp_path / "x.bayes")
    np.testing.assert_array_equal(bf.load(tmp_path / "x.bayes").predict(X), clf.predict(X))
    assert "reject" in clf.predict(X)


def test_nothing_learned_has_no_attributes():
    clf = bf.NaiveBayes()
    for name in ("model_", "classes_", "columns_", "schema_", "unlabelled_"):
        assert not hasattr(clf, name)

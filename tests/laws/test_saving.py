"""Saving and loading is the identity: what is loaded answers, learns, forgets, merges and leaves rows out as before."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.estimators.base import ColumnWarning
from bayesfold.estimators.saved import DROP_INS, restore, trained_of
from bayesfold.learning import kinds
from bayesfold.learning.trained import Trained
from bayesfold.store import file

from .tables import CASES, columns, model_of, several, tables, told, weights

FAMILIES = told("mixed")
ESTIMATORS = [kinds.find(name).estimator for name in kinds.names()]
OPTIONS = {
    "NaiveBayes": [
        {"families": FAMILIES},
        {},
        {"alpha": "auto", "prior_alpha": "auto", "weights": "auto"},
        {"unlabelled": 0.5, "families": FAMILIES},
        {"calibration": "temperature", "class_weight": {"p": 2.0}},
    ],
    "AODE": [{"combine": "pool"}, {"priors": {"p": 0.5, "q": 0.25, "r": 0.25}}, {"n": 2, "alpha": 1.0}],
    "KDB": [{"weights": "auto"}, {"class_weight": "balanced", "loss": 1 - np.eye(3)}],
    "GaussianBayes": [{}, {"covariance": "full", "shrinkage": np.float64(0.5)}],
    "BayesClassifier": [{"structure": "naive"}, {"time_budget": 0.0}],
}


def again(trained: Trained) -> Trained:
    """A model after a trip through the bytes of a file; the bytes are the same the next time."""
    data = file.to_bytes(trained)
    back, extra = file.from_bytes(data)
    assert extra is None
    assert file.to_bytes(back) == data
    return back


def same(a, b):
    """Equal to the bit."""
    np.testing.assert_array_equal(a, b)
    assert np.asarray(a).dtype == np.asarray(b).dtype


def same_tally(a, b):
    for one in ("counts", "weights", "sums"):
        same(getattr(a, one), getattr(b, one))
    assert a.layout == b.layout
    assert list(map(type, a.schema.target.levels)) == list(map(type, b.schema.target.levels))


def after(clf, do):
    """What becomes of a classifier: its tally, or the words in which it refuses."""
    try:
        changed = do(clf)
    except ValueError as error:
        return str(error)
    return (changed or clf).model_.tally


@pytest.mark.parametrize("estimator", ESTIMATORS)
@settings(max_examples=max(1, settings().max_examples // 2))
@given(data=st.data())
def test_a_loaded_classifier_is_the_one_that_was_saved(estimator, data):
    rows, more = data.draw(several("text" if estimator == "TextClassifier" else "mixed", 2, least=4, most=12))
    options = data.draw(st.sampled_from(OPTIONS.get(estimator, [{}, {"alpha": 1.0}])))
    weight = data.draw(st.none() | weights(len(rows)))
    names = rows.names if estimator == "TextClassifier" else FAMILIES
    X, y, new = columns(rows, names), np.array(rows.labels, object), columns(more, names)
    if not options.keys().isdisjoint(("priors", "loss", "class_weight")):  # of three classes
        y[:3] = ["p", "q", "r"]
    if "unlabelled" in options:
        y[1:3] = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        clf = getattr(bf, estimator)(**options).fit(X, y, sample_weight=weight)
    if data.draw(st.booleans()):
        clf.decay(0.5)
    other = restore(again(trained_of(clf)))
    assert type(other) is type(clf)
    same_tally(clf.model_.tally, other.model_.tally)
    assert repr(clf.columns_) == repr(other.columns_)
    same(clf.classes_, other.classes_)
    same(clf.feature_names_in_, other.feature_names_in_)
    for table in (X, new):
        same(clf.predict_joint_log_proba(table), other.predict_joint_log_proba(table))
        same(clf.predict_proba(table), other.predict_proba(table))
        same(clf.predict(table), other.predict(table))
    if "unlabelled" in options:
        assert clf.unlabelled_ == other.unlabelled_
        return
    same(clf.leave_one_out(X, y, weight), other.leave_one_out(X, y, weight))
    same_tally((clf + other).model_.tally, (other + clf).model_.tally)
    for do in (lambda c: c.partial_fit(new, list(more.labels)), lambda c: c.forget(X, y, weight)):
        mine, theirs = after(clf, do), after(other, do)
        if isinstance(mine, str):
            assert mine == theirs
        else:
            same_tally(mine, theirs)
    same(clf.predict_proba(new), other.predict_proba(new))


@pytest.mark.parametrize(("structure", "name"), CASES)
@settings(max_examples=max(5, settings().max_examples // 4))
@given(data=st.data())
def test_every_family_and_structure_survives(structure, name, data):
    rows = data.draw(tables(name, least=1))
    model = model_of(name, structure, rows)
    names = tuple(dict.fromkeys((*model.schema.sources, *rows.names)))
    trained = Trained(kinds.find("naive")(), model, (), names, "y")
    back = again(trained).model_
    same_tally(model.tally, back.tally)
    assert back.families == model.families
    batch = model.schema.encode(rows.frame(), np.array(rows.labels))
    same(model.log_proba(batch), back.log_proba(batch))
    same(model.log_proba(batch, leave_out=True), back.log_proba(batch, leave_out=True))


@pytest.mark.parametrize("name", DROP_INS)
@given(data=st.data())
def test_drop_ins_survive(name, data):
    n, width = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 4))
    X = np.array(
        data.draw(st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=n, max_size=n))
    )
    X = X.astype(data.draw(st.sampled_from(["int64", "float32", "float64"])))
    labels = data.draw(st.sampled_from([["a", "b"], [0, 1], [False, True], [1.0, 2.0]]))
    y = np.array([labels[i % 2] for i in range(n)])
    made = getattr(bf, name)
    options = {"priors": [0.25, 0.75]} if name == "GaussianNB" else {"class_prior": np.array([0.25, 0.75])}
    clf = made(**data.draw(st.sampled_from([{}, options]))).partial_fit(X, y, classes=labels)
    other = restore(again(trained_of(clf)))
    assert type(other) is made
    assert str(other.get_params()) == str(clf.get_params())
    for do in (None, lambda c: c.partial_fit(X[:1], y[:1]), lambda c: c.forget(X[:2], y[:2]), lambda c: c + c):
        if do is not None:
            clf, other = do(clf), do(other)
        same(clf.predict_joint_log_proba(X), other.predict_joint_log_proba(X))
        same(clf.predict(X), other.predict(X))
        same(clf.class_count_, other.class_count_)
        same_tally(clf.model_.tally, other.model_.tally)
    assert not hasattr(other, "feature_names_in_")

"""A row left out is a refit without the row, with the schema and whatever is learned from the whole table held."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import KDB, ComplementNB, MultinomialNB, NaiveBayes
from bayesfold.families.categorical import Categorical
from bayesfold.models.model import Model

from .tables import batch_of, every, frozen, kind, model_of, tables, tally_of, weights


def refitted(model, name, structure, rows, copies=False):
    """Each row's log posterior under the model of the other rows; of weights that are copies, one of them goes."""
    found = []
    for i in range(len(rows)):
        left = rows.without(i)
        if copies and rows.weights[i] > 1:
            left = left + rows.take([i]).weighing(rows.weights[i] - 1)
        tally = tally_of(name, structure, model.schema, left)
        found.append(frozen(model, tally).log_proba(batch_of(model.schema, rows.take([i])))[0])
    return np.array(found)


@every
@given(data=st.data())
def test_a_row_left_out_is_a_refit_without_it(data, structure, name):
    rows = data.draw(tables(name, least=2, most=8))
    model = model_of(name, structure, rows)
    ours = model.log_proba(batch_of(model.schema, rows), leave_out=True)
    np.testing.assert_allclose(ours, refitted(model, name, structure, rows), rtol=1e-8, atol=1e-8)


@every
@pytest.mark.parametrize("copies", [False, True], ids=["importance", "counts"])
@given(data=st.data())
def test_a_weighted_row_is_left_out_whole_or_one_copy_of_it(data, copies, structure, name):
    rows = data.draw(tables(name, least=2, most=8))
    rows = rows.weighing(data.draw(weights(len(rows))))
    model = model_of(name, structure, rows)
    ours = model.log_proba(replace(batch_of(model.schema, rows), copies=copies), leave_out=True)
    np.testing.assert_allclose(ours, refitted(model, name, structure, rows, copies), rtol=1e-8, atol=1e-8)


@every
@given(data=st.data())
def test_a_row_that_outweighs_its_class_leaves_the_others(data, structure, name):
    """What is left of the class is lost among the digits of such a weight; squares of numbers lose theirs earlier."""
    rows = data.draw(tables(name, least=2, most=8))
    counted = name in ("bernoulli", "categorical", "complement", "multinomial", "poisson", "text")
    heavy = data.draw(st.sampled_from([1e7, 1e10, 1e15, 1e18] if counted else [1e7, 1e10]))
    own = [1.0] * len(rows)
    row = data.draw(st.integers(0, len(rows) - 1))
    own[row] = heavy
    rows = rows.weighing(own)
    model = model_of(name, structure, rows)
    ours = model.log_proba(batch_of(model.schema, rows), leave_out=True)[row]
    refit = model.on(tally_of(name, structure, model.schema, rows.without(row)))  # nothing of the row is held
    theirs = refit.log_proba(batch_of(model.schema, rows.take([row])))[0]
    np.testing.assert_allclose(np.exp(ours), np.exp(theirs), rtol=0, atol=1e-6)


def test_rows_left_out_with_other_weights_than_they_were_learned_with_are_no_outweighing_ones():
    """Two rows of one half weigh what one of 1 does: nothing of their class would be left to subtract."""
    rows, labels = {"a": [1.0, 2.0, 3.0, 4.0, 1.5, 3.5], "c": [*"xyxyxy"]}, [*"ppqqrr"]
    halves, more = (KDB().fit(rows, labels, sample_weight=[0.5 + extra] * 6) for extra in (0.0, 1e-5))
    np.testing.assert_allclose(halves.leave_one_out(rows, labels), more.leave_one_out(rows, labels), atol=1e-2)


@pytest.mark.parametrize("words", [2.0**20, 2.0**40, 2.0**53, 2.0**60])
@pytest.mark.parametrize("kind_of_model", [MultinomialNB, ComplementNB])
def test_a_text_of_very_many_words_leaves_those_of_the_others(kind_of_model, words):
    X = np.array([[1, 2, 0], [0, 3, 1], [2, 0, 1], [1, 1, 1], [words, words, 0]], np.float64)
    y = np.array([0, 0, 1, 1, 0])
    model, refit = kind_of_model().fit(X, y), kind_of_model().fit(X[:4], y[:4])
    np.testing.assert_allclose(model.leave_one_out(X, y)[4], refit.predict_log_proba(X[4:])[0], rtol=1e-9)
    model.forget(X[4:], y[4:])
    np.testing.assert_allclose(model.predict_proba(X[:4]), refit.predict_proba(X[:4]), rtol=1e-9)


@every
@given(data=st.data())
def test_leaving_out_changes_nothing_in_the_model(data, structure, name):
    rows = data.draw(tables(name))
    model = model_of(name, structure, rows)
    batch = batch_of(model.schema, rows)
    before, counts, sums = model.log_joint(batch), model.tally.counts.copy(), model.tally.sums.copy()
    model.log_joint(batch, leave_out=True)
    np.testing.assert_array_equal(model.tally.counts, counts)
    np.testing.assert_array_equal(model.tally.sums, sums)
    np.testing.assert_array_equal(model.log_joint(batch), before)


@pytest.mark.parametrize("class_weight", [{"p": 3.0}, "balanced"])
@given(data=st.data())
def test_the_class_weight_of_a_row_left_out_is_that_of_the_refit(data, class_weight):
    rows = data.draw(tables("categorical", least=2, most=8))
    model = model_of("categorical", "naive", rows, class_weight=class_weight)
    ours = model.log_proba(batch_of(model.schema, rows), leave_out=True)
    np.testing.assert_allclose(ours, refitted(model, "categorical", "naive", rows), rtol=1e-8, atol=1e-8)


@given(data=st.data(), alpha=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_counts_left_out_are_a_refit_exactly_whatever_the_smoothing(data, alpha):
    """Integers have no rounding: held-out probabilities of categories are those of the refit to the last bits."""
    rows = data.draw(tables("categorical", least=2, most=8))
    schema = kind("categorical").schema(rows)
    families = {c.name: Categorical(alpha) for c in (*schema.features, schema.target)}
    whole = model_of("categorical", "naive", rows, schema)
    ours = Model(whole.mixture, families, whole.tally).log_joint(batch_of(schema, rows), leave_out=True)
    for i in range(len(rows)):
        refit = Model(whole.mixture, families, tally_of("categorical", "naive", schema, rows.without(i)))
        np.testing.assert_allclose(
            ours[i], refit.log_joint(batch_of(schema, rows.take([i])))[0], rtol=1e-14, atol=1e-14
        )


def test_the_classifier_leaves_rows_out_by_the_same_path():
    table = {"colour": ["red", "red", "green", "green", "red"], "mass": [1.0, 2.5, 2.0, 7.0, 4.0]}
    labels = ["a", "a", "b", "b", "b"]
    clf = NaiveBayes(numeric="gaussian").fit(table, labels)
    expected = clf.model_.log_proba(clf._learned(table, labels, None), leave_out=True)
    np.testing.assert_array_equal(clf.leave_one_out(table, labels), expected)
    assert np.abs(clf.leave_one_out(table, labels) - clf.predict_log_proba(table)).min() > 1e-3

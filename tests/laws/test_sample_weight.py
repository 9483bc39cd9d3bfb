"""A row of weight w is w rows; a row of weight 0 is no row."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes

from .tables import Rows, batch_of, columns, every, kind, mass, model_of, tables, told

pytestmark = pytest.mark.filterwarnings("ignore:columns left out")


def repeated(rows: Rows, times) -> Rows:
    return rows.take([i for i, n in enumerate(times) for _ in range(n)])


def copies(data, rows, least=1):
    return data.draw(st.lists(st.integers(least, 3), min_size=len(rows), max_size=len(rows)))


@every
@given(data=st.data())
def test_a_weight_is_a_number_of_copies(data, structure, name):
    rows = data.draw(tables(name, most=8))
    times = copies(data, rows)
    schema = kind(name).schema(rows)
    weighted = model_of(name, structure, rows.weighing(times), schema)
    copied = model_of(name, structure, repeated(rows, times), schema)
    np.testing.assert_allclose(mass(weighted.tally), mass(copied.tally), rtol=1e-15)
    batch = batch_of(schema, rows)
    np.testing.assert_allclose(weighted.log_joint(batch), copied.log_joint(batch), rtol=1e-8, atol=1e-8)


@every
@given(data=st.data())
def test_a_weighted_row_left_out_is_a_copy_left_out(data, structure, name):
    rows = data.draw(tables(name, least=2, most=6))
    times = copies(data, rows)
    schema = kind(name).schema(rows)
    weighted = model_of(name, structure, rows.weighing(times), schema)
    copied = model_of(name, structure, repeated(rows, times), schema)
    ours = weighted.log_proba(replace(batch_of(schema, rows.weighing(times)), copies=True), leave_out=True)
    theirs = copied.log_proba(batch_of(schema, rows), leave_out=True)
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)


def mixed(data, least=2):
    """A table for the classifier: categories and three densities of numbers."""
    rows = data.draw(tables("mixed", least=least, most=8))
    return columns(rows, told("mixed")), list(rows.labels)


def taken(table, index):
    return {n: [v[i] for i in index] for n, v in table.items()}


@given(data=st.data())
def test_the_classifier_reads_weights_as_copies_also_when_it_chooses_densities(data):
    table, labels = mixed(data)
    times = data.draw(st.lists(st.integers(1, 4), min_size=len(labels), max_size=len(labels)))
    index = [i for i, n in enumerate(times) for _ in range(n)]
    weighted = NaiveBayes(weights_are="counts").fit(table, labels, sample_weight=times)
    copied = NaiveBayes().fit(taken(table, index), [labels[i] for i in index])
    assert [(c.name, c.family) for c in weighted.columns_] == [(c.name, c.family) for c in copied.columns_]
    np.testing.assert_allclose(weighted.predict_log_proba(table), copied.predict_log_proba(table), rtol=1e-8, atol=1e-8)


@given(data=st.data())
def test_a_row_of_weight_zero_is_no_row(data):
    table, labels = mixed(data)
    keep = data.draw(st.lists(st.booleans(), min_size=len(labels), max_size=len(labels)).filter(any))
    index = [i for i, k in enumerate(keep) if k]
    weighted = NaiveBayes().fit(table, labels, sample_weight=np.array(keep, float))
    less = NaiveBayes().fit(taken(table, index), [labels[i] for i in index])
    assert weighted.schema_ == less.schema_
    np.testing.assert_array_equal(weighted.model_.tally.counts, less.model_.tally.counts)
    np.testing.assert_allclose(weighted.predict_proba(table), less.predict_proba(table), rtol=1e-12)


@given(data=st.data())
def test_a_row_of_weight_zero_brings_no_level_and_no_class_later_either(data):
    table, labels = mixed(data)
    clf, same = (NaiveBayes().fit(table, labels) for _ in range(2))
    first, more = taken(table, [0]), taken(table, [0, 0])
    more["categorical"][1] = "a level of no weight"
    clf.partial_fit(more, [labels[0], "a class of no weight"], sample_weight=[1.0, 0.0])
    same.partial_fit(first, [labels[0]], sample_weight=[1.0])
    assert clf.schema_ == same.schema_
    np.testing.assert_array_equal(clf.model_.tally.counts, same.model_.tally.counts)
    np.testing.assert_array_equal(clf.model_.tally.sums, same.model_.tally.sums)


ROWS = {"c": [*"aabbab"], "x": [1.0, 2.0, 4.0, 3.0, 2.5, 1.5]}
LABELS = [*"pqqpqp"]
SOME = [1.0, 0.0, 2.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("families", [{"c": "categorical", "x": "gaussian"}, {"c": "categorical", "x": "poisson"}])
def test_a_row_of_weight_zero_was_not_learned_so_leaving_it_out_changes_nothing(families):
    clf = NaiveBayes(families=families).fit(ROWS, LABELS, sample_weight=SOME)
    held_out = clf.leave_one_out(ROWS, LABELS, sample_weight=SOME)
    absent = np.array(SOME) == 0
    np.testing.assert_allclose(held_out[absent], clf.predict_log_proba(ROWS)[absent], rtol=1e-12)
    moved = np.abs(held_out - clf.predict_log_proba(ROWS)).max(1)
    assert (moved[~absent] > 1e-3).all()


@pytest.mark.parametrize("family", ["gaussian", "lognormal", "poisson", "categorical"])
@pytest.mark.parametrize("weights", [[3, 1, 1, 1], [1, 3, 1, 1], [1, 1, 3, 2], [2, 2, 2, 2]])
def test_the_one_row_that_differs_is_left_out_of_rows_that_weigh_more(family, weights):
    """Nearly all of the group's squares are that row's: what is left is summed anew, with the weights it has."""
    table, labels = {"x": [9.0, 9.0, 22.0, 22.0]}, [*"qqqr"]
    index = [i for i, n in enumerate(weights) for _ in range(n)]
    weighted = NaiveBayes(families={"x": family}, weights_are="counts").fit(table, labels, sample_weight=weights)
    copied = NaiveBayes(families={"x": family}).fit(taken(table, index), [labels[i] for i in index])
    ours = weighted.leave_one_out(table, labels, sample_weight=weights)
    theirs = copied.leave_one_out(taken(table, index), [labels[i] for i in index])
    np.testing.assert_allclose(ours[index], theirs, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("weights", [[20.0] * 6, [3.0, 1.0, 0.5, 20.0, 1.0, 1.5]])
def test_leaving_one_out_folds_of_one_row_forgetting_and_a_refit_agree(weights):
    families = {"c": "categorical", "x": "categorical"}
    clf = NaiveBayes(families=families).fit(ROWS, LABELS, sample_weight=weights)
    ours = clf.leave_one_out(ROWS, LABELS, sample_weight=weights)
    np.testing.assert_allclose(ours, clf.leave_folds_out(ROWS, LABELS, range(6), sample_weight=weights), atol=1e-9)
    for i in range(6):
        rest, row = [k for k in range(6) if k != i], taken(ROWS, [i])
        other = NaiveBayes(families=families).fit(ROWS, LABELS, sample_weight=weights)
        other.forget(row, [LABELS[i]], sample_weight=[weights[i]], keep_levels=True)
        np.testing.assert_allclose(ours[i], other.predict_log_proba(row)[0], atol=1e-9)
        refit = NaiveBayes(families=families, schema=clf.schema_)
        refit.fit(taken(ROWS, rest), [LABELS[k] for k in rest], sample_weight=[weights[k] for k in rest])
        np.testing.assert_allclose(ours[i], refit.predict_log_proba(row)[0], atol=1e-9)


def test_rows_that_weigh_much_do_not_judge_themselves():
    """Weights of 20: with 19 copies left in, many a row would be known by heart."""
    draw = np.random.default_rng(0)
    table, labels, weight = {"x": [f"v{k}" for k in range(40)] * 3}, draw.choice([*"pq"], 120), np.full(120, 20.0)
    right = []
    for word in ("importance", "counts"):
        clf = NaiveBayes(weights_are=word).fit(table, labels, sample_weight=weight)
        right.append((clf.leave_one_out(table, labels, weight).argmax(1) == (labels == "q")).mean())
    assert right[0] < 0.6
    assert right[1] > 0.7


def test_an_identifier_is_one_whatever_its_rows_weigh():
    table = {"name": [f"n{k}" for k in range(60)], "c": [*"ab"] * 30}
    clf = NaiveBayes().fit(table, [*"ppq"] * 20, sample_weight=np.full(60, 20.0))
    assert [c.name for c in clf.columns_ if not c.family] == ["name"]


@pytest.mark.parametrize("word", ["copies", None, 1])
def test_what_weights_are_is_one_of_two_words(word):
    with pytest.raises(ValueError, match=r"weights_are=.* is not one of 'importance', 'counts'"):
        NaiveBayes(weights_are=word).fit(ROWS, LABELS)


def test_a_row_of_weight_zero_is_not_forgotten_either():
    clf = NaiveBayes(families={"c": "categorical", "x": "gaussian"}).fit(ROWS, LABELS, sample_weight=SOME)
    clf.forget(ROWS, LABELS, sample_weight=SOME)
    assert not clf.model_.tally.counts.any()
    assert not clf.model_.tally.sums.any()


@pytest.mark.parametrize("weights", [[0.5] * 6, [2.0] * 6, [3.0, 1.0, 0.5, 2.0, 1.0, 1.5]])
def test_folds_left_out_go_with_all_their_weight(weights):
    families = {"c": "categorical", "x": "gaussian"}
    clf = NaiveBayes(families=families).fit(ROWS, LABELS, sample_weight=weights)
    ours = clf.leave_folds_out(ROWS, LABELS, folds=[0, 0, 1, 1, 2, 2], sample_weight=weights)
    for f in range(3):
        inside, outside = [2 * f, 2 * f + 1], [i for i in range(6) if i // 2 != f]
        refit = NaiveBayes(families=families, schema=clf.schema_)
        refit.fit(taken(ROWS, outside), [LABELS[i] for i in outside], sample_weight=[weights[i] for i in outside])
        np.testing.assert_allclose(ours[inside], refit.predict_log_proba(taken(ROWS, inside)), rtol=1e-9)

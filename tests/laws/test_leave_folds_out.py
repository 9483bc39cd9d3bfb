"""A fold left out is a refit without the fold, with the same schema."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes

from .tables import batch_of, columns, every, kind, model_of, tables, told


@every
@given(data=st.data())
def test_a_model_without_rows_is_a_refit_of_the_others(data, structure, name):
    rows = data.draw(tables(name, least=2, most=12))
    fold = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    held_out, rest = (rows.take([i for i, f in enumerate(fold) if f == side]) for side in (True, False))
    if not len(held_out) or not len(rest):
        held_out, rest = rows.take([0]), rows.without(0)
    schema = kind(name).schema(rows)
    less = model_of(name, structure, rows, schema).without(batch_of(schema, held_out))
    refit = model_of(name, structure, rest, schema)
    batch = batch_of(schema, held_out)
    np.testing.assert_allclose(less.log_proba(batch), refit.log_proba(batch), rtol=1e-8, atol=1e-8)


@given(data=st.data(), folds=st.sampled_from([2, 3, 5]))
def test_folds_left_out_are_refits(data, folds):
    rows = data.draw(tables("mixed", least=folds, most=14))
    families = told("mixed")
    fold = data.draw(st.permutations([i % folds for i in range(len(rows))]))
    clf = NaiveBayes(families=families).fit(columns(rows, families), list(rows.labels))
    ours = clf.leave_folds_out(columns(rows, families), list(rows.labels), folds=fold)
    for f in range(folds):
        inside, outside = (rows.take([i for i, g in enumerate(fold) if (g == f) is side]) for side in (True, False))
        refit = NaiveBayes(families=families, schema=clf.schema_)
        refit.fit(columns(outside, families), list(outside.labels))
        theirs = refit.predict_log_proba(columns(inside, families))
        np.testing.assert_allclose(ours[[i for i, g in enumerate(fold) if g == f]], theirs, rtol=1e-8, atol=1e-8)


@given(folds=st.integers(2, 10), copies=st.integers(2, 4))
def test_copies_of_a_row_share_a_fold(folds, copies):
    """Dealt by content, a row is never scored by a model that has seen its copy: copies in two folds would differ."""
    rows = {"c": ["a", "b", "c", "d", "e"] * copies, "x": [1.0, 2.0, 3.0, 4.0, 5.5] * copies}
    labels = ["p", "q", "p", "q", "q"] * copies
    ours = NaiveBayes(numeric="gaussian").fit(rows, labels).leave_folds_out(rows, labels, folds=folds)
    np.testing.assert_array_equal(ours, np.tile(ours[:5], (copies, 1)))


def test_a_fold_is_dealt_by_content_and_not_by_place():
    draw = np.random.default_rng(0)
    rows = {"c": draw.choice([*"abcd"], 60), "x": draw.normal(0, 1, 60)}
    labels, order = draw.choice([*"pq"], 60), draw.permutation(60)
    clf = NaiveBayes(numeric="gaussian").fit(rows, labels)
    ours = clf.leave_folds_out(rows, labels, folds=5)
    moved = clf.leave_folds_out({n: v[order] for n, v in rows.items()}, labels[order], folds=5)
    np.testing.assert_allclose(moved, ours[order], rtol=1e-9)
    assert np.abs(ours - clf.leave_folds_out(rows, labels, folds=7)).max() > 1e-3

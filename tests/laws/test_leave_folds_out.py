"""A fold left out is a refit without the fold, with the same schema."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes

from .tables import KINDS, STRUCTURES, batch_of, kind, model_of, tables

every = pytest.mark.parametrize("structure", STRUCTURES)
each = pytest.mark.parametrize("name", KINDS)


@every
@each
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
    keep = [c.name for c in kind("mixed").features if hasattr(c, "source")]
    families = {n: kind("mixed").families[n] for n in keep}
    table = {n: v for n, v in rows.columns().items() if n in keep}
    labels = list(rows.labels)
    fold = data.draw(st.permutations([i % folds for i in range(len(rows))]))
    clf = NaiveBayes(families=families).fit(table, labels)
    ours = clf.leave_folds_out(table, labels, folds=fold)
    for f in range(folds):
        inside = [i for i, g in enumerate(fold) if g == f]
        outside = [i for i, g in enumerate(fold) if g != f]
        if not outside:
            continue
        refit = NaiveBayes(families=families, schema=clf.schema_)
        refit.fit({n: [v[i] for i in outside] for n, v in table.items()}, [labels[i] for i in outside])
        theirs = refit.predict_log_proba({n: [v[i] for i in inside] for n, v in table.items()})
        np.testing.assert_allclose(ours[inside], theirs, rtol=1e-8, atol=1e-8)


@given(folds=st.integers(2, 10), copies=st.integers(2, 4))
def test_copies_of_a_row_share_a_fold(folds, copies):
    """Dealt by content, a row is never scored by a model that has seen its copy."""
    rows = {"c": ["a", "b", "c", "d", "e"] * copies, "x": [1.0, 2.0, 3.0, 4.0, 5.5] * copies}
    labels = ["p", "q", "p", "q", "q"] * copies
    clf = NaiveBayes(numeric="gaussian").fit(rows, labels)
    ours = clf.leave_folds_out(rows, labels, folds=folds)
    np.testing.assert_array_equal(ours, np.tile(ours[:5], (copies, 1)))
    # each distinct row's fold leaves out all of its copies: the level of c is unknown to the model that scores it
    without_c = clf.model_.tally.table("c", "class").sum()
    assert without_c == 5 * copies

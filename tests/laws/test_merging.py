"""Models of two tables add up to the model of both."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf

from .tables import assert_same_tally, batch_of, every, model_of, several


@every
@given(data=st.data())
def test_a_merged_model_is_the_model_of_the_union(data, structure, name):
    first, second = data.draw(several(name, 2))
    merged = model_of(name, structure, first) + model_of(name, structure, second)
    union = model_of(name, structure, first + second)
    assert_same_tally(merged.tally, union.tally)
    ours, theirs = (m.log_joint(batch_of(m.schema, first + second)) for m in (merged, union))
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)


@every
@given(data=st.data())
def test_merging_is_the_same_from_either_side(data, structure, name):
    first, second = data.draw(several(name, 2))
    a, b = model_of(name, structure, first), model_of(name, structure, second)
    ours, theirs = (m.log_joint(batch_of(m.schema, first + second)) for m in (a + b, b + a))
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-8)


@every
@given(data=st.data())
def test_a_merged_model_goes_on_learning(data, structure, name):
    first, second, third = data.draw(several(name, 3))
    merged = model_of(name, structure, first) + model_of(name, structure, second)
    schema = merged.schema.with_classes(third.labels).grown(third.frame())
    merged.learn(batch_of(schema, third), schema)
    assert_same_tally(merged.tally, model_of(name, structure, first + second + third).tally)


def test_a_sum_leaves_its_terms_where_one_of_them_declares_more():
    """The sum's schema is equal to the first one's, and says more: nothing of the first may be shared with it."""
    rows, labels = {"a": ["x", "y", "x", "y"] * 5}, ["p", "q", "p", "p"] * 5
    for kind in (bf.NaiveBayes, bf.AODE, bf.BayesClassifier):
        first = kind().fit(rows, labels)
        before = first.predict_proba(rows)
        other = first.blank().partial_fit(rows, labels)
        both = first + other
        np.testing.assert_array_equal(first.predict_proba(rows), before)
        twice = first.blank().partial_fit({"a": rows["a"] * 2}, labels * 2)
        np.testing.assert_allclose(both.predict_proba(rows), twice.predict_proba(rows), atol=1e-12)

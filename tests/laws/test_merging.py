"""Models of two tables add up to the model of both."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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

"""A decayed row is a row of less weight."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from .tables import assert_same_tally, batch_of, every, kind, model_of, several


@every
@given(data=st.data(), factor=st.sampled_from([0.5, 0.99, 1 / 3]))
def test_decay_then_learning_is_a_fit_with_weights(data, structure, name, factor):
    old, new = data.draw(several(name, 2))
    schema = kind(name).schema(old, new)
    decayed = model_of(name, structure, old, schema)
    decayed.decay(factor)
    decayed.learn(batch_of(schema, new), schema)
    weighted = model_of(name, structure, old.weighing(factor) + new.weighing(1.0), schema)
    assert_same_tally(decayed.tally, weighted.tally)
    batch = batch_of(schema, old + new)  # a mean is a double: at 1e9 its last bit is 2e-6 of the least spread
    np.testing.assert_allclose(decayed.log_joint(batch), weighted.log_joint(batch), rtol=1e-8, atol=1e-5)


@every
@given(data=st.data())
def test_a_decayed_row_is_forgotten_by_its_present_weight(data, structure, name):
    old, new = data.draw(several(name, 2))
    schema = kind(name).schema(old, new)
    model = model_of(name, structure, old, schema)
    model.decay(0.25)
    model.learn(batch_of(schema, new), schema)
    before = model.tally.copy()
    model.forget(batch_of(schema, old.weighing(0.25)))
    assert_same_tally(model.tally, model_of(name, structure, new, schema).tally, held=before)

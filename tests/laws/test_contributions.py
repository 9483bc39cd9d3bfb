"""What the columns say adds up to what the model says, for every family and structure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.graph import Mixture
from bayesfold.data.vector import Vector
from bayesfold.learning.exponents import powered
from bayesfold.models.model import Model

from .tables import KINDS, batch_of, every, kind, model_of, several, tables

each = pytest.mark.parametrize("name", KINDS)


@every
@given(data=st.data())
def test_contributions_sum_to_the_log_joint(data, structure, name):
    learned, asked = data.draw(several(name, 2))
    model = model_of(name, structure, learned, class_weight=data.draw(st.sampled_from([None, {"p": 4.0}, "balanced"])))
    batch = model.schema.encode(asked.frame())
    parts = model.contributions(batch)
    assert parts.shape == (len(asked), len(model.parts), len(model.classes))
    np.testing.assert_allclose(parts.sum(1), model.log_joint(batch), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", [n for n in KINDS if n not in ("multinormal", "parzen")])  # two vectors share a line
@given(data=st.data(), power=st.sampled_from([0.0, 0.5, 2.0]))
def test_an_exponent_multiplies_a_columns_contribution_and_no_other(data, name, power):
    rows = data.draw(tables(name))
    plain = model_of(name, "naive", rows)
    chosen = plain.names[-1]
    powers = dict.fromkeys(plain.schema.columns, 1.0) | {chosen: power}
    weighted = Model(Mixture((powered(plain.mixture.networks[0], powers),)), plain.families, plain.tally)
    batch = batch_of(plain.schema, rows)
    expected = plain.contributions(batch)
    vector = isinstance(plain.schema.columns[chosen], Vector)
    lines = [*plain.schema.columns[chosen].sources, "class spread"] if vector else [chosen]
    for line in lines:
        expected[:, plain.parts.index(line)] *= power
    order = [plain.parts.index(n) for n in weighted.parts]
    np.testing.assert_allclose(weighted.contributions(batch), expected[:, order], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(weighted.log_joint(batch), expected.sum(1), rtol=1e-12, atol=1e-12)


@each
@given(data=st.data())
def test_the_names_of_contributions_are_the_features(data, name):
    rows = data.draw(tables(name))
    assert sorted(model_of(name, "naive", rows).names) == sorted(c.name for c in kind(name).features)

"""What is forgotten leaves no trace: fit less forget is fit of the rest, for every family and structure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf

from .tables import assert_same_tally, batch_of, every, kind, model_of, several, tables, weights


@every
@given(data=st.data())
def test_fit_less_forget_is_fit_of_the_rest(data, structure, name):
    rows = data.draw(tables(name, least=2, most=14))
    if data.draw(st.booleans()):
        rows = rows.weighing(data.draw(weights(len(rows))))
    gone = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1, max_size=len(rows) - 1))
    schema = kind(name).schema(rows)
    model = model_of(name, structure, rows, schema)
    before = model.tally.copy()
    model.forget(batch_of(schema, rows.take(sorted(gone))))
    rest = rows.take([i for i in range(len(rows)) if i not in gone])
    fresh = model_of(name, structure, rest, schema)
    assert_same_tally(model.tally, fresh.tally, held=before)
    batch = batch_of(schema, rows)
    np.testing.assert_allclose(model.log_joint(batch), fresh.log_joint(batch), rtol=1e-8, atol=1e-8)


@every
@given(data=st.data())
def test_everything_forgotten_is_nothing_learned(data, structure, name):
    rows = data.draw(tables(name))
    model = model_of(name, structure, rows)
    model.forget(batch_of(model.schema, rows))
    assert not model.tally.counts.any()
    assert not model.tally.sums.any()
    posterior = model.log_proba(batch_of(model.schema, rows), logs=False)
    np.testing.assert_allclose(posterior, 1 / len(model.classes), rtol=1e-12)


@every
@given(data=st.data())
def test_forgetting_does_not_change_what_another_model_shares(data, structure, name):
    """Models that were made from one another own their numbers."""
    first, second = data.draw(several(name, 2))
    a, b = (model_of(name, structure, rows) for rows in (first, second))
    both = a + b
    counts, sums = a.tally.counts.copy(), a.tally.sums.copy()
    both.forget(batch_of(both.schema, second))
    both.learn(batch_of(both.schema, first), both.schema)
    np.testing.assert_array_equal(a.tally.counts, counts)
    np.testing.assert_array_equal(a.tally.sums, sums)


@pytest.mark.parametrize("family", ["gaussian", "lognormal"])
def test_numbers_that_no_row_can_have_had_are_not_forgotten(family):
    x = {"x": np.random.default_rng(0).uniform(0.5, 2, 60)}
    clf = bf.NaiveBayes(families={"x": family}).fit(x, [*"uv"] * 30)
    before = clf.predict_proba(x)
    with pytest.raises(ValueError, match=r"were not all learned by this model: no numbers have the sums.*'x'"):
        clf.forget({"x": [99.0]}, ["u"])
    np.testing.assert_array_equal(clf.predict_proba(x), before)
    clf.forget({"x": x["x"][:58]}, ([*"uv"] * 30)[:58])

"""A tally is a group: zero, plus, minus, times and projection, for every family and structure."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.tally.statistic import Tally

from .tables import assert_same_tally, every, kind, mass, several, tables, tally_of, weights


def counted(data, name, structure, parts, weighted=False):
    """Tallies of parts that may show different levels and classes, each with a schema of its own."""
    drawn = data.draw(several(name, parts))
    if weighted:
        drawn = [rows.weighing(data.draw(weights(len(rows)))) for rows in drawn]
    return [tally_of(name, structure, kind(name).schema(rows), rows) for rows in drawn]


@every
@given(data=st.data())
def test_zero_changes_nothing(data, structure, name):
    (a,) = counted(data, name, structure, 1, data.draw(st.booleans()))
    zero = Tally.zero(a.schema, a.layout.cliques)
    for same in (a + zero, zero + a, a - zero):
        np.testing.assert_array_equal(same.counts, a.counts)
        np.testing.assert_array_equal(mass(same), mass(a))
        np.testing.assert_array_equal(same.sums, a.sums)


@every
@given(data=st.data())
def test_sums_do_not_depend_on_brackets(data, structure, name):
    a, b, c = counted(data, name, structure, 3, data.draw(st.booleans()))
    assert_same_tally((a + b) + c, a + (b + c))


@every
@given(data=st.data())
def test_sums_do_not_depend_on_order(data, structure, name):
    a, b = counted(data, name, structure, 2, data.draw(st.booleans()))
    assert_same_tally(a + b, b + a)


@every
@given(data=st.data())
def test_what_was_added_can_be_taken_away(data, structure, name):
    a, b = counted(data, name, structure, 2, data.draw(st.booleans()))
    both = a + b
    assert_same_tally(both - b, a.on(both.schema), held=both)


@every
@given(data=st.data())
def test_a_tally_less_itself_is_exactly_zero(data, structure, name):
    (a,) = counted(data, name, structure, 1, data.draw(st.booleans()))
    nothing = a - a
    assert not nothing.counts.any()
    assert not nothing.weights.any()
    assert not nothing.sums.any()


@every
@given(data=st.data(), factor=st.sampled_from([0.5, 0.99, 1 / 3, 1e-6]))
def test_scaling_spreads_over_sums_and_leaves_row_counts(data, structure, name, factor):
    a, b = counted(data, name, structure, 2)
    assert_same_tally((a + b) * factor, a * factor + b * factor)
    np.testing.assert_array_equal((a * factor).counts, a.counts)
    np.testing.assert_allclose(mass(a * factor), factor * a.counts, rtol=1e-15)


@every
@given(data=st.data())
def test_scaling_twice_is_scaling_by_the_product(data, structure, name):
    (a,) = counted(data, name, structure, 1)
    assert_same_tally(a * 0.9 * 0.7, a * (0.9 * 0.7))


@every
@given(data=st.data())
def test_a_larger_schema_only_adds_empty_cells(data, structure, name):
    rows, more = data.draw(several(name, 2))
    small, large = kind(name).schema(rows), kind(name).schema(rows, more)
    moved = tally_of(name, structure, small, rows).on(large)
    direct = tally_of(name, structure, large, rows)
    np.testing.assert_array_equal(moved.counts, direct.counts)
    np.testing.assert_array_equal(moved.sums, direct.sums)


@every
@given(data=st.data())
def test_projection_spreads_over_sums(data, structure, name):
    a, b = counted(data, name, structure, 2)
    schema = a.schema | b.schema
    assert_same_tally((a + b).on(schema), a.on(schema) + b.on(schema))


@every
@given(data=st.data())
def test_operations_leave_their_operands_alone(data, structure, name):
    rows = data.draw(tables(name))
    schema = kind(name).schema(rows)
    a, same = (tally_of(name, structure, schema, rows) for _ in range(2))
    _ = a + same, a - same, a * 0.5, a.on(kind(name).schema(rows, classes=("z",)))
    np.testing.assert_array_equal(a.counts, same.counts)
    np.testing.assert_array_equal(a.sums, same.sums)
    assert not a.weighted

"""A fold: parts counted one after the other, in any order, are the whole, also when levels and classes come late."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bayesfold import NaiveBayes

from .tables import KINDS, STRUCTURES, assert_same_tally, batch_of, kind, model_of, several, tables, tally_of, weights

every = pytest.mark.parametrize("structure", STRUCTURES)
each = pytest.mark.parametrize("name", KINDS)


@every
@each
@given(data=st.data())
def test_parts_in_any_order_are_the_whole(data, structure, name):
    rows = data.draw(tables(name, least=2, most=16))
    if data.draw(st.booleans()):
        rows = rows.weighing(data.draw(weights(len(rows))))
    order = data.draw(st.permutations(range(len(rows))))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(rows) - 1), max_size=4)))
    parts = [rows.take(order[a:b]) for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    whole = tally_of(name, structure, kind(name).schema(rows), rows)
    first, *rest = (tally_of(name, structure, kind(name).schema(part), part) for part in parts)
    for part in rest:
        first = first + part
    assert_same_tally(first, whole)


@every
@each
@given(data=st.data())
def test_learning_part_by_part_gives_the_scores_of_the_whole(data, structure, name):
    first, second, third = data.draw(several(name, 3))
    whole = model_of(name, structure, first + second + third)
    grown = model_of(name, structure, first)
    for part in (second, third):
        schema = grown.schema.with_classes(part.labels).grown(part.frame())
        grown.learn(batch_of(schema, part), schema)
    everything = first + second + third
    np.testing.assert_allclose(
        grown.log_joint(batch_of(grown.schema, everything)),
        whole.log_joint(batch_of(whole.schema, everything)),
        rtol=1e-9,
        atol=1e-9,
    )


def readable(name):
    """Columns that a classifier can be told about with families=: not the blocks, which their own classes read."""
    made = kind(name)
    return all(hasattr(c, "source") for c in made.features)


def classifier(name, **options):
    return NaiveBayes(families=kind(name).families, **options)


@pytest.mark.parametrize("name", [n for n in KINDS if n == "mixed" or readable(n)])
@given(data=st.data())
def test_partial_fit_equals_fit_with_the_same_schema(data, name):
    first, second = data.draw(several("mixed" if name == "mixed" else name, 2))
    keep = [c.name for c in kind(name).features if hasattr(c, "source")]
    families = {n: kind(name).families[n] for n in keep}

    def table(rows):
        return {n: v for n, v in rows.columns().items() if n in keep}

    assume(any(v is not None for v in table(first)[keep[0]]))
    bit_by_bit = NaiveBayes(families=families).partial_fit(table(first), list(first.labels))
    bit_by_bit.partial_fit(table(second), list(second.labels))
    both = first + second
    at_once = NaiveBayes(families=families, schema=bit_by_bit.schema_).fit(table(both), list(both.labels))
    assert_same_tally(bit_by_bit.model_.tally, at_once.model_.tally)
    np.testing.assert_allclose(
        bit_by_bit.predict_log_proba(table(both)), at_once.predict_log_proba(table(both)), rtol=1e-9, atol=1e-9
    )


@given(data=st.data())
def test_rows_as_dicts_one_at_a_time_equal_one_table(data):
    first, second = data.draw(several("mixed", 2))
    keep = [c.name for c in kind("mixed").features if hasattr(c, "source")]
    families = {n: kind("mixed").families[n] for n in keep}
    rows = [{n: row[n] for n in keep} for row in (first + second).dicts()]
    labels = [*first.labels, *second.labels]
    start = NaiveBayes(families=families).fit(rows[: len(first)], labels[: len(first)])
    streamed = NaiveBayes(families=families).fit(rows[: len(first)], labels[: len(first)])
    for row, label in zip(rows[len(first) :], labels[len(first) :], strict=True):
        streamed.partial_fit(row, label)
    start.partial_fit(rows[len(first) :], labels[len(first) :])
    assert_same_tally(streamed.model_.tally, start.model_.tally)
    table = {n: [row[n] for row in rows] for n in keep}
    expected = start.predict_log_proba(table)
    # before any table is asked about, rows are scored straight from the cells; after, from tables
    for _ in range(2):
        for i, row in enumerate(rows):
            np.testing.assert_allclose(streamed.predict_log_proba(row)[0], expected[i], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(streamed.predict_log_proba(table), expected, rtol=1e-9, atol=1e-9)


SETTINGS = [
    {"alpha": 0, "prior_alpha": 0},
    {"alpha": "auto", "prior_alpha": "auto"},
    {"priors": [0.2, 0.5, 0.3]},
    {"class_weight": {"p": 3.0}},
    {"class_weight": "balanced"},
    {"weights": {"c": 0.5, "g": 2.0, "k": 0.25, "l": 0.0}},
]


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@pytest.mark.parametrize("weight", [None, 2.5])
def test_a_row_as_a_dict_is_learned_and_scored_as_in_a_table_under_every_option(options, weight):
    draw = np.random.default_rng(0)
    families = {"c": "categorical", "g": "gaussian", "k": "poisson", "l": "lognormal"}
    columns = {
        "c": [*"abcaabbc"],
        "g": (1e6 + draw.normal(0, 1, 8)).tolist(),
        "k": draw.poisson(3, 8).astype(float).tolist(),
        "l": draw.lognormal(1, 1, 8).tolist(),
    }
    rows = [{n: v[i] for n, v in columns.items()} for i in range(8)]
    labels = [*"pqrpqrpq"]
    by_row, at_once = (NaiveBayes(families=families, **options).fit(columns, labels) for _ in range(2))
    for row, label in zip(rows, labels, strict=True):
        by_row.partial_fit(row | {"g": None}, label, sample_weight=weight)
    weights = None if weight is None else [weight] * 8
    at_once.partial_fit(columns | {"g": [None] * 8}, labels, sample_weight=weights)
    from_cells = [by_row.predict_joint_log_proba(row)[0] for row in rows]
    expected = at_once.predict_joint_log_proba(columns)
    np.testing.assert_allclose(from_cells, expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(by_row.predict_joint_log_proba(columns), expected, rtol=1e-10, atol=1e-10)

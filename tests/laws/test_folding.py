"""A fold: parts counted one after the other, in any order, are the whole, also when levels and classes come late."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes

from .tables import (
    KINDS,
    assert_same_tally,
    batch_of,
    columns,
    every,
    kind,
    model_of,
    several,
    tables,
    tally_of,
    told,
    weights,
)


@every
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
        rtol=1e-8,
        atol=1e-8,
    )


@pytest.mark.parametrize("name", [n for n in KINDS if told(n)])
@given(data=st.data())
def test_partial_fit_equals_fit_with_the_same_schema(data, name):
    first, second = data.draw(several(name, 2))
    families = told(name)
    bit_by_bit = NaiveBayes(families=families).partial_fit(columns(first, families), list(first.labels))
    bit_by_bit.partial_fit(columns(second, families), list(second.labels))
    both, labels = columns(first + second, families), [*first.labels, *second.labels]
    at_once = NaiveBayes(families=families, schema=bit_by_bit.schema_).fit(both, labels)
    assert_same_tally(bit_by_bit.model_.tally, at_once.model_.tally)
    np.testing.assert_allclose(
        bit_by_bit.predict_log_proba(both), at_once.predict_log_proba(both), rtol=1e-8, atol=1e-8
    )


@given(data=st.data())
def test_rows_as_dicts_one_at_a_time_equal_one_table(data):
    first, second = data.draw(several("mixed", 2))
    families = told("mixed")
    rows = [{n: row[n] for n in families} for row in second.dicts()]
    streamed, at_once = (
        NaiveBayes(families=families).fit(columns(first, families), list(first.labels)) for _ in range(2)
    )
    for row, label in zip(rows, second.labels, strict=True):
        streamed.partial_fit(row, label)
    at_once.partial_fit(columns(second, families), list(second.labels))
    assert_same_tally(streamed.model_.tally, at_once.model_.tally)
    expected = at_once.predict_log_proba(columns(second, families))
    # before any table is asked about, rows are scored straight from the cells; after, from tables
    for _ in range(2):
        by_row = [streamed.predict_log_proba(row)[0] for row in rows]
        np.testing.assert_allclose(by_row, expected, rtol=1e-8, atol=1e-8)
        by_table = streamed.predict_log_proba(columns(second, families))
        np.testing.assert_allclose(by_table, expected, rtol=1e-8, atol=1e-8)


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
    table = {
        "c": [*"abcaabbc"],
        "g": (1e6 + draw.normal(0, 1, 8)).tolist(),
        "k": draw.poisson(3, 8).astype(float).tolist(),
        "l": draw.lognormal(1, 1, 8).tolist(),
    }
    rows = [{n: v[i] for n, v in table.items()} for i in range(8)]
    labels = [*"pqrpqrpq"]
    by_row, at_once = (NaiveBayes(families=families, **options).fit(table, labels) for _ in range(2))
    for row, label in zip(rows, labels, strict=True):
        by_row.partial_fit(row | {"g": None}, label, sample_weight=weight)
    weights = None if weight is None else [weight] * 8
    at_once.partial_fit(table | {"g": [None] * 8}, labels, sample_weight=weights)
    from_cells = [by_row.predict_joint_log_proba(row)[0] for row in rows]
    expected = at_once.predict_joint_log_proba(table)
    np.testing.assert_allclose(from_cells, expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(by_row.predict_joint_log_proba(table), expected, rtol=1e-10, atol=1e-10)

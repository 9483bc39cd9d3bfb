"""A row reads the same from a table and from a dict, and a table the same from every library."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import NaiveBayes
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.data.tables import frame

pytestmark = pytest.mark.filterwarnings("ignore:columns left out")

SCHEMA = Schema(
    Categories("y", ("no", "yes")),
    (
        Categories("text", ("a", "b", "-")),
        Categories("marked", ("a", "b"), missing=frozenset({"?", "n/a"})),
        Categories("whole", (0, 1, 2)),
        Categories("flag", (False, True)),
        Categories("grade", (1.0, 2.5)),
        Real("x"),
        Real("log x", source="x", transform="log"),
        Real("dose", missing=frozenset({0, -1})),
    ),
)
TEXT = st.sampled_from([None, "", "a", "b", "-", "?", "n/a", "never seen", float("nan")])
NUMBER = st.sampled_from([None, float("nan"), 0, 1, 2, -1, 2.5, 1e300, -0.0, 1e-300]) | st.floats(
    allow_nan=True, allow_infinity=False
)
ROW = st.fixed_dictionaries(
    {
        "text": TEXT,
        "marked": TEXT,
        "whole": st.sampled_from([None, 0, 1, 2, 7]),
        "flag": st.sampled_from([None, True, False]),
        "grade": st.sampled_from([None, float("nan"), 1.0, 2.5, 9.75]),
        "x": NUMBER,
        "dose": NUMBER,
    }
)


def assert_same_batch(table, row):
    for column in SCHEMA.features:
        np.testing.assert_array_equal(table.column(column.name), row.column(column.name), err_msg=column.name)


@given(row=ROW)
def test_a_table_of_one_row_reads_as_the_row(row):
    assert_same_batch(SCHEMA.encode(frame([row])), SCHEMA.encode_row(row))


@given(row=ROW)
def test_a_key_that_a_row_lacks_is_a_missing_cell(row):
    lacking = {name: value for name, value in row.items() if value is not None}
    assert_same_batch(SCHEMA.encode_row(row), SCHEMA.encode_row(lacking))


@pytest.mark.parametrize("nothing", [None, float("nan"), np.float32("nan"), np.float64("nan"), pd.NA, ""])
def test_every_kind_of_nothing_is_missing_in_both_readers(nothing):
    row = dict.fromkeys(SCHEMA.sources, nothing)
    read = SCHEMA.encode_row(row)
    assert [read.column(c.name)[0] for c in SCHEMA.features if isinstance(c, Categories)] == [0, 0, 0, 0, 0]
    assert np.isnan([read.column(c.name)[0] for c in SCHEMA.features if isinstance(c, Real)]).all()
    assert SCHEMA.grown_by_row(row) == SCHEMA
    table = {name: pa.array([nothing], from_pandas=True) for name in SCHEMA.sources}
    assert_same_batch(SCHEMA.encode(Frame.of(table)), read)


@pytest.mark.parametrize("value", ["3.5", " 3.5 ", np.float32(3.5), np.int8(3), True, "1e3"])
def test_a_number_may_be_written_in_many_ways(value):
    expected = float(value)
    assert SCHEMA.encode_row({"x": value}).column("x").tolist() == [expected]
    assert SCHEMA.encode(frame([dict.fromkeys(SCHEMA.sources) | {"x": value}])).column("x").tolist() == [expected]


@given(rows=st.lists(ROW, min_size=1, max_size=5))
def test_levels_grow_the_same_from_a_table_and_row_by_row(rows):
    by_row = SCHEMA
    for row in rows:
        by_row = by_row.grown_by_row(row)
    assert by_row == SCHEMA.grown(Frame.of({n: pa.array([row[n] for row in rows], from_pandas=True) for n in rows[0]}))


# the same table from every library

CELLS = st.fixed_dictionaries(
    {
        "city": st.sampled_from([None, "Rome", "Bern", "Oslo", ""]),
        "age": st.integers(0, 90),
        "rooms": st.none() | st.integers(0, 6),
        "mass": st.none() | st.integers(-400, 400).map(lambda i: i / 7),
        "paid": st.none() | st.booleans(),
    }
).map(lambda row: {name: row[name] for name in TYPES})
TYPES = {"city": pa.string(), "age": pa.int64(), "rooms": pa.int64(), "mass": pa.float64(), "paid": pa.bool_()}


def as_arrow(rows):
    return pa.table({n: pa.array([r[n] for r in rows], t) for n, t in TYPES.items()})


def as_dictionary_arrow(rows):
    """Text as categories, in chunks whose dictionaries differ."""
    half = max(1, len(rows) // 2)
    parts = [as_arrow(part) for part in (rows[:half], rows[half:]) if part]
    coded = [t.set_column(0, "city", t["city"].combine_chunks().dictionary_encode()) for t in parts]
    return pa.concat_tables(coded, promote_options="permissive") if len(coded) > 1 else coded[0]


LIBRARIES = {
    "pandas": lambda rows: pd.DataFrame({n: [r[n] for r in rows] for n in TYPES}),
    "pandas with nullable types": lambda rows: as_arrow(rows).to_pandas().convert_dtypes(),
    "pandas with Arrow types": lambda rows: as_arrow(rows).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas with categories": lambda rows: as_arrow(rows).to_pandas().astype({"city": "category"}),
    "polars": lambda rows: pl.DataFrame(as_arrow(rows)),
    "polars with categories": lambda rows: pl.DataFrame(as_arrow(rows)).cast({"city": pl.Categorical}),
    "arrow with dictionaries": as_dictionary_arrow,
    "duckdb": lambda rows: duckdb.from_arrow(as_arrow(rows)),
    "dicts": lambda rows: rows,
    "dicts without the keys of missing cells": lambda rows: [
        {n: v for n, v in row.items() if v is not None} for row in rows
    ],
    "columns": lambda rows: {n: [r[n] for r in rows] for n in TYPES},
}
FAMILIES = {"city": "categorical", "age": "gaussian", "rooms": "poisson", "mass": "gaussian", "paid": "categorical"}


@pytest.mark.parametrize("library", LIBRARIES)
@given(data=st.data())
def test_a_table_gives_the_same_tally_from_every_library(data, library):
    rows = data.draw(st.lists(CELLS, min_size=1, max_size=12))
    labels = data.draw(st.lists(st.sampled_from("pq"), min_size=1 + len(rows), max_size=1 + len(rows)))
    # the first row shows every column, so that rows without a key still have the columns, in the same order
    rows = [{"city": "Rome", "age": 1, "rooms": 1, "mass": 1.0, "paid": True}, *rows]
    expected = NaiveBayes(families=FAMILIES).fit(as_arrow(rows), labels)
    ours = NaiveBayes(families=FAMILIES).fit(LIBRARIES[library](rows), labels)
    assert ours.schema_ == expected.schema_
    np.testing.assert_array_equal(ours.model_.tally.counts, expected.model_.tally.counts)
    np.testing.assert_array_equal(ours.model_.tally.sums, expected.model_.tally.sums)
    np.testing.assert_array_equal(ours.predict_proba(LIBRARIES[library](rows)), expected.predict_proba(as_arrow(rows)))


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_a_column_is_does_not_depend_on_the_library(library):
    draw = np.random.default_rng(5)
    rows = [
        {
            "city": ["Rome", "Bern", None][draw.integers(3)],
            "age": int(draw.integers(90)),
            "rooms": None if i % 7 == 0 else int(draw.poisson(2)),
            "mass": None if i % 5 == 0 else float(draw.lognormal(3, 1)),
            "paid": bool(draw.integers(2)),
        }
        for i in range(80)
    ]
    labels = [*"pqqp"] * 20
    ours, expected = (NaiveBayes().fit(table, labels) for table in (LIBRARIES[library](rows), as_arrow(rows)))
    assert {c.name: c.family for c in ours.columns_} == {c.name: c.family for c in expected.columns_}
    np.testing.assert_allclose(ours.predict_proba(LIBRARIES[library](rows)), expected.predict_proba(as_arrow(rows)))


@pytest.mark.parametrize("layout", ["C", "F", "strided", "float32", "integers"])
def test_an_array_gives_the_same_tally_in_every_layout(layout):
    X = np.random.default_rng(3).integers(0, 5, (40, 6)).astype(float)
    labels = [*"pqqp"] * 10
    made = {
        "C": X,
        "F": np.asfortranarray(X),
        "strided": np.repeat(X, 2, axis=0)[::2],
        "float32": X.astype(np.float32),
        "integers": X.astype(np.int64),
    }[layout]
    expected = NaiveBayes(numeric="gaussian").fit(X, labels)
    ours = NaiveBayes(numeric="gaussian").fit(made, labels)
    np.testing.assert_array_equal(ours.model_.tally.counts, expected.model_.tally.counts)
    np.testing.assert_allclose(ours.model_.tally.sums.sum(0), expected.model_.tally.sums.sum(0), rtol=1e-14)
    np.testing.assert_allclose(ours.predict_proba(made), expected.predict_proba(X), rtol=1e-12)

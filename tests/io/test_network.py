"""Networks of sources of any size: the tables, and the counts, are those of the same rows in memory."""

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import FORMS
from tests.sparks import QUIET

import bayesfold as bf

EDGES = [("season", "rain"), ("rain", "wet"), ("sprinkler", "wet")]
ROWS = 70_003


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(0)
    season = draw.integers(0, 4, ROWS)
    rain = np.where(draw.random(ROWS) < 0.2 + 0.15 * season, "yes", "no")
    wet = np.where((rain == "yes") | (draw.random(ROWS) < 0.1), "yes", "no")
    hole = draw.random(ROWS) < 0.05
    return pa.table(
        {
            "season": season,
            "rain": pa.array(rain, mask=hole),
            "sprinkler": draw.choice(["on", "off"], ROWS),
            "wet": wet,
            "other": draw.normal(size=ROWS),
        }
    )


def assert_same(found, expected):
    assert found.axes == expected.axes
    np.testing.assert_array_equal(found.learned.tally.counts, expected.learned.tally.counts)
    for name in expected.dag.names:
        np.testing.assert_array_equal(found.table(name).values, expected.table(name).values)


@pytest.mark.parametrize("form", ["csv", "parquet", "generator", "relation"])
def test_a_source_gives_the_network_of_its_rows(form, table, tmp_path):
    source = FORMS[form](table, tmp_path / f"t.{form}")
    assert_same(
        bf.fit_network_from(EDGES, source, method="bdeu"),
        bf.fit_network(EDGES, table.drop_columns(["other"]), method="bdeu"),
    )


@pytest.mark.slow
@pytest.mark.filterwarnings(QUIET)
def test_so_does_spark(table, spark):
    rows = spark.createDataFrame(table.slice(0, 5_000)).repartition(3)
    found = bf.fit_network_from(EDGES, rows)
    assert_same(found, bf.fit_network(EDGES, table.slice(0, 5_000).drop_columns(["other"])))
    assert_same(bf.fit_network_from(found, rows), found)  # whose states are known


@pytest.mark.slow
@pytest.mark.filterwarnings(QUIET)
def test_what_needs_many_passes_says_so_before_it_starts(table, spark):
    rows = spark.createDataFrame(table.slice(0, 100))
    for work in (lambda: bf.learn_network(rows), lambda: bf.NaiveBayes().fit(rows, ["a"] * 100)):
        with pytest.raises(TypeError, match="stay in its executors"):
            work()


def test_a_column_that_is_no_category_is_refused(table):
    with pytest.raises(ValueError, match="cut it into intervals"):
        bf.fit_network_from([("other", "wet")], table)
    with pytest.raises(ValueError, match="has no column 'snow'"):
        bf.fit_network_from([("snow", "wet")], table)

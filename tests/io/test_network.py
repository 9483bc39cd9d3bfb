"""Networks of sources of any size: the tables, and the counts, are those of the same rows in memory."""

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import FORMS
from tests.sparks import QUIET

import bayesfold as bf
from bayesfold.io import network, sample
from bayesfold.io.network import add_combinations, count_combinations, merge_networks, states_in, unite_states
from bayesfold.networks.mixed.network import MixedNetwork

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


def without_holes(table):
    """The rows that have a value in every column."""
    return table.filter(table.column("rain").is_valid()).drop_columns(["other"])


def with_holes(table):
    """One cell in nine is missing."""
    columns = {}
    for j, name in enumerate(table.column_names):
        gone = np.random.default_rng(j).random(table.num_rows) < 1 / 9
        columns[name] = pa.array(table.column(name).to_pylist(), mask=gone)
    return pa.table(columns)


@pytest.mark.parametrize("form", ["parquet", "generator", "relation"])
def test_em_goes_over_what_differs(form, table, tmp_path):
    """The tables are those of EM over all rows in memory; a node without a column is hidden."""
    holes = with_holes(table.slice(0, 20_000).drop_columns(["other"]))
    source = FORMS[form](holes, tmp_path / f"t.{form}")
    theirs, ours = bf.fit_network_from(EDGES, source, em=True), bf.fit_network(EDGES, holes, em=True)
    assert theirs.em.converged
    assert len(theirs.em.objective) == len(ours.em.objective)
    for name in ours.dag.names:
        np.testing.assert_allclose(theirs.table(name).values, ours.table(name).values, rtol=1e-9)


def test_too_many_different_rows_for_em_say_so(table, monkeypatch):
    monkeypatch.setattr(network, "MOST_COMBINATIONS", 3)
    with pytest.raises(ValueError, match=r"more than 3 different rows .* again and again, in memory; leave em out"):
        bf.fit_network_from(EDGES, table, em=True)


@pytest.mark.slow
@pytest.mark.filterwarnings(QUIET)
def test_spark_looks_for_arcs_and_runs_em_too(table, spark, monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 2_000)
    monkeypatch.setattr(sample, "LEAST_ROWS", 2_000)
    some = without_holes(table).slice(0, 6_000)
    rows = spark.createDataFrame(some)
    found, again = (bf.learn_network_from(way) for way in (rows.repartition(3), rows.coalesce(1)))
    assert (found.dag, found.score, found.drawn_from) == (again.dag, again.score, 6_000)
    assert_same(found.network, bf.fit_network(bf.BayesianNetwork.from_edges(found.dag.edges, found.dag.names), some))
    assert "the tables are of all 6,000 rows" in str(found)
    for told, why in (({"cut": 3}, "cut numbers there"), ({"weight": [1.0]}, "have no weights")):
        with pytest.raises((TypeError, ValueError), match=why):
            bf.learn_network_from(rows, **told)
    holes = with_holes(some)
    there = bf.fit_network_from(EDGES, spark.createDataFrame(holes).repartition(3), em=True)
    here = bf.fit_network(EDGES, holes, em=True)
    for name in here.dag.names:
        np.testing.assert_allclose(there.table(name).values, here.table(name).values, rtol=1e-9)


def test_a_column_that_is_no_category_is_refused(table):
    with pytest.raises(ValueError, match="cut it into intervals"):
        bf.fit_network_from([("other", "wet")], table)
    with pytest.raises(ValueError, match="has no column 'snow'"):
        bf.fit_network_from([("snow", "wet")], table)


@pytest.mark.parametrize("form", ["csv", "parquet", "generator"])
def test_a_source_gives_the_lines_of_its_rows(form, table, tmp_path):
    wet = np.asarray(table["wet"].to_pylist()) == "yes"
    rows = table.append_column("level", pa.array(table["other"].to_numpy() * 2 + 1e4 * wet))
    edges = [("season", "rain"), ("rain", "level"), ("other", "level")]
    net = bf.MixedNetwork.from_edges(edges, numbers=["other", "level"])
    found, expected = bf.fit_network_from(net, FORMS[form](rows, tmp_path / f"t.{form}")), net.fit(rows)
    assert found.axes == expected.axes
    np.testing.assert_array_equal(found.learned.tally.counts, expected.learned.tally.counts)
    for v in found.numbers:
        np.testing.assert_allclose(found.tables[v].slopes, expected.tables[v].slopes, rtol=1e-8)
        np.testing.assert_allclose(found.tables[v].sd, expected.tables[v].sd, rtol=1e-8)


def test_arcs_between_numbers_are_learned_from_a_source(table, tmp_path):
    source = FORMS["csv"](table, tmp_path / "t.csv")
    found = bf.learn_network_from(source, ["wet", "sprinkler", "other"], numbers="gaussian")
    expected = bf.learn_network(table.select(["wet", "sprinkler", "other"]), numbers="gaussian")
    assert found.network.numbers == ("other",)
    assert found.score == pytest.approx(expected.score, rel=1e-9)
    named = bf.learn_network_from(source, ["season", "other"], numbers=["season", "other"])
    assert named.network.numbers == ("season", "other")


def test_a_network_of_cut_numbers_finds_numbers():
    draw = np.random.default_rng(0)
    age = draw.normal(50, 10, 300)
    table = pa.table({"age": age, "old": np.where(age + draw.normal(0, 3, 300) > 50, "yes", "no")})
    net = bf.learn_network_from(table, cut=4).network
    asked = [net.query("old", age=x).values for x in (31.5, 66.0)]
    np.testing.assert_allclose(net.predict_proba({"age": [31.5, 66.0]}, "old"), asked)
    yes = net.states("old").index("yes")
    assert asked[1][yes] > 0.9 > asked[0][yes]


def test_numbers_cannot_be_filled_in_by_em(table):
    numbers = MixedNetwork.from_edges([("rain", "other")], numbers=["other"])
    with pytest.raises(ValueError, match="EM is for networks of categories; leave em out, or the numbers"):
        bf.fit_network_from(numbers, table, em=True)


@pytest.mark.parametrize(("em", "words"), [(False, "'season' has no value at all"), (True, "has no rows")])
def test_a_table_without_rows_is_refused(table, em, words):
    with pytest.raises(ValueError, match=words):
        bf.fit_network_from(EDGES, table.slice(0, 0), em=em)


def blocks_of(*tables):
    return iter([pa.table(one) for one in tables])


def test_combinations_are_counted_wherever_rows_stand():
    first = {"a": ["x", "y", "x", None], "b": [1, 1, 1, 2]}
    second = {"a": pa.array(["x", None]).dictionary_encode(), "b": [1, 2]}
    names = ["a", "b"]
    one = count_combinations(names, "times", blocks_of(first), "t")
    other = count_combinations(names, "times", blocks_of(second), "t")
    (whole,) = add_combinations(names, "times", [one, [], other])
    rows = sorted(zip(*whole.to_pydict().values(), strict=True), key=str)
    assert whole.column_names == ["a", "b", "times"]
    assert rows == [("x", 1, 3), ("y", 1, 1), (None, 2, 2)]
    assert count_combinations(names, "times", iter([]), "t") == []
    assert add_combinations(names, "times", [[], []]) == []
    assert add_combinations(names, "times", [one, None]) is None


@pytest.mark.parametrize(("most", "enough"), [(3, True), (2, False)])
def test_so_many_combinations_may_there_be(most, enough, monkeypatch):
    monkeypatch.setattr(network, "MOST_COMBINATIONS", most)
    counted = count_combinations(["a"], "times", blocks_of({"a": [*"xyzx"]}), "t")
    assert (counted is not None) is enough
    rows = count_combinations(["a"], "times", blocks_of({"a": [*"xy"]}, {"a": [*"zx"]}, {"a": ["x"]}), "t")
    assert (rows is not None) is enough, "what is too much stays too much"


def test_states_are_those_that_any_part_shows():
    rows = {"a": [2, 1], "b": ["x", None]}, {"a": [3, 1], "b": ["x", "y"]}
    parts = [states_in(["a", "b"], blocks_of(one), "t") for one in rows]
    assert {name: {*levels} for name, levels in unite_states(parts).items()} == {"a": {1, 2, 3}, "b": {"x", "y"}}
    assert merge_networks([None, None]) is None
    net = bf.fit_network([("a", "b")], {"a": [1, 2], "b": ["x", "y"]})
    assert merge_networks([None, net]) is net
    twice = merge_networks([net, None, net])
    assert twice.learned.tally.counts.sum() == 2 * net.learned.tally.counts.sum()

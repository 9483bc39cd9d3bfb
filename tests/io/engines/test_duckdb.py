"""A query is one statement that reads."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.io.engines.duckdb import Relation, query
from bayesfold.io.open import open_source

duckdb = pytest.importorskip("duckdb")


@pytest.mark.parametrize(
    "sql",
    [
        "from (select 1 as a, 'p' as y); copy (select 1) to '{out}'",
        "select 1 as a; ; copy (select 1) to '{out}'",
        "with t as (select 1) insert into nowhere select * from t",
        "select 1; drop table t",
        "from t; attach '{out}'",
        "select 1 as a /* ; */; create table made as select 1",
    ],
)
def test_what_does_more_than_read_is_refused_and_not_run(sql, tmp_path):
    out = tmp_path / "f.csv"
    with pytest.raises(ValueError, match="a source is one query that reads rows"):
        open_source(sql.format(out=out))
    assert not out.exists()
    assert ("made",) not in duckdb.sql("show tables").fetchall()


def test_one_query_may_end_with_a_semicolon():
    assert open_source("select 1 as a, ';' as b;").names == ("a", "b")


def test_a_query_that_is_none_is_refused():
    with pytest.raises(ValueError, match="the query cannot be read"):
        open_source("select from where")


def test_a_sample_is_spread_over_all_rows():
    with open_source("select range as a, range % 2 as y from range(8000)") as source:
        look = source.look(("a", "y"), 2_000, {}, {})
    assert set(look.table.column("y").to_pylist()) == {0, 1}
    assert abs(look.table.num_rows - 2_000) <= 5  # multiples of the golden section are spread evenly, not exactly


@pytest.mark.parametrize(("classes", "most"), [(["n", "p"], 100), (["n"], 100), (["n"], 2)])
def test_columns_with_the_class_are_counted_at_once_where_rows_have_none_or_one_that_was_not_known(classes, most):
    part = query("select range % 2 as a, [null, 'n', 'p'][range % 3 + 1] as y from range(60)")
    tables = part.class_tables(["a"], "y", classes, 60, "times", most)
    if most == 2:  # a class, another and none: more than are wanted
        assert tables is None
        return
    (table,) = tables
    counts = sorted(zip(*table.to_pydict().values(), strict=True))
    assert counts == [(0, "n", 10), (0, "p", 10), (1, "n", 10), (1, "p", 10)]


@pytest.mark.parametrize("behind", ["", ";", " ; ", "; -- all of them", "; /* all */ ", " -- all; of them"])
def test_what_stands_behind_a_query_does_not_matter(behind):
    part = query(f"select range as a from range(5){behind}")
    assert part.count() == 5
    assert part.survey(["a"], 10).rows == 5


@pytest.mark.parametrize(
    "sql",
    [
        "select * from 'no such file.parquet'",
        "select nothing(1) as a",
        "select cast('x' || range as int) as a from range(3)",
    ],
)
def test_a_query_without_an_answer_is_an_error_of_ours(sql):
    with pytest.raises(ValueError, match="the query cannot be answered: ") as caught:
        query(sql).survey(["a"], 10)
    assert type(caught.value) is ValueError


@pytest.mark.parametrize("name", ["number of the row", "Number of the Row", "times", "TIMES", "c0", "w0", "s"])
@pytest.mark.parametrize("cell", ["'x' || (range % 3)", "range % 3", "if(range % 50 = 0, 5, 7)", "range % 2 = 0"])
def test_a_column_may_be_called_as_ours_are(name, cell):
    rows = duckdb.sql(f'select {cell} as "{name}", range % 2 as y from range(6000)')
    sample = Relation(rows, "the relation").survey([name, "y"], 500).sample
    assert 400 < sample.num_rows < 600
    assert set(sample.column(name).to_pylist()) == {value for value, _ in rows.fetchall()}
    one, other = (bf.NaiveBayes().fit_from(source, "y") for source in (rows, rows.to_arrow_table()))
    np.testing.assert_allclose(one.predict_proba(rows), other.predict_proba(rows))


@pytest.mark.parametrize("name", ["TIMES", "c0", "n0", "s"])
def test_groups_of_columns_that_are_called_as_ours_are(name):
    part = Relation(duckdb.sql(f'select range % 2 as "{name}", range % 3 as "W0" from range(60)'), "the relation")
    groups = part.grouped([name, "W0"], "times", 100)
    assert groups.column_names == [name, "W0", "times"]
    assert groups.column("times").to_pylist() == [10] * 6
    (table,) = part.class_tables([name], "W0", [0, 1, 2], 60, "times", 100)
    assert table.column_names == [name, "W0", "times"]
    assert table.column("times").to_pylist() == [10] * 6


def test_classes_beyond_signed_numbers():
    rows = duckdb.sql("select range % 3 as a, (18446744073709551614 + range % 2)::ubigint as y from range(60)")
    (table,) = Relation(rows, "the relation").class_tables(["a"], "y", [2**64 - 2, 2**64 - 1], 60, "times", 100)
    assert sorted(set(table.column("y").to_pylist())) == [2**64 - 2, 2**64 - 1]
    assert table.column("times").to_pylist() == [10] * 6

"""A query is one statement that reads."""

import pytest

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
    assert look.table.num_rows == 2_000

"""A table of Spark is learned where its rows are, by one command."""

import pyarrow.parquet as pq
import pytest
from tests.cli.process import call, run
from tests.io.engines.tables import mixed
from tests.sparks import QUIET, why_not

import bayesfold as bf
from bayesfold.store import load

LOCAL = ("--engine", "spark", "--master", "local[2]")


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a Spark")
def test_a_table_of_spark_is_learned_there(tmp_path):
    table = mixed(2_000).drop_columns(["weight"])
    pq.write_table(table, tmp_path / "t.parquet")
    said = run(tmp_path, "fit", *LOCAL, "t.parquet", "-t", "y", "-m", "naive", "--drop", "when", "-o", "m.bayes")
    assert "t.parquet: 2,000 rows, read by spark" in said.stdout
    found = load(tmp_path / "m.bayes")
    here = bf.NaiveBayes().fit_from(table.drop_columns(["when"]), "y")
    assert (found.model_.tally.counts == here.model_.tally.counts).all()
    assert found.target == "y"


@pytest.fixture
def session(spark, monkeypatch):
    """The session of all tests, which the command takes for its own and would end."""
    monkeypatch.setattr(type(spark), "stop", lambda _: None)
    return spark


@pytest.mark.slow
@pytest.mark.usefixtures("session")
@pytest.mark.filterwarnings(QUIET)
def test_a_table_that_spark_does_not_know_is_told(tmp_path):
    wrong = call(tmp_path, "fit", *LOCAL, "select * from nowhere", "-t", "y", "-o", "n.bayes", code=1)
    assert "select * from nowhere: opening the table: [TABLE_OR_VIEW_NOT_FOUND]" in wrong.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("session")
@pytest.mark.filterwarnings(QUIET)
def test_rows_of_spark_are_learned_as_a_schema_reads_them(tmp_path):
    """The model is that of the same rows in a file, also where the schema has not seen all levels."""
    table = mixed(3_000).drop_columns(["weight", "when"])
    pq.write_table(table.slice(0, 500), tmp_path / "public.parquet")
    pq.write_table(table, tmp_path / "t.parquet")
    call(tmp_path, "schema", "public.parquet", "-t", "y", "-m", "naive", "-o", "s.bayes")
    call(tmp_path, "fit", *LOCAL, tmp_path / "t.parquet", "--schema", "s.bayes", "-o", "there.bayes")
    call(tmp_path, "fit", "t.parquet", "--schema", "s.bayes", "-o", "here.bayes")
    there, here = (load(tmp_path / f"{name}.bayes").model_.tally for name in ("there", "here"))
    assert (there.counts == here.on(there.schema).counts).all()
    assert there.counts.any()


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (("t.csv", "--master", "local[2]"), "add --engine spark"),
        (("t.csv", *LOCAL, "--checkpoint", "c"), "have no effect with --engine spark"),
    ],
)
def test_what_does_not_go_together_is_refused(told, why, tmp_path):
    assert why in call(tmp_path, "fit", *told, "-t", "y", code=2).stderr

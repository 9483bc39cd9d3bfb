"""A database counts its columns of categories itself: the model is that of its rows read one by one."""

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import mixed
from tests.laws.test_engines import assert_same, in_memory

import bayesfold as bf
from bayesfold.data.tables import frame
from bayesfold.io import sample
from bayesfold.io.engines.duckdb import Relation
from bayesfold.io.fit import learn_from
from bayesfold.learning.kinds import find
from bayesfold.tally.counter import count

duckdb = pytest.importorskip("duckdb")
ROWS = 20_001


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 1_000)
    monkeypatch.setattr(sample, "LEAST_ROWS", 500)


def test_columns_of_categories_do_not_leave_the_database(monkeypatch):
    table = mixed(ROWS).select(["colour", "zip", "size", "y"])
    scanned = []
    scan = Relation.scan

    def noted(self, types, *others):
        scanned.extend(types)
        return scan(self, types, *others)

    monkeypatch.setattr(Relation, "scan", noted)
    trained, account = learn_from(find("naive")(), duckdb.connect().from_arrow(table), "y")
    assert account.rows == ROWS
    assert scanned == ["size", "y"]
    assert trained.model_.classes == ("maybe", "never", "no", "yes")  # one of them is not in the sample
    assert "late" in trained.model_.schema.columns["colour"].levels
    whole = mixed(ROWS)
    assert_same(trained.model_.tally, in_memory(trained.model_, whole, None))


@pytest.mark.parametrize("kind", ["naive", "tan", "bayes"])
def test_rows_without_a_class_markers_and_holes_are_what_they_are_elsewhere(kind):
    draw = np.random.default_rng(5)
    y = draw.choice(["a", "b", "?", "", None], 5_000, p=[0.5, 0.3, 0.1, 0.05, 0.05])
    shape = draw.choice(["round", "flat", "?", None], 5_000)
    table = pa.table({"shape": shape, "hue": [f"h{v}" for v in draw.integers(0, 6, 5_000)], "y": y})
    told = find(kind)(missing="?")
    there, counted = learn_from(told, duckdb.connect().from_arrow(table), "y")
    here, expected = learn_from(told, duckdb.connect().from_arrow(table).to_arrow_table(), "y")
    assert (counted.rows, counted.unlabelled) == (expected.rows, expected.unlabelled)
    assert there.model_.schema.target == here.model_.schema.target
    clean = table.filter(pa.array([v not in ("?", "", None) for v in y.tolist()]))
    batch = there.model_.schema.encode(frame(clean.drop_columns(["y"])), clean.column("y").combine_chunks())
    assert_same(there.model_.tally, count(there.model_.schema, there.model_.tally.layout.cliques, batch))


def test_all_columns_may_be_categories():
    table = mixed(ROWS).select(["colour", "zip", "y"])
    trained, account = learn_from(find("naive")(), duckdb.connect().from_arrow(table), "y")
    assert account.rows == trained.model_.class_counts().sum() == ROWS
    assert_same(trained.model_.tally, in_memory(trained.model_, mixed(ROWS), None))


def test_a_class_without_a_given_probability_is_refused():
    table = mixed(ROWS).select(["colour", "y"])
    with pytest.raises(ValueError, match="gives no probability for the class 'never'"):
        bf.NaiveBayes(priors={"no": 0.5, "yes": 0.3, "maybe": 0.2}).fit_from(duckdb.connect().from_arrow(table), "y")


def test_a_column_that_turns_out_to_name_rows_is_left_out():
    number = np.arange(200_000)
    first = np.where(number < 100_000, number % 50, number)
    table = pa.table({"code": [f"c{n}" for n in first], "a": [f"a{n}" for n in number % 5], "y": number % 2})
    with pytest.warns(bf.ColumnWarning, match="'code'"):
        model = bf.NaiveBayes().fit_from(duckdb.connect().from_arrow(table), "y")
    assert model.source_.rows == 200_000
    assert model.model_.schema.sources == ("a",)


def test_dates_are_counted_by_the_database_too():
    days = "select date '2024-01-01' + (range % 400)::int as day, range % 3 as other from range(3000)"
    relation = duckdb.sql(f"select *, dayofweek(day) in (0, 6) as free from ({days})")
    theirs = bf.NaiveBayes().fit_from(relation, "free")
    table = relation.to_arrow_table()
    ours = bf.NaiveBayes().fit(table.drop_columns("free"), table["free"])
    assert "day (weekday)" in ours.schema_.sources
    np.testing.assert_array_equal(theirs.model_.tally.counts, ours.model_.tally.counts)


def test_a_class_that_the_sample_does_not_show_and_rows_without_one_are_found():
    """Then all columns are counted once more, with the classes that there are."""
    rows = duckdb.sql(
        "select 'a' || i % 5 as a, 'b' || i % 7 as b, "
        "case when i % 100 = 3 then null when i = 19_999 then 'rare' else 'y' || i % 2 end as y from range(20_000) t(i)"
    )
    table = rows.to_arrow_table()
    theirs, account = learn_from(find("naive")(), rows, "y")
    assert (account.rows, account.unlabelled) == (19_800, 200)
    clean = table.filter(table.column("y").is_valid())
    batch = theirs.model_.schema.encode(frame(clean.drop_columns(["y"])), clean.column("y").combine_chunks())
    assert "rare" in theirs.model_.classes
    assert_same(theirs.model_.tally, count(theirs.model_.schema, theirs.model_.tally.layout.cliques, batch))

"""DataFrames of Spark: what is refused before anything starts, what workers say, and answers where the rows are."""

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import mixed
from tests.sparks import QUIET

import bayesfold as bf
from bayesfold.io import sample
from bayesfold.io.engines import Fold
from bayesfold.io.engines import spark as module
from bayesfold.io.engines._spark_batches import MOST_LONG_ROWS, USUAL
from bayesfold.io.engines._spark_batches import ROWS as ROWS_AT_A_TIME
from bayesfold.io.engines._spark_replies import raise_failure, try_work
from bayesfold.io.engines._spark_rows import Distributed
from bayesfold.io.engines._spark_session import open_table
from bayesfold.learning.trained import Trained

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings(QUIET)]
ROWS = 1_000


@pytest.fixture(scope="module")
def table():
    return mixed(ROWS).drop_columns(["weight"])


@pytest.fixture(scope="module")
def rows(spark, table):
    return spark.createDataFrame(table).repartition(3).cache()


@pytest.fixture(scope="module")
def model(table):
    return bf.NaiveBayes(reject_cost=0.4).fit_from(table, "y")


def test_answers_are_given_where_the_rows_are(rows, table, model):
    """Rows, answers and types are those of a file."""
    found = model.predict_from(rows).toArrow().sort_by("when")
    X = table.drop_columns(["y"]).take(np.argsort(table.column("when").to_numpy()))
    assert found.column_names[: table.num_columns] == table.column_names
    assert found.column("predicted").to_pylist() == model.predict(X).tolist()
    for k, name in enumerate(model.classes_):
        np.testing.assert_allclose(found.column(f"P({name})").to_numpy(), model.predict_proba(X)[:, k], rtol=1e-12)
    assert {found.schema.field(name).type for name in ("risk", "reject")} == {pa.float64(), pa.bool_()}


def test_a_file_of_text_has_names_in_its_first_line_and_numbers_below_them(spark, tmp_path):
    (tmp_path / "t.csv").write_text("town,size\nBern,3\nRome,7\n")
    found = open_table(spark, str(tmp_path / "t.csv"))
    assert [(row["town"], row["size"]) for row in found.collect()] == [("Bern", 3), ("Rome", 7)]


def test_answers_are_written_there(spark, rows, model, tmp_path):
    out = tmp_path / "answers.parquet"
    assert model.predict_from(rows, str(out)) == ROWS
    assert spark.read.parquet(str(out)).where("predicted is not null").count() == ROWS
    with pytest.raises(RuntimeError, match=r"writing .*answers.parquet: .*PATH_ALREADY_EXISTS"):
        model.predict_from(rows, str(out))


def test_a_column_that_is_lacking_is_refused_or_unknown(rows, model):
    with pytest.raises(ValueError, match="the DataFrame has no column 'zip'"):
        model.predict_from(rows.drop("zip"))
    assert model.predict_from(rows.drop("zip"), missing_columns="unknown").count() == ROWS
    with pytest.raises(ValueError, match="already has a column 'predicted'"):
        model.predict_from(rows.withColumnRenamed("y", "predicted"))


def test_without_out_only_spark_has_a_place_for_answers(table, model):
    with pytest.raises(TypeError, match="say where the answers are to go"):
        model.predict_from(table)


def test_a_function_of_sql_answers(spark, rows, table, model):
    spark.udf.register("bayes", bf.spark_udf(model))
    rows.createOrReplaceTempView("patients")
    found = spark.sql("select `when`, bayes(struct(*)).predicted as p from patients order by `when`").toArrow()
    X = table.drop_columns(["y"]).take(np.argsort(table.column("when").to_numpy()))
    assert found.column("p").to_pylist() == model.predict(X).tolist()


def test_rows_do_not_leave_the_executors(rows):
    for read in (lambda part: part.survey(["zip"], 10), lambda part: part.scan(part.types, {})):
        with pytest.raises(ValueError, match="rows stay in the executors"):
            read(module.take(rows))


def test_a_checkpoint_is_refused_before_anything_starts(rows, tmp_path):
    with pytest.raises(ValueError, match="leave checkpoint= out"):
        bf.NaiveBayes().fit_from(rows, "y", checkpoint=tmp_path / "c.bayes")


def test_rows_without_a_label_are_not_learned_by_passing_over_them_again_and_again(rows, monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 500)
    monkeypatch.setattr(sample, "LEAST_ROWS", 500)
    with pytest.raises(ValueError, match="again and again, which is done in memory"):
        bf.NaiveBayes(unlabelled="em").fit_from(rows, "y")


def test_what_a_worker_refuses_is_told_once_and_says_where(spark, table, monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 100)
    monkeypatch.setattr(sample, "LEAST_ROWS", 100)
    many = pa.concat_tables([table.select(["age", "y"])] * 3)
    odd = pa.table({"age": [1], "y": ["no"], "w": [-1.0]})
    rows = spark.createDataFrame(pa.concat_tables([many.append_column("w", pa.array(np.ones(3 * ROWS))), odd]))
    with pytest.raises(ValueError, match=r"the DataFrame, partition \d+, row [\d,]+: column 'w' is -1.0 here"):
        bf.GaussianNB().fit_from(rows.repartition(2), "y", weight="w")
    with pytest.raises(ValueError, match=r"the DataFrame, a row of the sample: column 'w' is -1.0 here"):
        bf.NaiveBayes().fit_from(rows.limit(50).union(rows.where("w < 0")), "y", weight="w")


def test_a_column_that_turns_out_to_name_rows_is_left_out(spark, monkeypatch):
    """Only together do the partitions see that it does."""
    monkeypatch.setattr(sample, "MOST_ROWS", 300)
    monkeypatch.setattr(sample, "LEAST_ROWS", 300)
    rows = spark.range(90_000).selectExpr(
        "concat('c', if(id % 10 < 9, id, 1)) as code", "id % 5 % 2 as a", "if(id % 10 < 9, id % 2, 1) as y"
    )
    few = spark.range(2_000).selectExpr("concat('c', id % 4) as code", "id % 5 % 2 as a", "id % 2 as y")
    many = few.selectExpr("*", "explode(sequence(1, 100)) as copy").drop("copy")  # which the sample will show
    with pytest.warns(bf.ColumnWarning, match="'code' .*more than 65,536 values"):
        model = bf.NaiveBayes().fit_from(rows.union(many).coalesce(2), "y")
    assert model.source_.rows == 290_000
    assert model.model_.schema.sources == ("a",)


def test_where_rows_are_equal_the_sample_is_still_in_proportion(spark, monkeypatch):
    """Forty kinds of row, of which one is two thirds of all: every kind is in the sample as often as in the table."""
    monkeypatch.setattr(sample, "MOST_ROWS", 600)
    monkeypatch.setattr(sample, "LEAST_ROWS", 600)
    rows = spark.range(12_000).selectExpr("if(id % 3 = 0, id % 39, 0) as a", "if(id % 3 = 0, 'p', 'q') as y")
    part = module.take(rows.repartition(3))
    found, _ = part.sampled(["a", "y"], 600, lambda survey: (survey.rows, survey.sample.to_pydict()))
    assert found[0] == 12_000
    assert abs(found[1]["y"].count("q") - 400) <= 1
    assert len(set(found[1]["a"])) == 13
    again, _ = module.take(rows.coalesce(1)).sampled(["a", "y"], 600, lambda s: (s.rows, s.sample.to_pydict()))
    assert found == again


def test_labels_that_are_a_quantity_are_refused(spark):
    table = pa.table({"a": np.arange(500), "y": np.arange(500) + 0.5})
    for kind in (bf.NaiveBayes, bf.GaussianNB):
        with pytest.raises(ValueError, match="that is a quantity, and labels are classes"):
            kind().fit_from(spark.createDataFrame(table), "y")


def test_a_table_without_rows_is_refused(spark, table):
    with pytest.raises(ValueError, match="the DataFrame has no rows"):
        bf.NaiveBayes().fit_from(spark.createDataFrame(table).where("age < 0"), "y")


def test_another_version_of_the_package_is_refused(monkeypatch):
    found = try_work("0.0.1", Trained)
    with pytest.raises(ValueError, match="install the same version on both"):
        raise_failure(found)


def test_what_spark_cannot_do_is_a_sentence_with_its_stage(spark, table):
    from pyspark.sql import functions as f

    broken = spark.createDataFrame(table).withColumn(
        "age", f.when(f.col("age") > 0, f.raise_error(f.lit("the disk is gone")).cast("long"))
    )
    with pytest.raises(RuntimeError, match=r"the DataFrame: looking at the rows: .*the disk is gone"):
        bf.NaiveBayes().fit_from(broken, "y")


def test_what_somebody_has_set_of_the_session_stays(spark, rows):
    """Batches are bounded otherwise only while rows are counted, and never against somebody's word."""
    fold = Fold(lambda tables, where: max((table.num_rows for table in tables), default=0), max)
    few = module.take(spark.range(20_000, numPartitions=1).selectExpr("id as a", "concat('t', id) as b"))
    assert few.folded(["a"], fold) == 10_000
    assert few.folded(["a", "b"], fold) == MOST_LONG_ROWS
    assert {key: spark.conf.get(key) for key in USUAL} == USUAL
    spark.conf.set(ROWS_AT_A_TIME, "500")
    try:
        assert few.folded(["a", "b"], fold) == 500
        assert spark.conf.get(ROWS_AT_A_TIME) == "500"
    finally:
        spark.conf.unset(ROWS_AT_A_TIME)


def test_rows_are_counted_while_they_are_looked_at(spark, monkeypatch):
    """One pass is enough for naive Bayes; what was guessed wrong, and that alone, takes another."""
    monkeypatch.setattr(sample, "MOST_ROWS", 2_000)
    monkeypatch.setattr(sample, "LEAST_ROWS", 500)
    passes = []
    folded = Distributed.folded

    def noted(self, columns, fold):
        passes.append(tuple(columns))
        return folded(self, columns, fold)

    monkeypatch.setattr(Distributed, "folded", noted)
    table = mixed(6_001).select(["colour", "size", "age", "y"])
    rows = spark.createDataFrame(table).repartition(3)
    once = bf.NaiveBayes(numeric="gaussian").fit_from(rows, "y")
    assert passes == []
    twice = bf.NaiveBayes(numeric="gaussian", families={"colour": "categorical"}).fit_from(rows, "y")
    assert passes == [("colour", "y")]
    np.testing.assert_array_equal(once.model_.tally.counts, twice.model_.tally.counts)
    np.testing.assert_array_equal(once.model_.tally.sums, twice.model_.tally.sums)

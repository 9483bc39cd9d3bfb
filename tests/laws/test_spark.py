"""Spark gives the memory engine's model: the same choices, counts to the bit, moments to 1e-12, however rows lie."""

import numpy as np
import pyarrow as pa
import pytest
from tests.io.engines.tables import mixed
from tests.sparks import QUIET

import bayesfold as bf
from bayesfold.data.tables import frame
from bayesfold.io import sample as module
from bayesfold.io.fit import learn_from
from bayesfold.learning.kinds import find, names
from bayesfold.store.file import to_bytes
from bayesfold.tally.counter import count

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings(QUIET)]
ROWS = 6_001
COLUMNS = ["colour", "zip", "size", "age", "when"]
FEW = ["colour", "size", "age"]


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return mixed(ROWS)


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 2_000)
    monkeypatch.setattr(module, "LEAST_ROWS", 500)


def in_memory(model, table, weight=None):
    """The tally of all rows at once."""
    features = frame(table.drop_columns(["y", "weight"]))
    weights = None if weight is None else table.column(weight).to_numpy()
    batch = model.schema.encode(features, table.column("y").combine_chunks(), weights)
    return count(model.schema, model.tally.layout.cliques, batch)


def assert_same(tally, expected):
    """Counts to the bit, sums to 1e-12 of their size."""
    np.testing.assert_array_equal(tally.counts, expected.counts)
    for mine, theirs in ((tally.sums, expected.sums), (tally.weights, expected.weights)):
        np.testing.assert_allclose(mine.sum(0), theirs.sum(0), rtol=1e-12, atol=0)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("kind", names())
def test_every_kind_of_model_counts_as_in_memory(kind, weight, table, spark):
    rows = spark.createDataFrame(table)
    trained, account = learn_from(find(kind)(), rows, "y", weight, FEW)
    assert (account.engine, account.rows, account.sampled) == ("spark", ROWS, 2_000)
    assert trained.model_.classes == ("maybe", "never", "no", "yes")
    assert_same(trained.model_.tally, in_memory(trained.model_, table, weight))


def test_the_model_is_the_same_for_every_partitioning_and_order(table, spark):
    shuffled = table.take(np.random.default_rng(3).permutation(ROWS))
    ways = {
        "as it came": spark.createDataFrame(table),
        "one partition": spark.createDataFrame(table).coalesce(1),
        "sorted by another column": spark.createDataFrame(shuffled).orderBy("age"),
        "more than one task adds up": spark.createDataFrame(shuffled).repartition(40),
    }
    models = {way: learn_from(find("naive")(), rows, "y", None, COLUMNS)[0].model_ for way, rows in ways.items()}
    first = models.pop("as it came")
    for way, model in models.items():
        assert model.schema == first.schema, way
        assert model.mixture == first.mixture, way
        assert model.families == first.families, way
        assert_same(model.tally, first.tally)


def test_a_table_no_larger_than_the_sample_is_learned_as_in_memory(table, spark, monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", ROWS)
    there, account = learn_from(find("naive")(), spark.createDataFrame(table).repartition(3), "y", None, COLUMNS)
    here, _ = learn_from(find("naive")(), table, "y", None, COLUMNS)
    assert account.whole
    assert there.model_.schema == here.model_.schema
    assert there.model_.families == here.model_.families
    assert there.columns == here.columns
    assert_same(there.model_.tally, here.model_.tally)
    assert to_bytes(there)


@pytest.mark.parametrize("name", ["GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB", "CategoricalNB"])
def test_the_drop_ins_count_there_too(name, spark):
    draw = np.random.default_rng(1)
    y = draw.integers(0, 3, 3_000)
    table = pa.table({"a": draw.poisson(y + 1), "b": draw.integers(0, 4, 3_000), "y": y})
    there = getattr(bf, name)().fit_from(spark.createDataFrame(table).repartition(5), "y")
    here = getattr(bf, name)().fit_from(table, "y")
    assert_same(there.model_.tally, here.model_.tally.on(there.model_.schema))
    assert there.classes_.tolist() == here.classes_.tolist()
    assert there.n_features_in_ == 2
    X = table.drop_columns(["y"]).slice(0, 50)
    np.testing.assert_allclose(there.predict_proba(X), here.predict_proba(X), rtol=1e-12)


def test_text_is_read_word_by_word_there(spark):
    draw = np.random.default_rng(2)
    words = np.array([f"w{i}" for i in range(300)])
    y = draw.integers(0, 2, 3_000)
    texts = [" ".join(words[(draw.zipf(1.3, 12) + 7 * k) % 300]) for k in y]
    table = pa.table({"text": texts, "y": np.array(["ham", "spam"])[y]})
    there = bf.TextClassifier().fit_from(spark.createDataFrame(table).repartition(3), "y")
    again = bf.TextClassifier().fit_from(spark.createDataFrame(table).coalesce(1), "y")
    assert there.model_.schema == again.model_.schema
    assert_same(there.model_.tally, again.model_.tally)
    batch = there.model_.schema.encode(frame(table.select(["text"])), table.column("y").combine_chunks())
    assert_same(there.model_.tally, count(there.model_.schema, there.model_.tally.layout.cliques, batch))

"""The query: names and values that are hard to quote, types of columns, what it is called, and what is refused."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.store import export

from .answers import in_duckdb
from .table import NEW, X, Y

LABELS = [*"ppqpqq"] * 4
TABLE = {
    "size": ["s", "l", "s", "l", "m", None] * 4,
    "mass": [1.5, 2.5, -1.0, 4.0, 3.0, 0.5] * 4,
    "member": [True, False, True, True, None, False] * 4,
    "grade": [0, 1, 2, 1, 0, 2] * 4,
}
CLF = bf.NaiveBayes(numeric="gaussian", families={"grade": "categorical"}, missing={"mass": ["?", -1]})
CLF.fit(TABLE, LABELS)


def write(clf=CLF, **options):
    return export.find("sql").write(clf, **options)


def asked(query, **tables):
    """The answer's names and rows."""
    with duckdb.connect() as database:
        for name, table in tables.items():
            database.register(f"{name} arrived", pa.table(table))
            database.execute(f'CREATE TABLE "{name}" AS SELECT * FROM "{name} arrived"')
        found = database.sql(query)
        return found.columns, found.fetchall()


def posteriors(clf=CLF, **table):
    return np.array([row[-2:] for row in asked(write(clf, keep=[]), rows=table)[1]], np.float64)


def test_the_answer_has_the_columns_the_decision_and_the_posteriors():
    names, rows = asked(write(), rows=TABLE)
    assert names == [*TABLE, "prediction", "P(p)", "P(q)"]
    assert [row[0] for row in rows] == TABLE["size"]
    assert [row[-3] for row in rows] == CLF.predict(TABLE).tolist()


def test_tables_and_columns_are_called_what_one_likes():
    wild = {'we"ight; DROP TABLE x': TABLE["mass"], "😀 id": [*range(24)]} | {
        c: TABLE[c] for c in ("size", "member", "grade")
    }
    query = write(
        table=("main", 'it\'s a "table"'),
        columns={"mass": 'we"ight; DROP TABLE x'},
        keep="😀 id",
        label="who's it",
        probability="{}?",
    )
    with duckdb.connect() as database:
        database.register("arrived", pa.table(wild))
        database.execute('CREATE TABLE "it\'s a ""table""" AS SELECT * FROM arrived')
        found = database.sql(query)
        names, rows = found.columns, found.fetchall()
    assert names == ["😀 id", "who's it", "p?", "q?"]
    assert [row[0] for row in rows] == [*range(24)]
    np.testing.assert_allclose([row[2:] for row in rows], CLF.predict_proba(TABLE), atol=1e-12)


@pytest.mark.parametrize(
    "table",
    [
        {"grade": pa.array([0, 1, 2, 7], pa.int8())},
        {"grade": pa.array([0.0, 1.0, 2.0, np.nan])},
        {"member": pa.array([0, 1, None, 1])},
        {"member": pa.array([0.0, 1.0, np.nan, 7.5])},
        {"size": pa.array(["s", "", "never", "m"]).dictionary_encode()},
        {"mass": pa.array([1, -1, None, 3], pa.int64())},
        {"mass": pa.array([1.5, -1.0, np.nan, 1e200])},
        {"mass": pa.array([1.5, 2.25, 3.0, 4.0], pa.float32())},
        {"mass": pa.array(["1.5", "?", "", "-1"])},
    ],
    ids=lambda table: ", ".join(f"{name}: {values.type}" for name, values in table.items()),
)
def test_columns_of_every_type_are_read_as_python_reads_them(table):
    whole = {name: table.get(name, pa.nulls(4, pa.string())) for name in TABLE}
    given = {name: cells.to_pylist() for name, cells in whole.items()}
    np.testing.assert_allclose(posteriors(**whole), CLF.predict_proba(given), atol=1e-9)


def test_a_row_with_an_infinite_number_has_no_answer():
    table = {name: pa.nulls(2, pa.string()) for name in TABLE} | {"mass": pa.array([np.inf, 2.0])}
    rows = asked(write(keep=[]), rows=table)[1]
    assert rows[0] == (None, None, None)
    assert rows[1][0] in "pq"


def test_rows_keep_their_order_where_missing_parents_are_summed_out():
    clf = bf.TAN(alpha=1.0).fit(X, Y)
    many = {name: cells * 60 for name, cells in NEW.items()}
    rows = asked(write(clf, keep=[]), rows=many)[1]
    np.testing.assert_allclose([row[1:] for row in rows], np.tile(clf.predict_proba(NEW), (60, 1)), atol=1e-9)


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
def test_a_classifier_that_reads_no_column_answers_with_its_prior():
    clf = bf.NaiveBayes().fit({"one": ["a"] * 4}, [*"ppqp"])
    assert asked(write(clf), rows={"one": ["a", "b"]}) == (["prediction", "P(p)", "P(q)"], [("p", 4 / 6, 2 / 6)] * 2)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"columns": {"weight": "mass"}}, "renames 'weight', which this classifier does not read"),
        ({"label": "Mass"}, "two columns named 'mass'.*keep="),
        ({"probability": "P"}, "two columns named 'P'"),
        ({"table": ""}, "'' cannot be a name in SQL"),
        ({"keep": ["a\0b"]}, "cannot be a name in SQL"),
    ],
    ids=str,
)
def test_names_that_cannot_be_are_refused(options, why):
    with pytest.raises(ValueError, match=why):
        write(**options)


def test_levels_of_two_types_are_refused():
    clf = bf.NaiveBayes().fit({"mixed": [1, "a", 1, "a"]}, [*"ppqq"])
    with pytest.raises(ValueError, match=r"'mixed' is read as text and as numbers.*make its values all text"):
        write(clf)


def test_a_query_that_nobody_could_read_is_refused(monkeypatch):
    monkeypatch.setattr(export.find("sql"), "MOST_NUMBERS", 10)
    with pytest.raises(
        ValueError, match=r"would have \d+ numbers, and 10 are the most; fit a smaller one.*\.onnx or \.js"
    ):
        write()


def test_names_of_answers_do_not_meet_names_of_columns():
    clf = bf.NaiveBayes().fit({"Prediction": TABLE["size"], "p(P)": TABLE["size"]}, LABELS)
    names, _ = asked(write(clf), rows={"Prediction": TABLE["size"], "p(P)": TABLE["size"]})
    assert names == ["Prediction", "p(P)", "prediction (2)", "P(p) (2)", "P(q)"]
    with pytest.raises(ValueError, match="two columns named 'Prediction'"):
        write(clf, label="PREDICTION")


def test_the_query_says_which_table_it_reads():
    assert '-- It reads the table "rows";' in write()
    assert '-- It reads the table "my"."pets table";' in write(table=("my", "pets\ntable"))


def test_a_column_of_many_levels_stays_small():
    draw = np.random.default_rng(0)
    wide = draw.choice([f"level {i}" for i in range(300)], 2_000)
    table = {"wide": wide, "other": draw.choice([*"xyz"], 2_000), "size": draw.normal(size=2_000)}
    labels = np.where(table["size"] + (table["other"] == "x") > 0.5, "p", "q")
    clf = bf.GaussianBayes().fit(table, labels)
    query = write(clf, keep=[])
    assert len(query) < 300_000
    table["wide"][:5] = ["never seen", "", "level 0", "level 299", ""]
    found = np.array([row[-2:] for row in asked(query, rows=table)[1]], np.float64)
    np.testing.assert_allclose(found, clf.predict_proba(table), atol=1e-11)


@pytest.mark.parametrize(("cost", "said"), [(0.5, "p"), (0.499, "reject"), (0.501, "p")])
def test_what_costs_as_much_as_rejecting_is_decided(cost, said):
    """As `decide` has it: both classes are as probable, so deciding costs 0.5."""
    clf = bf.NaiveBayes(reject_cost=cost).fit({"a": [*"uvuv"]}, [*"ppqq"])
    assert clf.predict({"a": ["u"]}).tolist() == [said]
    assert asked(write(clf, keep=[]), rows={"a": ["u"]})[1][0][0] == said


@pytest.mark.parametrize("covariance", ["tied", "full"])
def test_squares_of_a_nearly_singular_covariance_do_not_cancel(covariance):
    """Two numbers are nearly equal: the squares of each are far above what they say together."""
    draw = np.random.default_rng(4)
    y = draw.choice([*"pq"], 200)
    x = draw.normal(size=200)
    table = {"x": x, "again": x + 2e-5 * (draw.normal(size=200) + (y == "p")), "coat": draw.choice([*"uvw"], 200)}
    clf = bf.GaussianBayes(covariance=covariance, shrinkage=0.0, numeric="raw").fit(table, y)
    expected = clf.predict_proba(table)
    assert np.ptp(expected[:, 0]) > 0.3
    np.testing.assert_allclose(posteriors(clf, **table), expected, atol=1e-8)


@pytest.mark.parametrize(
    "told", [{"loss": [[0, 0], [2, 0]]}, {"reject_cost": 0.0, "reject_label": "?"}], ids=["loss", "reject"]
)
def test_what_is_too_small_for_a_number_costs_nothing(told):
    """A probability that is 0 to Python is 0: with costs of 0 the least of others would decide."""
    rows = {"x": [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]}
    clf = bf.NaiveBayes(numeric="gaussian", **told).fit(rows, ["a"] * 3 + ["b"] * 3)
    far = {"x": [-1e3, 1e3, 1e9, 5.0, 40.0]}
    proba, labels = in_duckdb(clf, far)
    assert labels == clf.predict(far).tolist()
    np.testing.assert_allclose(proba, clf.predict_proba(far), rtol=1e-9, atol=1e-300)


OTHER_TYPES = {
    "truth values": (
        [True, False],
        ["TRUE", "False", " true ", "1", "0.0", "yes", " ", None],
        [-0.0, 1.0, 0.0, None],
        [1, 0, 2],
    ),
    "whole numbers": (["1", "2", "x"], ["1", "1.0", "x", "", None], [1.0, 2.0, 3.0, None], [1, 2], [True, False]),
    "numbers with a point": (["1.0", "2.0", "x"], ["1", "1.0"], [1.0, 2.0, 1.5], [1, 2, 3]),
    "written truth values": (
        ["TRUE", "FALSE"],
        ["TRUE", "true", "False", "x", " TRUE"],
        [True, False, None],
        [1, 0],
        [1.0],
    ),
    "one written truth value": (["true", "true"], ["TRUE", "false"], [True, False]),
    "a written truth value beside a text": (["True", "x"], ["true", "True", "x"], [True, False, None]),
}


@pytest.mark.parametrize("name", OTHER_TYPES)
def test_a_column_of_another_type_is_read_as_python_reads_it(name):
    """As text, or as numbers, or as truth values: the type that a column has in a database is not that of the model."""
    levels, *columns = OTHER_TYPES[name]
    many = len(levels)
    table = {"kind": [levels[i % many] for i in range(24)], "other": ["ab"[i % 7 % 2] for i in range(24)]}
    labels = ["p" if i % many == 0 else "q" if i % 5 else "p" for i in range(24)]
    clf = bf.NaiveBayes(families={"kind": "categorical"}).fit(table, labels)
    for cells in columns:
        rows = pa.table({"kind": pa.array(cells), "other": ["a"] * len(cells)})
        expected = np.vstack([clf.predict_proba(rows.slice(i, 1)) for i in range(len(cells))])
        np.testing.assert_allclose(
            posteriors(clf, **dict(zip(rows.column_names, rows.columns, strict=True))), expected, atol=1e-9
        )

"""Which rows are learned, and what becomes of the others, is the same at every size, for the command and in Python."""

import json
import random

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.cli.process import call

import bayesfold as bf
from bayesfold.data.frame import Frame, code
from bayesfold.io import sample
from bayesfold.io.rows import Rows, labels_of, located, weights_of, with_groups, with_labels
from bayesfold.store import load

SIZES = [1_000, 8_000]
KINDS = ["naive", "aode"]  # one that is counted while it is looked at, and one that is not


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """The larger size is beyond what is looked at."""
    monkeypatch.setattr(sample, "MOST_ROWS", 2_000)


def table(rows, labels, seed=0):
    draw = random.Random(seed)
    cells = {"a": [draw.choice("pqr") for _ in range(rows)], "b": [round(draw.gauss(0, 1), 2) for _ in range(rows)]}
    return pd.DataFrame({**cells, "y": [labels(i, draw) for i in range(rows)]})


def written(frame, folder, form):
    path = folder / f"t.{form}"
    frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path, index=False)
    return path


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_without_a_class(rows, form, kind, tmp_path):
    holes = {5, rows // 2, rows - 1}
    frame = table(rows, lambda i, draw: None if i in holes else draw.choice(["no", "yes"]))
    path = written(frame, tmp_path, form)
    said = call(tmp_path, "fit", path.name, "-t", "y", "-m", kind)
    assert "3 rows without a class put aside" in said.stdout + said.stderr
    found = json.loads(call(tmp_path, "fit", path.name, "-t", "y", "-m", kind, "--json").stdout)
    assert (found["rows"], found["rows_without_label"]) == (rows - 3, 3)
    clf = {"naive": bf.NaiveBayes, "aode": bf.AODE}[kind]()
    with pytest.warns(bf.RowWarning, match="3 rows without a class put aside"):
        clf.fit_from(path, "y")
    assert (clf.source_.rows, clf.source_.unlabelled) == (rows - 3, 3)
    ours = load(tmp_path / "t.bayes").model_
    np.testing.assert_array_equal(ours.tally.counts, clf.model_.tally.counts)
    np.testing.assert_array_equal(ours.tally.sums, clf.model_.tally.sums)
    assert ours.schema == clf.model_.schema
    assert (
        f"learned {rows - 3:,} rows (3 rows" in call(tmp_path, "update", "t.bayes", path.name, "-o", "u.bayes").stdout
    )


@pytest.mark.parametrize("rows", SIZES)
def test_blank_labels_and_those_that_are_named(rows, tmp_path):
    labels = ["no", "yes", "", "  ", "?", "n/a"]
    path = written(table(rows, lambda i, draw: labels[i % 6]), tmp_path, "csv")
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", "--missing", "?,y=n/a")
    assert load(tmp_path / "t.bayes").model_.classes == ("no", "yes")
    call(tmp_path, "update", "t.bayes", path.name)
    assert load(tmp_path / "t.bayes").model_.classes == ("no", "yes")
    with pytest.warns(bf.RowWarning, match="without a class put aside"):
        clf = bf.NaiveBayes(missing={"*": "?", "y": "n/a"}).fit_from(path, "y")
    assert clf.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize("rows", SIZES)
def test_a_number_that_means_missing_in_all_columns_may_be_a_class(rows, tmp_path):
    path = written(table(rows, lambda i, draw: i % 2), tmp_path, "csv")
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", "--missing", "0")
    assert load(tmp_path / "t.bayes").model_.classes == (0, 1)


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_fractions_that_come_again_and_again_are_classes(rows, form, tmp_path):
    path = written(table(rows, lambda i, draw: (i % 3) / 2), tmp_path, form)
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive")
    assert load(tmp_path / "t.bayes").model_.classes == (0.0, 0.5, 1.0)
    assert bf.NaiveBayes().fit_from(path, "y").classes_.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_quantity_is_refused(rows, form, tmp_path):
    path = written(table(rows, lambda i, draw: draw.randrange(700) / 4), tmp_path, form)
    said = call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", code=1).stderr
    assert "that is a quantity" in said
    assert "--as 'y=categorical'" in said
    for clf in (bf.NaiveBayes(), bf.GaussianNB()):
        with pytest.raises(ValueError, match="that is a quantity, and labels are classes; round or bin"):
            clf.fit_from(path, "y", columns=["b"])


def test_numbers_can_be_read_as_names(tmp_path):
    path = written(table(1_000, lambda i, draw: (i % 3) / 2), tmp_path, "csv")
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", "--as", "y=categorical")
    assert load(tmp_path / "t.bayes").model_.classes == ("0.0", "0.5", "1.0")


def test_drop_ins_put_rows_aside_too(tmp_path):
    frame = table(70_000, lambda i, draw: None if i < 66_000 and i % 2 else "no" if i % 3 else "yes")
    frame.loc[:65_535, "y"] = None  # a whole block without a class
    path = written(frame, tmp_path, "parquet")
    with pytest.warns(bf.RowWarning, match="put aside"):
        clf = bf.GaussianNB().fit_from(path, "y", columns=["b"])
    known = frame[frame.y.notna()]
    np.testing.assert_array_equal(clf.class_count_, bf.GaussianNB().fit(known[["b"]], known.y).class_count_)
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", "-o", "t.bayes")
    assert load(tmp_path / "t.bayes").rows == len(known)
    call(tmp_path, "update", "t.bayes", path.name)
    call(tmp_path, "fit", path.name, "--like", "t.bayes", "-o", "like.bayes")
    assert load(tmp_path / "t.bayes").rows == 2 * load(tmp_path / "like.bayes").rows


def test_a_table_is_looked_at_once(tmp_path, monkeypatch):
    from bayesfold.io.source import Source

    looks = []
    whole = Source.look
    monkeypatch.setattr(Source, "look", lambda self, *told: looks.append(1) or whole(self, *told))
    for rows in SIZES:
        frame = table(rows, lambda i, draw: draw.choice(["no", "yes"]))
        frame["b"] = frame["b"].astype(str).where(frame.index % 7 > 0, "NA")
        looks.clear()
        call(tmp_path, "fit", written(frame, tmp_path, "csv").name, "-t", "y", "-m", "naive")
        assert len(looks) == 1


@pytest.mark.parametrize("rows", SIZES)
def test_the_usual_marks_among_numbers_mean_missing_to_both(rows, tmp_path):
    frame = table(rows, lambda i, draw: draw.choice(["no", "yes"]))
    frame["b"] = frame["b"].astype(str).where(frame.index % 7 > 0, "n/a")
    path = written(frame, tmp_path, "csv")
    said = call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive").stderr
    assert said.count("'n/a' in column 'b' is taken to mean missing: the rest are numbers") == 1
    clf = bf.NaiveBayes().fit_from(path, "y")
    assert "'n/a' in column 'b' is taken to mean missing" in repr(clf.source_)
    assert load(tmp_path / "t.bayes").model_.schema == clf.model_.schema
    assert clf.predict_from(path, tmp_path / "out.csv") == rows


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_classes_that_take_turns_are_all_seen(form, tmp_path):
    """Every fourth row of this table would be of one class."""
    path = written(table(8_000, lambda i, draw: ["no", "yes"][i % 2]), tmp_path, form)
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive")
    assert load(tmp_path / "t.bayes").model_.classes == ("no", "yes")


def test_a_class_that_the_sample_does_not_show(tmp_path):
    path = written(table(8_000, lambda i, draw: "yes" if i == 7_001 else "no"), tmp_path, "parquet")
    call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive")
    assert load(tmp_path / "t.bayes").model_.classes == ("no", "yes")
    for rows in SIZES:
        path = written(table(rows, lambda i, draw: "no"), tmp_path, "parquet")
        said = call(tmp_path, "fit", path.name, "-t", "y", "-m", "naive", code=1).stderr
        assert "the target 'y' is 'no' in every row" in said


def some_rows(places=None):
    frame = Frame.of({"a": ["u", "v", "w", "x"]})
    weight, group = np.array([1.0, 0.0, 2.0, 0.0]), np.array([5, 6, 7, 8])
    return Rows(frame, code([*"pqpq"]), weight, 3, places, group)


@pytest.mark.parametrize("places", [None, np.array([0, 2, 5, 9])])
def test_rows_keep_what_is_theirs(places):
    rows = some_rows(places)
    kept = rows.heavy()
    at = [0, 2] if places is None else [0, 5]
    assert [kept.frame.coded("a").levels[i] for i in kept.frame.coded("a").index] == ["u", "w"]
    assert [kept.labels.levels[i] for i in kept.labels.index] == ["p", "p"]
    assert kept.weight.tolist() == [1.0, 2.0]
    assert kept.group.tolist() == [5, 7]
    assert kept.places.tolist() == at
    assert [kept.place(row) for row in (0, 1)] == at
    assert kept.unlabelled == 3
    assert kept.heavy() is kept, "where all weigh something"
    assert rows.place(3) == (3 if places is None else 9)
    plain = Rows(rows.frame, rows.labels, None, 0, places)
    assert plain.heavy() is plain
    last = plain.take(np.array([3]))
    assert (last.weight, last.group, last.places.tolist()) == (None, None, [3 if places is None else 9])


def test_rows_of_no_group_are_refused_where_they_stand():
    class Table:
        def place(self, row):
            return f"t.csv, line {row + 2}"

    column = pa.chunked_array([["p1", "p2", None, "p1", "", "p2"]])
    rows = with_labels(Frame.of({"a": [*"abcdef"]}), code(["x", None, None, "y", None, "x"]), None)
    assert with_groups(rows, column, "patient", Table()).group.tolist() == [0, 0, 1]
    whole = Rows(Frame.of({"a": [*"abcdef"]}), code([*"xyxyxy"]), None)
    with pytest.raises(ValueError, match=r"t.csv, line 4: column 'patient' is empty here, and every row is of some"):
        with_groups(whole, column, "patient", Table())
    days = pa.chunked_array([pa.array([0, 1, 0], pa.date32())])
    three = Rows(Frame.of({"a": [*"abc"]}), code([*"xyx"]), None)
    assert with_groups(three, days, "day", Table()).group.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1.0, None, -1.0], "row 1!: column 'w' is missing here; weights must be finite and at least 0"),
        ([0.0, -2.5, np.inf], "row 1!: column 'w' is -2.5 here"),
        ([0.0, 1.0, np.inf], "row 2!: column 'w' is inf here"),
        (["1", "", "heavy"], "row 2!: column 'w' is 'heavy' here; weights must be numbers"),
    ],
)
def test_weights_that_are_none_are_named_where_they_stand(weights, said):
    class Table:
        def place(self, row):
            return f"row {row}!"

    with pytest.raises(ValueError, match=said):
        weights_of(pa.chunked_array([weights]), "w", Table())
    assert weights_of(pa.chunked_array([[0.0, 2.5, 1.0]]), "w", Table()).tolist() == [0.0, 2.5, 1.0]


def test_errors_that_are_about_no_row_stay_as_they_are():
    class Table:
        def place(self, row):
            return f"t.csv, line {row + 2}"

    rows = with_labels(Frame.of({"a": [*"abc"]}), code([None, "x", "y"]), None)
    with pytest.raises(ValueError, match=r"^t.csv, line 4: this row has the class 'x'$"), located(Table(), rows):
        raise ValueError("row 1 has the class 'x'")
    with pytest.raises(ValueError, match=r"^t.csv, line 3: this row is odd$"), located(Table()):
        raise ValueError("row 1 is odd")
    with pytest.raises(ValueError, match=r"^there is no row 1$"), located(Table(), rows):
        raise ValueError("there is no row 1")


def test_labels_that_are_blank_or_mean_nothing_are_missing():
    found = labels_of(pa.chunked_array([["a", " ", "?", "", "b", None]]), "y", frozenset("?"))
    assert found.index.tolist() == [0, -1, -1, -1, 1, -1]
    assert [*found.levels] == ["a", "b"]
    for kind in (pa.date32(), pa.timestamp("s"), pa.time32("s"), pa.duration("s")):
        with pytest.raises(ValueError, match="the target 'y' holds dates or times; a class is a word, a truth value"):
            labels_of(pa.chunked_array([pa.array([0], kind)]), "y")

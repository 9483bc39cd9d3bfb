"""Answers appended to the rows of a source: what is written, in which form, and what is refused."""

import gzip
import io
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pytest
from tests.io.engines.tables import FORMS, mixed

import bayesfold as bf

FEATURES = ["colour", "zip", "size", "age"]


@pytest.fixture(scope="module")
def table():
    return mixed(2_000)


@pytest.fixture(scope="module")
def model(table):
    return bf.NaiveBayes().fit_from(table, "y", columns=FEATURES)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_table_gets_the_same_answers(form, table, model, tmp_path):
    out = io.BytesIO()
    assert model.predict_from(FORMS[form](table, tmp_path / f"t.{form}"), out) == 2_000
    found = pd.read_csv(io.BytesIO(out.getvalue()), dtype={"zip": str}, keep_default_na=False)
    X = table.select(FEATURES)
    assert found.columns.tolist() == [*table.column_names, "predicted", *(f"P({c})" for c in model.classes_)]
    assert found.predicted.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(found.iloc[:, -4:], model.predict_proba(X), rtol=1e-12)
    assert found.zip.tolist() == table.column("zip").to_pylist()
    assert found.colour.tolist() == [c or "" for c in table.column("colour").to_pylist()]


def test_text_is_kept_as_it_is_written(tmp_path):
    text = 'id,mass,coat,pet\n007,1.50,"a, b",\n08, 2e0 ,"say ""x""",\n,,"two\nlines",\n'
    (tmp_path / "new.csv").write_text(text)
    clf = bf.NaiveBayes().fit({"mass": [1.0, 2.0, 3.0], "coat": ["a, b", "c", "c"]}, ["u", "v", "v"])
    assert clf.predict_from(tmp_path / "new.csv", tmp_path / "out.csv") == 3
    lines = (tmp_path / "out.csv").read_text().replace("two\nlines", "two lines").splitlines()
    assert lines[0] == "id,mass,coat,pet,predicted,P(u),P(v)"
    assert [line.rpartition(",u,")[0] or line.rpartition(",v,")[0] for line in lines[1:]] == [
        '007,1.50,"a, b",',
        '08, 2e0 ,"say ""x""",',
        ',,"two lines",',
    ]


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.csv.gz", "out.parquet", "out.arrow"])
def test_every_kind_of_file_is_written(name, table, model, tmp_path):
    out = tmp_path / name
    model.predict_from(table, out)
    if name == "out.parquet":
        found = pq.read_table(out)
    elif name == "out.arrow":
        found = ipc.open_file(out).read_all()
    else:
        data = gzip.decompress(out.read_bytes()) if name.endswith(".gz") else out.read_bytes()
        separator = "\t" if ".tsv" in name else ","
        found = pa.Table.from_pandas(pd.read_csv(io.BytesIO(data), sep=separator, dtype={"zip": str}))
    assert found.column("predicted").to_pylist() == model.predict(table.select(FEATURES)).tolist()
    assert found.column("age").to_pylist() == table.column("age").to_pylist()
    assert os.listdir(tmp_path) == [name]


def test_costs_add_the_risk_and_rejects():
    X = {"a": [0.0, 0.2, 1.0, 5.0, 4.5, 3.0] * 5}
    clf = bf.NaiveBayes(numeric="gaussian", loss=[[0, 5], [1, 0]], reject_cost=0.3, reject_label=-1).fit(
        X, [0, 0, 0, 1, 1, 1] * 5
    )
    out = io.BytesIO()
    clf.predict_from(pa.table({"a": [0.0, 2.0, 2.5, 5.0]}), out)
    found = pd.read_csv(io.BytesIO(out.getvalue()))
    assert found.predicted.tolist() == clf.predict({"a": [0.0, 2.0, 2.5, 5.0]}).tolist()
    assert found.risk[found.predicted == -1].tolist() == [0.3] * (found.predicted == -1).sum()
    p = clf.predict_proba({"a": [0.0]})
    np.testing.assert_allclose(found.risk[0], min(5 * p[0, 1], p[0, 0]), rtol=1e-9)


def test_truth_values_and_numbers_as_categories_are_read_from_text(tmp_path):
    X = pd.DataFrame({"smoker": [True, False] * 20, "rooms": [1, 2, 2, 3] * 10})
    y = (["p", "q", "q", "p"] * 10)[:40]
    clf = bf.NaiveBayes(families={"rooms": "categorical"}).fit(X, y)
    X.assign(smoker=X.smoker.map({True: "TRUE", False: "false"})).to_csv(tmp_path / "t.csv", index=False)
    clf.predict_from(tmp_path / "t.csv", tmp_path / "out.parquet")
    np.testing.assert_allclose(pq.read_table(tmp_path / "out.parquet").column("P(p)"), clf.predict_proba(X)[:, 0])


def test_what_is_wrong_is_said_and_no_file_is_left(tmp_path, model, table):
    (tmp_path / "short.csv").write_text("colour,zip,size\na,b,1\n")
    with pytest.raises(ValueError, match="has no column 'age'"):
        model.predict_from(tmp_path / "short.csv", tmp_path / "out.csv")
    (tmp_path / "odd.csv").write_text("colour,zip,size,age\na,b,1,3\na,b,tall,3\n")
    with pytest.raises(
        ValueError, match=r"odd\.csv, line 3: column 'size' is a number to this model, but here it is 'tall'"
    ):
        model.predict_from(tmp_path / "odd.csv", tmp_path / "out.csv")
    with pytest.raises(ValueError, match="already has a column 'predicted'"):
        model.predict_from(table.append_column("predicted", table.column("y")), tmp_path / "out.csv")
    with pytest.raises(ValueError, match=r"'out.xlsx' does not say what kind of file to write"):
        model.predict_from(table, tmp_path / "out.xlsx")
    (tmp_path / "out.csv").write_text("old")

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.predict_from(table, tmp_path / "out.csv", progress=interrupt)
    assert (tmp_path / "out.csv").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["odd.csv", "out.csv", "short.csv"]


def test_a_source_without_rows_gives_a_header(tmp_path, model):
    (tmp_path / "none.csv").write_text("colour,zip,size,age\n")
    assert model.predict_from(tmp_path / "none.csv", tmp_path / "out.csv") == 0
    assert (tmp_path / "out.csv").read_text().startswith("colour,zip,size,age,predicted,P(maybe)")


@pytest.mark.slow
def test_through_pipes(tmp_path, table):
    path = FORMS["csv"](table, tmp_path / "t.csv")
    program = f"""
import bayesfold as bf
bf.NaiveBayes().fit_from({str(path)!r}, "y", columns={FEATURES!r}).predict_from("-", "-")
"""
    done = subprocess.run([sys.executable, "-c", program], input=path.read_bytes(), check=True, stdout=subprocess.PIPE)
    found = pd.read_csv(io.BytesIO(done.stdout), dtype={"zip": str})
    assert len(found) == 2_000
    assert found.zip.tolist() == table.column("zip").to_pylist()


def test_a_column_that_a_source_lacks_may_be_unknown(tmp_path):
    X = pd.DataFrame({"a": [1.5, 2.5, 3.5, 9.5] * 5, "b": ["x", "y"] * 10, "c": [True, False] * 10})
    clf = bf.NaiveBayes().fit(X, ["no", "yes"] * 10)
    for lacking in ("a", "b", "c"):
        some = X.drop(columns=lacking)
        with pytest.raises(ValueError, match=f"no column '{lacking}'"):
            clf.predict_from(pa.Table.from_pandas(some), tmp_path / "out.parquet")
        some.to_csv(tmp_path / "some.csv", index=False)
        expected = clf.predict_proba(X.assign(**{lacking: None}))
        for source in (pa.Table.from_pandas(some), tmp_path / "some.csv"):
            clf.predict_from(source, tmp_path / "out.parquet", missing_columns="unknown")
            out = pq.read_table(tmp_path / "out.parquet")
            assert lacking not in out.column_names
            np.testing.assert_allclose(out["P(yes)"].to_numpy(), expected[:, 1])
    with pytest.raises(ValueError, match="missing_columns='skip'"):
        clf.predict_from(X, tmp_path / "out.parquet", missing_columns="skip")


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_a_model_that_reads_no_column_answers_every_row(name, tmp_path):
    table = pd.DataFrame({"same": ["u"] * 6, "y": [*"abaaba"]})
    write = {"t.csv": table.to_csv, "t.parquet": table.to_parquet}
    if name == "t.jsonl":
        table.to_json(tmp_path / name, orient="records", lines=True)
    else:
        write[name](tmp_path / name, index=False)
    with pytest.warns(bf.ColumnWarning):
        clf = bf.NaiveBayes().fit(table[["same"]], table.y)
    assert clf.predict_from(tmp_path / name, tmp_path / "out.parquet") == 6
    found = pd.read_parquet(tmp_path / "out.parquet")
    np.testing.assert_allclose(found[["P(a)", "P(b)"]], clf.predict_proba(table[["same"]]), rtol=1e-12)


@pytest.mark.parametrize("label", ["only", 7, True], ids=repr)
@pytest.mark.parametrize("reject", [{}, {"reject_cost": 0.1, "reject_label": "?"}], ids=["decided", "rejecting"])
def test_a_model_of_one_class_answers_with_it(label, reject, tmp_path):
    clf = bf.NaiveBayes(**reject).fit({"a": [*"uvu"]}, [label] * 3)
    assert clf.predict_from(pa.table({"a": ["u", "v"]}), tmp_path / "out.parquet") == 2
    found = pq.read_table(tmp_path / "out.parquet").column("predicted")
    assert [str(value) for value in found.to_pylist()] == [str(label)] * 2

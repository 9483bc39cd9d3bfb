"""A mark of missing values beside numbers leaves them numbers, in memory as in files of text."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bayesfold as bf
from bayesfold.io.rows import RowWarning

ROWS = 80
NUMBERS = np.round(np.cos(np.arange(ROWS)) * 9, 1)
LABELS = np.where(NUMBERS + np.sin(np.arange(ROWS) * 5) > 0, "p", "q")
HOLES = np.arange(ROWS) % 11 == 3


def table(mark):
    """Numbers, some of which are the mark."""
    column = pd.Series([mark if hole else x for x, hole in zip(NUMBERS, HOLES, strict=True)], dtype=object)
    return pd.DataFrame({"dose": column, "other": np.arange(ROWS) % 3})


@pytest.mark.parametrize("missing", ["n/a", {"dose": "n/a"}, {0: ["?", "n/a"]}])
@pytest.mark.parametrize("make", [bf.NaiveBayes, bf.BayesClassifier, bf.KDB])
def test_numbers_beside_a_mark_are_numbers(make, missing, tmp_path):
    marked, plain = table("n/a"), table(None).astype({"dose": float})
    model, expected = make(missing=missing).fit(marked, LABELS), make().fit(plain, LABELS)
    assert [c.family for c in model.columns_] == [c.family for c in expected.columns_]
    np.testing.assert_array_equal(model.predict_proba(marked), expected.predict_proba(plain))
    np.testing.assert_array_equal(model.predict_proba(plain), expected.predict_proba(plain))
    alone = [model.predict_proba(row)[0] for row in marked.to_dict("records")]
    np.testing.assert_allclose(alone, expected.predict_proba(plain), atol=1e-12)
    model.partial_fit(marked[:9], LABELS[:9]).forget(marked[:9], LABELS[:9])
    np.testing.assert_allclose(model.predict_proba(marked), expected.predict_proba(plain), atol=1e-9)
    marked.assign(y=LABELS).to_csv(tmp_path / "t.csv", index=False)
    by_name = {"dose": "n/a"} if isinstance(missing, dict) else missing
    from_file = make(missing=by_name).fit_from(tmp_path / "t.csv", "y")
    np.testing.assert_allclose(from_file.predict_proba(plain), expected.predict_proba(plain), atol=1e-12)


def test_scores_of_rows_held_out_are_those_of_numbers():
    marked, plain = table("n/a"), table(None).astype({"dose": float})
    marked_scores = bf.evaluate(bf.NaiveBayes(missing="n/a"), marked, LABELS)
    assert repr(marked_scores) == repr(bf.evaluate(bf.NaiveBayes(), plain, LABELS))


def test_what_is_declared_or_another_text_stays_categories():
    model = bf.NaiveBayes(missing="n/a", families={"dose": "categorical"}).fit(table("n/a"), LABELS)
    assert model.columns_[0].family == "categorical"
    several = table("n/a")
    several.loc[0, "dose"] = "high"
    assert bf.NaiveBayes(missing="n/a").fit(several, LABELS).columns_[0].family == "categorical"


MARKED = np.array([-999.0, 1.5, 2.5, -999.0, 3.25, 1.0, 0.5, 2.0, 4.5, -999.0])
"""Numbers among which -999 means missing."""
DOORS = {
    "numpy": lambda x, y, path: (np.c_[x], y),
    "pandas": lambda x, y, path: (pd.DataFrame({"x": x}), y),
    "objects": lambda x, y, path: (pd.DataFrame({"x": pd.Series(list(x), dtype=object)}), y),
    "integers": lambda x, y, path: (pd.DataFrame({"x": x.astype(int)}), y),
    "polars": lambda x, y, path: (pl.DataFrame({"x": x}), y),
    "Arrow": lambda x, y, path: (pa.table({"x": x}), y),
    "dicts": lambda x, y, path: ([{"x": float(v)} for v in x], y),
    "text": lambda x, y, path: ({"x": [f"{v:.2f}" for v in x]}, y),
}


@pytest.mark.parametrize("mark", ["-999", "-999.0", " -999.00", "-9.99e2", -999, -999.0, np.int64(-999)])
@pytest.mark.parametrize("door", sorted(DOORS))
def test_a_mark_that_is_a_number_marks_that_number_however_it_is_written(door, mark, tmp_path):
    """missing={"x": "-999"} said nothing and marked nothing, unless a file of text had the very same characters."""
    y = ["p", "q"] * 5
    x = MARKED.astype(int).astype(float) if door == "integers" else MARKED
    table, labels = DOORS[door](x, y, tmp_path)
    model = bf.NaiveBayes(families={0: "gaussian"}, missing={0: mark}).fit(table, labels)
    wanted = bf.NaiveBayes(families={0: "gaussian"}, missing={0: -999}).fit(np.c_[x], y)
    probe = np.c_[[-999.0, 1.0, 3.0]]
    name = model.columns_[0].name
    assert np.array_equal(model.predict_proba({name: probe[:, 0]}), wanted.predict_proba(probe))
    assert model.predict_proba({name: probe[0, 0]}).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("mark", ["-999", "-999.0"])
def test_files_of_all_kinds_are_read_so(ending, mark, tmp_path):
    path, y = tmp_path / f"t.{ending}", ["p", "q"] * 5
    table = pa.table({"x": MARKED, "y": y})
    if ending == "csv":
        path.write_text("x,y\n" + "\n".join(f"{v:.2f},{c}" for v, c in zip(MARKED, y, strict=True)) + "\n")
    elif ending == "parquet":
        pq.write_table(table, path)
    else:
        path.write_text("\n".join(map(json.dumps, table.to_pylist())) + "\n")
    model = bf.NaiveBayes(families={"x": "gaussian"}, missing={"x": mark}).fit_from(path, target="y")
    wanted = bf.NaiveBayes(families={"x": "gaussian"}, missing={"x": -999}).fit({"x": MARKED}, y)
    assert np.array_equal(model.predict_proba({"x": [1.0, -999.0]}), wanted.predict_proba({"x": [1.0, -999.0]}))


def test_a_class_that_is_named_as_a_mark_is_unknown_however_it_is_written(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "a,1\nb,2\na,9\nb,1\n" * 5)
    with pytest.warns(RowWarning, match="5 rows without a class put aside"):
        model = bf.NaiveBayes(missing={"y": "9"}).fit_from(tmp_path / "t.csv", target="y")
    assert model.classes_.tolist() == [1, 2]


def test_truth_values_are_not_marked_by_a_digit():
    table = {"x": [True, False, True, True] * 5}
    marked = bf.NaiveBayes(missing="1").fit(table, ["p", "q", "p", "q"] * 5)
    assert marked.schema_.features[0].levels == (False, True)

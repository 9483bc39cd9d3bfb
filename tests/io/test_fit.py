"""Learning from tables of any size: what is chosen on a sample, what is counted, what is refused and how it is said."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.io.engines.tables import FORMS, csv, mixed

import bayesfold as bf
from bayesfold.data.tables import frame
from bayesfold.io import count as count_from
from bayesfold.io import sample as sampled
from bayesfold.io import speculative
from bayesfold.io.fit import learn_from
from bayesfold.learning.kinds import find, names

FEATURES = ["colour", "zip", "size", "age"]


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(sampled, "MOST_ROWS", 2_000)


@pytest.mark.parametrize(
    ("kind", "form"), [*((kind, "csv") for kind in names()), ("naive", "parquet"), ("tan", "reader")]
)
def test_a_source_that_fits_in_the_sample_gives_what_fit_gives(kind, form, tmp_path):
    table = mixed(100 if kind == "bayes" else 300)  # it tries every other kind
    features = ["colour", "size", "age"]
    trained, account = learn_from(find(kind)(), FORMS[form](table, tmp_path / "table"), "y", columns=features)
    assert account.whole
    clf = getattr(bf, find(kind).estimator)()
    X = table.select(features)
    clf.fit(X, table.column("y"))
    np.testing.assert_array_equal(trained.model_.tally.counts, clf.model_.tally.counts)
    np.testing.assert_array_equal(trained.model_.tally.sums, clf.model_.tally.sums)
    assert trained.model_.schema == clf.schema_
    assert trained.columns == clf.columns_ or form == "csv"  # whole numbers and text have no other names
    batch = trained.model_.schema.encode(frame(X))
    np.testing.assert_array_equal(trained.model_.log_proba(batch), clf.predict_log_proba(X))


def test_estimators_learn_from_files_and_answer_into_files(tmp_path):
    table = mixed(600)
    path = csv(table, tmp_path / "table.csv")
    clf = bf.NaiveBayes().fit_from(path, target="y", columns=FEATURES)
    whole = bf.NaiveBayes().fit(table.select(FEATURES), table.column("y"))
    assert clf.classes_.tolist() == whole.classes_.tolist()
    assert clf.feature_names_in_.tolist() == FEATURES
    assert repr(clf.source_) == f"{path}: 600 rows, read by csv"
    out = tmp_path / "out.parquet"
    assert clf.predict_from(path, out) == 600
    answers = pq.read_table(out)
    np.testing.assert_array_equal(
        answers.column("P(yes)"), np.exp(whole.predict_log_proba(table.select(FEATURES))[:, 3])
    )
    assert answers.column("predicted").to_pylist() == whole.predict(table.select(FEATURES)).tolist()


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", "MultinomialNB", "BernoulliNB", "ComplementNB"])
def test_drop_ins_learn_from_files(name, tmp_path):
    draw = np.random.default_rng(3)
    rows = 140_000
    y = np.sort(draw.integers(0, 3, rows))  # the first block does not show every class
    columns = {f"x{j}": draw.poisson(1 + (y == j)) for j in range(3)}
    columns["x0"][-1] = 30
    table = pa.table({**columns, "y": y})
    pq.write_table(table, tmp_path / "t.parquet")
    clf = getattr(bf, name)().fit_from(tmp_path / "t.parquet", "y")
    X = np.column_stack([columns[f"x{j}"] for j in range(3)])
    whole = getattr(bf, name)().fit(pd.DataFrame(columns), y)
    assert clf.classes_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(
        clf.predict_proba(pd.DataFrame(columns)), whole.predict_proba(pd.DataFrame(columns)), rtol=1e-9
    )
    assert clf.predict_from(tmp_path / "t.parquet", tmp_path / "out.csv") == len(X)


def test_a_sample_of_a_sorted_file_comes_from_all_of_it(small_sample, tmp_path):
    table = mixed(60_000)  # sorted by `when`
    for form in ("csv", "packed", "parquet", "reader", "relation"):
        with bf_source(FORMS[form](table, tmp_path / form)) as source:
            look = source.look(("when",), 2_000, {}, {})
        when = np.sort(look.table.column("when").to_numpy())
        assert 1_000 <= len(when) <= 2_000
        assert np.abs(when - np.linspace(0, 1, len(when))).max() < 0.05, form


def bf_source(what):
    from bayesfold.io.open import open_source

    return open_source(what)


def test_what_was_learned_block_by_block_is_forgotten_as_if_it_had_been_learned_at_once(small_sample, tmp_path):
    table = mixed(4_000).drop_columns(["zip", "when", "weight"])
    clf = bf.NaiveBayes().fit_from(csv(table, tmp_path / "table.csv"), target="y")
    rest, gone = (table.slice(a, n) for a, n in ((0, 3_500), (3_500, 500)))
    clf.forget(gone.drop_columns(["y"]), gone.column("y"))
    fewer = clf.blank().partial_fit(rest.drop_columns(["y"]), rest.column("y"))
    np.testing.assert_array_equal(clf.model_.tally.counts, fewer.model_.tally.counts)


def test_the_account_says_what_was_chosen_on_a_sample(small_sample):
    _, account = learn_from(find("naive")(), mixed(5_000), "y", columns=FEATURES)
    assert repr(account).startswith(
        "the table: 5,000 rows, read by arrow; kinds of columns, densities, cuts, structure"
    )
    assert not account.whole


def test_a_column_that_turns_out_to_be_an_identifier_is_left_out(small_sample, monkeypatch):
    monkeypatch.setattr(count_from, "MOST_LEVELS", 3_000)
    monkeypatch.setattr(speculative, "FEW_LEVELS", 1_000)
    rows = 8_000
    draw = np.random.default_rng(0)
    user = [f"u{i}" if new else "guest" for i, new in enumerate(draw.random(rows) < 0.5)]
    table = pa.table({"user": user, "size": draw.normal(size=rows), "y": ["a", "b"] * (rows // 2)})
    with pytest.warns(bf.ColumnWarning, match="'user' .*more than 3,000 values"):
        clf = bf.NaiveBayes().fit_from(table, "y")
    assert "user" not in clf.schema_.sources
    kept = bf.NaiveBayes(families={"user": "categorical"}).fit_from(table, "y")
    assert len(kept.schema_.columns["user"].levels) > 3_000


def test_progress_is_told_and_ends_at_all_rows(small_sample):
    seen = []
    learn_from(find("naive")(), mixed(140_000), "y", columns=FEATURES, watcher=seen.append)
    assert [p.rows for p in seen] == [65_536, 131_072, 140_000]
    assert seen[-1].share == 1.0
    assert seen[-1].left == 0.0


# what is refused


def refused(text, tmp_path, match, name="t.csv", kind="naive", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=match):
        learn_from(find(kind)(**options.pop("settings", {})), path, **{"target": "y", **options})


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "t.csv is empty; its first line must name the columns"),
        ("a,y\n", "t.csv has no rows below its first line"),
        ("a,a,y\n1,2,p\n", r"several columns named 'a' \(columns 1, 2\); rename them"),
        ("a,y\n1,p\n2\n", "t.csv, line 3: the row has 1 field, but the first line names 2 columns"),
        (
            "a,y\n1,p\n2,q,r\n",
            "line 3: the row has 3 fields, but the first line names 2 columns; if that line is a title and no names",
        ),
        (b"a,y\n\xc3\xa9,p\n\xe9,q\n", "t.csv, line 3: byte 0xe9 is not UTF-8 text; mend it, or say how all of"),
        (b"\xc3\xa9,\xe9,y\n1,2,p\n", "t.csv, line 1: byte 0xe9 is not UTF-8"),
        (b"a,y\n\xe9,p\n\x81,q\n", "t.csv, line 3: byte 0x81 is not Windows-1252 .* for example 'cp850'"),
        ("a,y\n1,\n2,\n", "t.csv: no row has a class in column 'y'"),
        ("y\np\n", "t.csv has no column besides 'y'"),
        ("a,label\n1,p\n", "t.csv has no column 'y'; it has 'a', 'label'"),
        ("a,y\n1,0.5\n2,1.5\n", "labels are classes; round or bin"),
        ('a,y\nx,p\n"x,p\nz,q\n', "t.csv, line 3: a quote is opened and never closed"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(text, match, tmp_path):
    refused(text, tmp_path, match)


def test_a_target_that_is_misspelt_gets_a_hint(tmp_path):
    refused("mass,outcome\n1,p\n", tmp_path, "no column 'Outcome'; did you mean 'outcome'?", target="Outcome")


def test_weights_are_checked_by_line(tmp_path):
    refused("a,w,y\n1,2,p\n2,-1,q\n", tmp_path, "line 3: column 'w' is -1.0 here; weights", weight="w")


def test_a_text_among_numbers_beyond_the_sample_is_named_by_its_line(small_sample, tmp_path):
    lines = [f"{i * 7 % 101},{'pq'[i % 2]}" for i in range(30_000)]
    lines[29_001] = "n/a,p"
    message = (
        "line 29003: column 'a' holds numbers, but here it is 'n/a'; if that marks a missing value, name it in missing="
    )
    refused("a,y\n" + "\n".join(lines), tmp_path, message)
    path = tmp_path / "t.csv"
    assert learn_from(find("naive")(missing="n/a"), path, "y")[1].rows == 30_000
    trained, _ = learn_from(find("naive")(), path, "y", columns={"a": "text"})
    assert trained.columns[0].family == "categorical"


def test_numbers_that_are_whole_in_the_sample_may_be_broken_later(small_sample, tmp_path):
    lines = [f"{i * 7 % 1001},{'pq'[i % 2]}" for i in range(30_000)]
    lines[29_001] = "29999.7,p"
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "\n".join(lines))
    trained, account = learn_from(find("naive")(numeric="gaussian"), path, "y")
    assert account.rows == 30_000
    table = pd.read_csv(path)
    whole = bf.NaiveBayes(numeric="gaussian").fit(table[["a"]], table.y)
    np.testing.assert_array_equal(trained.model_.tally.sums, whole.model_.tally.sums)


def test_infinity_is_refused_with_the_place(small_sample, tmp_path):
    table = mixed(80_000)
    size = table.column("size").to_numpy().copy()
    size[70_001] = np.inf
    table = table.set_column(2, "size", pa.array(size))
    with pytest.raises(ValueError, match="the table, row 70,002: column 'size' is infinite here"):
        learn_from(find("naive")(), table, "y", columns=FEATURES)


def test_rows_without_labels_need_the_rows_in_memory(small_sample, tmp_path):
    table = mixed(4_000)
    y = table.column("y").to_pylist()
    y[:100] = [None] * 100
    table = table.set_column(6, "y", pa.array(y))
    few, _ = learn_from(find("naive")(unlabelled="em"), table.slice(0, 1_500), "y", columns=FEATURES)
    assert few.unlabelled is not None
    with pytest.raises(ValueError, match="leave unlabelled= out"):
        learn_from(find("naive")(unlabelled="em"), table, "y", columns=FEATURES)


def test_after_an_error_a_classifier_is_what_it_was(tmp_path):
    clf = bf.NaiveBayes().fit_from(mixed(100), "y", columns=FEATURES)
    before = dict(vars(clf))
    (tmp_path / "t.csv").write_text("a,y\n1\n")
    with pytest.raises(ValueError, match="line 2"):
        clf.fit_from(tmp_path / "t.csv", "y")
    assert vars(clf) == before


# text tables as people have them


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ('﻿城市,y\r\n北京,p\r\n"上海",q\r\n'.encode(), ["上海", "北京"]),
        ("城市;y\n北京;p\n上海;q\n".encode(), ["上海", "北京"]),
        ('城市,y\n"a\nb",p\n"c ""d""",q'.encode(), ["a\nb", 'c "d"']),
        ("城市,y\n007,p\n08,q\n\n".encode(), ["007", "08"]),
        ("城市,y\n😀,p\n,q\ntrue,p\n".encode(), ["true", "😀"]),
        ('城市,y\n5" pipe,p\npipe,q\n'.encode(), ['5" pipe', "pipe"]),
    ],
)
def test_text_tables_of_every_make(text, levels, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(text)
    trained, _ = learn_from(find("naive")(families={"城市": "categorical"}), path, "y")
    assert list(trained.model_.schema.columns["城市"].levels) == levels
    assert trained.names == ("城市",)


def test_columns_without_a_name_are_called_by_their_place(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",a,y\n0,1.5,p\n1,2.5,q\n2,1.0,p\n")
    assert learn_from(find("naive")(), path, "y")[0].names == ("column 1", "a")


def test_numbers_as_text_and_markers_by_column(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in [("?", 1, 0), (3, "-", 1), (4.5, 2, 0)] * 20))
    missing = {"a": "?", "b": ["-", 2]}
    trained, _ = learn_from(find("naive")(missing=missing, numeric="gaussian"), path, "y")
    assert [c.family for c in trained.columns] == ["gaussian", "gaussian"]
    assert trained.model_.tally.counts.sum() == 60 + 40 + 20
    assert trained.classes_.dtype == np.int64


@pytest.mark.slow
def test_five_thousand_columns(tmp_path):
    draw = np.random.default_rng(0)
    names_ = [f"c{j}" for j in range(5_000)]
    path = tmp_path / "wide.csv"
    rows = draw.integers(0, 3, (60, 5_000))
    path.write_text(
        "\n".join([",".join([*names_, "y"]), *(",".join(map(str, [*r, i % 2])) for i, r in enumerate(rows))])
    )
    trained, account = learn_from(find("naive")(numeric="gaussian"), path, "y")
    assert len(trained.names) == 5_000
    assert account.rows == 60


def test_a_field_longer_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesfold.io.csv.row_index.AT_ONCE", 1_000)
    path = tmp_path / "long.csv"
    rows = [f"{i % 3},{'x' * 50_000 if i == 700 else 'z'},{'pq'[i % 2]}" for i in range(1_000)]
    path.write_text("\n".join(["a,b,y", *rows]))
    trained, account = learn_from(find("naive")(families={"b": "categorical"}), path, "y")
    assert account.rows == trained.rows == 1_000
    assert [len(level) for level in trained.model_.schema.columns["b"].levels] == [50_000, 1]


def test_one_row(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,y\n1,p\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = bf.NaiveBayes().fit_from(path, "y")
    assert clf.classes_.tolist() == ["p"]


def test_neither_scikit_learn_nor_pandas_is_imported(tmp_path):
    for form in ("csv", "parquet"):
        whole = pa.array([None, *range(299)])  # whole numbers of which some are missing
        path = FORMS[form](mixed(300).append_column("whole", whole), tmp_path / f"t.{form}")
        program = f"""
import sys
from bayesfold.learning.kinds import find
from bayesfold.io.fit import learn_from
from bayesfold.io.predict import predict_from
trained, _ = learn_from(find("naive")(), {str(path)!r}, "y")
predict_from(trained, {str(path)!r}, {str(tmp_path / "out.csv")!r})
print(*(m for m in ("sklearn", "pandas", "scipy.stats") if m in sys.modules))
"""
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True, env=os.environ
        )
        assert done.stdout.strip() == "", form

"""One value in several spellings: learned from a file of one kind, asked, updated, merged and judged with another."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.process import call
from tests.store.export.answers import ask_node

import bayesfold as bf
from bayesfold.data.encodings import Categories
from bayesfold.data.spelling import spell

DRAW = np.random.default_rng(4)
TRUE = DRAW.random(80) < 0.5
GRADE = (DRAW.integers(0, 3, 80) + TRUE).tolist()
LABELS = np.array([*"np"])[(TRUE ^ (DRAW.random(80) < 0.2)).astype(int)].tolist()
SPELLINGS = {
    "truth": [bool(t) for t in TRUE],
    "True": [str(t) for t in TRUE],
    "true": [str(t).lower() for t in TRUE],
    "TRUE": [str(t).upper() for t in TRUE],
}
NUMBERS = {"int": GRADE, "float": [float(g) for g in GRADE], "8": [str(g) for g in GRADE]}


@pytest.mark.parametrize(
    "make", [bf.NaiveBayes, bf.AODE, bf.GaussianBayes, bf.BayesClassifier], ids=lambda m: m.__name__
)
@pytest.mark.parametrize("spellings", [SPELLINGS, NUMBERS], ids=["truth values", "numbers"])
def test_a_value_means_the_same_however_it_is_spelled(make, spellings):
    for own in spellings.values():
        clf = make(families={"x": "categorical"}).fit({"x": own}, LABELS)
        answers = clf.predict_proba({"x": own})
        for other in spellings.values():
            np.testing.assert_allclose(clf.predict_proba({"x": other}), answers, atol=1e-12)
            np.testing.assert_allclose(clf.predict_proba({"x": other[0]})[0], answers[0], atol=1e-12)


@pytest.mark.parametrize("spellings", [SPELLINGS, NUMBERS], ids=["truth values", "numbers"])
def test_javascript_reads_spellings_as_python_does(spellings):
    for own in spellings.values():
        clf = bf.NaiveBayes(families={"x": "categorical"}).fit({"x": own}, LABELS)
        for other in spellings.values():
            said = ask_node(clf, [{"x": other[0]}])["proba"]
            np.testing.assert_allclose(said, clf.predict_proba({"x": own[0]}), atol=1e-12)


@pytest.mark.parametrize("spellings", [SPELLINGS, NUMBERS], ids=["truth values", "numbers"])
def test_rows_in_another_spelling_bring_no_new_levels_and_can_be_forgotten_and_merged(spellings):
    for own in spellings.values():
        for other in spellings.values():
            clf = bf.NaiveBayes(families={"x": "categorical"}).fit({"x": own}, own)
            levels, classes = clf.schema_.features[0].levels, clf.classes_.tolist()
            both = clf + bf.NaiveBayes(families={"x": "categorical"}).fit({"x": other}, other)
            assert both.schema_.features[0].levels == levels
            clf.partial_fit({"x": other}, other)
            assert (clf.schema_.features[0].levels, clf.classes_.tolist()) == (levels, classes)
            np.testing.assert_array_equal(clf.model_.tally.counts, both.model_.tally.counts)
            clf.partial_fit({"x": other[0]}, other[0])
            clf.forget({"x": [other[0], *other]}, [other[0], *other])
            assert clf.model_.class_counts().sum() == len(own)


def test_values_that_were_told_apart_stay_so():
    clf = bf.NaiveBayes().fit({"x": [1, "1", 1, "1"] * 5}, [*"abab"] * 5)
    assert set(clf.schema_.features[0].levels) == {1, "1"}
    assert clf.predict([{"x": 1}, {"x": "1"}]).tolist() == ["a", "b"]


def test_two_levels_that_another_model_takes_for_one_are_refused_and_not_lost():
    mine = bf.NaiveBayes(families={"x": "categorical"}).fit({"x": [1, 2, 1, 2]}, [*"abab"])
    other = bf.NaiveBayes(families={"x": "categorical"}).fit({"x": ["1", "1.0", "2", "2"]}, [*"abab"])
    with pytest.raises(ValueError, match=r"column 'x': '1', '1\.0' are one value to the other model"):
        mine + other


@given(st.lists(st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3) | st.none(), max_size=6))
def test_levels_that_a_column_has_are_never_spelled_otherwise(levels):
    column = Categories("x", tuple(dict.fromkeys(levels)))
    assert [column.spelled(level) for level in column.levels] == list(column.levels)
    for level in ("true", True, 1, "1", 1.5, "x", None):
        grown = column.grow([level])
        assert grown.knows(level)
        assert grown.grow([level]) is grown


def test_numbers_join_text_as_text_where_all_of_it_says_numbers():
    assert [spell(9, ("1", "2")), spell(9.0, ("1", None)), spell(9.5, ("1",)), spell(9, ("1", "x"))] == [
        "9",
        "9",
        "9.5",
        9,
    ]


def write(folder, kind, cells, labels):
    """A file of this kind with the same rows."""
    path = folder / f"t.{kind}"
    if kind == "parquet":
        pq.write_table(pa.table({"x": cells, "y": labels}), path)
    elif kind == "jsonl":
        rows = zip(cells, labels, strict=True)
        path.write_text("".join(json.dumps({"x": x, "y": y}) + "\n" for x, y in rows))
    else:
        path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in zip(cells, labels, strict=True)))
    return path.name


@pytest.mark.parametrize("learned", ["csv", "parquet"])
def test_truth_values_of_files_of_several_kinds_are_two_levels_and_two_classes(tmp_path, learned):
    flags, labels = SPELLINGS["truth"], [bool(t) for t in TRUE ^ (DRAW.random(80) < 0.2)]
    files = {kind: write(tmp_path, kind, flags, labels) for kind in ("csv", "parquet", "jsonl")}
    call(tmp_path, "fit", files[learned], "-t", "y", "-m", "naive", "-o", "m.bayes")
    judged = [json.loads(call(tmp_path, "evaluate", "m.bayes", f, "--json").stdout) for f in files.values()]
    assert judged[0]["scores"] == judged[1]["scores"] == judged[2]["scores"]
    for file in files.values():
        call(tmp_path, "update", "m.bayes", file, "-o", "more.bayes")
        more = bf.load(tmp_path / "more.bayes")
        assert len(more.classes_) == len(more.schema_.features[0].levels) == 2
        assert "ever learned" not in call(tmp_path, "predict", "m.bayes", file).stderr
        call(tmp_path, "evaluate", "m.bayes", file, "--leave-out")
        call(tmp_path, "fit", file, "-t", "y", "--like", "m.bayes", "-o", "like.bayes")
        call(tmp_path, "merge", "m.bayes", "like.bayes", "-o", "both.bayes")
        assert bf.load(tmp_path / "both.bayes").model_.class_counts().tolist() == more.model_.class_counts().tolist()


LONG = [2**60 + int(grade) for grade in GRADE]
"""Account numbers: whole numbers that are one float."""


@pytest.mark.parametrize("how", ["text", "rows"])
def test_long_whole_numbers_keep_every_digit(how):
    clf = bf.NaiveBayes(families={"x": "categorical"}).fit({"x": LONG}, LABELS)
    asked = {"x": [str(x) for x in LONG]} if how == "text" else [{"x": x} for x in LONG]
    np.testing.assert_array_equal(clf.predict_proba(asked), clf.predict_proba({"x": LONG}))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_long_whole_numbers_of_a_file_keep_every_digit(ending, tmp_path):
    clf = bf.NaiveBayes(families={"x": "categorical"}).fit({"x": LONG}, LABELS)
    clf.save(tmp_path / "m.bayes")
    pq.write_table(pa.table({"x": LONG}), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("x\n" + "".join(f"{x}\n" for x in LONG))
    call(tmp_path, "predict", "m.bayes", f"t.{ending}", "-o", "a.parquet")
    found = pq.read_table(tmp_path / "a.parquet").to_pandas()[[f"P({c})" for c in clf.classes_]]
    np.testing.assert_allclose(found, clf.predict_proba({"x": LONG}), rtol=1e-12)


@pytest.mark.parametrize("labels", [int, str])
def test_long_whole_numbers_are_classes_from_a_file(labels, tmp_path):
    clf = bf.NaiveBayes().fit({"x": LABELS}, LONG)
    clf.save(tmp_path / "m.bayes")
    lines = [f"{c},{x}\n" for c, x in zip(LABELS, LONG, strict=True)]
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(lines))
    pq.write_table(pa.table({"x": LABELS, "y": [labels(x) for x in LONG]}), tmp_path / "t.parquet")
    for file in ("t.csv", "t.parquet"):
        call(tmp_path, "update", "m.bayes", file, "-t", "y", "-o", "n.bayes")
        assert bf.load(tmp_path / "n.bayes").classes_.tolist() == sorted(set(LONG))
        judged = json.loads(call(tmp_path, "evaluate", "m.bayes", file, "-t", "y", "--json").stdout)
        assert judged["scores"]["m"]["accuracy"]["value"] == pytest.approx(clf.score({"x": LABELS}, LONG))


def test_a_column_that_floats_cannot_tell_apart_says_so():
    with pytest.warns(bf.ColumnWarning, match="columns left out: 'x'"):
        clf = bf.NaiveBayes().fit({"x": [2**60 + k for k in range(4)] * 20, "z": GRADE}, LABELS)
    why = {line.name: line.why for line in clf.columns_}["x"]
    assert "4 integers that are one number to 16 digits" in why
    assert "families={'x': 'categorical'}" in why


@pytest.mark.parametrize(
    ("level", "levels", "spelled"),
    [
        ("true", (True, None), True), ("true", (None, False), True), ("true", (True, 1), True),
        ("true", ("yes", True), "true"), (" True ", (True, False), True), ("on", (True, False), "on"),
        ("8", (4, None, 8.5), 8.0), ("8", (4, True), 8.0), ("8", (True, 4), 8.0), ("8", (None,), "8"), ("8", (), "8"),
        (True, ("TRUE", "FALSE"), "TRUE"), (True, ("x", "false"), "true"), (True, ("x", "y"), True),
        (8, ("4", None), "8"), (8.5, ("4", "5"), "8.5"), (8.0, ("4", "5"), "8"), (8, ("4.0", "8.0"), "8.0"),
        (8, ("4", "x"), 8), (8, (4.0, 5.0), 8), (None, ("a",), None), ("TRUE", ("true", "maybe"), "TRUE"),
        ("TRUE", ("true", None), "true"), ("a", ("b",), "a"), ("inf", (1.0, 2.0), "inf"),
    ],
)  # fmt: skip
def test_a_value_is_spelled_as_the_levels_are(level, levels, spelled):
    found = spell(level, levels)
    assert found == spelled
    assert type(found) is type(spelled)


@pytest.mark.parametrize(
    ("learned", "later", "levels"),
    [
        ([True, False] * 20, ["T", "false"] * 20, (False, True, "T")),
        ([True, False] * 20, ["unknown", "0"] * 20, (False, True, "unknown")),
        ([4, 8] * 20, ["V8", "8.0"] * 20, (4, 8, "V8")),
    ],
)
def test_a_column_that_learns_a_value_of_another_kind_still_knows_its_own_however_they_are_spelled(
    learned, later, levels
):
    clf = bf.NaiveBayes(families={"a": "categorical"}).fit({"a": learned}, ["p", "q"] * 20)
    clf.partial_fit({"a": later}, ["p", "q"] * 20)
    assert clf.schema_.columns["a"].levels == levels
    twice = clf.predict_proba({"a": [learned[1], later[1]]})
    np.testing.assert_array_equal(twice[0], twice[1])
    clf.forget({"a": later}, ["p", "q"] * 20)
    fresh = bf.NaiveBayes(families={"a": "categorical"}).fit({"a": learned}, ["p", "q"] * 20)
    np.testing.assert_allclose(clf.predict_proba({"a": learned}), fresh.predict_proba({"a": learned}))


def test_truth_values_among_numbers_are_the_numbers_that_they_equal_in_every_table(tmp_path):
    """True, 1 and 1.0 are equal, so they are one level; a text is the number or the truth value that it says."""
    assert [spell(text, (0, True, 2)) for text in ("true", "1", "2.0", "False", "x")] == [True, 1.0, 2.0, False, "x"]
    cells = [True, 0, 2, 1, False, 2.0]
    labels = ["p", "q", "r"] * 2
    column = np.empty(60, object)
    column[:] = cells * 10
    model = bf.NaiveBayes(families={"a": "categorical"}).fit({"a": column}, labels * 10)
    assert len(model.schema_.features[0].levels) == 3
    model.save(tmp_path / "m.bayes")
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps({"a": cell}) for cell in cells))
    (tmp_path / "t.csv").write_text("a\n" + "\n".join(str(float(cell)) for cell in cells))
    for own in (model, bf.load(tmp_path / "m.bayes")):
        assert own.predict({"a": column[:6]}).tolist() == labels
        assert [own.predict({"a": cell})[0] for cell in (*cells, "true", "0", "2")] == [*labels, "p", "q", "r"]
        for name in ("t.jsonl", "t.csv"):
            own.predict_from(tmp_path / name, tmp_path / "out.csv")
            lines = (tmp_path / "out.csv").read_text().splitlines()[1:]
            assert [line.split(",")[1] for line in lines] == labels


def test_digits_beside_numbers_stay_two_levels_in_whatever_order_they_are_learned():
    """After 2 and "2" were told apart, a "3" that came later was learned as the 3 that was there."""
    values = [1, "1", 2, "2", 3, "3"] * 12
    y = [*"pqpqqppq"] * 9
    column = {"x": np.array(values, object)}
    model = bf.NaiveBayes().fit(column, y)
    wanted = model.predict_proba(column)
    some = [i for i, value in enumerate(values) if value == "3"]
    part, labels = {"x": column["x"][some]}, [y[i] for i in some]
    model.forget(part, labels).partial_fit(part, labels)
    np.testing.assert_allclose(model.predict_proba(column), wanted, atol=1e-12)

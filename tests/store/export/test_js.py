"""The JavaScript scorer: how it reads values, what it refuses, and that its file runs in Node and in a page."""

import json
import subprocess

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.store import export

from .answers import ask_node, node

TABLE = {
    "constructor": ["a", "b", "a", "b", "?", "a"] * 4,
    "mass": [1.5, 2.5, -1.0, 4.0, 3.0, 0.5] * 4,
    "member": [True, False, True, True, None, False] * 4,
    "grade": [0, 1, 2, 1, 0, 2] * 4,
}
CLF = bf.NaiveBayes(
    numeric="gaussian", families={"grade": "categorical"}, missing={"constructor": "?", "mass": [-1, "unknown"]}
).fit(TABLE, [*"ppqpqq"] * 4)

ROWS = [
    {"mass": "2.5"},
    {"mass": " 1_0.5e-1 ", "member": True},
    {"mass": -1, "member": 1},
    {"mass": "unknown", "constructor": "?"},
    {"mass": "-1", "constructor": ""},
    {"mass": "nan", "grade": 1.0},
    {"constructor": "a", "grade": "1"},
    {"constructor": 1, "grade": True},
    {"member": 0, "grade": -0.0},
    {"member": "true", "grade": None},
    {"grade": "2.0"},
    {"grade": " 0 "},
    {"grade": "7"},
    {"grade": "many", "mass": " "},
    {"grade": "\uff11", "mass": "\uff12.\uff15"},
    {"grade": "\u0661", "mass": "-\U0001d7d9\U0001d7e2"},
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_value_is_read_as_python_reads_it(row):
    said = ask_node(CLF, [row])
    np.testing.assert_allclose(said["proba"], CLF.predict_proba(row), rtol=0, atol=1e-12)
    assert said["labels"] == CLF.predict(row).tolist()


@pytest.mark.parametrize("make", [bf.NaiveBayes, bf.GaussianBayes, bf.AODE], ids=lambda make: make.__name__)
def test_a_level_that_is_a_number_may_be_written_as_text(make):
    clf = make(families={"grade": "categorical"}).fit(TABLE, [*"ppqpqq"] * 4)
    number, text = clf.predict_proba([{"grade": 2}]), clf.predict_proba([{"grade": "2"}])
    assert not np.allclose(number, clf.predict_proba([{"grade": None}]))
    np.testing.assert_array_equal(text, number)
    np.testing.assert_allclose(clf.predict_proba({"grade": "2"}), number, rtol=1e-12)
    np.testing.assert_allclose(ask_node(clf, [{"grade": "2"}])["proba"], number, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"mass": "heavy"}, 'column "mass" is a number, but this row has "heavy"'),
        ({"mass": "inf"}, 'column "mass" is infinite in this row'),
        ({"Mass": 2.5}, 'this row has "Mass", and none of the columns of the model: "constructor", "mass"'),
    ],
    ids=str,
)
def test_what_python_refuses_is_refused(row, why):
    assert ask_node(CLF, [row])["error"].startswith(why)
    with pytest.raises(ValueError, match="mass"):
        CLF.predict_proba(row)


def test_a_count_that_is_missing_is_refused():
    clf = bf.MultinomialNB().fit([[3, 0], [0, 4]], ["ham", "spam"])
    assert ask_node(clf, [{"x0": 1}])["error"] == 'column "x1" is a count; it is missing'


def test_a_row_without_a_value_gets_the_prior():
    clf = bf.NaiveBayes(weights="auto").fit(TABLE, [*"ppqpqq"] * 4)
    np.testing.assert_allclose(ask_node(clf, [{}])["proba"], clf.predict_proba({}), atol=1e-12)


def run(code, *arguments):
    program = node().args[0]
    return subprocess.run(
        [program, "-e", code, *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout


def test_the_file_runs_in_node_and_in_a_page(tmp_path):
    path = bf.export_model(CLF, tmp_path / "model.js", name="pets")
    expected = CLF.predict_proba(ROWS[0])[0].tolist()
    row = json.dumps(ROWS[0])
    in_node = run(f"console.log(JSON.stringify(require(process.argv[1]).proba({row})))", path)
    np.testing.assert_allclose(json.loads(in_node), expected, atol=1e-12)
    page = (
        "const page = require('vm').createContext({});"
        "require('vm').runInContext(require('fs').readFileSync(process.argv[1], 'utf8'), page);"
        f"console.log(JSON.stringify([page.pets.classes, page.pets.columns, page.pets.proba({row})]))"
    )
    classes, columns, proba = json.loads(run(page, path))
    assert (classes, columns) == (["p", "q"], [*TABLE])
    np.testing.assert_allclose(proba, expected, atol=1e-12)


def test_the_file_can_stand_inside_a_page():
    clf = bf.NaiveBayes().fit({"</script>": ["</script>", "b", "b", "</script>"]}, [*"ppqq"])
    assert "</script" not in export.find("js").write(clf)


def test_a_name_that_is_no_variable_is_refused():
    with pytest.raises(ValueError, match="cannot be a variable"):
        export.find("js").write(CLF, name="alert(1);x")


def test_a_plan_of_another_version_is_refused():
    plan = json.loads(export.find("json").write(CLF)) | {"version": 2}
    code = "try { require(process.argv[1])(JSON.parse(process.argv[2])) } catch (e) { console.log(e.message) }"
    said = run(code, node().args[-1], json.dumps(plan))
    assert said == "this model has the version 2, and this scorer reads 1; export both again\n"


def test_a_cell_that_is_no_number_text_or_truth_is_refused(tmp_path):
    """JavaScript would make 0 of a list and milliseconds of a date, and go on."""
    path = bf.export_model(CLF, tmp_path / "model.js")
    asks = (
        "const model = require(process.argv[1]); const said = [];"
        "for (const column of ['constructor', 'mass', 'grade'])"
        "  for (const cell of [new Date(0), [], [1], {}, () => 1, Symbol('x'), new Number(1)])"
        "    try { said.push(model.proba({ [column]: cell })); } catch (error) { said.push(error.message); }"
        "console.log(JSON.stringify(said))"
    )
    for i, said in enumerate(json.loads(run(asks, path))):
        column = ("constructor", "mass", "grade")[i // 7]
        assert str(said).startswith(f'column "{column}" holds numbers, text or truth values, but this row has a'), said


@pytest.mark.parametrize("row", [None, 5, "abc", True])
def test_a_row_is_an_object(row):
    assert "a row is an object, not" in ask_node(CLF, [row])["error"]


LEVELS = {
    "truth values": [True, False],
    "one truth value": [True, True],
    "numbers": [1, 2],
    "texts": ["1", "x"],
    "written numbers": ["1.0", "2.0"],
    "written truth values": ["TRUE", "FALSE"],
    "numbers and a text": [2, "x", 1],
    "a text and a number": ["x", 1],
    "a number and a written one": [7, "8"],
    "truth values and a text": [True, "x", False],
    "a text and a truth value": ["x", True],
    "written and real truth values": ["true", False],
    "truth values and numbers": [True, 2, 0],
}
SPELLED = [
    1,
    1.0,
    0,
    2,
    7,
    8,
    True,
    False,
    "1",
    "0",
    "1.0",
    " 1 ",
    "0.0",
    "2",
    "2.0",
    "7",
    "8",
    "true",
    "False",
    "TRUE ",
    "constructor",
    "__proto__",
]


@pytest.mark.parametrize("name", LEVELS)
def test_a_value_is_read_as_the_level_that_it_spells(name):
    """As Python reads it: a truth value in digits, a number that is text, and both beside levels of another kind."""
    levels = LEVELS[name]
    table = [{"kind": levels[i % len(levels)], "other": "ab"[i % 7 % 2]} for i in range(24)]
    labels = ["p" if i % len(levels) == 0 else "q" if i % 5 else "p" for i in range(24)]
    clf = bf.NaiveBayes(families={"kind": "categorical"}).fit(table, labels)
    rows = [{"kind": value, "other": "a"} for value in SPELLED]
    for row, proba in zip(rows, ask_node(clf, rows)["proba"], strict=True):
        np.testing.assert_allclose(proba, clf.predict_proba([row])[0], atol=1e-12, err_msg=repr(row["kind"]))

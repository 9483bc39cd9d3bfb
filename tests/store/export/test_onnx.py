"""The graph: its inputs and outputs, tables without rows, and what is refused."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.store import export

from .answers import in_onnxruntime
from .table import NEW, X, Y

TABLE = {"size": ["s", "l", "s", "l", "m", None] * 4, "mass": [1.5, 2.5, -1.0, 4.0, 3.0, 0.5] * 4}


def session(clf, **options):
    return onnxruntime.InferenceSession(export.find("onnx").write(clf, **options), providers=["CPUExecutionProvider"])


def test_inputs_are_columns_and_outputs_have_names():
    run = session(bf.NaiveBayes(numeric="gaussian").fit(TABLE, [*"ppqpqq"] * 4), label="who", probabilities="p")
    assert [(i.name, i.type, i.shape) for i in run.get_inputs()] == [
        ("size", "tensor(string)", ["rows"]),
        ("mass", "tensor(double)", ["rows"]),
    ]
    assert [(o.name, o.type, o.shape) for o in run.get_outputs()] == [
        ("who", "tensor(string)", ["rows"]),
        ("p", "tensor(double)", ["rows", 2]),
    ]


@pytest.mark.parametrize("clf", [bf.NaiveBayes(), bf.TAN(alpha=1.0), bf.GaussianBayes()], ids=str)
def test_a_table_without_rows_has_answers_without_rows(clf):
    run = session(clf.fit(X, Y))
    empty = {i.name: np.empty(0, float if "double" in i.type else object) for i in run.get_inputs()}
    label, proba = run.run(None, empty)
    assert (label.shape, proba.shape) == ((0,), (0, 3))


@pytest.mark.parametrize(
    ("labels", "kind", "none"),
    [([1, 7], "int64", -(2**63)), ([1.0, 7.0], "double", np.nan), (["p", "q"], "string", "")],
    ids=str,
)
def test_a_row_with_an_infinite_number_has_no_answer(labels, kind, none):
    y = np.repeat(labels, 2)
    run = session(bf.NaiveBayes(numeric="gaussian").fit({"mass": [1.0, 2.0, 4.0, 6.0]}, y))
    assert run.get_outputs()[0].type == f"tensor({kind})"
    label, proba = run.run(None, {"mass": np.array([np.inf, 1.0])})
    assert np.isnan(proba[0]).all()
    np.testing.assert_equal(label.tolist(), [none, labels[0]])


@pytest.mark.parametrize(("large", "kind"), [(2**63, np.uint64), (2**64 - 2048, np.uint64), (-(2**63), np.int64)])
def test_a_class_that_is_no_signed_integer_of_64_bits_is_refused(large, kind):
    """The lowest of them stands for no answer."""
    y = np.array([1, 1, large, large], kind)
    clf = bf.NaiveBayes(numeric="gaussian").fit({"mass": [1.0, 2.0, 4.0, 6.0]}, y)
    with pytest.raises(ValueError, match=f"the class {large} is an integer that ONNX has no labels for"):
        export.find("onnx").write(clf)


@pytest.mark.parametrize("large", [2**63 - 1024, 1024 - 2**63])
def test_the_largest_classes_that_double_precision_holds_are_answered(large):
    run = session(bf.NaiveBayes(numeric="gaussian").fit({"mass": [1.0, 2.0, 4.0, 6.0]}, [1, 1, large, large]))
    assert run.run(None, {"mass": np.array([1.0, 6.0])})[0].tolist() == [1, large]


def test_a_zero_below_zero_is_the_level_zero():
    clf = bf.NaiveBayes(families={"grade": "categorical"}).fit({"grade": [0, 1, 0, 1, 2, 0]}, [*"ppqpqq"])
    columns = {"grade": [-0.0, 1.0, 3.0, None]}
    np.testing.assert_allclose(in_onnxruntime(clf, columns)[0], clf.predict_proba(columns), atol=1e-12)


def test_names_of_outputs_do_not_meet_names_of_columns():
    clf = bf.NaiveBayes().fit({"prediction": TABLE["size"], "probabilities": TABLE["size"]}, [*"ppqpqq"] * 4)
    assert [output.name for output in session(clf).get_outputs()] == ["prediction (2)", "probabilities (2)"]
    with pytest.raises(ValueError, match="an input of the graph is called 'prediction' too; give another label="):
        export.find("onnx").write(clf, label="prediction")
    assert session(clf, label="decision").get_outputs()[0].name == "decision"
    with pytest.raises(ValueError, match="give another label="):
        export.find("onnx").write(clf, label="p", probabilities="p")


def test_a_column_without_a_name_is_refused():
    clf = bf.GaussianNB().fit(pd.DataFrame({"": [1.0, 2.0, 3.0, 4.0]}), [*"ppqq"])
    with pytest.raises(ValueError, match="a column has no name, and an input of a graph needs one"):
        export.find("onnx").write(clf)


def test_a_column_of_two_types_is_refused():
    clf = bf.NaiveBayes().fit({"mixed": [1, "a", 1, "a"]}, [*"ppqq"])
    with pytest.raises(ValueError, match=r"'mixed' is read as text and as numbers.*make its values all text"):
        export.find("onnx").write(clf)


@pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")
def test_a_classifier_that_reads_no_column_is_refused():
    with pytest.raises(ValueError, match="reads no column"):
        export.find("onnx").write(bf.NaiveBayes().fit({"one": ["a"] * 4}, [*"ppqp"]))


def test_what_is_left_out_of_a_graph_is_not_asked_for():
    clf = bf.NaiveBayes(families={"mass": "gaussian"}).fit(X, Y)
    assert {i.name for i in session(clf).get_inputs()} == set(clf.schema_.sources) <= set(NEW)


def test_truth_values_that_were_learned_as_text_may_be_written_in_other_letters():
    table = {"kind": ["TRUE", "FALSE"] * 12, "other": ["ab"[i % 7 % 2] for i in range(24)]}
    clf = bf.NaiveBayes().fit(table, ["p" if i % 2 == 0 else "q" if i % 5 else "p" for i in range(24)])
    rows = {"kind": ["TRUE", "true", "True", "False", "false", "x", None], "other": [*"aaaaaaa"]}
    proba, _ = in_onnxruntime(clf, rows)
    np.testing.assert_allclose(proba, clf.predict_proba(rows), atol=1e-9)

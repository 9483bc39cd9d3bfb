"""Small and odd models: one class, one column, one network, classes of every type, all weight on nothing."""

import warnings
from datetime import date

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.store import export

from .answers import EVERYWHERE

TABLE = {"size": ["s", "l", "s", "l", "m", None] * 4, "mass": [1.5, 2.5, -1.0, 4.0, 3.0, 0.5] * 4}
NEW = {
    "size": ["s", "xl", None, "", "m"],
    "mass": [1.5, None, None, 1e60, 2.0],
    "member": [True, False, None, True, None],
    "grade": [0.0, 2.0, None, 1.0, 7.0],
    "bf/1": [1.5, None, None, 1e60, 2.0],
}


def fitted(clf, labels, table=TABLE):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clf.fit(table, labels)


HOLED = {
    "member": [True, False, None, True, False, False] * 4,
    "grade": [0, 1, 2, None, 0, 2] * 4,
    "size": TABLE["size"],
    "bf/1": TABLE["mass"],
}
MARKED = bf.NaiveBayes(
    weights="auto", families={"grade": "categorical"}, missing={"member": True, "grade": [2, "?"], "size": ["m", 1]}
)
CASES = {
    "markers, and whether there is a value": fitted(MARKED, [*"ppqpqq"] * 4, HOLED),
    "one class": fitted(bf.AODE(), ["p"] * 24),
    "one class, costs": fitted(bf.NaiveBayes(loss=[[0.5]], reject_cost=0.3), ["p"] * 24),
    "one column, one network": fitted(bf.AODE(), [*"ppqpqq"] * 4, {"size": TABLE["size"]}),
    "no parents": fitted(bf.KDB(0), [*"ppqpqq"] * 4),
    "truth values": fitted(bf.NaiveBayes(numeric="gaussian"), np.array([True, False, True] * 8)),
    "numbers": fitted(bf.TAN(reject_cost=0.1, reject_label=-1), np.array([3, 5, 9] * 8)),
    "a row that changes nothing": fitted(bf.NaiveBayes(class_weight={"p": 0.0}), [*"ppqpqq"] * 4),
    "no smoothing": fitted(bf.NaiveBayes(alpha=0, prior_alpha=0, numeric="gaussian"), [*"ppqpqr"] * 4),
    "costs below zero": fitted(bf.NaiveBayes(loss=[[-5, 1], [0, -1]]), [*"ppqpqq"] * 4),
    "a text to reject among numbers": fitted(
        bf.NaiveBayes(reject_cost=0.1, reject_label="ask"), np.array([3, 5, 9] * 8)
    ),
}


@pytest.mark.parametrize("language", EVERYWHERE)
@pytest.mark.parametrize("name", CASES)
def test_an_odd_model_answers_as_python_does(name, language):
    clf = CASES[name]
    columns = {source: NEW[source] for source in clf.schema_.sources}
    whole = {column: NEW[column] for column in clf._names}
    proba, labels = EVERYWHERE[language](clf, columns)
    np.testing.assert_allclose(proba, clf.predict_proba(whole), rtol=0, atol=1e-9)
    expected = clf.predict(whole).tolist()
    mixed = len({type(v) for v in [*clf.classes_.tolist(), *expected]}) > 1  # a column has one type: text, then
    truths = language == "onnx" and isinstance(expected[0], bool)  # as have labels of a graph
    assert labels == ([*map(str, expected)] if (mixed and language != "js") or truths else expected)


@pytest.mark.parametrize("language", EVERYWHERE)
def test_numbers_whose_squares_are_infinite_have_densities(language):
    mass = [sign * size * 1e150 for size in (1.0, 2.0, 3.0) for sign in (1, -1)]
    clf = fitted(bf.NaiveBayes(numeric="gaussian"), [*"ppqqqq"] * 4, {"mass": mass * 4})
    columns = {"mass": [1e150, 0.0, 1e160, -1e200, None]}
    expected = clf.predict_proba(columns)
    assert expected[2, 1] > 0.999
    np.testing.assert_allclose(EVERYWHERE[language](clf, columns)[0], expected, rtol=0, atol=1e-9)


def test_classes_that_would_be_one_text_are_refused_where_labels_have_one_type():
    table = {"size": [*"slms"] * 6}
    clf = fitted(bf.NaiveBayes(), np.array([1, "1", 2, "2"] * 6, object), table)
    assert EVERYWHERE["js"](clf, table)[1] == clf.predict(table).tolist()
    rejecting = fitted(bf.NaiveBayes(reject_cost=0.1, reject_label="2"), np.array([1, 2] * 12), table)
    for write in (export.find("sql").write, export.find("onnx").write):
        with pytest.raises(ValueError, match="the labels 1 and '1' would both be the text '1'"):
            write(clf)
        with pytest.raises(ValueError, match="the labels 2 and '2' would both be the text '2'"):
            write(rejecting)


@pytest.mark.parametrize("language", EVERYWHERE)
def test_classes_that_are_dates_are_text_elsewhere(language):
    days = [date(2026, 5, 1), date(2026, 5, 2), date(2026, 5, 4)] * 8
    table = {"size": [*"sml"] * 8}
    clf = fitted(bf.NaiveBayes(), days, table)
    assert EVERYWHERE[language](clf, table)[1] == [str(day) for day in clf.predict(table)]

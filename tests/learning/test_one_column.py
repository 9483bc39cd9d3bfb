"""How columns are read where nothing is said about it."""

from dataclasses import fields

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.learning.one_column import Options, numbers_shown

SHARED = [f.name for f in fields(Options) if f.name in bf.NaiveBayes().get_params() and f.name != "families"]


@pytest.mark.parametrize("name", SHARED)
def test_what_is_not_given_is_what_naive_bayes_takes(name: str) -> None:
    assert getattr(Options(), name) == bf.NaiveBayes().get_params()[name]


@pytest.mark.parametrize("kind", ["BayesClassifier", "NaiveBayes", "GaussianBayes", "TAN", "KDB", "AODE", "SPODE"])
def test_a_number_that_every_row_shows_is_left_out_and_need_not_be_there(kind):
    draw = np.random.default_rng(0)
    table = {"a": draw.normal(size=100), "same": np.full(100, 7.0), "none": np.full(100, np.nan)}
    clf = getattr(bf, kind)()
    with pytest.warns(bf.ColumnWarning, match="'same'.*'none'"):
        clf.fit(table, table["a"] > 0)
    why = {column.name: column.why for column in clf.columns_ if not column.family}
    assert why == {"same": "left out: every row has the value 7", "none": "left out: no row has a value"}
    np.testing.assert_array_equal(clf.predict_proba({"a": table["a"]}), clf.predict_proba(table))


def test_a_number_of_one_value_may_still_tell_by_its_holes():
    same = np.where(np.arange(200) % 2, 7.0, np.nan)
    clf = bf.TAN(missing_as="value").fit({"same": same, "a": np.arange(200) % 7}, np.isnan(same))
    assert clf.score({"same": same, "a": np.arange(200) % 7}, np.isnan(same)) == 1.0


def test_a_number_that_every_row_shows_is_kept_where_it_was_said_how_numbers_are_read():
    clf = bf.NaiveBayes(numeric="categorical").fit({"a": [1, 2] * 20, "same": [7] * 40}, ["p", "q"] * 20)
    assert clf.schema_.columns["same"].levels == (7,)


def test_what_a_column_of_numbers_shows_is_looked_at_once() -> None:
    x = np.array([np.nan, 3.0, -1.0, 3.0])
    frame = Frame.of({"x": x, "none": np.full(4, np.nan)})
    shown = numbers_shown(frame, "x", frozenset())
    assert shown == (True, -1.0, 3.0)
    assert numbers_shown(frame, "x", frozenset()) is shown
    assert numbers_shown(frame, "x", frozenset([-1])) == (True, 3.0, 3.0)
    assert numbers_shown(frame, "x", frozenset(), 2)[1:] == (-1.0, -1.0)
    assert numbers_shown(frame, "none", frozenset()).none
    assert numbers_shown(Frame(("x",), 0, {"x": np.empty(0)}), "x", frozenset()).none


@pytest.mark.parametrize("numeric", ["auto", "mdl", "gaussian"])
@pytest.mark.parametrize("others", [[0.0, 1.0], [np.inf]], ids=["other numbers", "nothing else"])
def test_an_infinite_number_is_refused_with_its_row(numeric, others):
    x = np.resize(others, 60)
    x[41] = np.inf
    row = int(np.flatnonzero(np.isinf(x))[0])
    with pytest.raises(ValueError, match=f"column 'x' is infinite in row {row}"):
        bf.NaiveBayes(numeric=numeric).fit({"x": x, "z": np.arange(60) % 7.0}, np.arange(60) % 2)

"""How columns are read where nothing is said about it."""

from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

import bayesfold as bf
from bayesfold.data.encodings import Real
from bayesfold.data.frame import Frame
from bayesfold.learning.one_column import (
    NUMBERED,
    Options,
    alike,
    constant,
    has_sentences,
    is_numbering,
    kind_of,
    markers,
    names_rows,
    numbers_shown,
)

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


@pytest.mark.parametrize(
    ("values", "numbers_rows"),
    [
        (np.arange(NUMBERED), True),
        (np.arange(NUMBERED - 1), False),
        (np.arange(NUMBERED)[::-1] * 1_000, True),  # falls, however far
        (np.append(np.arange(1, NUMBERED), 0), True),  # no order, but it fills its range
        (np.append(np.arange(1, NUMBERED) * 3, 0), False),
        (np.append(np.arange(1, NUMBERED), 2 * NUMBERED - 1), True),
        (np.append(2 * NUMBERED, np.arange(1, NUMBERED)), True),  # a range of twice the rows
        (np.append(2 * NUMBERED + 1, np.arange(1, NUMBERED)), False),
        (np.append(np.arange(1, NUMBERED), 1), False),  # two are alike
        (np.append(np.arange(float(NUMBERED)), np.nan), True),
        (np.append(np.arange(float(NUMBERED - 1)), np.nan), False),
        (np.append(np.arange(float(NUMBERED)) + 0.5, np.nan), False),
        (np.append(np.arange(float(NUMBERED)) + 2.0**53, np.nan), False),
        (np.append(np.arange(float(NUMBERED)) + (2.0**53 - NUMBERED), np.nan), True),
        (np.full(NUMBERED, np.nan), False),
        (np.arange(float(NUMBERED)), False),
        (np.arange(NUMBERED).astype(object), False),
        (pa.array([None, *range(NUMBERED)]), True),
        (pa.array([None, *range(NUMBERED - 1)]), False),
        (pa.array([str(k) for k in range(NUMBERED)]), False),
    ],
)
def test_integers_that_number_the_rows(values, numbers_rows):
    assert bool(is_numbering(values)) is numbers_rows


@pytest.mark.parametrize(
    ("levels", "shown", "named"),
    [(46, 50, True), (45, 50, False), (49, 49, False), (50, 50, True), (91, 100, True), (90, 100, False)],
)
def test_levels_name_rows_where_nearly_each_has_its_own(levels, shown, named):
    assert names_rows(levels, shown) is named


@pytest.mark.parametrize(
    ("levels", "prose"),
    [
        (["a b c", "d e f", "g"], True), (["a b c", "d e"], False), (["a b c"], True), (["a b"], False), ([], False),
        (["a b c"] * 51 + ["d"] * 49, True), (["a b c"] * 50 + ["d"] * 50, False), ([1.5, 2.5], False),
        (["d"] * 100 + ["a b c"] * 999, False),
    ],
)  # fmt: skip
def test_prose_is_three_words_most_of_the_time(levels, prose):
    assert has_sentences(levels) is prose


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (np.array([True]), "truth values"), (np.array(["a", 1], object), "values of several kinds"),
        (np.array([1]), "number"), (np.array([1.5], np.float32), "number"), (pa.array([True]), "truth values"),
        (pa.array(["a"]), "text"), (pa.nulls(2), "text"), (pa.array(["a"]).dictionary_encode(), "categories"),
        (pa.array([1]), "number"), (pa.array(["a"], pa.large_string()), "text"),
    ],
)  # fmt: skip
def test_what_kind_a_column_is(values, kind):
    assert kind_of(values) == kind


def test_markers_are_of_all_columns_or_of_one():
    both = {"*": "?", "a": [0, "-9.0"]}
    assert markers(both, "a") == {"?", 0, "-9.0", -9.0}
    assert markers(both, "b") == {"?"}
    assert markers(None, "a") == markers({}, "a") == frozenset()
    assert markers(np.array([0, 7]), "a") == {0, 7}
    assert markers([0, 1], "a", [False, True]) == frozenset()
    assert markers([False], "a", [0, 1]) == frozenset()
    assert markers([False], "a", [False, True]) == {False}
    assert markers(["1e400", "nan", "x", " 12 "], "a") == {"1e400", "nan", "x", " 12 ", 12}


def seen(x, **more):
    return numbers_shown(Frame.of({"x": np.array(x, float)}), "x", frozenset(more.get("missing", ())), more.get("most"))


def test_what_a_column_shows_is_its_ends_and_whether_it_has_holes():
    assert seen([3, 1, 2]) == (False, 1.0, 3.0)
    assert seen([3, np.nan, 2]) == (True, 2.0, 3.0)
    assert seen([3, 1, 2], missing=[1]) == (True, 2.0, 3.0)
    assert seen([np.nan]).none
    assert seen([]).none
    assert not seen([0]).none
    assert seen(range(10), most=5) == (False, 0.0, 8.0), "every second row"
    assert seen(range(10), most=6) == (False, 0.0, 9.0)
    assert seen(range(10), most=3) == (False, 0.0, 9.0), "every third"


@pytest.mark.parametrize(
    ("x", "why"),
    [
        ([1.0, 2.0], ""), ([np.nan, np.nan], "left out: no row has a value"),
        ([1.5, 1.5], "left out: every row has the value 1.5"),
        ([1.5, np.nan], "left out: every row that is not empty there has the value 1.5"),
        ([2**60, 2**60 + 1], "left out: 2 integers that are one number to 16 digits, which is what a float holds"),
    ],
)  # fmt: skip
def test_why_a_column_of_one_value_is_left_out(x, why):
    frame = Frame.of({"x": np.array(x)})
    assert constant(frame, Real("x")).startswith(why)
    assert bool(constant(frame, Real("x"))) is bool(why)
    same = alike(frame, Real("x"))
    assert same == ("" if "not empty there" in why else constant(frame, Real("x"))), "a hole may tell something"

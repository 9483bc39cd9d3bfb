"""What a missing, an unseen and a zero mean: a factor left out, a factor left out, and a factor of 2^-1000."""

import math

import numpy as np
import pandas as pd
import pytest

from bayesfold import NaiveBayes

NAN = float("nan")
X = pd.DataFrame(
    {
        "colour": ["red", "green", None, "red", "blue", "green", "red", ""],
        "mass": [1.5, NAN, 1.0, 8.5, 3.5, 1.25, NAN, 5.5],
        "rooms": [1.0, 2.0, 2.0, 5.0, NAN, 1.0, 2.0, 4.0],
    }
)
Y = [*"ppqqqpqq"]
FAMILIES = {"colour": "categorical", "mass": "gaussian", "rooms": "poisson"}
ROW = {"colour": "red", "mass": 2.5, "rooms": 3.0}


def fitted(columns=(*X,), **options):
    return NaiveBayes(families={n: FAMILIES[n] for n in columns}, **options).fit(X[list(columns)], Y)


@pytest.mark.parametrize("column", X.columns)
def test_a_missing_value_drops_its_factor(column):
    """The posterior is that of the model that never had the column."""
    others = [n for n in X if n != column]
    expected = fitted(others).predict_log_proba({n: ROW[n] for n in others})
    np.testing.assert_allclose(fitted().predict_log_proba(ROW | {column: None}), expected, rtol=1e-12)


@pytest.mark.parametrize("column", X.columns)
def test_a_missing_value_drops_its_factor_in_a_table_too(column):
    others = [n for n in X if n != column]
    table = pd.DataFrame([ROW, ROW]).astype({column: object})
    table.loc[1, column] = None
    table = table.astype({"mass": float, "rooms": float})
    expected = fitted(others).predict_log_proba({n: ROW[n] for n in others})[0]
    np.testing.assert_allclose(fitted().predict_log_proba(table)[1], expected, rtol=1e-12)


def test_an_unseen_value_drops_its_factor():
    clf = fitted()
    np.testing.assert_array_equal(
        clf.predict_log_proba(ROW | {"colour": "never seen"}), clf.predict_log_proba(ROW | {"colour": None})
    )


def test_missing_cells_are_counted_in_a_slot_of_their_own():
    table = fitted().model_.tally.table("colour", "class")
    assert table[0].tolist() == [0, 0, 2]  # class q has a None and an empty field; slot 0 of the class is never used
    assert table.sum() == len(X)


def test_missing_cells_are_ignored_by_the_estimate():
    """Of the five rows of q two have no colour: P(red | q) = (2 + 1) / (3 + 3)."""
    clf = fitted(["colour"])
    joint = clf.predict_joint_log_proba({"colour": "red"})[0]
    prior = clf.model_.log_prior()
    np.testing.assert_allclose(np.exp(joint - prior), [(1 + 1) / (3 + 3), (2 + 1) / (3 + 3)], rtol=1e-14)


def test_a_class_that_never_shows_a_column_takes_its_prior():
    clf = NaiveBayes().fit({"c": ["a", "b", None]}, [*"ppq"])
    spoken = clf.predict_joint_log_proba({"c": "a"})[0] - clf.model_.log_prior()
    np.testing.assert_allclose(np.exp(spoken), [2 / 4, 1 / 2], rtol=1e-14)


@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_a_cell_without_rows_is_uniform_whatever_the_smoothing(alpha):
    clf = NaiveBayes(alpha=alpha).fit({"c": ["a", "b", "c", None]}, [*"pppq"])
    spoken = [clf.predict_joint_log_proba({"c": v})[0, 1] - clf.model_.log_prior()[1] for v in "abc"]
    np.testing.assert_allclose(np.exp(spoken), 1 / 3, rtol=1e-14)


def test_a_zero_factor_scores_the_log_of_two_to_the_minus_thousand():
    clf = NaiveBayes(alpha=0).fit({"c": [*"aabb"]}, [*"ppqq"])
    spoken = clf.predict_joint_log_proba({"c": "b"})[0] - clf.model_.log_prior()
    np.testing.assert_allclose(spoken, [-1000 * math.log(2), 0.0], atol=1e-12)


def test_the_class_with_the_fewest_zeros_wins():
    """Class p has one zero and poor factors else, q two zeros and perfect ones."""
    columns = {"a": [*"xxxxzz"], "b": [*"yyyyzz"], "c": [*"uuuwww"]}
    clf = NaiveBayes(alpha=0).fit(columns, [*"ppppqq"])
    assert clf.predict({"a": "z", "b": "y", "c": "u"}).tolist() == ["p"]
    assert clf.predict({"a": "z", "b": "z", "c": "u"}).tolist() == ["q"]


def test_without_smoothing_a_class_without_rows_is_as_unlikely_as_one_zero():
    clf = NaiveBayes(prior_alpha=0).partial_fit({"c": [*"aabb"]}, [*"ppqq"], classes=[*"pqr"])
    np.testing.assert_allclose(clf.model_.log_prior(), [math.log(0.5), math.log(0.5), -1000 * math.log(2)])
    assert np.isfinite(clf.predict_log_proba({"c": "a"})).all()


# what marks a missing cell


@pytest.mark.parametrize("nothing", [None, NAN, "", np.nan, pd.NA, pd.NaT])
def test_null_nan_and_the_empty_field_are_missing(nothing):
    clf = NaiveBayes().fit(pd.DataFrame({"c": ["a", nothing, "b", "a"]}, dtype=object), [*"ppqq"])
    assert clf.schema_.features[0].levels == ("a", "b")
    assert clf.model_.tally.table("c", "class")[0].tolist() == [0, 1, 0]


@pytest.mark.parametrize("text", ["NA", "nan", "None", "?", " "])
def test_other_text_is_a_value_unless_named(text):
    table, labels = {"c": ["a", text, "b", "a"]}, [*"ppqq"]
    assert text in NaiveBayes().fit(table, labels).schema_.features[0].levels
    assert text not in NaiveBayes(missing=text).fit(table, labels).schema_.features[0].levels
    assert text not in NaiveBayes(missing=["-", text]).fit(table, labels).schema_.features[0].levels
    assert text not in NaiveBayes(missing={"c": text}).fit(table, labels).schema_.features[0].levels
    assert text not in NaiveBayes(missing={"*": [text]}).fit(table, labels).schema_.features[0].levels
    assert text in NaiveBayes(missing={"c": "-"}).fit(table, labels).schema_.features[0].levels


def test_a_number_may_mark_a_missing_cell_in_one_column_and_not_in_another():
    table = {"glucose": [0.0, 90.0, 140.0, 0.0, 110.0], "children": [0.0, 1.0, 3.0, 0.0, 2.0]}
    labels = [*"ppqqq"]
    told = NaiveBayes(numeric="gaussian", missing={"glucose": 0}).fit(table, labels)
    blank = {"glucose": [None, 90.0, 140.0, None, 110.0], "children": table["children"]}
    plain = NaiveBayes(numeric="gaussian").fit(blank, labels)
    np.testing.assert_allclose(told.predict_proba(table), plain.predict_proba(blank), rtol=1e-14)
    for row, holed in (({"glucose": 0}, {}), ({"children": 0}, {"children": 0})):
        np.testing.assert_allclose(told.predict_proba(row), plain.predict_proba(holed), rtol=1e-14)


TRUTHS = {
    "truth values": np.array([False, True, False, False, True, True]),
    "truth values with holes": [False, True, None, False, True, True],
    "categories": pd.Categorical([False, True, False, False, True, True]),
    "values of several kinds": np.array([False, True, -1, False, True, "x"], object),
}


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("marker", [0, 1, 0.0, [0, 1]])
def test_a_number_does_not_mark_a_truth_value(kind, marker):
    """False == 0 in Python, and yet they do not mean the same."""
    table, labels = pd.DataFrame({"flag": TRUTHS[kind], "n": [0, 1, 2, 1, 0, 2]}), [*"ppqqpq"]
    told = NaiveBayes(numeric="categorical", missing={"flag": marker}).fit(table, labels)
    plain = NaiveBayes(numeric="categorical").fit(table, labels)
    np.testing.assert_array_equal(told.predict_proba(table), plain.predict_proba(table))
    for flag in (False, True):
        row = {"flag": flag, "n": 2}
        np.testing.assert_array_equal(told.predict_proba(row), plain.predict_proba(row))
        assert (told.predict_proba(row) != told.predict_proba({"n": 2})).any()
    told.partial_fit({"flag": False, "n": 1}, "p")
    assert told.schema_.features[0].levels == plain.schema_.features[0].levels
    assert told.model_.tally.table("flag", "class")[0].sum() == kind.endswith("holes")


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("marker", [False, np.False_, [0, False]])
def test_a_truth_value_marks_a_truth_value_and_no_number(kind, marker):
    table, labels = pd.DataFrame({"flag": TRUTHS[kind], "n": [0, 1, 2, 1, 0, 2]}), [*"ppqqpq"]
    declared = {"flag": "categorical", "n": "categorical"}
    told = NaiveBayes(families=declared, missing={"*": False, "flag": marker}).fit(table, labels)
    flag, number = told.schema_.features
    assert False not in flag.levels
    assert number.levels == (0, 1, 2)
    np.testing.assert_array_equal(told.predict_proba({"flag": False, "n": 0}), told.predict_proba({"n": 0}))
    assert (told.predict_proba({"n": 0}) != told.predict_proba({})).any()


def test_a_number_marks_a_missing_truth_value_where_the_column_says_so():
    column = np.array([False, True, -1, False, True, True], object)
    clf = NaiveBayes(missing=-1).fit(pd.DataFrame({"flag": column}), [*"ppqqpq"])
    assert clf.schema_.features[0].levels == (False, True)


def test_a_marker_among_numbers_that_are_text_is_missing():
    """The error for such a column says: name it in missing=."""
    table, labels = {"mass": ["1.5", "?", "2.5", "4.0"]}, [*"ppqq"]
    clf = NaiveBayes(families={"mass": "gaussian"}, missing="?").fit(table, labels)
    plain = NaiveBayes(families={"mass": "gaussian"}).fit({"mass": [1.5, None, 2.5, 4.0]}, labels)
    np.testing.assert_array_equal(clf.predict_proba(table), plain.predict_proba({"mass": [1.5, None, 2.5, 4.0]}))
    np.testing.assert_array_equal(clf.predict_proba({"mass": "?"}), plain.predict_proba({}))


# what a column without information is


def column_table(clf):
    return {c.name: (c.family, c.why) for c in clf.columns_}


def test_a_column_of_distinct_values_is_left_out_as_an_identifier_unless_declared():
    table = {"id": [f"n{i}" for i in range(60)], "c": [*"ab"] * 30}
    labels = [*"pqq"] * 20
    with pytest.warns(UserWarning, match=r"'id' \(as an identifier: 60 values in 60 rows"):
        clf = NaiveBayes().fit(table, labels)
    family, why = column_table(clf)["id"]
    assert family == ""
    assert "families={'id': 'categorical'} keeps it" in why
    assert clf.schema_.sources == ("c",)
    kept = NaiveBayes(families={"id": "categorical"}).fit(table, labels)
    assert kept.schema_.sources == ("id", "c")


def test_a_column_of_too_many_levels_is_left_out():
    rows = 65_537 * 2
    table = {"code": [f"n{i % 65_537}" for i in range(rows)], "c": [*"ab"] * 65_537}
    with pytest.warns(UserWarning, match="'code' .*identifier"):
        clf = NaiveBayes().fit(table, np.arange(rows) % 2)
    assert clf.schema_.sources == ("c",)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (["a"] * 4, "left out: every row has the value 'a'"),
        ([7] * 4, "left out: every row has the value 7"),
        ([None, 2.5, None, 2.5], "left out: every row that is not empty there has the value 2.5"),
        ([None] * 4, "left out: no row has a value"),
        ([NAN] * 4, "left out: no row has a value"),
    ],
)
def test_a_column_of_one_value_is_left_out_and_says_so(values, why):
    with pytest.warns(UserWarning, match="columns left out"):
        clf = NaiveBayes().fit({"one": values, "c": [*"abab"]}, [*"pqqp"])
    assert column_table(clf)["one"] == ("", why)
    assert clf.schema_.left_out["one"] == why


def test_a_number_is_categorical_when_that_predicts_best_and_the_table_says_why():
    """Class p has 1 and 3, class q has 2: no smooth density tells them apart as well as three levels do."""
    table = {"n": [1, 2, 3, 2] * 20}
    clf = NaiveBayes().fit(table, [*"pqpq"] * 20)
    family, why = column_table(clf)["n"]
    assert family == "categorical"
    assert why.startswith("best held-out density of gaussian, lognormal, poisson, categorical")


def test_a_number_is_normal_when_that_predicts_best():
    draw = np.random.default_rng(2)
    label = np.arange(300) % 2
    clf = NaiveBayes().fit({"x": draw.normal(3.0 * label, 1.0)}, label)
    assert column_table(clf)["x"][0] == "gaussian"

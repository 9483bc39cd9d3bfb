"""An error leaves the statistic as it was, to the bit, and says which row and which column."""

import numpy as np
import pandas as pd
import pytest

from bayesfold import NaiveBayes

X = pd.DataFrame({"colour": [*"rggbrg"], "mass": [1.5, 2.0, 1.0, 8.5, 3.5, 1.25], "rooms": [1, 2, 2, 5, 3, 1]})
Y = [*"ppqqqp"]
FAMILIES = {"colour": "categorical", "mass": "gaussian", "rooms": "poisson"}


def changed(row, column, value):
    table = X.astype({column: object})
    table.loc[row, column] = value
    return table.infer_objects()


def other(**options):
    return NaiveBayes(**options).fit(X[["colour", "mass"]], Y)


NAN = float("nan")
WRONG = {
    "an infinity": (lambda c: c.partial_fit(changed(3, "mass", np.inf), Y), "'mass' is infinite in row 3"),
    "an infinity to count": (lambda c: c.partial_fit(changed(3, "rooms", np.inf), Y), "'rooms' is infinite in row 3"),
    "an infinity in a new level's row": (
        lambda c: c.partial_fit(changed(3, "mass", -np.inf).assign(colour="black"), Y),
        "'mass' is infinite in row 3",
    ),
    "an infinity in a dict": (lambda c: c.partial_fit({"colour": "new", "mass": np.inf}, "z"), "'mass' is infinite"),
    "text for a number": (
        lambda c: c.partial_fit(changed(4, "mass", "heavy").astype({"mass": str}), Y),
        "row 4 has 'heavy'",
    ),
    "text for a number in a dict": (lambda c: c.partial_fit({"colour": "new", "mass": "heavy"}, "p"), "has 'heavy'"),
    "a number below 0 to count": (
        lambda c: c.partial_fit(changed(4, "rooms", -2), Y),
        "'rooms' is -2 in row 4, but poisson needs numbers of at least 0; make it missing",
    ),
    "a number below 0 to count in a dict": (
        lambda c: c.partial_fit({"colour": "r", "mass": 1.0, "rooms": -2}, "p"),
        "'rooms' is -2 in row 0, but poisson",
    ),
    "a number below 0 to count in a new class's and a new level's dict": (
        lambda c: c.partial_fit({"colour": "new", "mass": 1.0, "rooms": -2}, "z"),
        "'rooms' is -2 in row 0, but poisson",
    ),
    "a number below 0 to count in a weighted dict": (
        lambda c: c.partial_fit({"colour": "r", "mass": 1.0, "rooms": -2}, "p", sample_weight=2.0),
        "'rooms' is -2 in row 0, but poisson",
    ),
    "forgetting a number below 0": (lambda c: c.forget(changed(4, "rooms", -2), Y), "'rooms' is -2 in row 4"),
    "a list for a category in a dict": (
        lambda c: c.partial_fit({"mass": 1.0, "colour": ["r"]}, "p"),
        r"'colour' is a category, but this row has \['r'\]",
    ),
    "a list for a category in a new class's dict": (
        lambda c: c.partial_fit({"mass": 1.0, "colour": ["r"]}, "z"),
        "'colour' is a category",
    ),
    "a list for a category in a weighted dict": (
        lambda c: c.partial_fit({"mass": 1.0, "colour": ["r"]}, "p", sample_weight=2.0),
        "'colour' is a category",
    ),
    "a list for a number in a dict": (lambda c: c.partial_fit({"colour": "new", "mass": [1.0]}, "z"), r"has \[1.0\]"),
    "too few labels": (lambda c: c.partial_fit(X, Y[:-1]), "6 rows but 5 labels"),
    "a missing label": (lambda c: c.partial_fit(X, np.array(["p", None, *"pppp"], object)), "row 1 has no label"),
    "no label for a dict": (lambda c: c.partial_fit({"colour": "r", "mass": 1.0}, None), "label|requires y"),
    "too few weights": (lambda c: c.partial_fit(X, Y, sample_weight=[1.0, 2.0]), "6 rows but 2 weights"),
    "a negative weight": (lambda c: c.partial_fit(X, Y, sample_weight=[1, 1, -2, 1, 1, 1]), "row 2 has the weight -2"),
    "a weight that is no number": (
        lambda c: c.partial_fit(X, Y, sample_weight=[1, 1, 1, NAN, 1, 1]),
        "row 3 has the weight nan",
    ),
    "a negative weight for a dict": (
        lambda c: c.partial_fit({"colour": "r", "mass": 1.0}, "p", sample_weight=-1.0),
        "weight",
    ),
    "a column that is not there": (
        lambda c: c.partial_fit({"colour": ["r"], "rooms": [1], "mas": [1.0]}, ["p"]),
        "mass",
    ),
    "a class after the first call": (lambda c: c.partial_fit(X, Y, classes=["p", "q", "z"]), "'z'"),
    "forgetting a level never seen": (
        lambda c: c.forget(X.assign(colour="black"), Y),
        "row 0 was not learned.*'colour'",
    ),
    "forgetting a row never learned": (
        lambda c: c.forget(pd.concat([X[:2], X[3:4]]), ["p", "p", "p"]),
        "row 2 was not learned",
    ),
    "forgetting a row twice": (lambda c: c.forget(pd.concat([X[3:4], X[3:4]]), ["q", "q"]), "row 1 was not learned"),
    "forgetting a class never learned": (lambda c: c.forget(X[:1], ["z"]), "row 0 has the class 'z'"),
    "forgetting with too few labels": (lambda c: c.forget(X, Y[:-1]), "6 rows but 5 labels"),
    "forgetting with a missing label": (lambda c: c.forget(X[:1], np.array([None], object)), "row 0"),
    "forgetting with too few weights": (lambda c: c.forget(X, Y, sample_weight=[1.0]), "6 rows but 1 weights"),
    "forgetting with a negative weight": (
        lambda c: c.forget(X[:1], Y[:1], sample_weight=[-1.0]),
        "row 0 has the weight -1",
    ),
    "forgetting an infinity": (lambda c: c.forget(changed(3, "mass", np.inf), Y), "'mass' is infinite in row 3"),
    "growing": (lambda c: c.decay(1.5), r"factor=1\.5 must be above 0 and at most 1"),
    "vanishing": (lambda c: c.decay(0.0), r"factor=0\.0 must be above 0 and at most 1"),
    "merging other columns": (lambda c: c.merge(other()), "'rooms'"),
    "leaving out with too few labels": (lambda c: c.leave_one_out(X, Y[:-1]), "6 rows but 5 labels"),
    "leaving out with a missing label": (lambda c: c.leave_one_out(X[:2], np.array([None, "p"], object)), "row 0"),
    "leaving out with too few weights": (lambda c: c.leave_one_out(X, Y, sample_weight=[1.0]), "6 rows but 1 weights"),
    "leaving out too few folds": (lambda c: c.leave_folds_out(X, Y, folds=[0, 1]), "6 rows but 2 folds"),
    "leaving out a fold without a name": (lambda c: c.leave_folds_out(X, Y, folds=[0, 1, NAN, 1, 0, 1]), "row 2|folds"),
    "leaving out two and a half folds": (lambda c: c.leave_folds_out(X, Y, folds=2.5), "folds"),
    "leaving out no fold": (lambda c: c.leave_folds_out(X, Y, folds=0), "folds"),
    "asking about an infinity": (lambda c: c.predict(changed(3, "mass", np.inf)), "'mass' is infinite in row 3"),
    "asking about an infinite count": (
        lambda c: c.predict(changed(3, "rooms", np.inf)),
        "'rooms' is infinite in row 3",
    ),
    "asking about an infinity in a dict": (lambda c: c.predict({"mass": np.inf}), "'mass' is infinite"),
    "asking about a list in a dict": (
        lambda c: c.predict({"mass": 1.0, "colour": ["r"]}),
        "'colour' is a category",
    ),
    "asking about other columns": (lambda c: c.predict({"colour": ["r"], "rooms": [1]}), "mass"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_after_an_error_everything_is_as_before(wrong):
    act, words = WRONG[wrong]
    clf = NaiveBayes(families=FAMILIES).fit(X, Y)
    tally = clf.model_.tally.copy()
    schema, classes, proba = clf.schema_, clf.classes_.copy(), clf.predict_proba(X)
    with pytest.raises((ValueError, TypeError), match=words):
        act(clf)
    np.testing.assert_array_equal(clf.model_.tally.counts, tally.counts)
    np.testing.assert_array_equal(clf.model_.tally.weights, tally.weights)
    np.testing.assert_array_equal(clf.model_.tally.sums, tally.sums)
    assert clf.schema_ == schema
    np.testing.assert_array_equal(clf.classes_, classes)
    np.testing.assert_array_equal(clf.predict_proba(X), proba)
    clf.partial_fit(X, Y).forget(X, Y)
    np.testing.assert_allclose(clf.predict_proba(X), proba, rtol=1e-10)


def test_an_infinity_in_the_middle_of_a_later_block_names_its_row():
    many = pd.DataFrame({"mass": np.arange(140_000.0), "rooms": np.ones(140_000)})
    many.loc[100_000, "mass"] = np.inf
    clf = NaiveBayes(families={"mass": "gaussian", "rooms": "gaussian"})
    with pytest.raises(ValueError, match="'mass' is infinite in row 100000"):
        clf.fit(many, np.arange(140_000) % 2)

"""NaiveBayes as a fold: pieces, rows one by one, forgetting, merging; and no error leaves a trace."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import bayesfold
from bayesfold.families.gaussian import Gaussian

RNG = np.random.default_rng(0)
LABELS = np.where(RNG.random(120) < 0.5, "yes", "no")
FRAME = pd.DataFrame(
    {
        "colour": np.where(RNG.random(120) < 0.7, np.where(LABELS == "yes", "red", "blue"), "green"),
        "size": RNG.normal(np.where(LABELS == "yes", 1.0, -1.0)),
        "open": RNG.random(120) < np.where(LABELS == "yes", 0.8, 0.3),
    }
)
FRAME.loc[RNG.random(120) < 0.1, "colour"] = None
FRAME.loc[RNG.random(120) < 0.1, "size"] = None
DECLARED = {"families": {"colour": "categorical", "size": "gaussian", "open": "categorical"}}
RECORDS = FRAME.to_dict("records")


def tally_of(clf: Any) -> tuple[Any, ...]:
    t = clf.model_.tally
    return tuple(part.copy() for part in (t.counts, t.weights, t.sums))


def unchanged(clf: Any, before: tuple[Any, ...]) -> None:
    for old, new in zip(before, tally_of(clf), strict=True):
        np.testing.assert_array_equal(old, new)


def model(**setting: Any) -> Any:
    return bayesfold.NaiveBayes(**{**DECLARED, **setting}).fit(FRAME, LABELS)


def test_rows_one_by_one_equal_the_whole_table() -> None:
    whole, stream = model(), bayesfold.NaiveBayes(**DECLARED)
    for row, label in zip(RECORDS, LABELS, strict=True):
        stream.partial_fit(row, label)
    order = [stream.classes_.tolist().index(c) for c in whole.classes_]
    np.testing.assert_allclose(stream.predict_proba(FRAME)[:, order], whole.predict_proba(FRAME), rtol=1e-9)


def test_pieces_merges_and_forgetting_equal_the_whole() -> None:
    whole = model()
    first = bayesfold.NaiveBayes(schema=whole.schema_).fit(FRAME[:50], LABELS[:50])
    second = bayesfold.NaiveBayes(schema=whole.schema_).fit(FRAME[50:], LABELS[50:])
    pieces = (
        bayesfold.NaiveBayes(schema=whole.schema_)
        .partial_fit(FRAME[:50], LABELS[:50])
        .partial_fit(FRAME[50:], LABELS[50:])
    )
    forgot = model().partial_fit(FRAME[:30], LABELS[:30]).forget(FRAME[:30], LABELS[:30])
    for clf in (first + second, second.merge(first), pieces, forgot):
        np.testing.assert_allclose(clf.predict_proba(FRAME), whole.predict_proba(FRAME), rtol=1e-9)


def test_new_levels_and_classes_are_welcome() -> None:
    clf = model().partial_fit({"colour": "violet", "size": 9.0, "open": True}, "maybe")
    assert clf.classes_.tolist() == ["maybe", "no", "yes"]
    assert clf.predict({"colour": "violet", "size": 9.0}).tolist() == ["maybe"]
    declared = bayesfold.NaiveBayes(**DECLARED).partial_fit(FRAME, LABELS, classes=["yes", "no", "maybe"])
    assert declared.classes_.tolist() == ["maybe", "no", "yes"]
    with pytest.raises(ValueError, match=r"classes names 'never' after the first call.*joins when a row shows it"):
        declared.partial_fit(FRAME, LABELS, classes=["yes", "no", "never"])


def test_leaving_one_out_equals_forgetting_it() -> None:
    clf = model()
    held_out = clf.leave_one_out(FRAME, LABELS)
    for i in (0, 17, 118):
        rest = model().forget(FRAME[i : i + 1], LABELS[i : i + 1])
        held = clf.model_.families["size"].hold(clf.model_.tally.cells(clf.model_.groups[1].span))
        assert held.centre is not None
        np.testing.assert_allclose(held_out[i], rest.predict_log_proba(FRAME[i : i + 1])[0], atol=0.01)


def test_a_failed_partial_fit_changes_nothing() -> None:
    clf = model()
    before, expected = tally_of(clf), clf.predict_proba(FRAME)
    for X, y in (
        ({"colour": "red", "size": "large"}, "yes"),
        ({"colour": "red", "size": float("inf")}, "yes"),
        (FRAME.assign(size="large"), LABELS),
        (FRAME.assign(size=np.inf), LABELS),
        (FRAME, LABELS[:5]),
        (FRAME[["colour"]], LABELS),
        (FRAME, [None] * 120),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            clf.partial_fit(X, y)
        unchanged(clf, before)
    for weight in (np.full(120, -1.0), np.zeros(120), [1.0], np.full(120, np.nan)):
        with pytest.raises(ValueError, match="weight"):
            clf.partial_fit(FRAME, LABELS, sample_weight=weight)
        unchanged(clf, before)
    np.testing.assert_array_equal(clf.predict_proba(FRAME), expected)


def test_a_failed_forget_changes_nothing() -> None:
    clf = model()
    before, expected = tally_of(clf), clf.predict_proba(FRAME)
    with pytest.raises(ValueError, match=r"row 120 was not learned"):
        clf.forget(pd.concat([FRAME, FRAME[:1]]), [*LABELS, LABELS[0]])
    with pytest.raises(
        ValueError, match="row 0 was not learned by this model: column 'colour' shows a value never seen"
    ):
        clf.forget({"colour": "violet", "size": 1.0, "open": True}, "yes")
    with pytest.raises(ValueError, match="row 0 has the class 'maybe'"):
        clf.forget(RECORDS[0], "maybe")
    unchanged(clf, before)
    np.testing.assert_array_equal(clf.predict_proba(FRAME), expected)


def test_a_failed_fit_changes_nothing() -> None:
    clf = model()
    expected = clf.predict_proba(FRAME)
    with pytest.raises(ValueError, match="alpha=-1"):
        clf.set_params(alpha=-1).fit(FRAME, LABELS)
    with pytest.raises(ValueError, match="labels"):
        clf.set_params(alpha=1.0).fit(np.zeros((3, 2)), [1, 2])
    np.testing.assert_array_equal(clf.predict_proba(FRAME), expected)
    unfitted = bayesfold.GaussianNB()
    with pytest.raises(ValueError, match="Input X contains NaN"):
        unfitted.fit([[np.nan]], [1])
    assert vars(unfitted) == vars(bayesfold.GaussianNB())


@pytest.mark.parametrize(
    ("setting", "error", "words"),
    [
        ({"families": {"colur": "categorical"}}, ValueError, r"no column 'colur'; did you mean 'colour'\?"),
        ({"families": {"size": "gausian"}}, ValueError, "there is no family 'gausian'; did you mean 'gaussian'"),
        ({"families": {"size": 3}}, TypeError, "3 is not a family"),
        ({"numeric": "normal"}, ValueError, "numeric='normal' is not one of 'auto'"),
        ({"alpha": "none"}, ValueError, "alpha='none' must be 'auto' or a number of at least 0"),
        ({"prior_alpha": -1}, ValueError, "prior_alpha=-1"),
        ({"priors": [1.0]}, ValueError, "priors has 1 entries for 2 classes"),
        ({"priors": {"yes": 1.0}}, ValueError, "the priors lack 'no'"),
        ({"class_weight": 3}, ValueError, "class_weight=3"),
        ({"weights": {"siz": 2.0}}, ValueError, "weights names columns that are not in the schema: 'siz'"),
        ({"missing": {"siz": 0}}, ValueError, "no column 'siz'"),
    ],
)
def test_a_wrong_option_is_refused_by_name(setting: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        bayesfold.NaiveBayes(**setting).fit(FRAME, LABELS)


@pytest.mark.parametrize(
    "setting",
    [
        {"alpha": 5.0},
        {"alpha": "auto"},
        {"prior_alpha": 50.0},
        {"families": {"size": Gaussian(pseudo_rows=30.0)}},
        {"families": {"size": "categorical"}},
        {"numeric": "categorical", "families": {}},
        {"missing": "red"},
        {"missing": {"colour": "green"}},
        {"priors": {"yes": 0.9, "no": 0.1}},
        {"class_weight": {"yes": 3.0}},
        {"class_weight": "balanced"},
        {"weights": {"size": 0.5}},
    ],
    ids=str,
)
def test_every_option_changes_an_answer(setting: dict[str, Any]) -> None:
    plain, other = model(), model(**setting)
    assert not np.allclose(plain.predict_proba(FRAME), other.predict_proba(FRAME), rtol=1e-6)
    np.testing.assert_allclose(other.predict_proba(FRAME).sum(1), 1)


def test_samples_look_like_the_table() -> None:
    columns, labels = model().sample(2000, random_state=0)
    columns = pd.DataFrame(columns)[[*FRAME.columns]]
    assert set(columns) == set(FRAME.columns)
    assert set(labels) == {"yes", "no"}
    again = bayesfold.NaiveBayes(**DECLARED).fit(columns, labels)
    np.testing.assert_allclose(again.predict_proba(FRAME), model().predict_proba(FRAME), atol=0.2)


def test_columns_may_be_named_by_place_in_every_parameter():
    X = np.array([[-1.0, 2.0], [3.0, -1.0], [4.0, 5.0], [6.0, 7.0]] * 5)
    y = [0, 1, 0, 1] * 5
    named = pd.DataFrame(X, columns=["x0", "x1"])
    by_place = {"families": {0: "gaussian", 1: "gaussian"}, "missing": {0: -1}, "weights": {0: 0.5, np.int64(1): 2.0}}
    by_name = {
        "families": {"x0": "gaussian", "x1": "gaussian"},
        "missing": {"x0": -1},
        "weights": {"x0": 0.5, "x1": 2.0},
    }
    expected = bayesfold.NaiveBayes(**by_name).fit(named, y)
    np.testing.assert_allclose(
        bayesfold.NaiveBayes(**by_place).fit(X, y).predict_proba(X), expected.predict_proba(named)
    )
    np.testing.assert_allclose(
        bayesfold.NaiveBayes(**by_place).fit(named, y).predict_proba(named), expected.predict_proba(named)
    )
    numbered = pd.DataFrame(X, columns=[1, 0])  # names that are numbers are names
    turned = {key: {1 - k: v for k, v in told.items()} for key, told in by_place.items()}
    np.testing.assert_allclose(
        bayesfold.NaiveBayes(**turned).fit(numbered, y).predict_proba(numbered), expected.predict_proba(named)
    )


@pytest.mark.parametrize("parameter", ["families", "missing", "weights"])
def test_a_place_beyond_the_table_is_refused(parameter):
    told = {7: {"families": "gaussian", "missing": -1, "weights": 0.5}[parameter]}
    with pytest.raises(ValueError, match=f"{parameter}= names the column 7, but the table has 2 columns, from 0 to 1"):
        bayesfold.NaiveBayes(**{parameter: told}).fit(np.ones((4, 2)), [0, 1, 0, 1])


@pytest.mark.parametrize("order", ["in order", "falling", "with gaps", "shuffled"])
@pytest.mark.parametrize(
    "make", [bayesfold.NaiveBayes, bayesfold.AODE, bayesfold.GaussianBayes, bayesfold.BayesClassifier]
)
def test_a_number_that_only_numbers_the_rows_is_left_out(make, order):
    draw = np.random.default_rng(0)
    number: Any = np.arange(1, 101)
    number = {"falling": number[::-1], "with gaps": number * number, "shuffled": draw.permutation(number)}.get(
        order, number
    )
    table = pd.DataFrame({"id": number, "size": draw.normal(size=100)})
    labels = np.where(table["size"] > 0, "p", "q")
    with pytest.warns(bayesfold.ColumnWarning, match=r"'id' \(as an identifier: 100 integers, all different"):
        clf = make().fit(table, labels)
    assert "id" not in clf.schema_.sources
    assert "id" in make(families={"id": "gaussian"}).fit(table, labels).schema_.sources


def test_integers_that_are_measured_are_learned():
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"price": draw.choice(10**6, 100, replace=False), "year": np.arange(100) // 2})
    clf = bayesfold.NaiveBayes().fit(table, draw.choice(["p", "q"], 100))
    assert clf.schema_.sources == ("price", "year")

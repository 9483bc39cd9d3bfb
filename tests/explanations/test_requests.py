"""Every classifier that knows missing cells says what would change a decision and what to ask next."""

import warnings

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.estimators.base import Classifier
from bayesfold.explanations.requests import find_change, rank_questions
from bayesfold.learning.trained import find, train

KINDS = [getattr(bf, n) for n in bf.__all__ if isinstance(getattr(bf, n), type)]
NAMES = [kind.__name__ for kind in KINDS if issubclass(kind, Classifier) and "missing" in kind().get_params()]
DRAW = np.random.default_rng(0)
Y = np.array(["well", "ill"])[DRAW.integers(0, 2, 160)]
X = pd.DataFrame(
    {
        "word": np.where(DRAW.random(160) < 0.7, Y, DRAW.choice(["well", "ill", "so"], 160)),
        "size": DRAW.normal(size=160) + 1.5 * (Y == "ill"),
        "noise": DRAW.normal(size=160),
    }
)
every = pytest.mark.parametrize("name", NAMES)


def fitted(name, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(bf, name)(**options).fit(X, Y)


@every
def test_a_change_changes_the_decision(name):
    clf = fitted(name)
    for i in (0, 5, 9):
        row = X.iloc[i].to_dict()
        found = clf.what_would_change(row)
        assert clf.predict(row)[0] == found.before != found.after
        assert clf.predict(row | {column: new for column, _, new in found.changes})[0] == found.after


@pytest.mark.parametrize("name", [n for n in NAMES if n != "TextClassifier"])
def test_a_telling_column_is_worth_more_than_noise(name):
    clf = fitted(name)
    found = clf.what_to_ask({"size": 0.75})
    assert set(found) == {"word", "noise"}
    assert found.best == "word"
    assert found["word"] > found["noise"] >= 0
    assert found.risk == pytest.approx(1 - clf.predict_proba({"size": 0.75}).max())


def test_a_text_is_not_asked_for():
    """It has no list of values to expect."""
    assert set(fitted("TextClassifier").what_to_ask({"size": 0.75})) == {"noise"}


@every
def test_an_explanation_names_columns_once(name):
    clf = fitted(name)
    one = clf.explain(X)[3]
    parts = [reason.part for reason in one.reasons]
    assert len(set(parts)) == len(parts)
    assert set(parts) >= {"prior", "word", "size"}
    assert dict(zip(parts, (r.value for r in one.reasons), strict=True))["word"] == X.word[3]


def test_a_saved_model_takes_a_row_that_leaves_out_what_is_not_known():
    """It asked for every column, although what is missing is what one asks about."""
    table = Frame.of({"coat": ["short", "long", "short", "short"] * 5, "size": ["s", "s", "l", "l"] * 5})
    pets = train(find("naive")(), table, ["cat", "cat", "dog", "dog"] * 5, "pet")
    assert list(rank_questions(pets, {"coat": "short"})) == ["size"]
    assert find_change(pets, {"coat": "short"}, None, ["coat"], None).changes == (("size", None, "s"),)


def test_one_class_alone_is_named_as_it_was_written():
    clf = bf.NaiveBayes().fit({"a": ["u", "v"]}, ["p", "p"])
    with pytest.raises(ValueError, match=r"^there is one class, 'p', so there is nothing"):
        clf.explain({"a": ["u"]})


def dated(rows=240):
    """Rows with a date that tells much, and a level that tells a little."""
    draw = np.random.default_rng(5)
    y = draw.integers(0, 2, rows)
    day = np.datetime64("2024-01-01") + (draw.integers(0, 200, rows) + 150 * y).astype("timedelta64[D]")
    table = {"sent": day.astype(str).tolist(), "kind": np.where(draw.random(rows) < 0.3 + 0.4 * y, "a", "b").tolist()}
    return table | {"size": draw.normal(y).tolist()}, np.where(y, "late", "early").tolist()


@pytest.mark.parametrize(
    "make", [bf.NaiveBayes, bf.KDB, bf.GaussianBayes, bf.BayesClassifier], ids=lambda m: m.__name__
)
def test_a_date_that_is_known_stays_known_where_changes_are_tried(make):
    """A part of it in one of the rows that were tried at once made it missing in all the others."""
    table, y = dated()
    clf = make().fit(table, y)
    assert any(name.startswith("sent (") for name in clf.model_.schema.sources)
    flipped = 0
    for i in range(30):
        row = {name: column[i] for name, column in table.items()}
        assert clf.predict(row)[0] == clf.predict({name: [cell] for name, cell in row.items()})[0]
        try:
            change = clf.what_would_change(row)
        except ValueError:
            continue
        then = {**row, **{name: value for name, _, value in change.changes}}
        assert (change.before, change.after) == (clf.predict(row)[0], clf.predict(then)[0])
        assert change.before != change.after
        flipped += 1
    assert flipped > 3
    asked = clf.what_to_ask({"sent": table["sent"][0]})
    assert set(asked) == {"kind", "size"}
    with pytest.raises(ValueError, match="no column of this row is missing"):
        clf.what_to_ask(row)
    assert "sent" in clf.what_to_ask({"kind": "a"})

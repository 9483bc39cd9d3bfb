"""Forgotten means gone: what only forgotten rows showed is in no answer, no file and no export.

What somebody has declared stays, and what is learned and forgotten again leaves a model as it was.
"""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf

from .test_frames import ESTIMATORS

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")

ROWS = 60
DRAW = np.random.default_rng(4)
X = pd.DataFrame(
    {
        "city": DRAW.choice(["Rome", "Bern", "Oslo"], ROWS),
        "age": DRAW.normal(40, 9, ROWS).round(),
        "job": DRAW.choice(["cook", "smith"], ROWS),
    }
)
Y = np.where(X["age"] + 8 * (X["city"] == "Rome") > 44, "p", "q")
ODD = pd.DataFrame({"city": ["Secretville", "Rome"], "age": [41.0, 50.0], "job": ["cook", "spy007"]})
TEXTS = ["the city of Rome", "a cook in Bern", "Oslo at night", "night of the cook"] * 15
ODD_TEXTS = ["Secretville at night", "a spy007"]
ODD_Y = np.array(["hidden", "p"])
EVERY: dict[str, Callable[[], Any]] = ESTIMATORS | {
    "text": bf.TextClassifier,
    "weighed": lambda: bf.NaiveBayes(weights="auto"),
    "tempered": lambda: bf.NaiveBayes(calibration="temperature"),
    "words": lambda: bf.TextClassifier(model="complement", weights=None),
    "frozen": lambda: bf.TextClassifier(model="multinomial", idf="frozen", weights=None),
}
SECRETS = ("Secretville", "secretville", "spy007", "hidden")


def rows(name: str) -> tuple[Any, Any]:
    """The rows that stay, and those that are forgotten."""
    return (TEXTS, ODD_TEXTS) if name in ("words", "frozen") else (X, ODD)


def joined(some: Any, more: Any) -> Any:
    return some + more if isinstance(some, list) else pd.concat([some, more], ignore_index=True)


def assert_same(one: Any, other: Any, asked: Any) -> None:
    assert one.classes_.tolist() == other.classes_.tolist()
    np.testing.assert_allclose(one.predict_log_proba(asked), other.predict_log_proba(asked), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", EVERY)
def test_what_only_forgotten_rows_showed_is_gone(name: str, tmp_path: Path) -> None:
    stay, go = rows(name)
    clf = EVERY[name]().fit(joined(stay, go), np.append(Y, ODD_Y))
    assert "hidden" in clf.classes_
    clf.forget(go, ODD_Y)
    assert clf.classes_.tolist() == ["p", "q"]
    assert clf.predict_proba(stay).shape == (ROWS, 2)
    clf.save(tmp_path / "model.bayes")
    written = (tmp_path / "model.bayes").read_bytes()
    assert not [secret for secret in SECRETS if secret.encode() in written]
    bf.export_model(clf, tmp_path / "model.js")
    exported = (tmp_path / "model.js").read_text()
    assert not [secret for secret in SECRETS if secret in exported]
    assert_same(clf, bf.load(tmp_path / "model.bayes"), stay)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", EVERY)
def test_forgetting_is_learning_the_rest_on_the_schema_of_the_rest(name: str, weighted: bool) -> None:
    stay, go = rows(name)
    weights = DRAW.uniform(0.1, 3.0, ROWS + 2) if weighted else None
    own, theirs = (None, None) if weights is None else (weights[:ROWS], weights[ROWS:])
    clf = EVERY[name]().fit(joined(stay, go), np.append(Y, ODD_Y), sample_weight=weights)
    clf.forget(go, ODD_Y, sample_weight=theirs)
    again = clf.blank().partial_fit(stay, Y, sample_weight=own)
    assert again.schema_ == clf.schema_
    assert_same(clf, again, stay)
    np.testing.assert_allclose(clf.leave_one_out(stay, Y, own), again.leave_one_out(stay, Y, own), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_learned_and_forgotten_is_as_before(name: str) -> None:
    stay, go = rows(name)
    clf = EVERY[name]().fit(stay, Y)
    other = deepcopy(clf).partial_fit(go, ODD_Y).forget(go, ODD_Y)
    assert other.schema_ == clf.schema_
    assert_same(other, clf, stay)
    blank = clf.blank()
    assert blank.partial_fit(go, ODD_Y).forget(go, ODD_Y).schema_ == clf.blank().schema_


@pytest.mark.parametrize("name", EVERY)
def test_levels_may_be_kept(name: str) -> None:
    stay, go = rows(name)
    clf = EVERY[name]().fit(joined(stay, go), np.append(Y, ODD_Y))
    before = clf.schema_
    assert clf.forget(go, ODD_Y, keep_levels=True).schema_ == before
    assert "hidden" in clf.classes_


def test_what_a_person_named_stays() -> None:
    both, labels = joined(X, ODD), np.append(Y, ODD_Y)
    told: dict[str, Any] = {
        "priors": {"hidden": 0.2, "p": 0.5, "q": 0.3},
        "loss": {"hidden": {"p": 1, "q": 1}, "p": {"hidden": 2, "q": 1}, "q": {"hidden": 1, "p": 1}},
    }
    for name, value in told.items():
        assert "hidden" in bf.NaiveBayes(**{name: value}).fit(both, labels).forget(ODD, ODD_Y).classes_
    declared = bf.NaiveBayes().partial_fit(X, Y, classes=["hidden", "p", "q"]).partial_fit(ODD, ODD_Y)
    assert declared.forget(ODD, ODD_Y).classes_.tolist() == ["hidden", "p", "q"]
    assert "Secretville" not in str(declared.schema_)
    schema = bf.NaiveBayes().fit(both, labels).schema_
    given = bf.NaiveBayes(schema=schema).fit(both, labels).forget(ODD, ODD_Y)
    assert given.schema_ == schema


def test_a_declared_class_stays_in_files(tmp_path: Path) -> None:
    bf.NaiveBayes().partial_fit(X, Y, classes=["hidden", "p", "q"]).save(tmp_path / "m.bayes")
    clf = bf.load(tmp_path / "m.bayes").partial_fit(ODD, ODD_Y).forget(ODD, ODD_Y)
    assert clf.classes_.tolist() == ["hidden", "p", "q"]


@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"])
def test_a_class_of_a_drop_in_is_gone_unless_it_was_declared(name: str) -> None:
    counts, make = DRAW.integers(0, 3, (ROWS, 3)), getattr(bf, name)
    odd = np.array([[1, 2, 0]])
    clf = make().fit(np.vstack([counts, odd]), np.append(Y, "hidden")).forget(odd, ["hidden"])
    assert clf.classes_.tolist() == ["p", "q"]
    np.testing.assert_allclose(clf.predict_proba(counts), make().fit(counts, Y).predict_proba(counts), rtol=1e-9)
    clf = make().partial_fit(np.vstack([counts, odd]), np.append(Y, "hidden"), classes=["hidden", "p", "q"])
    assert clf.forget(odd, ["hidden"]).classes_.tolist() == ["hidden", "p", "q"]


@pytest.mark.parametrize("name", EVERY)
def test_everything_may_be_forgotten(name: str) -> None:
    stay, _ = rows(name)
    clf = EVERY[name]().fit(stay, Y).forget(stay, Y)
    assert len(clf.classes_) == 0
    clf.partial_fit(stay, Y)
    assert clf.classes_.tolist() == ["p", "q"]
    assert np.isfinite(clf.predict_proba(stay)).all()

"""Names of ours never meet names of theirs: whatever a table's columns are called, the model is the same model."""

from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.laws.test_frames import ESTIMATORS

import bayesfold as bf

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")

ROWS = 80
DRAW = np.random.default_rng(2)
X = pd.DataFrame(
    {
        "a": DRAW.choice(["u", "v", "w"], ROWS),
        "b": DRAW.normal(size=ROWS).round(2),
        "c": DRAW.integers(0, 4, ROWS),
        "d": DRAW.choice(["yes", "no"], ROWS),
        "e": DRAW.normal(3, 1, ROWS).round(1),
    }
)
Y = np.where(X["b"] + (X["a"] == "u") + X["c"] / 2 + DRAW.normal(size=ROWS) / 2 > 1, "p", "q")
X.loc[::7, "b"] = np.nan
X.loc[::9, "a"] = None

OURS = {
    "targets": ("class", "class label", "class label (2)", "label", "target"),
    "lines": ("prior", "averaging", "class offset", "missing parents", "cap on certainty"),
    "more lines": ("class spread", "prior of the classes", "sum", "part", "value"),
    "readings": ("b", "b:gaussian", "b:kde", "b is missing", "e"),
    "candidates": ("e:categorical", "e", "e:poisson", "e:given", "class"),
    "vectors": ("all columns", "all columns (gaussian)", "all columns (nb)", "no column", "text"),
    "members": ("c (kdb)", "c", "c (aode)", "c (naive)", "c (nb)"),
    "outputs": ("prediction", "predicted", "probabilities", "P(p)", "risk"),
    "columns of ours in SQL": ("k0", "r0", "c0", "bf_input", "bf_row"),
    "odd": ("*", "column 2", "x0", 'a "b"', "a\nb"),
}


def renamed(names: tuple[str, ...]) -> pd.DataFrame:
    """The table under other names."""
    return X.set_axis(list(names), axis=1)


@pytest.mark.parametrize("names", OURS.values(), ids=OURS.keys())
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_no_name_of_a_column_changes_an_answer(kind: str, names: tuple[str, ...], tmp_path: Path) -> None:
    make = bf.TextClassifier if kind == "text" else ESTIMATORS[kind]
    plain, other, table = make().fit(X, Y), make().fit(renamed(names), Y), renamed(names)
    expected = plain.predict_log_proba(X)
    np.testing.assert_allclose(other.predict_log_proba(table), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(other.leave_one_out(table, Y), plain.leave_one_out(X, Y), rtol=1e-9, atol=1e-12)
    why, theirs = plain.explain(X), other.explain(table)
    np.testing.assert_allclose(theirs.log_odds, why.log_odds, rtol=1e-9, atol=1e-9)
    assert len(set(other.model_.parts)) == len(plain.model_.parts)
    np.testing.assert_allclose([*theirs.importance().values()], [*why.importance().values()], rtol=1e-6, atol=1e-9)
    other.save(tmp_path / "m.bayes")
    again = bf.load(tmp_path / "m.bayes")
    np.testing.assert_allclose(again.predict_log_proba(table), expected, rtol=1e-9, atol=1e-12)
    row = {n: (None if v != v else v) for n, v in table.iloc[1].to_dict().items()}
    np.testing.assert_allclose(other.predict_log_proba(row), expected[1:2], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weights", ["auto", "information"])
@pytest.mark.parametrize("names", OURS.values(), ids=OURS.keys())
def test_weights_do_not_meet_names(names: tuple[str, ...], weights: str) -> None:
    plain, other = (bf.NaiveBayes(weights=weights).fit(t, Y) for t in (X, renamed(names)))
    np.testing.assert_allclose(other.predict_proba(renamed(names)), plain.predict_proba(X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("names", [("class", "label", "class label"), ("prior", "averaging", "sum")])
@pytest.mark.parametrize("name", ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"])
def test_no_name_of_a_column_changes_a_drop_in(name: str, names: tuple[str, ...]) -> None:
    counts = pd.DataFrame(DRAW.integers(0, 3, (ROWS, 3)), columns=list("abc"))
    plain, other = (getattr(bf, name)().fit(t, Y) for t in (counts, counts.set_axis(list(names), axis=1)))
    given = counts.set_axis(list(names), axis=1)
    np.testing.assert_array_equal(other.predict_log_proba(given), plain.predict_log_proba(counts))
    np.testing.assert_allclose(other.explain(given).log_odds, plain.explain(counts).log_odds, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("names", OURS.values(), ids=OURS.keys())
def test_the_network_of_a_model_has_every_column(names: tuple[str, ...]) -> None:
    make = bf.TAN(numeric="mdl", missing_as="skip")
    plain, other = (make.fit(t, Y).to_network() for t in (X, renamed(names)))
    assert len(other.nodes) == len(plain.nodes)
    assert {*names} < {*other.nodes}


def test_classes_that_read_alike_have_columns_of_their_own() -> None:
    clf = bf.NaiveBayes().fit(X, np.array([1, "1", True, "True"], object)[np.arange(ROWS) % 4])
    frame = clf.predict_proba(X, as_frame=True)
    assert frame.shape == (ROWS, len(clf.classes_))
    np.testing.assert_array_equal(frame.to_numpy(), clf.predict_proba(X))


def test_a_column_without_a_name_is_called_by_its_place() -> None:
    plain, other = bf.NaiveBayes().fit(X, Y), bf.NaiveBayes().fit(renamed(("a", "", "c", "d", "column 2")), Y)
    assert "column 2 (2)" in other.schema_.sources
    table = renamed(("a", "", "c", "d", "column 2"))
    np.testing.assert_allclose(other.predict_proba(table), plain.predict_proba(X), rtol=1e-9)


def test_a_word_called_like_a_line_has_a_line_of_its_own() -> None:
    texts = ["prior art", "text offer", "prior text", "offer now"] * 5
    clf = bf.TextClassifier(model="multinomial", weights=None).fit(texts, [0, 1, 0, 1] * 5)
    found = clf.explain(texts).importance()
    assert {"prior", "the word prior", "text", "the word text"} <= {*found}


def test_the_names_here_are_the_ones_that_the_code_uses() -> None:
    """What would make this file blind: a name of ours that was changed in the code and not here."""
    ours: set[Any] = {*chain.from_iterable(OURS.values())}
    clf = bf.BayesClassifier().fit(X, Y)
    lines = {part for part in clf.model_.parts if part not in X.columns}
    readings = {c.name for c in clf.schema_.features if c.name not in X.columns}
    assert lines <= ours
    assert clf.schema_.target.name in ours
    assert any(name.endswith(")") or name == "all columns" for name in readings)

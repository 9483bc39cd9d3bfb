"""The row that an error names is the one that is wrong, whatever is odd but allowed in the rows before it."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold import NaiveBayes

ROWS = 12
LABELS = np.array(["p", "q", "p", "q", "q", "p"] * 2, object)
FAMILIES = {"colour": "categorical", "code": "categorical", "mass": "gaussian", "rooms": "poisson", "income": "mdl"}


def table(**cells):
    """Twelve rows, in the first two of which every cell is missing, with some cells changed: column=(row, value)."""
    draw = np.random.default_rng(0)
    columns = {
        "colour": draw.choice([*"rgb"], ROWS).astype(object),
        "code": draw.choice([-4.0, 3.0, 9.0], ROWS),
        "mass": draw.normal(size=ROWS),
        "rooms": draw.integers(0, 5, ROWS).astype(float),
        "income": draw.normal(size=ROWS),
    }
    for values in columns.values():
        values[:2] = None if values.dtype == object else np.nan
    for name, (row, value) in cells.items():
        columns[name][row] = value
    return pd.DataFrame(columns)


@pytest.fixture(scope="module")
def clf():
    return NaiveBayes(families=FAMILIES, alpha=1.0).fit(table(), LABELS)


@pytest.mark.parametrize("row", [2, 7, 11])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_row_that_is_wrong_is_named(clf, row, weighted):
    weight = np.array([1.0, 0.0, *[2.0] * 10]) if weighted else None

    def refused(act, table, labels=LABELS, weight=weight):
        with pytest.raises(ValueError, match="row") as caught:
            act(table, labels, sample_weight=weight)
        return str(caught.value)

    for name, value in (
        ("mass", np.inf),
        ("mass", -np.inf),
        ("rooms", np.inf),
        ("income", np.inf),
        ("income", -np.inf),
    ):
        assert f"{name!r} is infinite in row {row}" in refused(clf.partial_fit, table(**{name: (row, value)}))
    assert f"'rooms' is -2 in row {row}" in refused(clf.partial_fit, table(rooms=(row, -2.0)))
    for name, value in (("colour", "new"), ("code", -5.0), ("code", 0.0), ("code", 10.0)):
        said = refused(clf.forget, table(**{name: (row, value)}))
        assert said.startswith(f"row {row} was not learned by this model: column {name!r}"), said
    labels = LABELS.copy()
    labels[row] = None
    assert f"row {row} has no label" in refused(clf.partial_fit, table(), labels)
    for value in (-1.0, np.nan, np.inf):
        heavy = np.array([1.0, 0.0, *[2.0] * 10])
        heavy[row] = value
        assert f"row {row} has the weight {value}" in refused(clf.partial_fit, table(), weight=heavy)
    for name in ("mass", "rooms", "income"):
        with pytest.raises(ValueError, match=f"{name!r} is infinite in row {row}"):
            clf.predict(table(**{name: (row, np.inf)}))


NET = bf.read_network("smoking")
STATES = {name: NET.states(name) for name in NET.nodes}


def evidence(row, value, name="dyspnoea"):
    """Rows for a network, with holes before the one that has another value."""
    rows = {v: [None, s[0], None, s[-1], s[0], None, s[-1], s[0], s[0], s[-1]] for v, s in STATES.items()}
    rows[name][row] = value
    return rows


def whole(row):
    """Rows for a network with one hole."""
    rows = {v: [s[0], s[-1]] * 5 for v, s in STATES.items()}
    rows["dyspnoea"][row] = None
    return rows


def documents(row, value):
    """Texts, of which some are empty or missing."""
    texts = ["red fox", None, "", "blue cow", "red cow", "", None, "fox", "cow", "blue"]
    texts[row] = value
    return {"text": texts}


def told(row, **cells):
    """P(class | row) of ten rows, some sure, with one that is none."""
    p = np.tile([[1.0, 0.0], [0.25, 0.75]], (5, 1))
    p[row] = cells["p"]
    return p


def costs(row):
    """What mistakes in ten rows cost, one of them infinitely much."""
    loss = np.tile([[0.0, 1.0], [0.0, 0.0]], (10, 1, 1))
    loss[row, 0, 1] = np.inf
    return loss


TEN = np.arange(10) % 2
TEXTS = bf.TextClassifier().fit(documents(0, "red fox"), TEN)


def weighed(row):
    weight = np.array([1.0, 0.0] * 5)
    weight[row] = -1.0
    return weight


ELSEWHERE = {
    "a state that a network lacks": lambda row: NET.predict_proba(evidence(row, "?"), "smoking"),
    "a state that a network lacks, to be learned": lambda row: bf.BayesianNetwork.from_edges(
        NET.edges, states=NET.axes
    ).fit(evidence(row, "?")),
    "a hole in a structure's rows": lambda row: bf.learn_network(whole(row)),
    "a term never learned": lambda row: TEXTS.forget(documents(row, "zebra"), TEN),
    "no row of probabilities": lambda row: bf.decide(told(row, p=[0.5, 0.6]), classes=["a", "b"]),
    "a probability below 0": lambda row: bf.decide(told(row, p=[-0.5, 1.5]), classes=["a", "b"]),
    "an infinite cost": lambda row: bf.decide(told(row, p=[0.5, 0.5]), costs(row), classes=["a", "b"]),
    "a weight below 0 of an evaluation": lambda row: bf.evaluate(
        TEXTS, documents(0, "red fox"), TEN, sample_weight=weighed(row), folds=2
    ),
}


@pytest.mark.parametrize("act", ELSEWHERE.values(), ids=ELSEWHERE)
@pytest.mark.parametrize("row", [3, 7, 9])
def test_the_row_that_is_wrong_is_named_by_whoever_refuses_it(act, row):
    with pytest.raises(ValueError, match=f"row {row}\\b"):
        act(row)

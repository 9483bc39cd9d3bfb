"""The row that an error names is the one that is wrong, whatever is odd but allowed in the rows before it."""

import numpy as np
import pandas as pd
import pytest

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

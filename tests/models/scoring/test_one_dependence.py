"""Averages over super-parents are those of the definition, however many classes and columns there are."""

import numpy as np
import pytest

from bayesfold import AODE


def drawn(classes, columns):
    """As many rows of each class, so that its smoothed prior is the same."""
    draw, rows = np.random.default_rng(10 * classes + columns), 60 * classes
    y = np.arange(rows) % classes
    return (draw.integers(0, 3, (rows, columns)) + (draw.random((rows, columns)) < 0.1 * y[:, None])) % 3, y


@pytest.mark.parametrize("columns", [2, 3, 4, 7])
@pytest.mark.parametrize("classes", [2, 3, 4, 5, 6, 7, 8, 9, 13])
def test_the_definition_for_any_number_of_classes(classes, columns):
    """P(class, row) is the mean over i of P(class, x_i) times each P(x_j | class, x_i), each cell with one row more."""
    X, y = drawn(classes, columns)
    clf = AODE(families=dict.fromkeys([f"x{j}" for j in range(columns)], "categorical"), alpha=1.0).fit(
        {f"x{j}": X[:, j].astype(str) for j in range(columns)}, y
    )
    asked = X[:40]
    joint = np.zeros((40, classes))
    for k in range(classes):
        own = X[y == k]
        for i in range(columns):
            alike = own[:, i][None] == asked[:, i][:, None]  # [asked, row]
            product = (alike.sum(1) + 1.0) / (len(own) + 3)
            for j in set(range(columns)) - {i}:
                both = alike & (own[:, j][None] == asked[:, j][:, None])
                product = product * (both.sum(1) + 1.0) / (alike.sum(1) + 3)
            joint[:, k] += product
    expected = joint / joint.sum(1, keepdims=True)
    found = clf.predict_proba({f"x{j}": asked[:, j].astype(str) for j in range(columns)})
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("columns", "levels", "alpha", "close"),
    [(60, 16, 1e-9, np.inf), (130, 9, 0.05, 3.0)],  # a check finds 2^-372 each time; or, in the end, about 2^-512
)
def test_products_are_scaled_as_often_as_they_need_and_added_as_they_are(columns, levels, alpha, close):
    """Of many columns: some super-parents' products are scaled once more than others, and count as much."""
    draw = np.random.default_rng(0)
    X, y = draw.integers(0, levels, (120, columns)), np.arange(120) % 2
    X[:levels] = np.arange(levels)[:, None]
    names = [f"x{j}" for j in range(columns)]
    clf = AODE(families=dict.fromkeys(names, "categorical"), alpha=alpha)
    clf.fit({name: X[:, j].astype(str) for j, name in enumerate(names)}, y)
    fresh = draw.integers(0, levels, (60, columns))
    logs = np.empty((len(fresh), 2, columns))
    for k in range(2):
        own = X[y == k]
        for r, row in enumerate(fresh):
            alike = (own == row).astype(float)
            both, alone = alike.T @ alike, alike.sum(0)
            pairs = np.log((both + alpha) / (alone[:, None] + levels * alpha))
            np.fill_diagonal(pairs, 0.0)
            logs[r, k] = np.log((alone + alpha) / (len(own) + levels * alpha)) + pairs.sum(1)
    edge = 512 * np.log(2)
    near = (logs.max(2) > -edge) & (logs.max(2) < close - edge) & (logs.min(2) < -edge)
    assert near.any() or close == np.inf  # the largest are above it, and others that matter below
    joint = np.logaddexp.reduce(logs, axis=2)
    found = clf.predict_log_proba({name: fresh[:, j].astype(str) for j, name in enumerate(names)})
    np.testing.assert_allclose(found[:, 0] - found[:, 1], joint[:, 0] - joint[:, 1], rtol=1e-9, atol=1e-9)

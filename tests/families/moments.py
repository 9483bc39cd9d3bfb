"""Tables of numbers with classes, their moments, and shrinkages to try on them."""

import numpy as np
import pytest

from bayesfold.families._covariance import Moments, Shrinkage

SHRINKAGES = [
    Shrinkage(),
    Shrinkage(ddof=1),
    Shrinkage(tied=1.0),
    Shrinkage(tied=1.0, ddof=1),
    Shrinkage(pseudo_rows=4.0),
    Shrinkage(tied=0.5, diagonal=0.1),
    Shrinkage(tied=0.1, diagonal=0.01, pseudo_rows=4.0),
    Shrinkage(tied=0.3, pseudo_rows=1.5, ddof=1),
    Shrinkage(tied=0.3, diagonal=1.0),
    Shrinkage(independent=True),
    Shrinkage(tied=0.3, diagonal=0.2, pseudo_rows=2.0, ddof=1, independent=True),
]


KINDS = ["normal", "rounded", "repeated", "constant", "one-hot"]


def summed(X, y, weight=None, classes=3):
    weight = np.ones(len(X)) if weight is None else weight
    each = weight * (y == np.arange(classes)[:, None])
    return Moments(each.sum(1), each @ X, np.einsum("ci,ij,ik->cjk", each, X, X))


def table(seed, rows=40, columns=4, classes=3, kind="normal"):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, classes, rows)
    X = draw.normal(size=(rows, columns)) @ np.tri(columns) + draw.normal(size=(classes, columns))[y]
    if kind == "rounded":
        X = np.round(X)
    elif kind == "repeated":
        X[:, 0] = 2 * X[:, -1]
    elif kind == "constant":
        X[:, 0] = 0.3
    elif kind == "one-hot":
        X = np.eye(columns)[draw.integers(0, columns, rows)]
    return X, y, draw


def posterior(log_p):
    p = np.exp(log_p - log_p.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def close(found, expected, tolerance=1e-8):
    wrong = np.abs(np.asarray(found) - expected) / (1 + np.abs(expected))
    assert (wrong <= tolerance).all(), f"wrong by {wrong.max()} at {np.argwhere(wrong > tolerance)[0]}"


def degenerate():
    wide, y, _ = table(10, rows=12, columns=30)
    X, z, _ = table(11, rows=12)
    yield pytest.param(wide, y, id="more columns than rows")
    yield pytest.param(np.zeros((6, 3)), np.array([0, 0, 1, 1, 2, 2]), id="all zero")
    yield pytest.param(np.full((6, 3), 1e5), np.array([0, 0, 1, 1, 2, 2]), id="all equal, far from the origin")
    yield pytest.param(np.repeat(X[:3], 4, axis=0), np.repeat([0, 1, 2], 4), id="equal within classes")
    yield pytest.param(X[:3], np.arange(3), id="a row a class")
    yield pytest.param(X[:1], np.array([1]), id="one row")
    yield pytest.param(X[:, :0], z, id="no column")
    yield pytest.param(X, np.ones(12, int), id="one class")
    yield pytest.param(np.eye(4)[z], z, id="columns that are the class")
    yield pytest.param(X * [1e140, 1e-140, 1.0, 0.0], z, id="huge and tiny")
    yield pytest.param(np.vstack([X, np.full((1, 4), 1e120)]), np.append(z, 0), id="one row far away")

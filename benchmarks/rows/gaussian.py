"""Gaussian naive Bayes, 1,000,000 x 50 floats, 10 classes, beside scikit-learn and beside one pass over the numbers."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
from sklearn import naive_bayes as sklearn_nb

import bayesfold
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba, side_by_side
from benchmarks.table import Line, at_least, compare, within

CLASSES = 10


def table(rows: int, columns: int = 50) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Normal columns whose mean and spread depend on the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    mean, spread = rng.normal(0, 0.3, (CLASSES, columns)), rng.uniform(0.5, 2, (CLASSES, columns))
    X = rng.standard_normal((rows, columns))
    X *= spread[y]
    X += mean[y]
    return X, y


def run(options: Options) -> Iterator[Line]:
    """Fit, fit against `np.sum`, predict_proba."""
    X, y = table(options.rows(1_000_000))
    shape = f"{len(X):,} x {X.shape[1]}, {CLASSES} classes"
    ours, peer = bayesfold.GaussianNB().fit(X, y), sklearn_nb.GaussianNB().fit(X, y)
    head = X[:100_000]
    agreement = compare(ours.predict_proba(head), peer.predict_proba(head))

    our_fit, peer_fit = partial(fit, bayesfold.GaussianNB, X, y), partial(fit, sklearn_nb.GaussianNB, X, y)
    yield side_by_side(f"Gaussian fit {shape}", "scikit-learn", our_fit, peer_fit, at_least(20), agreement)
    note = "the whole fit(X, y), label coding and checks included, against one pass over the numbers"
    yield side_by_side(f"Gaussian fit {shape}", "np.sum(X)", our_fit, partial(np.sum, X), within(1.5), note=note)
    yield side_by_side(
        f"Gaussian predict_proba {shape}",
        "scikit-learn",
        partial(predict_proba, ours, X),
        partial(predict_proba, peer, X),
        at_least(10),
        agreement,
    )

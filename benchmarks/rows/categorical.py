"""Categorical naive Bayes, 1,000,000 x 50 codes of 8 levels, 10 classes, beside scikit-learn."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
from sklearn import naive_bayes as sklearn_nb

import bayesfold
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba, side_by_side
from benchmarks.table import Line, at_least, compare

CLASSES, LEVELS = 10, 8
PEER = "scikit-learn"


def table(rows: int, columns: int = 50) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Codes that lean towards a level of their class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    X = rng.integers(0, LEVELS, (rows, columns), dtype=np.uint8)
    X += (y[:, None] * rng.integers(0, 2, (rows, columns), dtype=np.uint8)).astype(np.uint8)
    X %= LEVELS
    return X, y


def run(options: Options) -> Iterator[Line]:
    """Fit and predict_proba from one-byte codes, and again from eight-byte ones."""
    codes, y = table(options.rows(1_000_000))
    for dtype, fit_target, predict_target in ((np.uint8, at_least(100), at_least(10)), (np.int64, None, None)):
        peer_repeats = 3 if fit_target else 1  # it takes seconds a call
        X = codes.astype(dtype, copy=False)
        what = f"{len(X):,} x {X.shape[1]} {np.dtype(dtype).name}"
        ours, peer = bayesfold.CategoricalNB().fit(X, y), sklearn_nb.CategoricalNB().fit(X, y)
        head = X[:100_000]
        agreement = compare(ours.predict_proba(head), peer.predict_proba(head))
        yield side_by_side(
            f"Categorical fit {what}",
            PEER,
            partial(fit, bayesfold.CategoricalNB, X, y),
            partial(fit, sklearn_nb.CategoricalNB, X, y),
            fit_target,
            agreement,
            peer_repeats=peer_repeats,
        )
        yield side_by_side(
            f"Categorical predict_proba {what}",
            PEER,
            partial(predict_proba, ours, X),
            partial(predict_proba, peer, X),
            predict_target,
            agreement,
            peer_repeats=peer_repeats,
        )

"""Exact leave-one-out, 2,000 x 20, 3 classes, beside refitting scikit-learn without each row."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import naive_bayes as sklearn_nb

import bayesfold
from benchmarks.rows import Options
from benchmarks.sides import side_by_side
from benchmarks.table import Line, at_least, compare

CLASSES, LEVELS = 3, 8
TOLERANCE = 1e-8  # of log posteriors: the variance floor is held here, and learned again by each refit


def ours(make: Callable[[], Any], X: npt.NDArray[Any], y: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """One fit, then every row scored without itself."""
    answer: npt.NDArray[np.float64] = make().fit(X, y).leave_one_out(X, y)
    return answer


def refits(make: Callable[[], Any], X: npt.NDArray[Any], y: npt.NDArray[np.int64], number: int) -> npt.NDArray[Any]:
    """For each of the first `number` rows: fit the others, score it."""
    keep = np.ones(len(X), bool)
    answers = []
    for i in range(number):
        keep[i] = False
        answers.append(make().fit(X[keep], y[keep]).predict_log_proba(X[i : i + 1])[0])
        keep[i] = True
    return np.asarray(answers)


def run(options: Options) -> Iterator[Line]:
    """Gaussian and categorical; labels must be identical."""
    rows = 400 if options.quick else 2_000
    left_out = rows if options.full else rows // 10
    rng = np.random.default_rng(1)
    y = rng.integers(0, CLASSES, rows)
    real = rng.normal(0, 1, (rows, 20)) + 0.3 * y[:, None]
    codes = (rng.integers(0, LEVELS, (rows, 20)) * (rng.random((rows, 20)) < 0.8) + y[:, None]) % LEVELS
    pairs = {
        "Gaussian": (real, bayesfold.GaussianNB, sklearn_nb.GaussianNB),
        "Categorical": (
            codes,
            partial(bayesfold.CategoricalNB, min_categories=LEVELS),
            partial(sklearn_nb.CategoricalNB, min_categories=LEVELS),
        ),
    }
    for name, (X, make, peer_make) in pairs.items():
        our_task, peer_task = partial(ours, make, X, y), partial(refits, peer_make, X, y, left_out)
        yield side_by_side(
            f"{name} leave-one-out {rows:,} x 20",
            "scikit-learn refits",
            our_task,
            peer_task,
            at_least(500),
            compare(our_task()[:left_out], peer_task(), TOLERANCE),
            scale=rows / left_out,
            note=f"the peer leaves out {left_out:,} of {rows:,} rows and its time is scaled up to all; "
            "ours includes its fit; the difference is of log posteriors",
        )

"""`BayesClassifier()` on half of adult and half of letter, beside scikit-learn's HistGradientBoosting.

Each side learns once, because that takes long; times are processor time, of all our threads and of the peer's one.
"""

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from bayesfold import BayesClassifier
from benchmarks.public_sets import FOLDER, Boosting, described, load
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba
from benchmarks.table import Line, at_least, within
from benchmarks.timing import Task, Timing

TARGETS = {"letter": within(1), "adult": within(8)}
PEER = "boosting, 1 thread"


def timed(task: Task, calls: int = 1) -> tuple[Any, Timing]:
    """What the task gives, and the processor time of each call."""
    seconds = []
    for _ in range(calls):
        start = time.process_time()
        answer = task()
        seconds.append(time.process_time() - start)
    return answer, Timing(tuple(seconds))


def run(options: Options) -> Iterator[Line]:
    """Learn one half, predict the other; the notes say how good both are."""
    if not (FOLDER / "schema.json").is_file():
        print("row pooled is skipped: the public sets (shared/data beside this folder) are not here")
        return
    for name, target in TARGETS.items():
        data = load(FOLDER, name, described(FOLDER)[name])
        train, test = (np.flatnonzero(part)[:: 50 if options.quick else 1] for part in halves(data.folds[:, 0]))
        X, y, new = data.X.iloc[train], data.y[train], data.X.iloc[test]
        work, notes, fits, scores = f"{name}, {len(X):,} x {X.shape[1]}", [], [], []
        for who, make in (("ours", BayesClassifier), ("boosting", Boosting)):
            make().fit(X[::100], y[::100])  # what is imported and made once
            model, taken = timed(partial(fit, make, X, y))
            p, asked = timed(partial(predict_proba, model, new), 3)
            own = p[np.arange(len(p)), np.searchsorted(model.classes_, data.y[test])]
            right = (model.classes_[p.argmax(1)] == data.y[test]).mean()
            notes.append(f"{who} {right:.4f} / {-np.log(np.maximum(own, 1e-15)).mean():.4f}")
            fits.append(taken)
            scores.append(asked)
        note = f"processor time; accuracy / log-loss on the other half: {', '.join(notes)}"
        yield Line(f"BayesClassifier fit {work}", PEER, fits[0], fits[1], target, note=note)
        yield Line(f"BayesClassifier predict_proba {work}", PEER, scores[0], scores[1], at_least(1), note=note)


def halves(fold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two halves of the rows, by their folds."""
    first = fold < np.median(np.unique(fold))
    return first, ~first

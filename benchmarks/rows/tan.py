"""TAN, 50,000 x 20 codes of 5 levels, 4 classes, beside Weka and pyAgrum."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from bayesfold import TAN
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba
from benchmarks.table import Agreement, Line, at_least
from benchmarks.timing import alternate
from benchmarks.tree_table import as_arrow, tree_table
from benchmarks.weka import beside, missing, weka

WEKA = (
    "weka.classifiers.bayes.BayesNet -D -Q weka.classifiers.bayes.net.search.local.TAN -- "
    "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.5"
)
PART = 20  # pyAgrum predicts row by row: one row in so many, its time scaled up


def agreement(ours: np.ndarray, peer: np.ndarray, tolerance: float) -> tuple[Agreement, str]:
    """The peers direct the tree away from another column and smooth the class otherwise: near, not equal."""
    same = (ours.argmax(1) == peer.argmax(1)).mean()
    return Agreement(float(np.abs(ours - peer).max()), tolerance), f"{same:.2%} of labels equal"


def run(options: Options) -> Iterator[Line]:
    """Fit and predict_proba."""
    X, y = tree_table(options.rows(50_000), 20)
    table, make = as_arrow(X), partial(TAN, alpha=0.5, prior_alpha=0.5)
    ours, shape = make().fit(table, y), f"{len(X):,} x {X.shape[1]}"
    answers, targets = np.asarray(ours.predict_proba(table)), (at_least(15), at_least(15))
    our_tasks = partial(fit, make, table, y), partial(predict_proba, ours, table)
    works = [f"TAN {verb} {shape}" for verb in ("fit", "predict_proba")]
    if missing():
        print(f"row tan does without Weka: {missing()}")
    else:
        with weka(WEKA, X, y) as peer:
            times = [beside(peer, order, task) for order, task in zip(("fit", "predict"), our_tasks, strict=True)]
            near, labels = agreement(answers, peer.answers(), 0.001 if not options.quick else 0.05)
        for work, (our_time, peer_time, used), target in zip(works, times, targets, strict=True):
            note = f"both with Laplace's 0.5; {labels}; {used}"
            yield Line(work, "Weka", our_time, peer_time, target, near, note=note)
    frame = pd.DataFrame(X.astype(str), columns=[f"x{j}" for j in range(X.shape[1])])
    few, names = frame[::PART], y.astype(str)
    other = pyagrum_tan().fit(frame, names)
    near, labels = agreement(answers[::PART], other.predict_proba(few), 0.001 if not options.quick else 0.05)
    note = f"pyAgrum predicts one row in {PART}, scaled up; from pandas strings there; {labels}"
    fits = alternate(our_tasks[0], partial(fit, pyagrum_tan, frame, names), peer_repeats=2)
    scores = alternate(our_tasks[1], partial(predict_proba, other, few), peer_repeats=2)
    yield Line(works[0], "pyAgrum", *fits, targets[0], near, note=note)
    yield Line(works[1], "pyAgrum", scores[0], scores[1].times(PART), targets[1], near, note=note)


def pyagrum_tan() -> Any:
    """pyAgrum's classifier on one thread, without cutting what is coded already."""
    import pyagrum as gum
    from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
    from pyagrum.skbn import BNClassifier

    gum.setNumberOfThreads(1)
    whole = DiscreteTypeProcessor(defaultDiscretizationMethod="NoDiscretization", defaultNumberOfBins=None)
    return BNClassifier(type_processor=whole, learningMethod="TAN", prior="Smoothing", priorWeight=0.5)

"""Mixed table, 1,000,000 x 20, strings and floats with 5 % missing, 3 classes, beside a scikit-learn recipe."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.mixed_table import arrow_table, pandas_table
from benchmarks.recipe import fit_recipe
from benchmarks.reference import log_posteriors, ours
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba, side_by_side
from benchmarks.table import Agreement, Line, at_least, compare

PEER = "scikit-learn recipe"


def agreement(X: Any, y: Any, rows: int = 20_000) -> Agreement:
    """Fit the first rows, and compare with the same model made of scikit-learn's parts."""
    X, y = X[:rows], y[:rows]
    frame, labels = pandas_table(X, y) if hasattr(X, "schema") else (X, y)
    answers = np.asarray(ours().fit(X, y).predict_proba(X))
    return compare(answers, np.exp(log_posteriors(frame, labels, frame)))


def run(options: Options) -> Iterator[Line]:
    """Fit and predict_proba from pandas `str` columns and from Arrow dictionaries."""
    rows, part = options.rows(1_000_000), options.rows(1_000_000) // (1 if options.full else 10)
    table, classes = arrow_table(rows)
    inputs = {"pandas str": pandas_table(table, classes), "Arrow dictionary": (table, classes)}
    for source, (X, y) in inputs.items():
        few, few_y = X[:part], y[:part]
        model, peer, equal = ours().fit(X, y), fit_recipe(few, few_y), ours().fit(few, few_y)
        same = (equal.predict_proba(few).argmax(1) == peer.predict_proba(few).argmax(1)).mean()
        note = (
            f"the peer's time is scaled up from {part:,} rows; it imputes and counts missing as a level, we skip it: "
            f"{same:.2%} of labels equal; the difference is to a model that skips, out of scikit-learn's parts"
        )
        answers = agreement(X, y)
        yield side_by_side(
            f"Mixed fit {rows:,} x 20, {source}",
            PEER,
            partial(fit, ours, X, y),
            partial(fit_recipe, few, few_y),
            at_least(15 if source == "pandas str" else 30),
            answers,
            scale=rows / part,
            whole=partial(fit_recipe, X, y),
            note=note,
        )
        yield side_by_side(
            f"Mixed predict_proba {rows:,} x 20, {source}",
            PEER,
            partial(predict_proba, model, X),
            partial(predict_proba, peer, few),
            at_least(8),
            answers,
            scale=rows / part,
            whole=partial(predict_proba, peer, X),
            note=note,
        )

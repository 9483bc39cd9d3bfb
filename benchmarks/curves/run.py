"""Fit and judge: one line of JSON for each table, width, number of rows, seed and method."""

import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from bayesfold.data.tables import frame
from benchmarks.curves.methods import METHODS, OURS
from benchmarks.curves.tables import Cut

LEAST = 1e-15


@dataclass(frozen=True)
class Result:
    """What one method got: times are of the processor, `wall` by the clock; what it said of itself is between two."""

    table: str
    wide: str
    n: int
    seed: int
    method: str
    accuracy: float
    loss: float
    estimate: float = np.nan
    fit: float = np.nan
    predict: float = np.nan
    wall: float = np.nan
    low: float = np.nan
    high: float = np.nan

    def line(self) -> dict[str, Any]:
        return asdict(self)


def run(both: Cut, key: tuple[str, str, int, int], method: str) -> Iterator[Result]:
    """The result of a method, and of ours also those of each of its parts."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        begin, clock = process_time(), perf_counter()
        clf = METHODS[method]().fit(both.train.X, both.train.y)
        fit, wall = process_time() - begin, perf_counter() - clock
        begin = process_time()
        p = clf.predict_proba(both.test.X)
        predict = process_time() - begin
    report = getattr(clf, "report_", None)
    estimate, between = (np.nan, (np.nan, np.nan)) if report is None else (report.loss, report.interval)
    yield Result(*key, method, *scores(p, clf.classes_, both.test.y), float(estimate), fit, predict, wall, *between)
    if method == OURS:
        yield from parts(clf, both.test.X, both.test.y, key)


def parts(clf: Any, X: pd.DataFrame, y: np.ndarray, key: tuple[str, str, int, int]) -> Iterator[Result]:
    """What each part of a pool says by itself."""
    members = getattr(clf.model_, "members", {})
    batch = clf.model_.schema.encode(frame(X))
    for name, member in members.items():
        yield Result(*key, f"part {name}", *scores(np.exp(member.log_proba(batch)), clf.classes_, y))


def scores(p: np.ndarray, classes: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Accuracy and log-loss; a class that was not learned has no probability."""
    place = {c: k for k, c in enumerate(classes)}
    own = np.array([place.get(c, -1) for c in y])
    sure = np.where(own >= 0, p[np.arange(len(y)), own], 0.0)
    return float((p.argmax(1) == own).mean()), float(-np.log(np.clip(sure, LEAST, 1)).mean())

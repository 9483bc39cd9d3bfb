"""Part two: one large table learned, updated, forgotten, merged and streamed, each step checked against a refit."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from click import style
from numpy.typing import NDArray

from bayesfold import NaiveBayes
from bayesfold.demo.parcels import HOLES, parcels
from bayesfold.demo.screen import show, show_heading, working

Answer = TypeVar("Answer")
TOLERANCE = 1e-9
PROBED = 20_000
STREAMED = 2_000


@dataclass(frozen=True)
class Rows:
    """A run of rows and their labels."""

    X: pa.Table
    y: NDArray[Any]

    def __getitem__(self, part: slice) -> "Rows":
        begin, end, _ = part.indices(len(self.y))
        return Rows(self.X.slice(begin, end - begin), self.y[part])

    def __add__(self, other: "Rows") -> "Rows":
        return Rows(pa.concat_tables([self.X, other.X]), np.concatenate([self.y, other.y]))


def show_fold(rows: int) -> bool:
    """Run the steps; False when one of them differs from its refit."""
    show_heading("2  A fold: what adds can be taken away")
    _, (X, y) = timed("generating parcels", lambda: parcels(rows))
    every = Rows(X, y)
    batch = rows // 10
    show(
        f"{rows:,} parcels, {X.num_columns} columns: text, floats, whole numbers, {HOLES:.0%} of the cells missing.\n"
        "One depot opens late: only the last tenth of the rows show it.\n"
        "Each model is compared with a refit (same schema) of the rows it should know, by log P(class | row).\n"
    )
    probe = every[:PROBED].X
    sound = []

    def step(code: str, size: int, work: Callable[[], Any], same_rows: Rows | None = None) -> Any:
        seconds, clf = timed(code, work)
        line = f"  {code:<31}{size:>10,} rows{seconds * 1e3:8,.1f} ms"
        if same_rows is None:
            show(line)
            return clf
        with working("refitting, to compare"):
            off = difference(clf, refit(clf, same_rows), probe)
        sound.append(off <= TOLERANCE)
        show(f"{line}   {verdict(off)}")
        return clf

    start, new, old = every[: rows - batch], every[rows - batch :], every[:batch]
    clf = step("clf = NaiveBayes().fit(X, y)", len(start.y), lambda: NaiveBayes().fit(start.X, start.y))
    step("clf.partial_fit(X_new, y_new)", batch, lambda: clf.partial_fit(new.X, new.y), every)
    step("clf.forget(X_old, y_old)", batch, lambda: clf.forget(old.X, old.y), every[batch:])
    a, b = (refit(clf, half) for half in (every[: rows // 2], every[rows // 2 :]))
    step("a + b, the models of two halves", rows, lambda: a + b, every)
    sound.append(stream(clf, old[:STREAMED], every[batch:], probe))
    return all(sound)


def timed(what: str, work: Callable[[], Answer]) -> tuple[float, Answer]:
    """Seconds taken, and the answer."""
    with working(what):
        begin = perf_counter()
        answer = work()
        return perf_counter() - begin, answer


def refit(clf: Any, rows: Rows) -> Any:
    """A fresh model of these rows with the same columns, levels and densities."""
    return NaiveBayes(schema=clf.schema_).fit(rows.X, rows.y)


def difference(clf: Any, other: Any, probe: pa.Table) -> float:
    """The largest difference of a log posterior."""
    return float(np.abs(clf.predict_log_proba(probe) - other.predict_log_proba(probe)).max())


def verdict(off: float) -> str:
    """A check in print."""
    if off <= TOLERANCE:
        return f"{style('equal', fg='green')} within {off:.0e}"
    return f"{style('DIFFERS', fg='red', bold=True)} by {off:.0e}"


def stream(clf: Any, rows: Rows, known: Rows, probe: pa.Table) -> bool:
    """Rows one at a time as dicts, each predicted before it is learned; whether the model then equals its refit."""
    dicts = rows.X.to_pylist()
    labels = rows.y.tolist()
    spent = np.zeros(2)
    hits = 0
    with working("streaming"):
        for row, label in zip(dicts, labels, strict=True):
            begin = perf_counter()
            proba = clf.predict_proba(row)
            middle = perf_counter()
            clf.partial_fit(row, label)
            spent += middle - begin, perf_counter() - middle
            hits += clf.classes_[proba[0].argmax()] == label
        off = difference(clf, refit(clf, known + rows), probe)
    each = spent / len(dicts) * 1e6
    show(f"\n  {len(dicts):,} of the forgotten rows come back as dicts, predicted, then learned:\n")
    show(f"  {'clf.predict_proba(row)':<31}{each[0]:>10,.0f} µs per row       {hits / len(dicts):.1%} right")
    show(f"  {'clf.partial_fit(row, label)':<31}{each[1]:>10,.0f} µs per row       {verdict(off)}")
    return off <= TOLERANCE

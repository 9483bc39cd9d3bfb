"""An answer is given by one model, whatever another thread learns or forgets meanwhile."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
import pytest

import bayesfold as bf

pytestmark = pytest.mark.filterwarnings("ignore::bayesfold.ColumnWarning")

ROWS = 40
DRAW = np.random.default_rng(0)
X: dict[str, Any] = {"a": DRAW.choice([*"uvw"], ROWS).tolist(), "b": DRAW.normal(size=ROWS).tolist()}
Y = DRAW.choice(["m", "n"], ROWS)
ROW = {name: values[0] for name, values in X.items()}
MAKE: dict[str, Callable[[], Any]] = {
    "naive": lambda: bf.NaiveBayes(numeric="gaussian"),
    "costs": lambda: bf.NaiveBayes(numeric="gaussian", reject_cost=0.4),
    "tan": bf.TAN,
    "gaussian": lambda: bf.GaussianBayes(covariance="tied", numeric="raw"),
    "pool": lambda: bf.BayesClassifier(),
    "drop-in": bf.GaussianNB,
}


def table(name: str) -> Any:
    return np.column_stack([X["b"], X["b"]]) if name == "drop-in" else X


@pytest.mark.parametrize("name", MAKE)
def test_readers_see_one_model(name: str) -> None:
    clf, rows = MAKE[name](), table(name)
    clf.partial_fit(rows, Y, classes=["m", "n"] if name == "drop-in" else None)
    done = Event()

    def write() -> None:
        for i in range(25):
            if name == "drop-in":
                clf.partial_fit(rows, Y).forget(rows, Y)
                continue
            new = [f"{chr(97 + i % 25)}{i}"] * ROWS  # classes that sort before and after the others
            clf.partial_fit(rows, new)
            clf.partial_fit({"a": f"new {i}", "b": 0.5}, f"row {i}")
            if i % 3 == 0:
                clf.forget(rows, new)

    def read() -> int:
        asked = 0
        while not done.is_set():
            p = clf.predict_proba(rows)
            np.testing.assert_allclose(p.sum(axis=1), 1.0)
            assert len(clf.predict(rows)) == ROWS
            assert not np.isnan(clf.predict_log_proba(ROW if name != "drop-in" else rows[:1])).any()
            asked += 1
        return asked

    with ThreadPoolExecutor(3) as threads:
        readers = [threads.submit(read) for _ in range(2)]
        writer = threads.submit(write)
        try:
            writer.result()
        finally:
            done.set()
        assert sum(reader.result() for reader in readers) > 0


def test_what_is_kept_is_of_the_version_that_it_was_made_of() -> None:
    """A reader that works out the tables while a row is learned does not leave old ones for those who ask later."""
    clf = bf.NaiveBayes(numeric="gaussian").fit(X, Y)
    model = clf.model_
    before = model.scorer
    model.learn_row(ROW, "m")
    assert model.scorer is not before
    kept = model.version
    model.__dict__["_kept_scorer"] = (kept - 1, before)  # what a slow reader would leave
    assert model.scorer is not before

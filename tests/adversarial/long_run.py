"""Learn, forget and ask for as long as is said: memory stays flat, and what is left is a fit of the rows that are left.

python -m tests.adversarial.long_run --minutes 60 [--duty 0.25] [--seed 0]

Rows come and go, and with them levels, words and classes that no other row has, so that a model which kept what it has
forgotten would grow. At the end each model's counts are compared with those of a blank one that learned only the rows
that are left, to the last row, and its sums and answers to 1e-9.
"""

import argparse
import gc
import resource
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import bayesfold as bf

MODELS: dict[str, Any] = {
    "naive": lambda: bf.NaiveBayes(families={"number": "gaussian", "count": "poisson"}),
    "tan": bf.TAN,
    "aode": bf.AODE,
    "gaussian": bf.GaussianBayes,
    "pool": bf.BayesClassifier,
    "text": bf.TextClassifier,
}
"""What learns, forgets and is asked, in turn."""

BATCH = 60
MOST = 600
"""Rows that a model may stand for before more are forgotten than learned."""

WARM = 0.2
"""Part of the run after which memory should grow no more: until then libraries load and buffers find their size."""


@dataclass
class Life:
    """A model and the rows it should stand for."""

    name: str
    draw: np.random.Generator
    learned: int = 0
    forgotten: int = 0
    asked: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    clf: Any = None

    def begin(self) -> None:
        """Learn the first rows."""
        self.rows = [self.row() for _ in range(4 * BATCH)]
        self.learned = len(self.rows)
        self.clf = MODELS[self.name]().fit(*table(self.rows))

    def row(self) -> dict[str, Any]:
        """A row that may show a level, a word or a class which no other has shown."""
        label = str(self.draw.choice(["n", "p", "q"], p=[0.5, 0.4, 0.1]))
        fresh = int(self.draw.integers(2**62))
        return {
            "level": f"level {fresh}" if self.draw.random() < 0.1 else str(self.draw.choice([*"abc", label])),
            "other": None if self.draw.random() < 0.2 else str(self.draw.choice([*"xyz"])),
            "number": float(self.draw.normal(2.0 * (label == "p"), 1e3 if self.draw.random() < 0.01 else 1.0)),
            "count": int(self.draw.poisson(3 + 2 * (label == "q"))),
            "words": f"{self.draw.choice(['good', 'bad', label])} day at place{fresh if fresh % 9 == 0 else fresh % 7}",
            "y": f"rare {fresh}" if self.draw.random() < 0.002 else label,
        }

    def step(self, folder: Path) -> None:
        """Learn rows or forget some, then ask."""
        if self.draw.random() < 0.5 * (1 + (len(self.rows) < BATCH) - (len(self.rows) > MOST)):
            more = [self.row() for _ in range(int(self.draw.integers(1, BATCH // 2)))]
            self.clf.partial_fit(*table(more))
            self.rows += more
            self.learned += len(more)
        else:
            gone = set(self.draw.permutation(len(self.rows))[: int(self.draw.integers(1, BATCH // 2))].tolist())
            self.clf.forget(*table([self.rows[i] for i in sorted(gone)]))
            self.rows = [row for i, row in enumerate(self.rows) if i not in gone]
            self.forgotten += len(gone)
        self.ask(folder)

    def ask(self, folder: Path) -> None:
        """Ask for a table, for one row and why, and sometimes save and load."""
        asked = [self.rows[int(i)] for i in self.draw.integers(0, len(self.rows), 20)]
        cells, _ = table(asked)
        p = self.clf.predict_proba(cells)
        assert np.isfinite(p).all()
        np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-9)
        one = {name: cell for name, cell in asked[0].items() if name != "y"}
        np.testing.assert_allclose(self.clf.predict_proba(one)[0], p[0], atol=1e-9)
        self.clf.explain(one)
        self.asked += len(asked) + 2
        if self.draw.random() < 0.05:
            self.clf.save(folder / "m.bayes")
            self.clf = bf.load(folder / "m.bayes")

    def check(self) -> None:
        """The counts are those of a blank model that learned the rows that are left; sums and answers are, to 1e-9."""
        cells, labels = table(self.rows)
        again = self.clf.blank().partial_fit(cells, labels)
        assert again.schema_ == self.clf.schema_
        own, other = self.clf.model_.tally, again.model_.tally
        np.testing.assert_array_equal(own.counts, other.counts)
        np.testing.assert_allclose(own.sums.sum(axis=0), other.sums.sum(axis=0), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(self.clf.predict_proba(cells), again.predict_proba(cells), atol=1e-9)


def table(rows: list[dict[str, Any]]) -> tuple[dict[str, list[Any]], list[str]]:
    """Columns and labels."""
    return {name: [row[name] for row in rows] for name in rows[0] if name != "y"}, [row["y"] for row in rows]


def resident() -> float:
    """Megabytes that this process holds now, where the system tells; else the most that it ever held."""
    gc.collect()
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


@dataclass(frozen=True)
class Account:
    """What a run did, and the memory after warming up, at its highest since, and at the end."""

    steps: int
    learned: int
    forgotten: int
    asked: int
    warm: float
    highest: float
    end: float

    def __str__(self) -> str:
        return (
            f"{self.steps:,} steps: {self.learned:,} rows learned, {self.forgotten:,} forgotten, {self.asked:,} asked; "
            f"memory {self.warm:.0f} MB when warm, at most {self.highest:.0f}, {self.end:.0f} at the end; counts as "
            "those of a fit of the rows that are left"
        )


def live(steps: int | None, seconds: float, duty: float, seed: int, report: Any = None) -> Account:
    """Go on for so many steps, or else so many seconds, at work for a part `duty` of them; then check every model."""
    begin, number, held = time.monotonic(), 0, []
    lives = [Life(name, np.random.default_rng([seed, k])) for k, name in enumerate(MODELS)]
    for life in lives:
        life.begin()
    with tempfile.TemporaryDirectory() as folder:
        while number < steps if steps is not None else time.monotonic() - begin < seconds:
            worked = time.process_time()
            for life in lives:
                life.step(Path(folder))
                number += 1
            if number % (100 * len(lives)) == 0:
                for life in lives:
                    life.check()
            if report is not None and number % (500 * len(lives)) == 0:
                report(f"{time.monotonic() - begin:.0f} s, {number:,} steps, {resident():.0f} MB")
            held.append(resident())
            time.sleep((time.process_time() - worked) * (1 / duty - 1))
    for life in lives:
        life.check()
    after = held[int(WARM * len(held)) :]
    total = {what: sum(getattr(life, what) for life in lives) for what in ("learned", "forgotten", "asked")}
    return Account(steps=number, **total, warm=after[0], highest=max(after), end=resident())


def main() -> None:
    """Read the command line, and print what a run did."""
    parser = argparse.ArgumentParser(prog="python -m tests.adversarial.long_run", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--duty", type=float, default=1.0, help="the part of the time spent at work")
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    print(live(None, 60 * told.minutes, told.duty, told.seed, lambda said: print(said, flush=True)))


if __name__ == "__main__":
    main()

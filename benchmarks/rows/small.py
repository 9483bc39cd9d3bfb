"""Small inputs, 10 to 10,000 rows of 20 columns: overhead decides, and ours is never to be slower than scikit-learn."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn import naive_bayes as sklearn_nb

import bayesfold
from benchmarks.rows import Options
from benchmarks.sides import fit, predict_proba
from benchmarks.table import Agreement, Line, at_least, compare
from benchmarks.timing import Task, alternate

SIZES = (10, 100, 1_000, 10_000)
COLUMNS, CLASSES = 20, 3


def inputs(rows: int) -> tuple[dict[str, tuple[str, Any]], np.ndarray]:
    """{what: (name of the class, X)} and labels."""
    rng = np.random.default_rng(rows)
    y = np.arange(rows) % CLASSES
    counts = rng.poisson(0.5 + 0.3 * y[:, None], (rows, COLUMNS))
    codes = rng.integers(0, 4, (rows, COLUMNS))
    codes[:4] = np.arange(4)[:, None]  # every level is seen
    return {
        "Gaussian": ("GaussianNB", rng.normal(0, 1, (rows, COLUMNS)) + 0.3 * y[:, None]),
        "Categorical": ("CategoricalNB", codes),
        "Multinomial dense": ("MultinomialNB", counts),
        "Multinomial CSR": ("MultinomialNB", csr_array(counts)),
        "Bernoulli": ("BernoulliNB", (counts > 0).astype(np.int64)),
    }, y


def pairs(what: str, rows: int) -> tuple[dict[str, tuple[Task, Task]], Agreement]:
    """{verb: (ours, peer)} for one input, and whether their probabilities agree."""
    data, y = inputs(rows)
    name, X = data[what]
    make, peer_make = getattr(bayesfold, name), getattr(sklearn_nb, name)
    ours, peer = make().fit(X, y), peer_make().fit(X, y)
    return {
        "fit": (partial(fit, make, X, y), partial(fit, peer_make, X, y)),
        "predict_proba": (partial(predict_proba, ours, X), partial(predict_proba, peer, X)),
    }, compare(ours.predict_proba(X), peer.predict_proba(X))


def run(options: Options) -> Iterator[Line]:
    """One line for each model and verb: the number of rows at which we do worst, with all ratios in the note."""
    sizes = SIZES[:3] if options.quick else SIZES
    for what in inputs(10)[0]:
        lines: dict[str, list[Line]] = {"fit": [], "predict_proba": []}
        for rows in sizes:
            tasks, agreement = pairs(what, rows)
            for verb, (ours, peer) in tasks.items():
                work = f"{what} {verb} {rows:,} x {COLUMNS}"
                lines[verb].append(Line(work, "scikit-learn", *alternate(ours, peer, 7), at_least(1), agreement))
        for each in lines.values():
            yield worst(each, sizes)


def worst(lines: list[Line], sizes: tuple[int, ...]) -> Line:
    """The line with the smallest ratio, with the largest difference of all."""
    line = min(lines, key=lambda each: each.ratio)
    ratios = ", ".join(f"{rows:,} rows {each.ratio:.2f}x" for rows, each in zip(sizes, lines, strict=True))
    found = [each.agreement for each in lines if each.agreement is not None]
    agreement = min(found, key=lambda each: (each.holds, -each.difference))
    return Line(
        line.work, line.peer, line.ours_time, line.peer_time, line.target, agreement, note=f"the slowest of {ratios}"
    )

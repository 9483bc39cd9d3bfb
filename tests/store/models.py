"""One small model of every kind, for the tests of files."""

import warnings
from functools import cache
from typing import Any

import numpy as np

import bayesfold as bf
from bayesfold.estimators.base import ColumnWarning
from bayesfold.estimators.saved import DROP_INS, trained_of
from bayesfold.learning import kinds
from bayesfold.learning.trained import Trained

ROWS = 60
CELLS = np.random.default_rng(6)
TABLE: dict[str, list[Any]] = {
    "coat": [None if i % 7 == 0 else c for i, c in enumerate(CELLS.choice(["long", "short", "curly"], ROWS).tolist())],
    "mass": CELLS.lognormal(2, 0.5, ROWS).round(3).tolist(),
    "年龄": CELLS.integers(0, 12, ROWS).tolist(),
    "tame": [True, False, None] * (ROWS // 3),
}
SAYS = ["Miau, miau!", "wau wau", "huhu", "喵 Miau", "Wau, wau, wau", "huhu huhu", ""]
TEXTS = {"says": [SAYS[i % 7] for i in range(ROWS)], "dreams": ["of mice", "of bones", None] * (ROWS // 3)}
LABELS = [("cat", "dog", "owl")[i % 3] for i in range(ROWS)]
COUNTS = CELLS.poisson(2, (ROWS, 4))

OPTIONS: dict[str, dict[str, Any]] = {
    "naive": {"families": {"mass": "lognormal", "年龄": bf.families.poisson.Poisson(2.0)}, "loss": 1 - np.eye(3)},
    "gaussian": {"calibration": "temperature"},
    "aode": {"combine": "pool", "missing": {"coat": ["?", "curly"]}},
    "kdb": {"k": 1, "priors": {"cat": 0.5, "dog": 0.25, "owl": 0.25}},
    "bayes": {"reject_cost": 0.75, "class_weight": {"owl": 2.0}},
}
NAMES = [*kinds.names(), *DROP_INS]


@cache
def classifier(name: str) -> Any:
    """A classifier by the name of its kind, or of the drop-in."""
    if name in DROP_INS:
        return getattr(bf, name)().fit(COUNTS, LABELS)
    made = getattr(bf, kinds.find(name).estimator)(**OPTIONS.get(name, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        return made.fit(rows_of(name), LABELS)


def trained(name: str) -> Trained:
    """The same without scikit-learn."""
    return trained_of(classifier(name))


def rows_of(name: str) -> Any:
    """Rows that the model of that name can score."""
    counts: dict[str, Any] = {f"x{j}": COUNTS[:, j] for j in range(4)}
    return counts if name in DROP_INS else TEXTS if name == "text" else TABLE

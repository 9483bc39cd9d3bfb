"""Codes whose columns depend on the class and on one another along a tree: the table of AODE and TAN."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

CLASSES, LEVELS = 4, 5


def tree_table(rows: int, columns: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """A column copies half of its parent's cells, moved by the class, and is otherwise drawn by the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    X = np.empty((rows, columns), np.uint8)
    for j in range(columns):
        p = rng.dirichlet(np.full(LEVELS, 20.0), CLASSES).cumsum(1)
        own = (rng.random((rows, 1)) > p[y, :-1]).sum(1)
        copied = rng.random(rows) < (0.5 if j else 0.0)
        X[:, j] = np.where(copied, (X[:, rng.integers(0, j)] + y % 2) % LEVELS if j else 0, own)
    return X, y


def as_arrow(X: npt.NDArray[np.uint8]) -> pa.Table:
    """The codes as dictionary columns, which, like Weka's nominal attributes, name their levels once."""
    levels = pa.array([str(level) for level in range(LEVELS)])
    return pa.table(
        {f"x{j}": pa.DictionaryArray.from_arrays(pa.array(c, pa.int8()), levels) for j, c in enumerate(X.T)}
    )

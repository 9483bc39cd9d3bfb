"""Tables to learn from, cut and widened by seed: scikit-learn's bundled ones and, where at hand, the public ones."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from benchmarks.public_sets import described, load, tabular

BUNDLED = {"sk_iris": load_iris, "sk_wine": load_wine, "sk_cancer": load_breast_cancer, "sk_digits": load_digits}
MOST_TESTED = 5_000
LEAST_TESTED = 50


@dataclass(frozen=True)
class Table:
    """Columns and the class of each row."""

    name: str
    X: pd.DataFrame
    y: np.ndarray


@dataclass(frozen=True)
class Cut:
    """Rows to learn and rows to judge by."""

    train: Table
    test: Table


def tables(folder: Path, names: list[str]) -> list[Table]:
    """The tables of these names, all of them where none is named."""
    public = described(folder) if (folder / "schema.json").is_file() else {}
    known = [*BUNDLED, *(tabular(public) if public else [])]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"there is no table {unknown[0]!r}; there are {', '.join(known)}")
    return [bundled(name) if name in BUNDLED else of_public(folder, name, public) for name in names or known]


def bundled(name: str) -> Table:
    """One of scikit-learn's tables."""
    data = BUNDLED[name]()
    names = [str(n) for n in data.feature_names]
    return Table(name, pd.DataFrame(data.data, columns=names), np.array([f"class {c}" for c in data.target]))


def of_public(folder: Path, name: str, facts: dict) -> Table:
    """One of the public tables."""
    data = load(folder, name, facts[name])
    return Table(name, data.X, np.asarray(data.y, dtype=str))


def cut(table: Table, n: int, seed: int) -> Cut | None:
    """n rows to learn, each class by its share and at least once, the rest to judge by; None where few are left."""
    draw = np.random.default_rng([seed, n, len(table.y)])
    classes, place = np.unique(table.y, return_inverse=True)
    if n < 2 * len(classes) or len(table.y) - n < LEAST_TESTED:
        return None
    order = draw.permutation(len(table.y))
    rank = np.empty(len(order))
    for k in range(len(classes)):  # the i-th row of a class stands at (i + noise) / size: a stratified order
        own = order[place[order] == k]
        rank[own] = (np.arange(len(own)) + draw.random()) / len(own)
        rank[own[0]] = -1.0  # one of each class comes first
    ranked = np.argsort(rank, kind="stable")
    train, test = ranked[:n], draw.permutation(ranked[n:])[:MOST_TESTED]
    return Cut(rows(table, train), rows(table, test))


def rows(table: Table, which: np.ndarray) -> Table:
    """Some rows of a table."""
    return Table(table.name, table.X.iloc[which].reset_index(drop=True), table.y[which])


def widened(both: Cut, how: str, columns: int, seed: int) -> Cut:
    """The same rows with so many more columns: noise, or the table's own columns with their rows shuffled."""
    if not columns:
        return both
    draw = np.random.default_rng([seed, columns, how == "noise"])
    made = []
    own = list(both.train.X.columns)
    picked = draw.choice(len(own), columns)
    for part in (both.train, both.test):
        n = len(part.y)
        if how == "noise":
            more = pd.DataFrame(draw.standard_normal((n, columns)), columns=[f"noise {j}" for j in range(columns)])
        else:
            shuffled = {
                f"shuffled {j}": part.X[own[p]].to_numpy()[draw.permutation(n)] for j, p in enumerate(picked.tolist())
            }
            more = pd.DataFrame(shuffled)
        made.append(Table(part.name, pd.concat([part.X, more], axis=1), part.y))
    return Cut(*made)

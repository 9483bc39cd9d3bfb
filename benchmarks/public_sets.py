"""The public sets: their rows, and the folds on which every method is compared."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class PublicSet:
    """Features (text for categories, numbers for the rest), labels, classes, and the folds of each repetition."""

    X: pd.DataFrame
    y: np.ndarray
    classes: list[str]
    folds: np.ndarray


def described(folder: Path) -> dict[str, dict[str, Any]]:
    """What is known of every set: its file, rows and columns."""
    if not (folder / "schema.json").is_file():
        raise SystemExit(f"there is no schema.json in {folder}; name the folder that holds it and folds/ by --data")
    facts: dict[str, dict[str, Any]] = json.loads((folder / "schema.json").read_text())
    return facts


def tabular(every: dict[str, dict[str, Any]]) -> list[str]:
    """The sets that are tables of some size, the least work first."""
    names = [name for name, facts in every.items() if facts["rows"] > 100 and not facts["n_text"]]
    return sorted(names, key=lambda name: every[name]["rows"] * len(every[name]["columns"]) * every[name]["n_classes"])


def load(folder: Path, name: str, facts: dict[str, Any]) -> PublicSet:
    """Read one set; an empty cell is missing."""
    kinds = {c["name"]: c["type"] for c in facts["columns"]}
    text = {c: str for c, kind in kinds.items() if kind != "numeric"}
    table = pd.read_csv(folder / facts["file"], dtype=text, keep_default_na=False, na_values={c: [""] for c in kinds})
    label = next(c for c, kind in kinds.items() if kind == "label")
    used = [c for c, kind in kinds.items() if kind in ("numeric", "categorical")]
    folds = pd.read_csv(folder / "folds" / f"{name}.csv.gz").to_numpy()
    return PublicSet(table[used], table[label].to_numpy(), list(facts["columns"][-1]["values"]), folds)


class Boosting:
    """scikit-learn's boosted trees with learning_rate=.05 (the default .1 diverges on nursery), text as categories."""

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> "Boosting":
        """The levels are those of the training rows; another one is missing to the trees."""
        text = [c for c in X.columns if not pd.api.types.is_numeric_dtype(X[c])]
        self.kinds = {c: pd.CategoricalDtype(sorted(X[c].dropna().unique())) for c in text}
        with threadpool_limits(1, "openmp"):  # its threads wait in a loop, minutes where other work holds a processor
            self.model = HistGradientBoostingClassifier(learning_rate=0.05, random_state=0).fit(X.astype(self.kinds), y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Probabilities of every row."""
        with threadpool_limits(1, "openmp"):
            p: np.ndarray = self.model.predict_proba(X.astype(self.kinds))
        return p

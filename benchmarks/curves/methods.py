"""What is compared: ours, each of its parts, and what people use instead. Text columns go to each as it takes them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import bayesfold as bf

OURS = "BayesClassifier"
DEFAULT_BOOSTING = "default boosting"
"""Whose time ours is held against."""


def one_hot(X: pd.DataFrame) -> Any:
    """Numbers scaled with their holes filled, text as indicators."""
    text = [c for c in X.columns if not pd.api.types.is_numeric_dtype(X[c])]
    numbers = [c for c in X.columns if c not in text]
    return make_column_transformer(
        (make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()), numbers),
        (OneHotEncoder(handle_unknown="ignore"), text),
    )


class OneHot:
    """A scikit-learn model behind `one_hot`."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> "OneHot":
        self.pipeline = make_pipeline(one_hot(X), self.model).fit(X, y)
        self.classes_ = self.pipeline.classes_
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.pipeline.predict_proba(X)


class Categories:
    """Boosted trees that take text as pandas' categories; levels are those of the training rows."""

    def __init__(self, make: Callable[[list[str]], Any], fill: bool = False) -> None:
        self.make, self.fill = make, fill

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> "Categories":
        self.text = [c for c in X.columns if not pd.api.types.is_numeric_dtype(X[c])]
        self.kinds = {c: pd.CategoricalDtype(sorted(X[c].dropna().unique())) for c in self.text}
        self.model = self.make(self.text).fit(self.read(X), y)
        self.classes_ = np.asarray(self.model.classes_)
        return self

    def read(self, X: pd.DataFrame) -> pd.DataFrame:
        X = X.astype(self.kinds)
        if self.fill:  # a hole is a level of its own
            X = X.assign(**{c: X[c].astype(object).where(X[c].notna(), "(missing)") for c in self.text})
        X.columns = [f"c{j}" for j in range(X.shape[1])] if not self.fill else X.columns
        return X

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.model.predict_proba(self.read(X)))


def boosting(_: list[str]) -> Any:
    return HistGradientBoostingClassifier(learning_rate=0.05, random_state=0, categorical_features="from_dtype")


def boosting_as_it_comes(_: list[str]) -> Any:
    return HistGradientBoostingClassifier(random_state=0, categorical_features="from_dtype")


def lightgbm(_: list[str]) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(verbose=-1, n_jobs=1)


def catboost(text: list[str]) -> Any:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(verbose=False, cat_features=text, thread_count=1, allow_writing_files=False)


METHODS: dict[str, Callable[[], Any]] = {
    OURS: bf.BayesClassifier,
    "NaiveBayes": bf.NaiveBayes,
    "logistic": lambda: OneHot(LogisticRegression(max_iter=2_000)),
    "forest": lambda: OneHot(RandomForestClassifier(random_state=0)),
    "boosting": lambda: Categories(boosting),
    DEFAULT_BOOSTING: lambda: Categories(boosting_as_it_comes),
    "lightgbm": lambda: Categories(lightgbm),
    "catboost": lambda: Categories(catboost, fill=True),
}

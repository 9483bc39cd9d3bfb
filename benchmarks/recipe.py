"""The peer for mixed tables: what one writes with scikit-learn today.

Strings: OrdinalEncoder with a code for missing and unknown, then CategoricalNB. Floats: SimpleImputer (mean), then
GaussianNB. Each gives log P(class) + log P(its columns | class): added, they hold the prior twice, so one is taken off.
It is not quite the model that skips missing cells; `reference.py` is, and is what answers are compared with.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy.special import logsumexp
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from benchmarks.mixed_table import FLOATS, STRINGS


@dataclass(frozen=True)
class Recipe:
    """Two fitted pipelines whose log joints add up."""

    encoder: OrdinalEncoder
    categorical: CategoricalNB
    gaussian: Pipeline

    def predict_proba(self, X: Any) -> np.ndarray:
        frame = as_frame(X)
        joint = self.categorical.predict_joint_log_proba(self.encoder.transform(frame[STRINGS]) + 1)
        joint += self.gaussian[-1].predict_joint_log_proba(self.gaussian[:-1].transform(frame[FLOATS]))
        joint -= self.categorical.class_log_prior_
        return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))


def fit_recipe(X: Any, y: Any) -> Recipe:
    """Encode, impute and fit."""
    frame, labels = as_frame(X), y.to_pandas() if isinstance(y, pa.Array | pa.ChunkedArray) else y
    encoder = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1, dtype=np.int32
    ).fit(frame[STRINGS])
    slots = [len(levels) + 1 for levels in encoder.categories_]
    categorical = CategoricalNB(min_categories=slots).fit(encoder.transform(frame[STRINGS]) + 1, labels)
    gaussian = make_pipeline(SimpleImputer(), GaussianNB()).fit(frame[FLOATS], labels)
    return Recipe(encoder, categorical, gaussian)


def as_frame(X: Any) -> pd.DataFrame:
    """scikit-learn does not read Arrow tables: they go through pandas, whose categories keep the dictionaries."""
    return X.to_pandas() if isinstance(X, pa.Table) else X

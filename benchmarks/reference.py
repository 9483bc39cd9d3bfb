"""Mixed naive Bayes with missing cells skipped, out of scikit-learn's parts: slow, obvious, and independent of ours.

One estimator for each column, fitted on the rows in which it is observed: log P(class) + the sum over the observed
cells of log P(cell | class). `ours()` is the same model in bayesfold: variances by maximum likelihood.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import logsumexp
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.preprocessing import OrdinalEncoder

import bayesfold
from bayesfold.families.gaussian import Gaussian
from benchmarks.mixed_table import FLOATS


def ours() -> bayesfold.NaiveBayes:
    """An unfitted classifier that answers as `log_posteriors` does."""
    return bayesfold.NaiveBayes(families=dict.fromkeys(FLOATS, Gaussian(pseudo_rows=0)))


def log_posteriors(train: pd.DataFrame, y: npt.ArrayLike, test: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Fit on `train` with alpha = 1 for cells and prior; log posteriors of `test`, classes sorted."""
    labels = np.asarray(y, dtype=object)
    counts = np.unique(labels, return_counts=True)[1] + 1.0
    joint = np.tile(np.log(counts / counts.sum()), (len(test), 1))
    for name in train.columns:
        numeric = pd.api.types.is_float_dtype(train[name].dtype)
        part = float_column if numeric else string_column
        seen, asked = train[name].notna().to_numpy(), test[name].notna().to_numpy()
        joint[asked] += part(train.loc[seen, [name]], labels[seen], test.loc[asked, [name]])
    return joint - logsumexp(joint, axis=1, keepdims=True)


def float_column(train: pd.DataFrame, y: np.ndarray, test: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Normal with the class's own mean and variance; no floor, so the column may not be constant in a class."""
    model = GaussianNB(var_smoothing=0).fit(train.to_numpy(), y)
    return model.predict_joint_log_proba(test.to_numpy()) - np.log(model.class_prior_)


def string_column(train: pd.DataFrame, y: np.ndarray, test: pd.DataFrame) -> npt.NDArray[np.float64]:
    """(count + 1) / (rows of the class + levels); a level that training never saw says nothing."""
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, dtype=np.int64).fit(train)
    model = CategoricalNB(alpha=1.0).fit(encoder.transform(train), y)
    codes = encoder.transform(test)
    said = model.predict_joint_log_proba(np.maximum(codes, 0)) - model.class_log_prior_
    return np.where(codes >= 0, said, 0.0)

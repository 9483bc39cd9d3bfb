"""Gaussian Bayes: every class a normal distribution of all columns together, with covariance."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class GaussianBayes(SettledClassifier):
    """Normal classes with covariance, from quadratic to linear discriminant analysis and between.

    Numbers enter in units of their spread, categories as indicators (whose class covariance holds every pair's counts),
    missing cells as flags.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> float(GaussianBayes().fit(X, y).score(X, y))
    0.98
    """

    _settings = find("gaussian")

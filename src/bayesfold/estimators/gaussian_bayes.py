"""Gaussian Bayes: every class a normal distribution of all columns together, with covariance."""

from bayesfold.estimators.settled import SettledClassifier
from bayesfold.learning.kinds import find


class GaussianBayes(SettledClassifier):
    """Each class is a multivariate normal: quadratic or linear discriminant analysis, or a mixture of both.

    Numbers are standardised, categories one-hot encoded, and missing values flagged by indicators.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> float(GaussianBayes().fit(X, y).score(X, y))
    0.98
    """

    _settings = find("gaussian")

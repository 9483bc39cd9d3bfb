"""Normal classes with covariance against scikit-learn's discriminant analyses and Gaussian naive Bayes.

All of them divide by n (scikit-learn 1.9), so they are `ddof=0`, and their priors are the classes' shares of rows.
"""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from tests.families.moments import posterior, summed

from bayesfold.families._covariance import Shrinkage, fit, log_density, scale_of_columns
from bayesfold.families._covariance_left_out import left_out

TABLES = {load.__name__: load for load in (load_iris, load_wine, load_breast_cancer)}
PEERS = {
    "own, by singular values": (QuadraticDiscriminantAnalysis(tol=0), Shrinkage()),
    "own, by eigenvalues": (QuadraticDiscriminantAnalysis(solver="eigen", tol=0), Shrinkage()),
    "tied, by singular values": (LinearDiscriminantAnalysis(tol=1e-12), Shrinkage(tied=1.0)),
    "tied, by least squares": (LinearDiscriminantAnalysis(solver="lsqr"), Shrinkage(tied=1.0)),
    "naive": (GaussianNB(var_smoothing=0), Shrinkage(independent=True)),
}


@pytest.fixture(params=TABLES)
def data(request):
    X, y = TABLES[request.param](return_X_y=True)
    return X - np.median(X, axis=0), y


@pytest.mark.parametrize("peer", PEERS)
def test_posteriors(data, peer):
    X, y = data
    estimator, shrinkage = PEERS[peer]
    moments = summed(X, y, classes=y.max() + 1)
    found = posterior(log_density(fit(moments, shrinkage), X) + np.log(moments.weight / len(X)))
    np.testing.assert_allclose(found, estimator.fit(X, y).predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("peer", PEERS)
def test_leave_one_out(peer):
    X, y = load_iris(return_X_y=True)
    X = X - np.median(X, axis=0)
    estimator, shrinkage = PEERS[peer]
    moments, rows = summed(X, y), np.arange(len(X))
    rest = np.broadcast_to(moments.weight, (len(X), 3)) - (y[:, None] == np.arange(3))
    found = posterior(left_out(moments, shrinkage, X, y, np.ones(len(X))) + np.log(rest / (len(X) - 1)))
    expected = [estimator.fit(X[rows != i], y[rows != i]).predict_proba(X[i : i + 1])[0] for i in rows]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_the_diagonal_of_the_tied_covariance_is_naive_bayes_with_tied_variances(data):
    X, y = data
    moments = summed(X, y, classes=y.max() + 1)
    found = log_density(fit(moments, Shrinkage(tied=0.3, diagonal=1.0)), X)
    peer = GaussianNB(var_smoothing=0).fit(X, y)
    peer.var_[:] = moments.weight @ peer.var_ / len(X)
    np.testing.assert_allclose(scale_of_columns(moments), peer.var_[0], rtol=1e-9)
    np.testing.assert_allclose(found + np.log(peer.class_prior_), peer.predict_joint_log_proba(X), rtol=1e-9)

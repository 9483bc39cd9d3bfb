"""What is said of a number: shares, densities and quantiles of mixtures agree with each other and with scipy."""

import numpy as np
import pytest
from scipy import integrate, stats

from bayesfold.networks.mixed.mixture import JointMixture, NormalMixture

PARTS = np.array([0.2, 0.5, 0.3]), np.array([-1.0, 2.0, 2.5]), np.array([0.25, 4.0, 1.0])
MIXED = NormalMixture("x", {"c": "a", "y": 2.0}, *PARTS, ("d=a", "d=b", "d=c"))


def test_moments_are_those_of_the_density():
    assert integrate.quad(MIXED.density, -30, 30)[0] == pytest.approx(1)
    mean = integrate.quad(lambda x: x * MIXED.density(x), -30, 30)[0]
    assert MIXED.mean == pytest.approx(mean)
    assert MIXED.variance == pytest.approx(integrate.quad(lambda x: (x - mean) ** 2 * MIXED.density(x), -30, 30)[0])
    assert MIXED.sd**2 == pytest.approx(MIXED.variance)


@pytest.mark.parametrize("p", [1e-6, 0.025, 0.5, 0.975, 1 - 1e-6])
def test_quantiles_invert_the_distribution(p):
    assert float(MIXED.cdf(MIXED.quantile(p))) == pytest.approx(p, rel=1e-9)
    one = NormalMixture("x", {}, np.ones(1), np.array([3.0]), np.array([4.0]), ("",))
    assert one.quantile(p) == pytest.approx(stats.norm(3, 2).ppf(p), rel=1e-12)
    assert one.interval(0.9) == pytest.approx(stats.norm(3, 2).interval(0.9))


def test_many_numbers_at_once():
    x = np.linspace(-4, 8, 13)
    np.testing.assert_allclose(MIXED.density(x), [float(MIXED.density(one)) for one in x])
    assert (np.diff(MIXED.cdf(x)) > 0).all()


def test_print():
    assert str(MIXED).splitlines()[0] == "x | c=a, y=2: a mixture of 3 normals with mean 1.55 and sd 2.00562"
    rare = NormalMixture("x", {}, np.array([1 - 1e-9, 1e-9]), np.zeros(2), np.ones(2), ("c=a", "c=b"))
    assert str(rare).endswith("and 1 that weighs less")
    with pytest.raises(ValueError, match="between 0 and 1"):
        MIXED.quantile(1.0)


def test_several_numbers():
    means, covariances = np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([np.eye(2), [[2.0, 0.5], [0.5, 1.0]]])
    both = JointMixture(("x", "y"), {}, np.array([0.4, 0.6]), means, covariances, ("c=a", "c=b"))
    draw = np.random.default_rng(0)
    which = draw.choice(2, 200_000, p=both.weights)
    rows = np.array([draw.multivariate_normal(means[k], covariances[k], (which == k).sum()) for k in (0, 1)][1:])[0]
    assert rows.mean(0) == pytest.approx(means[1], abs=0.02)
    assert both.mean == pytest.approx([1.2, 0.4])
    assert both.covariance[0, 1] == pytest.approx(0.6 * 0.5 + 0.4 * 0.6 * 2 * -1)
    assert both.marginal("y").variance == pytest.approx(both.covariance[1, 1])
    assert str(both).splitlines()[0] == "x, y: a mixture of 2 normals"
    with pytest.raises(ValueError, match="there is no number 'z'"):
        both.marginal("z")

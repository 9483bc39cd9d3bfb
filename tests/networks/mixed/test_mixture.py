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


def test_parts_are_printed_in_columns_the_heaviest_first_and_as_many_as_weigh_enough():
    means, variances = np.array([1.0, 2, 3, 4]), np.array([1.0, 4, 0.25, 1])
    labels = ("c=a", "c=long", "c=b", "c=e")
    several = NormalMixture("x", {"y": 2.0}, np.array([0.5, 0.2495, 0.25, 5e-4]), means, variances, labels)
    assert str(several).splitlines() == [
        "x | y=2: a mixture of 4 normals with mean 1.751 and sd 1.50033",
        "0.5     c=a     N(1, 1^2)",
        "0.25    c=b     N(3, 0.5^2)",
        "0.249   c=long  N(2, 2^2)",
        "0.0005  c=e     N(4, 1^2)",
    ]
    light = NormalMixture("x", {}, np.array([0.9992, 4e-4, 4e-4]), np.zeros(3), np.ones(3), labels[:3])
    assert str(light).splitlines()[1:] == ["0.999  c=a  N(0, 1^2)", "and 2 that weigh less"]
    many = NormalMixture("x", {}, np.full(66, 1 / 66), np.zeros(66), np.ones(66), tuple(f"c={i:02}" for i in range(66)))
    lines = str(many).splitlines()
    assert len(lines) == 1 + 64 + 1
    assert lines[1].split()[1] == "c=00", "of equal parts the first comes first"
    assert lines[-1] == "and 2 that weigh less"
    assert str(NormalMixture("x", {"c": "a"}, np.ones(1), np.array([3.0]), np.array([4.0]), ("",))) == (
        "x | c=a ~ N(3, 2^2)"
    )


def test_several_numbers_in_print_have_their_correlations():
    covariance = np.array([[[4.0, 3.0, 0.0], [3.0, 9.0, 0.0], [0.0, 0.0, 0.0]]])
    one = JointMixture(("x", "length", "z"), {"c": "a"}, np.ones(1), np.array([[1.0, 2.0, 3.0]]), covariance)
    assert str(one).splitlines() == [
        "x, length, z | c=a: one normal",
        "x       mean 1, sd 2",
        "length  mean 2, sd 3; correlation with x +0.5000",
        "z       mean 3, sd 0; correlation with x +0.0000, length +0.0000",
    ]


def test_a_part_without_variance_is_a_step():
    point = NormalMixture("x", {}, np.array([0.25, 0.75]), np.array([1.0, 0.0]), np.array([0.0, 4.0]), ("a", "b"))
    assert float(point.cdf(1.0)) - float(point.cdf(np.nextafter(1.0, 0))) == pytest.approx(0.25)
    assert float(point.cdf(1.0)) == pytest.approx(0.25 + 0.75 * stats.norm(0, 2).cdf(1.0))
    with pytest.raises(ValueError, match="a part of 'x' has no variance"):
        point.density(0.0)
    assert point.cdf([[0.0, 1.0]]).shape == (1, 2)


@pytest.mark.parametrize("p", [0, 1, -0.1, 1.1])
def test_a_quantile_is_of_a_share_between_nothing_and_all(p):
    with pytest.raises(ValueError, match=f"a quantile needs a share between 0 and 1, not {p}"):
        MIXED.quantile(p)


def test_the_interval_leaves_out_as_much_below_as_above():
    low, high = MIXED.interval()
    assert MIXED.cdf([low, high]) == pytest.approx([0.025, 0.975], abs=1e-9)
    low, high = MIXED.interval(0.5)
    assert MIXED.cdf([low, high]) == pytest.approx([0.25, 0.75], abs=1e-9)

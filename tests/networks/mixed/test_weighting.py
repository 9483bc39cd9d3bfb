"""Sampled answers lie within their error bars of the exact ones, and samples have the moments of the network."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

from bayesfold.networks.factor import ImpossibleEvidence
from bayesfold.networks.mixed.conditioning import CertainNumber
from bayesfold.networks.mixed.lines import LinearGaussian
from bayesfold.networks.mixed.network import MixedNetwork


@pytest.mark.parametrize("seed", range(6))
def test_weighted_samples_are_near_the_exact_answer(seed):
    net = random_network(seed, categories=2, numbers=3)
    row = {v: column[0] for v, column in net.sample(1, seed).items()}
    evidence = {v: row[v] for v in (net.categories[0], net.numbers[-1])}
    for v in net.nodes:
        if v in evidence:
            continue
        exact, rough = net.query(v, evidence=evidence), net.approximate(v, evidence=evidence, random_state=seed)
        assert "worth" in str(rough)
        if v in net.categories:
            assert (np.abs(exact.values - rough.answer.values) <= 5 * rough.error.values + 1e-3).all()
        else:
            assert abs(exact.mean - rough.mean) < 5 * rough.mean_error
            assert abs(exact.sd - rough.sd) < 6 * rough.sd_error
            assert rough.quantile(0.5) == pytest.approx(exact.quantile(0.5), abs=0.2 * exact.sd)
    with pytest.raises(ValueError, match="at least 256"):
        net.approximate(net.nodes[0], samples=10)


def test_error_bars_say_how_far_off_a_mean_and_a_spread_are():
    net = random_network(1, categories=1, numbers=2)
    seen = {net.numbers[1]: 1.0}
    exact = net.query(net.numbers[0], evidence=seen)
    off = []
    for seed in range(60):
        rough = net.approximate(net.numbers[0], evidence=seen, samples=1_000, random_state=seed)
        off.append([(rough.mean - exact.mean) / rough.mean_error, (rough.sd - exact.sd) / rough.sd_error])
    assert (np.std(off, axis=0) > 0.7).all()
    assert (np.std(off, axis=0) < 1.4).all()
    assert (abs(np.mean(off, axis=0)) < 0.6).all()


def test_samples_have_the_moments_of_the_network():
    net = random_network(9, categories=2, numbers=3)
    rows = net.sample(40_000, 0)
    for v in net.numbers:
        exact = net.query(v)
        assert rows[v].mean() == pytest.approx(exact.mean, abs=5 * exact.sd / 200)
        assert rows[v].std() == pytest.approx(exact.sd, rel=0.05)
    for v in net.categories:
        share = [np.mean(rows[v] == s) for s in net.states(v)]
        np.testing.assert_allclose(share, net.query(v).values, atol=0.015)


def test_what_cannot_happen_is_said():
    tables = {"c": {"a": 1.0, "b": 0.0}, "x": {"a": LinearGaussian(0, 0), "b": LinearGaussian(1, 1)}}
    net = MixedNetwork.from_edges([("c", "x")], tables=tables)
    with pytest.raises(ImpossibleEvidence, match="none of 20,000 samples could show c=b"):
        net.approximate("x | c=b")
    with pytest.raises(CertainNumber, match="leave 'x' out"):
        net.approximate("c | x=0")
    assert net.approximate("x").sd == 0

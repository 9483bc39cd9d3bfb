"""Sampled answers lie within their error bars of the exact ones, and samples have the moments of the network."""

import numpy as np
import pytest
from tests.networks.mixed.brute_force import random_network

from bayesfold.networks.factor import ImpossibleEvidence
from bayesfold.networks.mixed.conditioning import CertainNumber
from bayesfold.networks.mixed.lines import LinearGaussian
from bayesfold.networks.mixed.network import MixedNetwork
from bayesfold.networks.mixed.weighting import SampledNumber, draw_rows, summarize_number
from bayesfold.networks.query import Query


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


def sampled(x, share, **given):
    return SampledNumber("x", given, 2.0, 0.125, 3.0, 0.25, 1234.5, np.array(x, float), np.array(share, float))


def test_a_mean_and_a_spread_have_the_errors_of_the_delta_method():
    x, share = np.array([1.0, 2.0, 4.0, 8.0]), np.array([0.125, 0.25, 0.5, 0.125])
    ask = Query(("x",), {}, {}, {})
    found = summarize_number(ask, x, share, 3.0)
    mean = (1 + 4 + 16 + 8) / 8
    variance = (1 * (1 - mean) ** 2 + 2 * (2 - mean) ** 2 + 4 * (4 - mean) ** 2 + (8 - mean) ** 2) / 8
    assert (found.mean, found.variance, found.sd, found.effective) == pytest.approx(
        (mean, variance, variance**0.5, 3.0)
    )
    squares = [w**2 * (one - mean) ** 2 for w, one in zip(share, x, strict=True)]
    assert found.mean_error == pytest.approx(sum(squares) ** 0.5)
    fourth = [w**2 * ((one - mean) ** 2 - variance) ** 2 for w, one in zip(share, x, strict=True)]
    assert found.sd_error == pytest.approx(sum(fourth) ** 0.5 / (2 * variance**0.5))
    still = summarize_number(ask, np.full(4, 7.0), share, 3.0)
    assert (still.mean, still.sd, still.mean_error, still.sd_error) == (7.0, 0.0, 0.0, 0.0)


def test_a_quantile_is_the_first_number_up_to_which_the_share_lies():
    one = sampled([30, 10, 20, 40], [0.25, 0.25, 0.25, 0.25])
    assert [one.quantile(p) for p in (1e-9, 0.2, 0.25, 0.26, 0.5, 0.75, 0.76, 1 - 1e-9)] == [
        10, 10, 10, 20, 20, 30, 40, 40,
    ]  # fmt: skip
    assert sampled([1, 2], [0.1, 0.9]).quantile(0.5) == 2
    for p in (0, 1):
        with pytest.raises(ValueError, match=f"a quantile needs a share between 0 and 1, not {p}"):
            one.quantile(p)


def test_a_sampled_number_in_print():
    first, second = str(sampled([1, 2], [0.5, 0.5], c="a", y=1.5)).splitlines()
    assert first == "x | c=a, y=1.5: mean 2 and sd 3"
    assert second.startswith("by likelihood weighting: 2 weighted samples, worth 1,234 independent ones; ")
    assert second.endswith("; standard error 0.12 of the mean, 0.25 of the sd")
    assert str(sampled([1], [1])).startswith("x: mean 2")
    assert sampled([1], [1]).variance == 9.0


def test_categories_have_the_errors_of_shares_and_rows_are_drawn_in_blocks(monkeypatch):
    from bayesfold.networks.mixed import weighting

    monkeypatch.setattr(weighting, "BLOCK", 100)
    net = random_network(4, categories=2, numbers=1)
    a, b = net.categories
    x = net.numbers[0]
    rough = net.approximate(f"{a}, {b} | {x}=0.5", samples=256, random_state=3)
    assert rough.note.startswith("256 weighted samples, worth ")
    # the same rows, in the same blocks, weighed by hand
    draw, one = np.random.default_rng(3), net.answers.row({x: 0.5})
    found = [draw_rows(net.answers, rows, draw, *one, {0, 1, 2}) for rows in (100, 100, 56)]
    codes, log_weight = (np.concatenate([part[i] for part in found]) for i in (0, 2))
    share = np.exp(log_weight) / np.exp(log_weight).sum()
    assert rough.effective == pytest.approx(1 / (share**2).sum())
    ia, ib = net.nodes.index(a), net.nodes.index(b)
    for i, s in enumerate(net.states(a)):
        for j, t in enumerate(net.states(b)):
            here = (codes[:, ia] == i) & (codes[:, ib] == j)
            p = share[here].sum()
            assert rough.answer[{a: s, b: t}] == pytest.approx(p)
            variance = (share**2 * (here - p) ** 2).sum()
            assert rough.error[{a: s, b: t}] == pytest.approx(variance**0.5)


def test_rows_weigh_what_the_density_says_however_small():
    tables = {"c": {"a": 0.25, "b": 0.75}, "x": {"a": LinearGaussian(0, 2), "b": LinearGaussian(1, 0.5)}}
    net = MixedNetwork.from_edges([("c", "x")], tables=tables)
    draw = np.random.default_rng(0)
    codes, values, logs = draw_rows(net.answers, 50, draw, *net.answers.row({"x": 500.0}), {0, 1})
    expected = [(-0.5 * 250**2 - np.log(2)), (-0.5 * 998**2 - np.log(0.5))] - np.log(np.sqrt(2 * np.pi))
    np.testing.assert_allclose(logs, expected[codes[:, 0]], rtol=1e-12)
    assert (values[:, 1] == 500.0).all()
    _, _, logs = draw_rows(net.answers, 2, draw, *net.answers.row({"c": "b"}), {0, 1})
    np.testing.assert_allclose(logs, np.log(0.75))
    far = net.approximate("c | x=500", samples=1_000, random_state=0)
    assert far.answer["a"] == pytest.approx(1.0), "the best of the rows weighs 1, though no double holds its density"
    codes, values, _ = draw_rows(net.answers, 3, draw, *net.answers.row({}), {0})
    assert np.isnan(values).all(), "what does not matter is not drawn"


def test_samples_answer_about_one_number_at_a_time():
    net = random_network(1, categories=1, numbers=2)
    c, (x, y) = net.categories[0], net.numbers
    for question in (f"{x}, {y}", f"{x}, {c}", f"{c}, {x}"):
        with pytest.raises(ValueError, match="samples answer about one number at a time"):
            net.approximate(question)
    assert len(net.approximate(x, samples=256, random_state=0).samples) == 256
    with pytest.raises(ValueError, match="draw at least 256 samples, not 255"):
        net.approximate(x, samples=255)


def test_rows_that_cannot_be_are_passed_over_and_a_line_without_spread_has_no_density():
    tables = {"c": {"a": 0.5, "b": 0.5}, "d": {"a": {"y": 1.0, "n": 0.0}, "b": {"y": 0.25, "n": 0.75}}}
    net = MixedNetwork.from_edges([("c", "d")], tables=tables | {"x": LinearGaussian(0, 1)}, nodes=["x"])
    found = net.approximate("c | d=n", samples=1_000, random_state=0)
    assert found.answer["b"] == pytest.approx(1.0), "of half of the rows the weight is 0"
    lines = {"x": {"a": LinearGaussian(0, 0), "b": LinearGaussian(1, 1)}}
    half = MixedNetwork.from_edges([("c", "x")], tables={"c": tables["c"]} | lines)
    with pytest.raises(CertainNumber, match="leave 'x' out"):
        half.approximate("c | x=1")

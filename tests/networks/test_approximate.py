"""Sampled answers lie within their error bars; each says which method gave it and how far to trust it."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.factor import ImpossibleEvidence

from .graphs import many_children, random_network, shares, times


@pytest.mark.parametrize("method", ["weighting", "gibbs"])
def test_errors_are_as_large_as_the_error_bars_say(method):
    draw = np.random.default_rng(8)
    scores = []
    for seed in range(times(200)):
        net = random_network(draw, int(draw.integers(3, 8)))
        a, *others = draw.permutation(net.nodes).tolist()
        evidence = {v: net.axes[v][0] for v in others[: draw.integers(0, 3)]}
        exact = net.query(a, evidence=evidence)
        found = net.approximate(a, evidence=evidence, method=method, samples=6_400, random_state=seed)
        assert found.answer.total == pytest.approx(1.0)
        assert dict(found.answer.given) == evidence
        far = found.answer.values - exact.values
        scores += (far / np.maximum(found.error.values, 1e-4)).tolist()
        assert 0 < found.effective <= 6_400
    assert np.mean(np.abs(scores) < 4) > 0.97
    assert 0.4 < np.sqrt(np.mean(np.square(scores))) < 2.0  # the bars are neither far too short nor far too long


def test_several_targets_and_interventions():
    net = bf.read_network("smoking")
    exact = net.query("smoking, cancer | dyspnoea=yes")
    found = net.approximate("smoking, cancer | dyspnoea=yes", random_state=0)
    assert found.answer.variables == ("smoking", "cancer")
    np.testing.assert_allclose(found.answer.values, exact.values, atol=5 * found.error.values.max())
    set_to = net.approximate("smoking | do(bronchitis=yes)", random_state=0)
    assert set_to.answer["yes"] == pytest.approx(0.3, abs=5 * set_to.error.values.max())


def test_rare_evidence_turns_auto_to_gibbs_and_it_says_so():
    draw = np.random.default_rng(0)
    n = 14
    tables = {f"e{i}": [[0.9, 0.1], [0.02, 0.98]] for i in range(n)} | {"c": [0.999, 0.001]}
    net = bf.BayesianNetwork.from_edges([("c", f"e{i}") for i in range(n)], tables=tables)
    evidence = {f"e{i}": 1 for i in range(n - 4)} | {f"e{i}": 0 for i in range(n - 4, n)}
    rare = net.approximate("c", evidence=evidence, method="weighting", random_state=draw)
    assert rare.effective < 300
    assert "likelihood weighting: 20,000 weighted samples, worth" in str(rare)
    auto = net.approximate("c", evidence=evidence, random_state=1)
    assert auto.method == "Gibbs sampling"
    assert "chains of" in str(auto)
    assert "standard error at most" in str(auto)
    assert auto.answer[1] == pytest.approx(net.query("c", evidence=evidence)[1], abs=0.01)


def test_chains_that_are_stuck_are_reported():
    copy = [[1.0, 0.0], [0.0, 1.0]]
    net = bf.BayesianNetwork.from_edges([("a", "b"), ("b", "c")], tables={"a": [0.5, 0.5], "b": copy, "c": copy})
    stuck = net.approximate("a", c=0, b=0, method="gibbs", random_state=0)
    assert stuck.answer[0] == 1.0
    free = net.approximate("a, c", method="gibbs", random_state=0)  # a = b = c: no single variable can move
    assert "THE CHAINS DISAGREE" in free.note


def test_loopy_message_passing_says_what_it_is():
    net = bf.read_network("smoking")
    found = net.approximate("smoking | dyspnoea=yes", method="loopy")
    assert found.error is None
    assert "approximate: the graph has loops; converged" in str(found)
    np.testing.assert_allclose(found.answer.values, net.query("smoking | dyspnoea=yes").values, atol=0.05)
    chain = bf.MarkovChain.fit(["abba"]).to_network(5)
    exact = chain.approximate("x4 | x1=a", method="loopy")
    np.testing.assert_allclose(exact.answer.values, chain.query("x4 | x1=a").values, rtol=1e-9)
    assert "exact: the graph is a tree" in str(exact)


def test_impossible_evidence_is_an_error_here_too():
    net = bf.BayesianNetwork.from_edges([("a", "b")], tables={"a": [0.5, 0.5], "b": [[1.0, 0.0], [1.0, 0.0]]})
    for method in ("weighting", "gibbs", "auto"):
        with pytest.raises(ImpossibleEvidence, match="samples could show b=1: it is impossible, or very rare"):
            net.approximate("a | b=1", method=method)
    with pytest.raises(ImpossibleEvidence, match="b=1"):
        net.approximate("a | b=1", method="loopy")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda n: n.approximate("smoking", method="magic"),
            "no method 'magic'; there are auto, weighting, gibbs, loopy",
        ),
        (lambda n: n.approximate("smoking", samples=10), "draw at least 256 samples"),
        (lambda n: n.approximate("smoking, xray", method="loopy"), "one variable at a time"),
        (lambda n: n.approximate("smoking=yes"), "without a state"),
    ],
)
def test_errors_name_what_is_wrong(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(bf.read_network("smoking"))


def test_gibbs_weighs_many_children():
    """Eight hundred of them make every product zero; their ratios decide."""
    net, seen, logs = many_children(800, low=0.1, high=0.1001)
    found = net.approximate("class", method="gibbs", samples=6_400, random_state=0, evidence=seen)
    np.testing.assert_allclose(found.answer.values, shares(logs), atol=0.05)

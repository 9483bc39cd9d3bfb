"""Sampled answers lie within their error bars; each says which method gave it and how far to trust it."""

from dataclasses import replace

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks import approximate
from bayesfold.networks.approximate import (
    RelevantQuery,
    blanket_tables,
    draw_weighted,
    sample_gibbs,
    weigh_samples,
)
from bayesfold.networks.factor import ImpossibleEvidence
from bayesfold.networks.query import read_query

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


def relevant(question):
    net = bf.read_network("smoking")
    return RelevantQuery.of(net.answers, read_query(question, net.axes, {}))


def test_weights_make_shares_with_the_error_of_shares(monkeypatch):
    monkeypatch.setattr(approximate, "BLOCK", 100)
    asked = relevant("cancer, smoking | dyspnoea=yes")
    found = weigh_samples(asked, 256, np.random.default_rng(5))
    draw = np.random.default_rng(5)
    parts = [draw_weighted(asked, rows, draw) for rows in (100, 100, 56)]
    codes, logs = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    share = np.exp(logs) / np.exp(logs).sum()
    cell = codes[:, asked.targets[0]] * 2 + codes[:, asked.targets[1]]
    for k in range(4):
        p = share[cell == k].sum()
        assert found.answer.values.ravel()[k] == pytest.approx(p)
        assert found.error.values.ravel()[k] == pytest.approx(np.sqrt((share**2 * ((cell == k) - p) ** 2).sum()))
    assert found.effective == pytest.approx(1 / (share**2).sum())
    assert found.note == f"256 weighted samples, worth {found.effective:,.0f} independent ones"
    assert found.method == "likelihood weighting"
    assert str(found.error.label).startswith("standard error of (cancer, smoking | dyspnoea=yes)")
    assert str(found).endswith(f"; standard error at most {found.error.values.max():.2g}")


def test_what_does_not_matter_is_left_out():
    asked = relevant("smoking | dyspnoea=yes")
    names = asked.answers.dag.names
    assert {names[v] for v in asked.needed} == {"smoking", "bronchitis", "cancer", "dyspnoea"}
    assert asked.shape == (2,)
    blanket = blanket_tables(asked, names.index("cancer"))
    assert [[names[u] for u in others] for _, others in blanket] == [
        [names[u] for u in asked.answers.dag.parents[names.index("cancer")]],
        [names[u] for u in asked.answers.dag.parents[names.index("dyspnoea")] if names[u] != "cancer"] + ["dyspnoea"],
    ], "not the x-ray, which nobody asks of or has seen"
    assert all(table.shape[-1] == 2 for table, _ in blanket)


@pytest.mark.parametrize(("samples", "sweeps"), [(256, 4), (257, 5), (640, 10)])
def test_chains_sweep_as_often_as_samples_are_wanted(samples, sweeps, monkeypatch):
    picked = []
    pick = approximate.pick_states
    monkeypatch.setattr(approximate, "pick_states", lambda *given: picked.append(len(given[0])) or pick(*given))
    asked = relevant("smoking | dyspnoea=yes")
    found = sample_gibbs(asked, samples, np.random.default_rng(0))
    assert picked == [64] * (3 * (sweeps + sweeps // 4)), "a quarter as many first, of three variables each"
    assert found.note.startswith(f"64 chains of {sweeps:,} sweeps, worth ")
    assert found.answer.total == pytest.approx(1.0)
    assert found.effective <= 64 * sweeps
    counts = found.answer.values * 64 * sweeps
    np.testing.assert_allclose(counts, np.round(counts), atol=1e-9)


def test_chains_that_never_move_are_worth_all_their_sweeps():
    copy = [[1.0, 0.0], [0.0, 1.0]]
    net = bf.BayesianNetwork.from_edges([("a", "b")], tables={"a": [0.5, 0.5], "b": copy})
    sure = net.approximate("a | b=0", method="gibbs", samples=256, random_state=0)
    assert (sure.effective, sure.error.values.tolist()) == (256.0, [0.0, 0.0])
    assert "(R-hat 1.000)" in sure.note
    assert "DISAGREE" not in sure.note


@pytest.mark.parametrize(("effective", "method"), [(2.56, "likelihood weighting"), (2.559, "Gibbs sampling")])
def test_samples_worth_a_hundredth_are_enough(effective, method, monkeypatch):
    net = bf.read_network("smoking")
    weigh = approximate.weigh_samples
    monkeypatch.setattr(approximate, "weigh_samples", lambda *given: replace(weigh(*given), effective=effective))
    assert net.approximate("smoking", samples=256, random_state=0).method == method
    assert net.approximate("smoking", samples=256, random_state=0, method="weighting").effective == effective
    with pytest.raises(ValueError, match="draw at least 256 samples, not 255"):
        net.approximate("smoking", samples=255)

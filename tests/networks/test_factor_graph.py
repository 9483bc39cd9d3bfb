"""Message passing: exact on trees, an honest approximation elsewhere."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import Factor, ImpossibleEvidence, multiply
from bayesfold.networks.network import BayesianNetwork

from .graphs import many_children, random_network, random_table, shares, times


def random_tree(draw, nodes, zeros=0.0):
    """A network whose moral graph has no circle: each variable has at most one parent."""
    names = tuple(f"n{i}" for i in range(nodes))
    parents = tuple((int(draw.integers(i)),) if i and draw.random() < 0.85 else () for i in range(nodes))
    axes = {v: tuple("abc"[: draw.integers(2, 4)]) for v in names}
    tables = {
        v: random_table(draw, (*(len(axes[names[p]]) for p in above), len(axes[v])), zeros)
        for v, above in zip(names, parents, strict=True)
    }
    return BayesianNetwork(Dag(names, parents), axes, tables)


@pytest.mark.parametrize("schedule", ["sequential", "flooding"])
def test_a_tree_is_exact(schedule):
    draw = np.random.default_rng(1)
    impossible = 0
    for _ in range(times(300)):
        net = random_tree(draw, int(draw.integers(1, 8)), zeros=0.2)
        graph = net.factor_graph()
        assert graph.is_tree
        seen = draw.permutation(net.nodes)[: draw.integers(0, len(net.nodes))].tolist()
        evidence = {v: net.axes[v][draw.integers(len(net.axes[v]))] for v in seen}
        cut = net.joint().condition(evidence)
        if cut.total == 0:
            impossible += 1
            with pytest.raises(ImpossibleEvidence, match="leaves no state"):
                graph.sum_product(evidence, schedule=schedule)
            continue
        found = graph.sum_product(evidence, schedule=schedule, damping=0.5)
        assert found.exact
        assert found.converged
        for v, belief in found.marginals.items():
            np.testing.assert_allclose(belief.values, cut.normalise().marginal(v).values, rtol=1e-9, atol=1e-12)
            assert dict(belief.given) == evidence
        if cut.axes:
            best = graph.max_product(evidence, schedule=schedule).states()
            assert cut[best] == pytest.approx(cut.values.max(), rel=1e-9)
    assert impossible > 0


def test_two_sweeps_are_enough_for_a_tree():
    net = bf.MarkovChain.fit(["abcabacbb"]).to_network(30)
    found = net.factor_graph().sum_product()
    assert found.sweeps == 2  # one that does the work, one that finds nothing left to do
    assert str(found) == "exact: the graph is a tree; 2 sweeps"


def test_a_graph_with_circles_is_told_apart_and_comes_close():
    draw = np.random.default_rng(4)
    far, loops = [], 0
    for _ in range(times(200)):
        net = random_network(draw, 6)
        graph = net.factor_graph()
        found = graph.sum_product(damping=0.3, sweeps=500)
        if graph.is_tree:
            assert found.exact
            continue
        loops += 1
        assert not found.exact
        assert "approximate: the graph has loops" in str(found)
        if found.converged:
            far += [np.abs(found.marginals[v].values - net.query(v).values).max() for v in net.nodes]
    assert loops > 5
    assert np.mean(far) < 0.05


def test_without_enough_sweeps_it_says_so():
    edges = [(f"x{i}", f"x{(i + 1) % 4}") for i in range(4)]
    push = np.array([[1.0, 0.01], [0.01, 1.0]])
    pull = [Factor({a: (0, 1), b: (0, 1)}, push if i else push[::-1]) for i, (a, b) in enumerate(edges)]
    graph = bf.FactorGraph([*pull, Factor({"x0": (0, 1)}, [0.6, 0.4])])
    assert not graph.is_tree
    short = graph.sum_product(sweeps=1)
    assert not short.converged
    assert "NOT converged after 1 sweeps" in str(short)
    assert graph.sum_product(damping=0.5, sweeps=5000).converged


def test_every_message_can_be_read():
    net = bf.read_network("sprinkler")
    found = net.factor_graph().sum_product({"grass": "wet"}, log=True, sweeps=2)
    assert len(found.messages) == 2 * 4 * 7  # two sweeps, forth and back, both directions, seven links
    first = found.messages[0]
    assert first.sweep == 1
    assert {m.sender for m in found.messages} >= {"rain", "P(rain | cloudy)"}
    assert " -> " in str(first)
    assert net.factor_graph().sum_product().messages == ()


def test_factors_need_be_no_probabilities_and_their_states_in_no_order():
    a = Factor({"a": ("x", "y")}, [2.0, 6.0])
    ab = Factor({"b": (0, 1), "a": ("y", "x")}, [[1.0, 2.0], [3.0, 4.0]])
    found = bf.FactorGraph([a, ab]).sum_product()
    whole = multiply([a, ab]).normalise()
    for v in ("a", "b"):
        np.testing.assert_allclose(found.marginals[v].values, whole.marginal(v).values)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bf.FactorGraph([Factor({"a": (0, 1)}, [1, -1])]), "has a number below 0"),
        (
            lambda: bf.FactorGraph([Factor({"a": (0, 1)}, [1, 1]), Factor({"a": (0, 2)}, [1, 1])]),
            "'a' has the states 0, 1 in",
        ),
        (lambda: bf.read_network("smoking").factor_graph().sum_product({"smoke": "yes"}), "did you mean 'smoking'"),
        (lambda: bf.FactorGraph([]).sum_product(damping=1.0), "damping must be at least 0 and below 1"),
        (lambda: bf.FactorGraph([]).sum_product(schedule="random"), "'sequential' or 'flooding'"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_messages_may_be_as_small_as_they_like():
    """Half of the children speak for one state by 1e-400, half for the other."""
    net, seen, logs = many_children(800)
    for rule in ("sum_product", "max_product"):
        found = getattr(net.factor_graph(), rule)(seen)
        assert found.exact
        np.testing.assert_allclose(found.marginals["class"].values, shares(logs), rtol=1e-9)
    sides = [Factor({"a": (0, 1)}, values) for values in ([1e-200, 1], [1e-200, 1], [1, 1e-200], [3, 1e-200])]
    graph = bf.FactorGraph([*sides, Factor({"a": (0, 1), "b": (0, 1)}, np.eye(2))])
    np.testing.assert_allclose(graph.sum_product().marginals["b"].values, [0.75, 0.25])
    wide = bf.FactorGraph(
        [Factor({f"v{i}": (0, 1) for i in range(8)}, np.full((2,) * 8, 1e-300))]
        + [Factor({f"v{i}": (0, 1)}, [1e-100, 2e-100]) for i in range(8)]
    )
    np.testing.assert_allclose(wide.sum_product().marginals["v0"].values, [1 / 3, 2 / 3])


def test_the_likeliest_states_together_are_one_combination_where_several_are_equal():
    for seed in range(times(60)):
        draw = np.random.default_rng(seed)
        names = [f"v{i}" for i in range(int(draw.integers(2, 6)))]
        factors = []
        for i, name in enumerate(names[1:]):
            scope = {names[int(draw.integers(i + 1))]: (0, 1, 2), name: (0, 1, 2)}
            factors.append(Factor(scope, draw.integers(0, 2, (3, 3)) + np.eye(3)[draw.permutation(3)]))
        evidence = {names[0]: 1} if draw.random() < 0.3 else {}
        found = bf.FactorGraph(factors).max_product(evidence).states()
        whole = factors[0]
        for factor in factors[1:]:
            whole = whole * factor
        best = whole.condition(evidence)
        assert found.keys() == best.axes.keys()
        assert best.condition(found).values == pytest.approx(best.values.max())

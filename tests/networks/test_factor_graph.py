"""Message passing: exact on trees, an honest approximation elsewhere."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.factor import Factor, ImpossibleEvidence, multiply
from bayesfold.networks.factor_graph import damp
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


def loop(push=0.5):
    pairs = [("a", "b"), ("b", "c"), ("c", "a")]
    draw = np.random.default_rng(0)
    return bf.FactorGraph([Factor({u: (0, 1), v: (0, 1)}, draw.random((2, 2)) + push) for u, v in pairs])


def test_damping_keeps_a_share_of_the_old_message():
    old, fresh = np.log([0.2, 0.8]), np.log([0.6, 0.4])
    assert damp(old, fresh, 0.0) is fresh
    np.testing.assert_allclose(np.exp(damp(old, fresh, 0.25)), [0.25 * 0.2 + 0.75 * 0.6, 0.25 * 0.8 + 0.75 * 0.4])
    plain = loop().sum_product(log=True, sweeps=1).messages
    damped = loop().sum_product(log=True, sweeps=1, damping=0.5).messages
    np.testing.assert_allclose(plain[0].content.values, [0.5, 0.5])
    first = plain[1].content.values
    np.testing.assert_allclose(damped[1].content.values, 0.5 * first + 0.25)
    assert plain[1].change == pytest.approx(abs(first - 0.5).max())
    assert damped[1].change == pytest.approx(abs(first - 0.5).max() / 2)
    with pytest.raises(ValueError, match="damping must be at least 0 and below 1, not 1"):
        loop().sum_product(damping=1)
    with pytest.raises(ValueError, match=r"damping must be at least 0 and below 1, not -0\.1"):
        loop().sum_product(damping=-0.1)
    with pytest.raises(ValueError, match="schedule must be 'sequential' or 'flooding', not 'random'"):
        loop().sum_product(schedule="random")


def test_a_flood_says_what_was_heard_in_the_sweep_before():
    graph = loop()
    found = graph.sum_product(log=True, sweeps=1, schedule="flooding").messages
    for message in found:
        if message.sender in graph.axes:
            assert message.content.values.tolist() == pytest.approx([0.5, 0.5]), "nobody has said anything yet"
        else:
            factor = graph.factors[graph.names.index(message.sender)]
            expected = factor.marginal(message.receiver).normalise().values
            np.testing.assert_allclose(message.content.values, expected)
    newest = graph.sum_product(log=True, sweeps=1).messages
    assert any(abs(m.content.values - 0.5).max() > 1e-3 for m in newest if m.sender in graph.axes)
    both = [graph.sum_product(schedule=how, sweeps=500).marginals for how in ("flooding", "sequential")]
    for v in graph.axes:
        np.testing.assert_allclose(both[0][v].values, both[1][v].values, atol=1e-8)


def test_passing_ends_where_no_share_changes_by_more_than_is_allowed():
    graph = loop()
    whole = graph.sum_product(log=True, sweeps=30)
    changes = [max(m.change for m in whole.messages if m.sweep == k) for k in range(1, whole.sweeps + 1)]
    assert whole.converged
    assert changes[-1] == whole.change <= 1e-10 < changes[-2]
    early = graph.sum_product(tolerance=changes[2])
    assert (early.sweeps, early.converged, early.change) == (3, True, changes[2])
    assert graph.sum_product(tolerance=np.nextafter(changes[2], 0)).sweeps == 4
    assert str(early) == f"approximate: the graph has loops; converged after 3 sweeps, last change {changes[2]:.2g}"
    assert str(whole.messages[1]) == "1. f3 -> c: 0: 0.5768, 1: 0.4232"
    short = graph.sum_product(sweeps=2)
    assert (short.sweeps, short.converged, short.exact, len(short.messages)) == (2, False, False, 0)
    one = bf.FactorGraph([Factor({"a": (0, 1)}, [1.0, 3.0])])
    assert one.sum_product(sweeps=1).exact is False, "of a tree that had not time to settle nobody knows"
    assert one.sum_product(sweeps=2).exact


def test_the_links_of_a_forest_come_leaves_first():
    axes = dict.fromkeys("abcde", (0, 1))
    pair = np.ones((2, 2))
    graph = bf.FactorGraph([Factor({u: axes[u], v: axes[v]}, pair) for u, v in ("ab", "bc", "de", "ca")])
    inwards, others = graph.links
    assert len(inwards) == 7
    assert len(others) == 1
    assert not graph.is_tree
    seen = set()
    for factor, v in inwards:  # each of them is the last of one of its ends
        later = [link for link in inwards if link not in seen and link != (factor, v)]
        assert not (any(f == factor for f, _ in later) and any(u == v for _, u in later))
        seen.add((factor, v))
    assert bf.FactorGraph(graph.factors[:3]).is_tree
    assert graph.names == ("f1", "f2", "f3", "f4")
    assert bf.FactorGraph([Factor({"a": (0, 1)}, [1, 1], {}, "P(a)")]).names == ("P(a)",)


def test_states_are_the_likeliest_of_each_where_they_are_not_known_together():
    graph = loop()
    found = graph.max_product()
    assert found.together is None
    assert found.states() == {v: int(f.values.argmax()) for v, f in found.marginals.items()}
    seen = graph.sum_product({"a": 1})
    assert set(seen.marginals) == {"b", "c"}
    assert all(dict(f.given) == {"a": 1} for f in seen.marginals.values())
    with pytest.raises(ValueError, match="there is no variable 'q'"):
        graph.sum_product({"q": 1})
    nothing = bf.FactorGraph([Factor({"a": (0, 1)}, [0.0, 1.0])])
    with pytest.raises(ImpossibleEvidence, match="a=0 leaves no state of any variable possible"):
        nothing.sum_product({"a": 0})
    with pytest.raises(ImpossibleEvidence, match="this product of factors leaves no state of 'a' possible"):
        bf.FactorGraph([*nothing.factors, Factor({"a": (0, 1)}, [1.0, 0.0])]).sum_product()

"""Structures: scores against a scorer of their own, the best of all networks of four nodes, rules that hold."""

import pickle
from functools import cache
from itertools import product
from math import lgamma, log

import numpy as np
import pandas as pd
import pytest
from tests.networks.graphs import random_network, times
from tests.networks.published import MISSING, PATHS

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning import search
from bayesfold.networks.learning.equivalence import distance
from bayesfold.networks.learning.scores import KINDS

from .test_equivalence import every_dag

DAGS = list(every_dag())


def by_hand(table, edges, names, kind, cards, size=1.0):
    """The score of a network."""
    return sum(node_by_hand(table, [a for a, b in edges if b == v], v, kind, cards, size) for v in names)


def node_by_hand(table, parents, v, kind, cards, size):
    """The score of a node with its parents, with loops over rows."""
    counts = {}
    for row in table[[*parents, v]].itertuples(index=False):
        cell = counts.setdefault(tuple(row[:-1]), {})
        cell[row[-1]] = cell.get(row[-1], 0) + 1
    q, r = int(np.prod([cards[p] for p in parents], dtype=int)), cards[v]
    if kind in ("bic", "aic"):
        fit = sum(x * log(x / sum(row.values())) for row in counts.values() for x in row.values())
        return fit - q * (r - 1) * (log(len(table)) / 2 if kind == "bic" else 1)
    if kind == "left_out":
        of_row = {k: sum(row.values()) - 1 + r * size for k, row in counts.items()}
        return sum(x * log((x - 1 + size) / of_row[k]) for k, row in counts.items() for x in row.values())
    a = 1.0 if kind == "k2" else size / (q * r)
    rows = sum(lgamma(r * a) - lgamma(r * a + sum(row.values())) for row in counts.values())
    return rows + sum(lgamma(a + x) - lgamma(a) for row in counts.values() for x in row.values())


def sampled(seed, nodes=4, rows=300):
    """Rows of a random network, its states, and the network."""
    draw = np.random.default_rng(seed)
    net = random_network(draw, nodes)
    return pd.DataFrame(net.sample(rows, draw)), net


@pytest.mark.parametrize("kind", KINDS)
def test_the_score_is_that_of_the_network_and_the_best_of_all(kind):
    for seed in range(times(60)):
        table, net = sampled(seed)
        cards = {v: len(net.states(v)) for v in net.nodes}
        found = bf.learn_network(table, score=kind, states=net.axes, equivalent_sample_size=2.0, alpha=2.0)
        assert found.score == pytest.approx(by_hand(table, found.network.edges, net.nodes, kind, cards, 2.0))
        node = cache(lambda v, above: node_by_hand(table, sorted(above), v, kind, cards, 2.0))  # noqa: B023
        best = max(
            sum(node(net.nodes[i], frozenset(net.nodes[p] for p in above)) for i, above in enumerate(dag.parents))
            for dag in DAGS
        )
        assert found.score == pytest.approx(best)


def test_no_single_arc_would_do_better():
    for seed in range(times(40)):
        table, net = sampled(seed, nodes=7, rows=500)
        cards = {v: len(net.states(v)) for v in net.nodes}
        found = bf.learn_network(table, states=net.axes)
        node = cache(lambda v, above: node_by_hand(table, sorted(above), v, "bic", cards, 1.0))  # noqa: B023

        def score(edges):
            return sum(node(v, frozenset(a for a, b in edges if b == v)) for v in net.nodes)  # noqa: B023

        edges = set(found.network.edges)
        for u, v in product(net.nodes, net.nodes):
            if u == v:
                continue
            for other in (edges ^ {(u, v)}, edges - {(u, v)} | {(v, u)} if (u, v) in edges else edges):
                try:
                    Dag.of(sorted(other), net.nodes)
                except ValueError:
                    continue
                assert score(other) <= found.score + 1e-5
        for arc, gain in found.gains.items():
            assert gain == pytest.approx(found.score - score(edges - {arc}))


def test_weights_are_copies():
    table, net = sampled(4)
    weight = np.random.default_rng(4).integers(0, 4, len(table))
    one = bf.learn_network(table, weight=weight, states=net.axes)
    two = bf.learn_network(table.loc[table.index.repeat(weight)], states=net.axes)
    assert one.score == pytest.approx(two.score)
    assert one.distance(two.network) == 0


@pytest.mark.parametrize("kind", ["bic", "bdeu"])
def test_rules_hold(kind):
    for seed in range(times(60)):
        table, net = sampled(seed, nodes=6)
        draw = np.random.default_rng(seed)
        a, b, c, d, e, f = draw.permutation(net.nodes).tolist()
        found = bf.learn_network(
            table, score=kind, require=[(a, b)], forbid=[(c, d), (d, c)], tiers=[[a, c], [e, f]], max_parents=2
        )
        edges = set(found.network.edges)
        assert (a, b) in edges
        assert not edges & {(c, d), (d, c), (e, a), (f, a), (e, c), (f, c)}
        assert max(len(found.network.parents(v)) for v in net.nodes) <= 2
        assert (a, b) in found.gains
        assert "required" in str(found)


def test_a_start_is_no_worse_and_the_same_seed_gives_the_same():
    table, net = sampled(9, nodes=8, rows=400)
    plain = bf.learn_network(table, states=net.axes)
    started = bf.learn_network(table, states=net.axes, start=net)
    assert started.score >= plain.score - 1e-6
    assert bf.learn_network(table, states=net.axes).network.edges == plain.network.edges


@pytest.mark.parametrize("told", [{}, {"method": "bdeu"}], ids=str)
def test_stages_are_told_that_found_something_better_and_no_others(told):
    for seed in range(4):
        table, net = sampled(seed, nodes=6, rows=200)
        scores = [score for _, score in bf.learn_network(table, **told, states=net.axes).path]
        assert scores == sorted(set(scores)), seed


def test_the_result_is_a_network_like_any_other(tmp_path):
    table, net = sampled(2, nodes=5, rows=2_000)
    found = bf.learn_network(table, method="bdeu", equivalent_sample_size=4.0, states=net.axes)
    v = net.nodes[0]
    np.testing.assert_allclose(found.network.query(v).values, net.query(v).values, atol=0.05)
    again = found.network.forget(table[:500]).partial_fit(table[:500])
    assert all((again.tables[u] == found.network.tables[u]).all() for u in net.nodes)
    bf.write_network(found.network, tmp_path / "n.xdsl")
    assert found.distance(bf.read_network(tmp_path / "n.xdsl")) == 0
    assert found.path[-1][1] == found.score
    assert str(found).startswith(f"bic {found.score:.6g} of 2,000 rows and 5 columns: {len(found.gains)} arcs")


def test_tables_are_counted_when_they_are_asked_for_and_are_those_of_a_fit():
    table, net = sampled(6, nodes=5, rows=300)
    weight = np.random.default_rng(6).random(300)
    found = bf.learn_network(table, states=net.axes, weight=weight, alpha=0.5)
    assert "network" not in vars(found)
    expected = bf.fit_network(bf.BayesianNetwork(found.dag, net.axes), table, weight=weight, alpha=0.5)
    again = pickle.loads(pickle.dumps(found))
    for v in net.nodes:
        np.testing.assert_array_equal(found.network.tables[v], expected.tables[v])
        np.testing.assert_array_equal(again.network.tables[v], expected.tables[v])
    assert found.averaged is None


def test_an_interruption_gives_the_best_so_far(monkeypatch):
    table, net = sampled(3, nodes=6)

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "restart", stopped)
    found = bf.learn_network(table, states=net.axes)
    assert found.interrupted
    assert "interrupted: the best so far" in str(found)
    monkeypatch.setattr(search, "list_starts", stopped)
    with pytest.raises(KeyboardInterrupt):
        bf.learn_network(table, states=net.axes)


@pytest.mark.slow
@pytest.mark.skipif("alarm" not in PATHS, reason=MISSING)
def test_alarm_is_found_and_scores_above_pyagrum():
    gum = pytest.importorskip("pyagrum")
    net = bf.read_network(PATHS["alarm"])
    table = pd.DataFrame(net.sample(2_000, random_state=3))
    found = bf.learn_network(table, states=net.axes)
    learner = gum.BNLearner(table)
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    names = table.columns
    theirs = [(names[u], names[v]) for u, v in learner.learnDAG().arcs()]
    cards = {v: len(net.states(v)) for v in net.nodes}
    assert found.score >= by_hand(table, theirs, net.nodes, "bic", cards) - 1e-6
    peer = bf.BayesianNetwork.from_edges(theirs, net.nodes)
    assert found.distance(net) <= distance(peer.dag, net.dag)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"score": "mdl"}, "there is no score 'mdl'; there are bic, aic, bdeu, k2, left_out"),
        ({"search": "magic"}, "there is no search 'magic'; there are climb, tree, exact, pc, hybrid"),
        ({"search": "pc", "significance": 1.5}, "significance must lie between 0 and 1, not 1.5"),
        ({"require": [("a", "b"), ("b", "c"), ("c", "a")]}, "form a cycle"),
        ({"require": [("a", "b")], "forbid": [("a", "b")]}, "a -> b is required, and ruled out"),
        ({"require": [("b", "a")], "tiers": [["a"], ["b"]]}, "b -> a is required, and ruled out"),
        ({"forbid": [("a", "q")]}, "no column 'q'"),
        ({"tiers": [["a"], ["a"]]}, "'a' stands in two tiers"),
        ({"max_parents": 0}, "max_parents must be at least 1"),
        ({"require": [("a", "c"), ("b", "c")], "max_parents": 1}, "no fewer than are required, not 1"),
        ({"columns": ["a", "q"]}, "'q'"),
        ({"columns": ["a", "a"]}, "distinct columns"),
        ({"start": [("a", "q")]}, "the start has the node 'q'"),
        ({"score": "bdeu", "equivalent_sample_size": {"a": 2.0}}, "one number for equivalent_sample_size"),
        ({"score": "bdeu", "equivalent_sample_size": 0.0}, "a finite number of rows above 0"),
        ({"score": "left_out", "weight": [1.0] * 40}, "takes no weights"),
        ({"alpha": {"q": 1.0}}, "no node 'q'"),
        ({"weight": [1, 2]}, "one finite number of at least 0 for each of 40 rows"),
    ],
)
def test_errors_say_what_to_do(how, message):
    table = {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "c": [1, 0] * 20}
    with pytest.raises(ValueError, match=message):
        bf.learn_network(table, **how)


def test_holes_and_numbers_are_refused_with_their_column():
    with pytest.raises(ValueError, match="row 1 has no value of 'b'"):
        bf.learn_network({"a": [0, 1], "b": ["x", None]})
    with pytest.raises(ValueError, match="'a' has 1,000 different numbers"):
        bf.learn_network({"a": np.arange(1000) / 7, "b": [0] * 1000})
    with pytest.raises(ValueError, match="no rows"):
        bf.learn_network({"a": [], "b": []}, states={"a": (0, 1), "b": (0, 1)})
    constant = bf.learn_network({"a": [0, 1] * 20, "b": ["x"] * 40})
    assert constant.network.edges == ()
    assert "b has one value in all rows" in str(constant)
    with pytest.raises(ValueError, match="'a' has 10,000 different values, too many"):
        bf.learn_network({"a": [f"id{i}" for i in range(10_000)], "b": [0, 1] * 5_000})


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"require": [("a", "a")]}, "a -> a is required, but an arc runs between two columns"),
        ({"require": [("a", "b", "c")]}, "require must be a list of arcs"),
        ({"forbid": ["ab"]}, "forbid must be a list of arcs"),
    ],
)
def test_what_is_no_arc_is_said(told, said):
    with pytest.raises(ValueError, match=said):
        bf.learn_network({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9}, **told)


@pytest.mark.parametrize("how", [{}, {"search": "exact"}, {"search": "hybrid"}, {"em": True}, {"numbers": "gaussian"}])
def test_who_watches_is_told_of_each_better_network(how):
    rows = pd.DataFrame(bf.read_network("smoking").sample(300, random_state=1))
    if "em" in how:
        rows = rows.mask(np.random.default_rng(0).random(rows.shape) < 0.1)
    if "numbers" in how:
        rows["age"] = np.random.default_rng(0).normal(50, 9, 300)
    seen = []
    found = bf.learn_network(rows, watch=lambda stage, score: seen.append((stage, score)), bootstrap=2, **how)
    assert seen == list(found.path)  # and nothing of the samples

"""Tables from counts: against counting by hand and pyAgrum; learning, forgetting, merging and fading equal a refit."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.graphs import random_network

import bayesfold as bf
from bayesfold.networks.learning.parameters import METHODS

OPTIONS = [
    {"method": "mle"},
    {"method": "lambda", "alpha": 0.5},
    {"method": "bdeu", "equivalent_sample_size": 7.0},
    {"method": "bdeu", "equivalent_sample_size": {"n0": 3.0, "n1": 0.25}},
    {"method": "lambda", "alpha": {"n2": 4.0}},
]
BACK_OFF = [{"method": "backoff", "equivalent_sample_size": 3.0}]  # has its own count by hand below


def drawn(seed, nodes=6, rows=300, holes=0.0):
    """A random network, rows drawn from it, and its graph and states without tables."""
    draw = np.random.default_rng(seed)
    net = random_network(draw, nodes)
    table = pd.DataFrame(net.sample(rows, draw))
    bare = bf.BayesianNetwork.from_edges(net.edges, net.nodes, states=net.axes)
    return net, table.mask(draw.random(table.shape) < holes), bare


def by_hand(net, table, weight, method, alpha=1.0, equivalent_sample_size=1.0):
    """The tables with loops over rows."""
    found = {}
    for v in net.nodes:
        names = [*net.parents(v), v]
        counts = np.zeros([len(net.states(u)) for u in names])
        for row, w in zip(table[names].itertuples(index=False), weight, strict=True):
            if not any(pd.isna(x) for x in row):
                counts[tuple(net.states(u).index(x) for u, x in zip(names, row, strict=True))] += w
        a = {"mle": 0.0, "lambda": alpha, "bdeu": equivalent_sample_size}[method]
        a = a.get(v, 1.0) if isinstance(a, dict) else a
        counts += a / counts.size if method == "bdeu" else a
        total = counts.sum(-1, keepdims=True)
        found[v] = np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / counts.shape[-1])
    return found


def same(a, b, rtol=0.0):
    """Networks with the same tables, to the bit unless told otherwise."""
    assert a.axes == b.axes
    for v in a.nodes:
        np.testing.assert_allclose(a.tables[v], b.tables[v], rtol=rtol, atol=0)


@pytest.mark.parametrize("how", OPTIONS, ids=str)
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_tables_equal_counting_by_hand(how, holes):
    for seed in range(4):
        _, table, bare = drawn(seed, holes=holes)
        weight = np.random.default_rng(seed).random(len(table)) * 3
        plain, weighted = bare.fit(table, **how), bare.fit(table, weight=weight, **how)
        for net, w in ((plain, np.ones(len(table))), (weighted, weight)):
            for v, expected in by_hand(bare, table, w, **how).items():
                np.testing.assert_allclose(net.tables[v], expected, rtol=1e-12)


def test_whole_weights_are_copies():
    _, table, bare = drawn(1)
    weight = np.random.default_rng(1).integers(0, 4, len(table))
    same(bare.fit(table, weight=weight), bare.fit(table.loc[table.index.repeat(weight)]), rtol=1e-15)


@pytest.mark.parametrize("how", OPTIONS + BACK_OFF, ids=str)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 1000), split=st.integers(1, 119), holes=st.sampled_from([0.0, 0.3]))
def test_forgetting_merging_and_learning_more_equal_a_refit(how, seed, split, holes):
    _, table, bare = drawn(seed, nodes=5, rows=120, holes=holes)
    first, second = table[:split], table[split:]
    whole, part = bare.fit(table, **how), bare.fit(first, **how)
    same(part.partial_fit(second), whole)
    same(whole.forget(second), part)
    same(part.merge(bare.fit(second, **how)), whole)
    same(whole.forget(table), bare.fit(table[:0], **how))
    assert whole.learned.tally.counts.sum() > 0  # what was asked of it has not changed it


def test_weighted_rows_are_forgotten_with_their_weight():
    _, table, bare = drawn(5)
    weight = np.random.default_rng(2).random(len(table)) + 0.1
    whole = bare.fit(table, weight=weight)
    same(whole.forget(table[200:], weight[200:]), bare.fit(table[:200], weight=weight[:200]), rtol=1e-12)


def test_decay_equals_weights_by_age():
    _, table, bare = drawn(3)
    faded = bare.fit(table[:100], method="bdeu").decay(0.9).partial_fit(table[100:200]).decay(0.9)
    aged = bare.fit(table[:200], method="bdeu", weight=np.repeat([0.81, 0.9], 100))
    same(faded, aged, rtol=1e-12)
    same(faded.forget(table[:100], np.full(100, 0.81)), bare.fit(table[100:200], method="bdeu").decay(0.9), rtol=1e-12)
    with pytest.raises(ValueError, match="has decayed"):
        faded.forget(table[:10])
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        faded.decay(1.5)


def test_states_keep_their_order_and_networks_in_other_orders_merge():
    edges = [("a", "b")]
    rows = {"a": ["y", "x", "y"], "b": [1, 0, 1]}
    one = bf.BayesianNetwork.from_edges(edges, states={"a": ("y", "x"), "b": (1, 0)})
    two = bf.BayesianNetwork.from_edges(edges, nodes=["b", "a"], states={"a": ("x", "y"), "b": (0, 1)})
    both = one.fit(rows).merge(two.fit(rows))
    assert both.states("a") == ("y", "x")
    same(both, one.fit({k: v * 2 for k, v in rows.items()}))


@pytest.mark.parametrize("kind", ["dict", "pandas", "polars", "arrow", "dicts"])
def test_any_table_is_learned(kind):
    rows = {"a": ["x", "y", "x", None], "b": [1, 0, 1, 1], "other": [1.5, 2.5, 3.5, 4.5]}
    frame = pl.DataFrame(rows)
    table = {
        "dict": rows,
        "pandas": pd.DataFrame(rows),
        "polars": frame,
        "arrow": frame.to_arrow(),
        "dicts": frame.to_dicts(),
    }[kind]
    net = bf.fit_network([("a", "b")], table, method="mle")
    assert net.axes == {"a": ("x", "y"), "b": (0, 1)}
    assert net.tables["a"] == pytest.approx([2 / 3, 1 / 3])
    assert net.tables["b"].tolist() == [[0, 1], [1, 0]]


def test_a_learned_network_answers_and_is_written(tmp_path):
    net, table, bare = drawn(7, rows=20_000)
    learned = bare.fit(table)
    v, w = net.nodes[0], net.nodes[-1]
    np.testing.assert_allclose(learned.query(v).values, net.query(v).values, atol=0.03)
    bf.write_network(learned, tmp_path / "n.bif")
    same(bf.read_network(tmp_path / "n.bif"), learned)
    assert learned.do({v: net.states(v)[0]}).learned is None
    assert learned.log_likelihood(table) > bare.fit(table[:50]).log_likelihood(table)
    assert set(learned.query(w).axes) == {w}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda n, t: n.fit(t, method="map"), "there is no method 'map'; there are mle, lambda, bdeu"),
        (lambda n, t: n.fit(t, alpha=-1), "alpha must be a finite number of at least 0"),
        (lambda n, t: n.fit(t, equivalent_sample_size={"n0": "x"}), "equivalent_sample_size must be a finite number"),
        (lambda n, t: n.fit(t, alpha=1e101), "alpha must be a finite number .* at most 1e.100"),
        (lambda n, t: n.fit(t, alpha={"n99": 1.0}), "no node 'n99'"),
        (lambda n, t: n.fit(t, weight=[1.0]), "one finite number of at least 0 for each of 300 rows"),
        (lambda n, t: n.fit(t.replace("a", "q")), "has no state 'q'"),
        (lambda n, t: n.partial_fit(t), "fit\\(\\) it first"),
        (lambda n, t: n.fit(t).merge(bf.fit_network([], {"z": [1]})), "only one of the networks has the node"),
        (lambda n, t: n.fit(t[:50]).forget(t), "row .* was not learned by this model"),
        (lambda n, t: bf.fit_network([("a", "b")], {"a": [1, 2]}), "has no column 'b'"),
        (lambda n, t: bf.fit_network([("a", "b")], {"a": [1], "b": [None]}), "'b' has no value at all"),
        (
            lambda n, t: (
                bf.fit_network([], {"a": np.arange(1000) / 7})
                and bf.fit_network([("a", "b")], {"a": np.arange(1000) / 7, "b": [0] * 1000})
            ),
            "'a' has 1,000 different numbers: cut it into intervals",
        ),
        (
            lambda n, t: bf.fit_network([("a", "b")], {"a": [f"r{i}" for i in range(70_000)], "b": [0] * 70_000}),
            "'a' has 70,000 different values, so it names rows",
        ),
    ],
)
def test_errors_say_what_to_do(ask, message):
    _, table, bare = drawn(0)
    with pytest.raises(ValueError, match=message):
        ask(bare, table)


def test_every_method_is_tried():
    assert {how["method"] for how in OPTIONS + BACK_OFF} == set(METHODS)


def test_tables_equal_pyagrum():
    gum = pytest.importorskip("pyagrum")
    net, table, bare = drawn(11, rows=500)
    peer = gum.BayesNet()
    for v in net.nodes:
        peer.add(gum.LabelizedVariable(v, v, list(net.states(v))))
    for a, b in net.edges:
        peer.addArc(a, b)
    learner = gum.BNLearner(table, peer)
    learner.useSmoothingPrior(0.5)
    fitted = learner.learnParameters(peer.dag())
    ours = bare.fit(table, alpha=0.5)
    for v in net.nodes:
        axes = [*net.parents(v), v]
        theirs = fitted.cpt(v).toarray()
        order = list(reversed(fitted.cpt(v).names))  # numpy's axes run the other way
        np.testing.assert_allclose(ours.tables[v], theirs.transpose([order.index(u) for u in axes]), rtol=1e-10)


def test_back_off_shares_rows_out_as_fewer_parents_say():
    draw = np.random.default_rng(0)
    rows = pd.DataFrame({"a": draw.integers(0, 2, 300), "b": draw.integers(0, 3, 300)})
    rows["x"] = np.where(draw.random(300) < 0.8, rows["a"], draw.integers(0, 2, 300))
    edges = [("a", "x"), ("b", "x")]
    net = bf.fit_network(edges, rows, method="backoff", equivalent_sample_size={"x": 4.0, "a": 2.0})

    def share(some, prior, size):
        n = np.bincount(some["x"], minlength=2)
        return (n + size * prior) / (n.sum() + size)

    alone = share(rows, np.array([0.5, 0.5]), 4.0)
    for (a, b), some in rows.groupby(["a", "b"]):  # b tells nothing, so it goes first
        expected = share(some, share(rows[rows["a"] == a], alone, 4.0), 4.0)
        np.testing.assert_allclose(net.table("x").values[a, b], expected, rtol=1e-12)
    np.testing.assert_allclose(net.table("a").values, (np.bincount(rows["a"]) + 1) / 302)


def test_back_off_is_a_function_of_the_counts_and_helps_where_tables_are_large():
    draw = np.random.default_rng(1)
    table = pd.DataFrame({f"p{k}": draw.integers(0, 3, 700) for k in range(5)})
    table["x"] = np.where(draw.random(700) < 0.85, table["p0"] % 2, draw.integers(0, 2, 700))
    edges = [(f"p{k}", "x") for k in range(5)]
    learned, new = table[:300], table[300:]
    net = bf.fit_network(edges, learned, method="backoff", equivalent_sample_size=10)
    again = bf.fit_network(edges, table, method="backoff", equivalent_sample_size=10).forget(new)
    np.testing.assert_array_equal(net.table("x").values, again.table("x").values)
    for other in ("lambda", "bdeu"):
        assert net.log_likelihood(new) > bf.fit_network(edges, learned, method=other).log_likelihood(new) + 10
    never = bf.fit_network([("a", "x")], {"a": ["u", "u"], "x": ["y", "z"]}, method="backoff", equivalent_sample_size=0)
    np.testing.assert_allclose(never.table("x").values, [[0.5, 0.5]])
    with pytest.raises(ValueError, match="EM needs a prior"):
        bf.fit_network(edges, learned, method="backoff", em=True)

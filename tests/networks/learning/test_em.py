"""EM: expected counts against the joint posteriors of two engines, a likelihood that never falls, hidden variables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.graphs import random_network
from tests.networks.peers import as_pyagrum
from tests.networks.published import MISSING, PATHS

import bayesfold as bf
from bayesfold.networks.evidence import encode
from bayesfold.networks.learning import clique_tree
from bayesfold.networks.learning import em as em_module
from bayesfold.networks.learning.clique_tree import CliqueTree
from bayesfold.networks.learning.em import (
    Convergence,
    fold_repeated_rows,
    iterate_em,
    log_prior,
    read_em,
    run_em,
    start_tables,
)
from bayesfold.networks.learning.parameters import Estimate


def drawn(seed, nodes=6, rows=120, holes=0.3):
    """A random network, rows drawn from it with holes, and its graph and states without tables."""
    draw = np.random.default_rng(seed)
    net = random_network(draw, nodes)
    table = pd.DataFrame(net.sample(rows, draw))
    bare = bf.BayesianNetwork.from_edges(net.edges, net.nodes, states=net.axes)
    return net, table.mask(draw.random(table.shape) < holes), bare


def expected(net, table, weight=None):
    """Expected counts of each family under a network's own tables, and the logs of its rows."""
    tree = CliqueTree.of([len(net.states(v)) for v in net.nodes], net.dag.parents)
    codes = encode(table, net.axes)
    return tree.expect(
        [net.tables[v] for v in net.nodes], codes, np.ones(len(codes)) if weight is None else np.asarray(weight)
    )


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000), holes=st.sampled_from([0.0, 0.2, 0.6, 1.0]))
def test_expected_counts_are_sums_of_posteriors_and_logs_are_of_the_rows(seed, holes):
    net, table, _ = drawn(seed, rows=20, holes=holes)
    weight = np.random.default_rng(seed).random(20)
    counts, logs = expected(net, table, weight)
    for v, found in zip(net.nodes, counts, strict=True):
        total = np.zeros(found.shape)
        for row, w in zip(table.to_dict("records"), weight, strict=True):
            seen = {u: s for u, s in row.items() if isinstance(s, str)}
            total += w * posterior(net, v, seen)
        np.testing.assert_allclose(found, total, rtol=1e-9, atol=1e-12)
    for row, log_p in zip(table.to_dict("records"), logs, strict=True):
        seen = {u: s for u, s in row.items() if isinstance(s, str)}
        assert log_p == pytest.approx(net.log_likelihood(pd.DataFrame([seen])) if seen else 0.0, rel=1e-9, abs=1e-9)


def posterior(net, v, seen):
    """P(parents, v | seen) with the states that are seen as certain."""
    family = [*net.parents(v), v]
    cells = np.zeros([len(net.states(u)) for u in family])
    free = [u for u in family if u not in seen]
    place = tuple(net.states(u).index(seen[u]) if u in seen else slice(None) for u in family)
    cells[place] = net.query(", ".join(free), evidence=seen).values if free else 1.0
    return cells


@pytest.mark.parametrize("name", ["asia", "child"])
def test_expected_counts_equal_pyagrum(name):
    gum = pytest.importorskip("pyagrum")
    if name not in PATHS:
        pytest.skip(MISSING)
    net = bf.read_network(PATHS[name])
    draw = np.random.default_rng(2)
    table = pd.DataFrame(net.sample(30, draw))
    table = table.mask(draw.random(table.shape) < 0.3)
    counts, _ = expected(net, table)
    engine = gum.LazyPropagation(as_pyagrum(net))
    for v in net.nodes:
        engine.addJointTarget({*net.parents(v), v})
    total = dict.fromkeys(net.nodes, 0.0)
    for row in table.to_dict("records"):
        seen = {u: s for u, s in row.items() if isinstance(s, str)}
        engine.setEvidence(seen)
        engine.makeInference()
        for v in net.nodes:
            joint = engine.jointPosterior({*net.parents(v), v})
            order = list(reversed(joint.names))  # numpy's axes run the other way
            total[v] = total[v] + joint.toarray().transpose([order.index(u) for u in (*net.parents(v), v)])
    for v, found in zip(net.nodes, counts, strict=True):
        np.testing.assert_allclose(found, total[v], atol=1e-10)


@pytest.mark.parametrize("how", [{"method": "mle"}, {"alpha": 0.7}, {"method": "bdeu", "equivalent_sample_size": 3.0}])
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 10_000), hidden=st.booleans())
def test_the_objective_never_falls(how, seed, hidden):
    _, table, bare = drawn(seed, holes=0.2)
    if hidden:
        table = table.drop(columns=table.columns[2])
    found = bare.fit(table, em=bf.EM(iterations=40, restarts=2), **how)
    path = np.array(found.em.objective)
    assert (np.diff(path) >= -1e-9 * np.abs(path[1:])).all()
    assert (found.em.objective == found.em.log_likelihood) is (how.get("method") == "mle")
    assert found.em.log_likelihood[-1] == pytest.approx(found.log_likelihood(table), rel=1e-9)


def test_without_holes_it_is_counting():
    _, table, bare = drawn(3, holes=0.0)
    for how in ({"method": "mle"}, {"alpha": 0.5}, {"method": "bdeu"}):
        one, two = bare.fit(table, **how), bare.fit(table, em=True, **how)
        for v in bare.nodes:
            np.testing.assert_allclose(one.tables[v], two.tables[v], rtol=1e-9)
        assert two.em.converged
        assert len(two.em.objective) <= 3


def test_weights_are_copies():
    _, table, bare = drawn(5)
    weight = np.random.default_rng(5).integers(0, 3, len(table))
    one = bare.fit(table, weight=weight, em=True)
    two = bare.fit(table.loc[table.index.repeat(weight)], em=True)
    for v in bare.nodes:
        np.testing.assert_allclose(one.tables[v], two.tables[v], rtol=1e-6)


def test_a_hidden_class_is_found():
    draw = np.random.default_rng(1)
    kind = draw.integers(0, 2, 3_000)
    table = {f"x{j}": np.where(draw.random(3_000) < 0.9, kind, 1 - kind) for j in range(5)}
    edges = [("kind", name) for name in table]
    bare = bf.BayesianNetwork.from_edges(edges, states={"kind": ("a", "b")})
    net = bf.fit_network(bare, table, em=bf.EM(restarts=4))
    guessed = net.predict_proba(table, "kind").argmax(1)
    assert max((guessed == kind).mean(), (guessed != kind).mean()) > 0.95
    assert net.em.hidden == ("kind",)
    assert len(net.em.starts) == 4
    assert max(net.em.starts) == net.em.objective[-1]
    assert str(net.em).startswith("EM came to rest after")
    seen = []
    stopped = bare.fit(table, em=bf.EM(iterations=2, restarts=1, watch=lambda k, value: seen.append((k, value))))
    assert not stopped.em.converged
    assert "was stopped: allow more iterations" in str(stopped.em)
    assert [k for k, _ in seen] == [1, 2, 3]
    assert tuple(value for _, value in seen) == stopped.em.objective


def test_what_it_keeps_and_what_it_refuses():
    _, table, bare = drawn(4)
    net = bare.fit(table, em=True)
    with pytest.raises(ValueError, match="or by EM, whose counts change with every row"):
        net.forget(table)
    assert bare.fit(table).em is None
    assert net.fit(table).em is None
    with pytest.raises(ValueError, match="at least 1 iteration"):
        bf.EM(iterations=0)
    with pytest.raises(ValueError, match="no node 'q'"):
        bare.fit(table, em=True, alpha={"q": 1.0})
    with pytest.raises(ValueError, match="has no column 'h'"):
        bf.fit_network([("h", "a")], {"a": [1, 2]}, em=True)


def test_a_tree_too_large_is_refused(monkeypatch):
    _, table, bare = drawn(4)
    monkeypatch.setattr(clique_tree, "MOST_BYTES", 1000.0)
    with pytest.raises(MemoryError, match="above the limit of 1e"):
        bare.fit(table, em=True)


def test_rows_that_repeat_are_folded_once():
    rows, times = fold_repeated_rows(
        np.array([[0, -1], [1, 0], [0, -1], [2, 2]], np.int32), np.array([1.0, 2.0, 0.5, 0.0])
    )
    assert sorted(zip(rows.tolist(), times.tolist(), strict=True)) == [([0, -1], 1.5), ([1, 0], 2.0)]


def three_kinds(rows=1_500, seed=0):
    """Rows of eight answers that each of three kinds of people gives its own way."""
    draw = np.random.default_rng(seed)
    kind = draw.integers(0, 3, rows)
    say = np.array([[0.8, 0.8, 0.2, 0.2] * 2, [0.2, 0.8, 0.8, 0.2] * 2, [0.8, 0.2, 0.2, 0.8] * 2])[kind]
    return pd.DataFrame(np.where(draw.random((rows, 8)) < say, "yes", "no"), columns=list("abcdefgh"))


def test_the_number_of_hidden_states_is_what_rows_held_out_say():
    bare = bf.BayesianNetwork.from_edges([("kind", answer) for answer in "abcdefgh"])
    how = bf.EM(states={"kind": range(1, 5)}, restarts=3, tolerance=1e-5)
    net = bare.fit(three_kinds(), em=how)
    assert len(net.states("kind")) == 3
    assert list(net.em.held_out) == [(1,), (2,), (3,), (4,)]
    assert max(net.em.held_out, key=net.em.held_out.get) == (3,)
    assert net.em.held_out[1,] < net.em.held_out[2,] < net.em.held_out[3,]
    assert "  3 states: " in str(net.em)
    assert str(net.em).count("chosen") == 1
    fresh = three_kinds(seed=9)  # what was said of rows held out holds for new ones
    assert net.log_likelihood(fresh) / len(fresh) == pytest.approx(net.em.held_out[3,], abs=0.05)


@pytest.mark.parametrize("unit", [1e-6, 0.001, 50.0])
def test_states_are_judged_alike_in_any_unit_of_weights(unit):
    bare = bf.BayesianNetwork.from_edges([("kind", answer) for answer in "abc"])
    rows, w = three_kinds(60)[[*"abc"]], np.random.default_rng(0).uniform(0.5, 2.0, 60)
    how = bf.EM(states={"kind": [1, 2]}, iterations=5, restarts=1)
    one, other = (bare.fit(rows, weight=w * u, method="mle", em=how).em.held_out for u in (1.0, unit))
    assert other == pytest.approx(one, rel=1e-6)


def test_numbers_of_states_that_cannot_be_chosen_are_refused():
    edges = [("kind", answer) for answer in "abcdefgh"]
    bare = bf.BayesianNetwork.from_edges(edges)
    rows = three_kinds(30)
    with pytest.raises(ValueError, match="there is no node 'knd'"):
        bare.fit(rows, em=bf.EM(states={"knd": [2, 3]}))
    with pytest.raises(ValueError, match="at least 1 state"):
        bare.fit(rows, em=bf.EM(states={"kind": [0, 3]}))
    named = bf.BayesianNetwork.from_edges(edges, states={"kind": ("x", "y")})
    with pytest.raises(ValueError, match="the states of 'kind' are known"):
        named.fit(rows, em=bf.EM(states={"kind": [2, 3]}))
    with pytest.raises(ValueError, match="has a column"):
        bare.fit(rows.assign(kind=["1"] * 30), em=bf.EM(states={"kind": [2, 3]}))


def test_em_begins_with_counts_of_rows_whose_families_have_no_hole():
    dag = bf.BayesianNetwork.from_edges([("a", "b")]).dag
    codes = np.array([[0, 1], [0, 1], [1, -1], [-1, 0]], np.int32)
    tree = CliqueTree.of([2, 2], dag.parents)
    a, b = start_tables(tree, dag, codes, np.array([1.0, 2.0, 5.0, 7.0]), (), np.random.default_rng(0))
    np.testing.assert_allclose(a, [4 / 10, 6 / 10])  # one row of each state, and weights of 3 and 5
    np.testing.assert_allclose(b, [[1 / 5, 4 / 5], [1 / 2, 1 / 2]])


class Climbing:
    """A tree whose rows become more probable by known steps."""

    def __init__(self, *logs):
        self.logs, self.cards = list(logs), (2,)

    def expect(self, tables, codes, weight):
        return [np.array([3.0, 1.0])], np.array([self.logs.pop(0), 0.0])


def climbed(*logs, **how):
    seen = []
    options = bf.EM(watch=lambda k, value: seen.append((k, value)), **how)
    given = [np.array([0.5, 0.5])], None, np.array([2.0, 2.0]), ("a",)
    tables, found = iterate_em(Climbing(*logs), *given, Estimate("mle"), options)
    assert seen == [(k + 1, value) for k, value in enumerate(found.objective)]
    return tables, found


def test_em_ends_where_an_iteration_gains_no_more_than_the_tolerance_for_each_row():
    # the log-likelihood is twice what the tree says, and there are four rows
    tables, found = climbed(-8.0, -7.0, -6.5, -6.25, -6.0, tolerance=0.125)
    assert found.log_likelihood == (-16.0, -14.0, -13.0, -12.5)
    assert found.converged
    assert tables[0].tolist() == [0.75, 0.25]
    assert found.counts["a"].tolist() == [3.0, 1.0]
    _, found = climbed(-8.0, -7.0, -6.5, -6.25, -6.25, tolerance=0.0)
    assert (len(found.objective), found.converged) == (5, True), "a gain of nothing ends it"


def test_em_ends_after_so_many_iterations():
    tables, found = climbed(-8.0, -7.0, iterations=1)
    assert (found.log_likelihood, found.converged) == ((-16.0, -14.0), False)
    assert tables[0].tolist() == [0.75, 0.25], "tables were made once"
    _, found = climbed(-8.0, -8.0, iterations=1)
    assert found.converged, "and came to rest with the last"


def test_the_prior_counts_in_what_em_raises():
    tables = [np.array([0.25, 0.75]), np.array([[0.5, 0.5], [0.125, 0.875]])]
    estimate = Estimate("lambda", {"a": 2.0, "b": 0.0})
    assert log_prior(tables, ("a", "b"), estimate) == pytest.approx(2 * np.log(0.25 * 0.75))
    one = Estimate("lambda", 0.5)
    every = np.log(0.25 * 0.75) + np.log(0.25 * 0.125 * 0.875)
    assert log_prior(tables, ("a", "b"), one) == pytest.approx(0.5 * every)
    assert log_prior([np.array([0.0, 1.0])], ("a",), Estimate("mle")) == 0.0


def test_how_em_went_in_print():
    found = Convergence((-20.5, -10.25), (-21.0, -11.0), True, (), (-11.0,))
    assert str(found) == "EM came to rest after 2 iterations: log-likelihood -20.5 -> -10.25"
    several = Convergence((-20.5,), (-21.0,), False, ("h",), (-11.0, -12.0), {}, {(1, 2): -1.5, (2, 2): -1.25})
    first, *others = str(several).splitlines()
    assert first.startswith("EM was stopped: allow more iterations, or a larger tolerance after 1 iterations, ")
    assert first.endswith(", the best of 2 beginnings: log-likelihood -20.5 -> -20.5")
    assert others == [
        "  1 x 2 states: -1.50000 for each row held out",
        "  2 x 2 states: -1.25000 for each row held out  chosen",
    ]
    for wrong in ({"iterations": 0}, {"restarts": 0}, {"tolerance": -1e-9}, {"tolerance": np.inf}):
        with pytest.raises(ValueError, match="at least 1 iteration and 1 restart, and a tolerance of at least 0"):
            bf.EM(**wrong)
    assert bf.EM(iterations=1, restarts=1, tolerance=0).tolerance == 0
    assert (read_em(None), read_em(False), read_em(True)) == (None, None, bf.EM())
    with pytest.raises(TypeError, match="em must be True, False or"):
        read_em(1)


def test_a_hidden_variable_begins_several_times_and_what_is_shown_once(monkeypatch):
    begun = []
    monkeypatch.setattr(em_module, "iterate_em", lambda tree, tables, *rest: (tables, ends.pop(0)))
    monkeypatch.setattr(em_module, "start_tables", lambda *given: begun.append(given[4]) or [len(begun)] * 2)
    ends = [Convergence((x,), (x,), x == -2.0, (), ()) for x in (-3.0, -2.0, -2.0, -4.0)]
    dag, axes = bf.BayesianNetwork.from_edges([("h", "a")]).dag, {"h": (0, 1), "a": (0, 1)}
    codes = np.array([[-1, 0], [-1, 1]], np.int32)
    tables, found = run_em(dag, axes, codes, np.ones(2), Estimate("mle"), bf.EM(restarts=4))
    assert (tables, found.starts, found.hidden) == ({"h": 2, "a": 2}, (-3.0, -2.0, -2.0, -4.0), ("h",))
    assert (found.converged, found.objective, begun) == (True, (-2.0,), [[0]] * 4)
    begun.clear()
    ends = [Convergence((-1.0,), (-1.0,), True, (), ())]
    codes[0, 0] = 1
    assert run_em(dag, axes, codes, np.ones(2), Estimate("mle"), bf.EM(restarts=4))[1].starts == (-1.0,)
    assert begun == [[]]

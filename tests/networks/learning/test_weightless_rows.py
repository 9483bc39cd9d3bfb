"""A row of weight 0 is as one that is not there: its states, its holes and its numbers decide nothing."""

import numpy as np
import pytest

import bayesfold as bf

EDGES = [("a", "b"), ("a", "c")]
ROWS = {"a": ["x", "y", "x", "y"] * 5, "b": ["u", "u", "v", "v"] * 5, "c": [1, 2, 2, 1] * 5}
MORE = {"a": ["z", "x", None], "b": ["u", "w", "v"], "c": [3, 4, 1]}
WEIGHT = np.array([1.0] * 20 + [0.0] * 3)
BOTH = {name: [*cells, *MORE[name]] for name, cells in ROWS.items()}
NUMBERS = {**ROWS, "n": [float(k % 7) + k for k in range(20)]}
BOTH_NUMBERS = {**BOTH, "n": [*NUMBERS["n"], 5.0, None, 1e9]}


def same(one, other):
    assert {v: one.states(v) for v in one.nodes} == {v: other.states(v) for v in other.nodes}
    rows = {name: cells for name, cells in NUMBERS.items() if name in one.nodes}
    assert one.log_likelihood(rows) == pytest.approx(other.log_likelihood(rows))


@pytest.mark.parametrize("method", ["mle", "lambda", "bdeu", "backoff"])
def test_tables(method):
    same(
        bf.fit_network(EDGES, BOTH, weight=WEIGHT, method=method),
        bf.fit_network(EDGES, ROWS, weight=WEIGHT[:20], method=method),
    )


def test_tables_by_em():
    same(
        bf.fit_network(EDGES, BOTH, weight=WEIGHT, em=True),
        bf.fit_network(EDGES, ROWS, weight=WEIGHT[:20], em=True),
    )


def test_numbers():
    edges = [("a", "n"), ("b", "c")]
    same(
        bf.fit_network(edges, BOTH_NUMBERS, weight=WEIGHT, numbers=["n"]),
        bf.fit_network(edges, NUMBERS, weight=WEIGHT[:20], numbers=["n"]),
    )


@pytest.mark.parametrize("em", [False, True])
@pytest.mark.parametrize("search", ["climb", "tree", "exact", "pc"])
def test_arcs(search, em):
    told = {"search": search, "em": em, "random_state": 0}
    holes = BOTH if em else {**BOTH, "a": [cell or "q" for cell in BOTH["a"]]}
    one = bf.learn_network(holes, weight=WEIGHT, **told)
    other = bf.learn_network(ROWS, weight=WEIGHT[:20], **told)
    assert one.score == pytest.approx(other.score)
    same(one.network, other.network)


def test_arcs_between_numbers():
    numbers = {**BOTH_NUMBERS, "n": [cell or 0.0 for cell in BOTH_NUMBERS["n"]], "a": [c or "q" for c in BOTH["a"]]}
    whole = {**numbers, "few": [0.5, 1.5] * 10 + [2.5, 3.5, 4.5]}
    one = bf.learn_network(whole, numbers="gaussian", weight=WEIGHT)
    other = bf.learn_network({v: c[:20] for v, c in whole.items()}, numbers="gaussian", weight=WEIGHT[:20])
    assert one.score == pytest.approx(other.score)
    same(one.network, other.network)


def test_a_column_is_measured_by_the_rows_that_weigh():
    """Twelve different numbers are states; the thirteenth weighs nothing."""
    rows = {"n": [float(k % 12) for k in range(60)] + [0.5], "a": ["x", "y"] * 30 + ["x"]}
    assert bf.learn_network(rows, numbers="gaussian", weight=[1.0] * 60 + [0.0]).network.states("n")


def test_rows_that_come_later():
    for more in (MORE, {"a": "z", "b": "u", "c": 3}):
        net = bf.fit_network(EDGES, ROWS)
        weight = np.zeros(3 if more is MORE else 1)
        same(net.partial_fit(more, weight=weight), net)
        same(net.partial_fit(more, weight=weight).forget(more, weight=weight), net)


def test_how_many_states_a_hidden_variable_has():
    net = bf.BayesianNetwork.from_edges([("h", "a"), ("h", "b"), ("h", "c")])
    how = bf.EM(states={"h": [1, 2, 3]}, iterations=20)
    one = net.fit(BOTH, weight=WEIGHT, em=how, method="mle")
    other = net.fit(ROWS, weight=WEIGHT[:20], em=how, method="mle")
    assert one.em.held_out == other.em.held_out
    same(one, other)


def test_a_variable_that_only_weightless_rows_show_is_hidden():
    net = bf.BayesianNetwork.from_edges([("h", "a"), ("h", "b")], states={"h": ["p", "q"]})
    shown = net.fit({**BOTH, "h": [None] * 20 + ["p"] * 3}, weight=WEIGHT, em=True)
    assert shown.em.hidden == ("h",)
    same(shown, net.fit(ROWS, weight=WEIGHT[:20], em=True))


def test_a_row_that_weighs_is_still_refused_by_its_number():
    net = bf.BayesianNetwork.from_edges([("a", "b")], states={"a": ["x", "y"], "b": ["u", "v"]})
    rows = {"a": ["z", "x", "q"], "b": ["u", "u", "v"]}
    with pytest.raises(ValueError, match="row 2: 'a' has no state 'q'"):
        net.fit(rows, weight=[0, 1, 1])
    with pytest.raises(ValueError, match="row 2: 'a' has no state 'q'"):
        bf.learn_network(rows, weight=[0, 1, 1], states={"a": ["x", "y"]})


def test_rows_that_all_weigh_nothing_show_no_states():
    with pytest.raises(ValueError, match="'a' has no value at all"):
        bf.fit_network(EDGES, ROWS, weight=np.zeros(20))

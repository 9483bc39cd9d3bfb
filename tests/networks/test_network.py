"""Networks built, checked and read: from edges, dicts, arrays and factors; errors that name what is wrong."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from bayesfold.networks.factor import Factor
from bayesfold.networks.files import read_network
from bayesfold.networks.network import BayesianNetwork

from .graphs import chain

YES = ("yes", "no")
EDGES = [("rain", "wet"), ("sprinkler", "wet")]
WET = [[[0.99, 0.01], [0.8, 0.2]], [[0.9, 0.1], [0.05, 0.95]]]
NESTED = {
    "yes": {"yes": {"yes": 0.99, "no": 0.01}, "no": {"yes": 0.8, "no": 0.2}},
    "no": {"yes": {"yes": 0.9, "no": 0.1}, "no": {"no": 0.95, "yes": 0.05}},
}
BAD_ROW = {**NESTED, "no": {"yes": {"yes": 0.9, "no": 0.2}, "no": {"yes": 0.5, "no": 0.5}}}
FORMS = {
    "array": WET,
    "nested": NESTED,
    "tuples": {(a, b): row for a, rows in NESTED.items() for b, row in rows.items()},
    "lists": {(a, b): list(row) for a, rows in zip(YES, WET, strict=True) for b, row in zip(YES, rows, strict=True)},
    "factor": Factor({"wet": YES, "sprinkler": YES, "rain": YES}, np.array(WET).transpose(2, 1, 0)),
    "factor, other order of states": Factor(
        {"rain": YES, "sprinkler": YES, "wet": ("no", "yes")}, np.array(WET)[..., ::-1]
    ),
}


def garden(wet=NESTED, **more):
    tables = {"rain": {"yes": 0.2, "no": 0.8}, "sprinkler": {"yes": 0.3, "no": 0.7}, "wet": wet}
    return BayesianNetwork.from_edges(EDGES, tables=tables | more, states={"wet": YES})


@pytest.mark.parametrize("form", FORMS)
def test_tables_may_be_written_in_many_ways(form):
    net = garden(FORMS[form])
    assert net.nodes == ("rain", "wet", "sprinkler")
    assert net.parents("wet") == ("rain", "sprinkler")
    np.testing.assert_allclose(net.tables["wet"], WET)
    assert net.table("wet")["no", "yes", "no"] == pytest.approx(0.1)


def test_factors_make_a_network_whose_tables_they_are():
    a = Factor({"a": (0, 1)}, [0.5, 0.5])
    b = Factor({"a": (0, 1), "b": (0, 1)}, [[0.9, 0.1], [0.2, 0.8]])
    net = BayesianNetwork.from_factors([b, a])
    assert net.factorization() == "P(a) P(b | a)"
    np.testing.assert_allclose(net.joint().ordered("a", "b").values, (a * b).values)
    with pytest.raises(ValueError, match="two factors have 'b' as their last variable"):
        BayesianNetwork.from_factors([a, b, b])


def test_the_seven_nodes_of_the_notes():
    net = read_network("seven-nodes")
    assert net.factorization() == "P(x1) P(x2) P(x3) P(x4 | x1, x2, x3) P(x5 | x1, x3) P(x6 | x4) P(x7 | x4, x5)"
    joint = net.joint()
    pair = joint.marginal("x1", "x2")
    np.testing.assert_allclose(pair.values, np.outer(joint.marginal("x1").values, joint.marginal("x2").values))
    for x4 in "01":  # x6 and x7 are independent given x4
        both = joint.condition(x4=x4).marginal("x6", "x7").normalise()
        np.testing.assert_allclose(both.values, np.outer(both.marginal("x6").values, both.marginal("x7").values))


def test_a_graph_without_tables_answers_what_the_graph_decides():
    net = BayesianNetwork.from_edges(EDGES, nodes=["moon"])
    assert net.d_separated("rain", "sprinkler")
    assert not net.d_separated("rain", "sprinkler", given="wet")
    assert net.explain_separation("rain", "sprinkler").paths[0].steps[0].rule == "head-to-head"
    assert net.markov_blanket("rain") == ("wet", "sprinkler")
    assert net.children("rain") == ("wet",)
    assert net.moral_graph() == (("rain", "wet"), ("rain", "sprinkler"), ("wet", "sprinkler"))
    assert net.minimal_separator("rain", "wet") is None
    assert str(net.independencies(limit=1)[0]) == "moon ⊥ rain"
    assert repr(net) == "<BayesianNetwork: 4 nodes, 2 edges, 0 tables>"
    with pytest.raises(ValueError, match="'moon', 'rain', 'wet', 'sprinkler' has none; give tables="):
        net.query("rain")


def test_a_joint_table_that_would_not_fit_is_refused_with_its_size():
    names = [f"n{i}" for i in range(40)]
    net = BayesianNetwork.from_edges([], names, {name: [0.5, 0.5] for name in names})
    with pytest.raises(ValueError, match=r"joint table of 40 variables would have 1.1e\+12 cells"):
        net.joint()


def test_tables_cannot_be_changed():
    net = garden()
    with pytest.raises(ValueError, match="read-only"):
        net.tables["wet"][0] = 0


def test_an_intervention_cuts_the_arrows_into_it():
    net = read_network("smoking")
    forced = net.do(bronchitis="yes")
    assert "P(bronchitis)" in forced.factorization()
    # seeing bronchitis says something about smoking, setting it does not
    assert net.query("smoking | bronchitis=yes")["yes"] > 0.5
    assert net.query("smoking | do(bronchitis=yes)")["yes"] == pytest.approx(0.3)
    # adjusting for smoking: P(d | do(b)) = sum_s P(s) P(d | b, s)
    adjusted = sum(
        net.query("smoking")[s] * net.query(f"dyspnoea | bronchitis=yes, smoking={s}")["yes"] for s in ("yes", "no")
    )
    assert net.query("dyspnoea | do(bronchitis=yes)")["yes"] == pytest.approx(adjusted)
    assert net.do({"bronchitis": "yes"}).parents("dyspnoea") == ("cancer", "bronchitis")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: garden(BAD_ROW), r"P\(wet \| rain=no, sprinkler=yes\) sums to 1.1, not to 1"),
        (lambda: garden({"yes": NESTED["yes"]}), r"P\(wet \| rain=no, sprinkler=yes\) is not given for wet=yes"),
        (lambda: garden({**NESTED, "maybe": NESTED["yes"]}), "'rain' has no state 'maybe'; .*states are 'yes', 'no'"),
        (lambda: garden({"yes": {"yes": {"yes": 1.0}}}), "sprinkler=yes. has 1 entries; the states of 'wet' are"),
        (lambda: garden([[0.5, 0.5]]), r"has the shape \(1, 2\); over rain x sprinkler x wet it must be \(2, 2, 2\)"),
        (lambda: garden({("yes",): [1, 0]}), "'rain' has no state|has the key"),
        (lambda: garden({"yes": 3}), "needs the states of 'sprinkler' as keys, not 3"),
        (lambda: garden(Factor({"wet": YES}, [1, 0])), "must be over 'rain', 'sprinkler', 'wet', not over 'wet'"),
        (lambda: garden(rainy=[1]), "no node 'rainy'; did you mean 'rain'"),
        (lambda: BayesianNetwork.from_edges([("a", "b"), ("b", "a")]), "form a cycle"),
        (lambda: BayesianNetwork.from_edges([], ["a"], {"a": [1.5, -0.5]}), r"P\(a\) has the probability -0.5 below 0"),
        (lambda: BayesianNetwork.from_edges([("a", "b")], tables={"b": [1, 0]}), "the states of 'a', 'b'"),
        (lambda: BayesianNetwork.from_edges([], ["a"], states={"a": ("x", "x")}), "states of 'a' must be distinct"),
        (lambda: garden().states("moon"), "there is no node 'moon'"),
        (lambda: BayesianNetwork.from_edges(EDGES).states("rain"), "states of 'rain' are not known"),
    ],
)  # fmt: skip
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_numbers_may_name_nodes():
    net = BayesianNetwork.from_edges(
        [(1, 2), (np.int64(1), "b")],
        nodes=[1, 2],
        tables={1: [0.5, 0.5], 2: [[0.9, 0.1], [0.2, 0.8]]},
        states={"b": (0, 1)},
    )
    assert net.nodes == ("1", "2", "b")
    assert net.parents(2) == ("1",)
    assert net.states(1) == net.states("1") == (0, 1)
    assert net.d_separated(2, "b", given=1)
    whole = BayesianNetwork.from_edges([(1, 2)], tables={1: [0.5, 0.5], 2: [[0.9, 0.1], [0.2, 0.8]]})
    expected = pytest.approx([9 / 11, 2 / 11])
    assert whole.query("1 | 2=0").values == expected
    assert whole.query(1, evidence={2: 0}).values == expected
    assert whole.posteriors({2: 0})["1"][0] == expected
    assert whole.do({1: 0}).query(2).values == pytest.approx([0.9, 0.1])
    assert whole.table(2).variables == ("1", "2")
    assert whole.table(2).condition({1: 0}).values == pytest.approx([0.9, 0.1])
    with pytest.raises(ValueError, match="two variables are written '1'"):
        BayesianNetwork.from_edges([(1, 2)], tables={1: [0.5, 0.5], "1": [0.25, 0.75]})


@pytest.mark.parametrize("name", [(0, 1), None, frozenset({1})])
def test_what_cannot_name_a_node_is_refused_in_a_sentence(name):
    with pytest.raises(TypeError, match="a variable is named by text or by a number, not by"):
        BayesianNetwork.from_edges([(name, "b")])
    with pytest.raises(TypeError, match="a variable is named by text or by a number, not by"):
        BayesianNetwork.from_edges([("a", "b")], tables={name: [1.0]})


def test_a_joint_table_of_thousands_is_refused_with_its_size():
    net = chain(1_100)
    with pytest.raises(ValueError, match=r"1100 variables would have 1.36e.331 cells; ask for what you need"):
        net.joint()
    with pytest.raises(ValueError, match="would have"):
        net.query(", ".join(net.nodes))


def test_a_network_in_a_notebook():
    net = read_network("smoking")
    html = net._repr_html_()
    assert "BayesianNetwork smoking: 5 nodes, 6 edges" in html
    assert f">{', '.join(net.parents('xray'))}<" in html
    odd = BayesianNetwork.from_edges([], ["<b>"], {"<b>": {"<i>": 1.0}})._repr_html_()
    assert "<b>" not in odd
    assert "<i>" not in odd
    assert "and 36 more nodes" in chain(100)._repr_html_()


def test_a_network_that_has_answered_can_be_copied_and_pickled():
    net = read_network("smoking")
    answer = net.query("cancer | smoking=yes")
    for twin in (pickle.loads(pickle.dumps(net)), copy.deepcopy(net)):
        assert twin.query("cancer | smoking=yes") == answer
        assert twin.table("xray") == net.table("xray")


def test_tables_as_series_and_data_frames_are_read_by_their_labels():
    rain = pd.Series({"no": 0.8, "yes": 0.2})
    wet = pd.DataFrame({"dry": {"no": 0.9, "yes": 0.1}, "wet": {"no": 0.1, "yes": 0.9}})
    states = {"rain": ("yes", "no"), "wet": ("wet", "dry")}
    for declared in (None, states):
        net = BayesianNetwork.from_edges([("rain", "wet")], tables={"rain": rain, "wet": wet}, states=declared)
        assert net.table("rain")["yes"] == 0.2
        assert net.table("wet")[{"rain": "yes", "wet": "wet"}] == 0.9
    plain = BayesianNetwork.from_edges([], ["rain"], tables={"rain": pd.Series([0.2, 0.8])}, states={"rain": "yn"})
    assert plain.table("rain")["y"] == 0.2


@pytest.mark.parametrize("hole", [None, float("nan")])
def test_a_hole_is_no_state(hole):
    with pytest.raises(ValueError, match="cannot be a state of 'a': in a table it is an empty cell"):
        BayesianNetwork.from_edges([], ["a"], tables={"a": {hole: 0.5, "x": 0.5}})

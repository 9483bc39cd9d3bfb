"""Given arcs: states of the rows where the network has none of its own."""

import bayesfold as bf
from bayesfold.estimators.network_structure import read_structure


def test_states_that_a_network_has_stay_and_others_are_filled_in():
    given = bf.BayesianNetwork.from_edges([("a", "b")], states={"a": ["x", "y"]})
    made = read_structure(given, {"a": ("y", "z"), "b": ("k", "l"), "elsewhere": ("m",)})
    assert (made.edges, tuple(made.axes["a"]), tuple(made.axes["b"])) == ((("a", "b"),), ("x", "y"), ("k", "l"))
    assert set(made.axes) == {"a", "b"}
    assert read_structure([("a", "b")], {"a": ("y", "z")}).axes == {"a": ("y", "z")}

"""Graphs in print."""

from bayesfold.data import graph
from bayesfold.data.graph import Mixture, Node, factorization


def test_a_network_prints_as_the_product_it_stands_for():
    network = (Node(("y",)), Node(("a",), ("y",)), Node(("b",), ("a", "y")))
    assert factorization(network) == "P(y) P(a | y) P(b | a, y)"


def test_an_exponent_is_printed_unless_it_is_1():
    assert (
        factorization((Node(("y",)), Node(("a",), ("y",), 0.5), Node(("b",), ("y",), 1.0)))
        == "P(y) P(a | y)^0.5 P(b | y)"
    )


def test_networks_are_values():
    assert Mixture(((Node(("y",)),),)) == Mixture(((Node(("y",)),),))
    assert Mixture(((Node(("y",)),),)) != Mixture(((Node(("y",), power=2.0),),))


def test_nodes_below_the_same_parents_are_made_once_and_not_kept_for_ever(monkeypatch):
    monkeypatch.setattr(graph, "MOST_BELOW", 2)
    below = graph.NodesBelow(("a", "y"))
    assert below["b"] == Node(("b",), ("a", "y"))
    assert below["b"] is below["b"]
    assert [below[name].children for name in "cde"] == [("c",), ("d",), ("e",)]
    assert len(below) <= 2
    assert graph.nodes_below(("a", "y")) is graph.nodes_below(("a", "y"))

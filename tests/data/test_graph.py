"""Graphs in print."""

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

"""Two networks side by side: a line for each pair, heads where data can tell, colours where they differ."""

import pytest

import bayesfold as bf
from bayesfold.plots import _figure, two_networks

from .sources import drawn

ONE = bf.BayesianNetwork.from_edges([("a", "b"), ("c", "b"), ("b", "d")])
OTHER = bf.BayesianNetwork.from_edges([("d", "b"), ("b", "a")], ["a", "b", "c", "d"])


def test_each_pair_is_drawn_as_each_network_says_it():
    numbers = two_networks.data(ONE, OTHER, ["mine", "yours"])
    signs = dict(zip(numbers.pairs, numbers.signs, strict=True))
    assert signs == {("a", "b"): ("->", "-"), ("c", "b"): ("->", ""), ("b", "d"): ("->", "-")}
    assert numbers.distance == 3
    figure = drawn(two_networks, numbers)
    paths = [shape for shape in figure.layout.shapes if shape.type == "path"]
    assert len(paths) == 5  # three of the first, two of the second
    assert len(figure.data[0].x) == 3  # what the second says has no direction
    only_first = [shape for shape in paths if shape.line.color == _figure.colours(False)[0]]
    assert len(only_first) == 1
    assert {"mine", "yours"} <= {note.text for note in figure.layout.annotations}
    assert figure.layout.title.text == "3 pairs are joined differently"


def test_the_same_is_drawn_the_same():
    figure = drawn(two_networks, two_networks.data(ONE, ONE))
    assert figure.layout.title.text == "The networks say the same"
    paths = [shape for shape in figure.layout.shapes if shape.type == "path"]
    assert {shape.line.color for shape in paths} == {_figure.ink(False, faint=True)}


def test_other_nodes_and_too_many_are_refused():
    with pytest.raises(ValueError, match="only one of the networks has the node"):
        two_networks.data(ONE, bf.read_network("smoking"))
    many = bf.BayesianNetwork.from_edges([], [f"n{k}" for k in range(61)])
    with pytest.raises(ValueError, match="room for 60 nodes"):
        two_networks.data(many, many)

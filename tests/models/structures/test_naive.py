"""Naive Bayes: every column hangs on the class alone."""

import pytest

from bayesfold.data.encodings import Categories, Counts, Real
from bayesfold.data.graph import factorization
from bayesfold.data.schema import Schema
from bayesfold.learning.exponents import powered
from bayesfold.models import structures
from bayesfold.models.structures.naive import Naive
from bayesfold.tally.statistic import Tally

SCHEMA = Schema(Categories("y"), (Categories("a"), Real("b"), Counts("words", ("w1", "w2"))))


@pytest.mark.parametrize("name", structures.names())
def test_every_structure_gives_each_column_one_place_below_the_class(name):
    made = structures.find(name)
    count = lambda cliques: Tally.zero(SCHEMA, cliques)  # noqa: E731
    mixture = (made("a") if name == "spode" else made()).learn(SCHEMA, count)
    for network in mixture.networks:
        children = {child for node in network for child in node.children}
        assert children == {"a", "b", "words", "y"}
        assert network[0].children == ("y",)
        assert network[0].parents == ()
        seen = set()
        for node in network:  # parents come before their children: there is no cycle
            assert set(node.parents) <= seen
            seen |= set(node.children)


def test_naive_bayes_is_one_network():
    (network,) = Naive().learn(SCHEMA).networks
    assert factorization(network) == "P(y) P(a | y) P(b | y) P(words | y)"


def test_exponents_go_to_the_columns_they_name():
    (network,) = Naive().learn(SCHEMA).networks
    network = powered(network, {"y": 1.0, "a": 1.0, "b": 0.5, "words": 1.0})
    assert factorization(network) == "P(y) P(a | y) P(b | y)^0.5 P(words | y)"


def test_a_structure_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match="there is no structure 'forest'; there are aode, kdb, naive"):
        structures.find("forest")

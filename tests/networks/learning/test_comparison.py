"""Comparisons: what is counted is the distance, what is listed says how."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.comparison import Comparison, compare
from bayesfold.networks.learning.equivalence import distance

from .test_constraint import random_dag


@given(seed=st.integers(0, 10_000), other=st.integers(0, 10_000))
def test_what_is_listed_is_the_distance(seed, other):
    one, two = random_dag(seed), random_dag(other)
    found = compare(one, two)
    assert found.distance == distance(one, two)
    assert len(found.only_first) + len(found.only_second) + len(found.differently) == found.distance
    back = compare(two, one)
    assert back.only_first == found.only_second
    assert {pair[::-1] for pair in back.differently} == set(found.differently)


def test_networks_that_say_the_same():
    found = compare(Dag.of([("a", "b")]), Dag.of([("b", "a")], "ab"))
    assert str(found) == "the networks say the same"
    table = {"a": [0, 1] * 30, "b": [0, 1] * 29 + [1, 0]}
    learned = bf.learn_network(table)
    assert learned.compare(learned).distance == 0
    empty = bf.BayesianNetwork.from_edges([], ["a", "b"])
    said = str(learned.compare(empty))
    assert said.startswith("1 pair is joined differently; the first scores ")
    assert said.endswith(" more (bic)\n  a - b  only in the first")
    turned = bf.BayesianNetwork.from_edges([("b", "a")])
    assert learned.compare(turned).ahead == pytest.approx(0, abs=1e-9)
    assert str(learned.compare(turned)) == "the networks say the same"
    with pytest.raises(ValueError, match="only one of the networks has the node 'b'"):
        learned.compare(bf.BayesianNetwork.from_edges([("a", "z")]))


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (0.5, "; the first scores 0.5 more (bic)"),
        (-0.5, "; the first scores 0.5 less (bic)"),
        (1e-3, "; the first scores 0.001 more (bic)"),
        (-12345.0, "; the first scores 1.234e+04 less (bic)"),
        (1e-5, ""),
        (-1e-5, ""),
        (None, ""),
    ],
)
def test_which_scores_more_is_said_where_it_is_worth_a_word(ahead, words):
    assert str(Comparison((), (), (), 0, ahead, "bic")) == f"the networks say the same{words}"
    assert str(Comparison(("a - b",), ("a - c",), (), 2, ahead, "bic")).splitlines() == [
        f"2 pairs are joined differently{words}",
        "  a - b  only in the first",
        "  a - c  only in the second",
    ]

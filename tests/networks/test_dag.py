"""Graphs by name and by number: order, neighbours, circles, against a plain search of all paths."""

import numpy as np
import pytest

from bayesfold.networks.dag import Dag, check_edge, closure

EDGES = [("e", "c"), ("a", "c"), ("b", "d"), ("c", "d"), ("c", "f"), ("g", "f")]
GRAPH = Dag.of(EDGES, ["a", "b"])


def test_nodes_are_numbered_as_they_come_and_parents_as_they_are_given():
    assert GRAPH.names == ("a", "b", "e", "c", "d", "f", "g")
    assert GRAPH.parents == ((), (), (), (2, 0), (1, 3), (3, 6), ())
    assert GRAPH.children == ((3,), (4,), (3,), (4, 5), (), (), (5,))
    assert GRAPH.edges == (("e", "c"), ("a", "c"), ("b", "d"), ("c", "d"), ("c", "f"), ("g", "f"))
    assert GRAPH.order == (0, 1, 2, 3, 4, 6, 5)
    assert GRAPH.index["f"] == GRAPH.number("f") == 5
    assert GRAPH.numbers("f") == {5}
    assert GRAPH.numbers(["a", "f"]) == {0, 5}
    assert Dag.of([(1, 2)]).numbers(2) == {1}
    with pytest.raises(ValueError, match="there is no node 'z'"):
        GRAPH.number("z")


def test_what_is_above_below_and_around():
    number = GRAPH.index
    assert GRAPH.ancestors([number["d"]]) == {number[v] for v in "dbcea"}
    assert GRAPH.descendants([number["a"], number["g"]]) == {number[v] for v in "acdfg"}
    assert GRAPH.blanket(number["c"]) == {number[v] for v in "eadfbg"}
    assert GRAPH.blanket(number["a"]) == {number[v] for v in "ce"}
    near = GRAPH.moral()
    assert near[number["a"]] == {number["c"], number["e"]}
    assert near[number["c"]] == {number[v] for v in "eabdfg"}
    some = GRAPH.moral([0, 2, 3])
    assert some[number["c"]] == {0, 2}
    assert some[number["d"]] == set()
    assert closure([], GRAPH.parents) == set()


def test_random_graphs_have_the_order_and_reach_of_their_paths():
    for seed in range(20):
        draw = np.random.default_rng(seed)
        links = np.triu(draw.random((7, 7)) < 0.35, 1)
        names = [f"n{i}" for i in draw.permutation(7)]
        graph = Dag.of([(names[i], names[j]) for i, j in np.argwhere(links)], sorted(names))
        reach = np.linalg.matrix_power(links.astype(int) + np.eye(7, dtype=int), 7) > 0
        place = {v: k for k, v in enumerate(graph.order)}
        for i in range(7):
            v = graph.index[names[i]]
            assert graph.descendants([v]) == {graph.index[names[j]] for j in range(7) if reach[i, j]}
            assert graph.ancestors([v]) == {graph.index[names[j]] for j in range(7) if reach[j, i]}
            assert all(place[p] < place[v] for p in graph.parents[v])


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ([("a", "b"), ("b", "c"), ("c", "a")], "the edges form a cycle: a -> b -> c -> a; remove or turn one"),
        ([("x", "a"), ("a", "b"), ("b", "a"), ("b", "y")], "the edges form a cycle: "),
        ([("a", "b"), ("a", "b")], "the edge a -> b is given twice"),
        ([("a", "a")], "'a' cannot be its own parent"),
        (["ab"], r"an edge is a pair \(parent, child\), not 'ab'"),
        ([("a", "b", "c")], "an edge is a pair"),
        ([7], "an edge is a pair"),
    ],
)
def test_what_is_no_graph_is_refused(edges, said):
    with pytest.raises(ValueError, match=said):
        Dag.of(edges)


def test_names_are_there_once_and_a_circle_is_named_alone():
    with pytest.raises(ValueError, match="two nodes are named 'a'; rename one"):
        Dag(("a", "b", "a"), ((), (), ()))
    with pytest.raises(ValueError, match=r"cycle: (a -> b -> a|b -> a -> b); "):
        Dag.of([("x", "a"), ("a", "b"), ("b", "a"), ("b", "y")])
    assert check_edge(["a", 3]) == ("a", "3")

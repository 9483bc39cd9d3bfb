"""d-separation against networkx, and explanations whose verdict is the same."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from bayesfold.networks import separation
from bayesfold.networks.dag import Dag
from bayesfold.networks.separation import (
    d_separated,
    explain_separation,
    independencies,
    join_names,
    minimal_separator,
)

from .graphs import chain, random_edges, times

SMOKING = [("s", "c"), ("s", "b"), ("c", "x"), ("s", "x"), ("c", "d"), ("b", "d")]
SEVEN = [("x1", "x4"), ("x2", "x4"), ("x3", "x4"), ("x1", "x5"), ("x3", "x5"), ("x4", "x6"), ("x4", "x7"), ("x5", "x7")]


def cases(count, most=9):
    """Random graphs and queries, as many separated as connected: (graph, names, a, b, given, separated)."""
    draw = np.random.default_rng(7)
    left = {True: count // 2, False: count - count // 2}
    while any(left.values()):
        nodes = int(draw.integers(2, most + 1))
        names, edges = random_edges(draw, nodes, draw.choice([0.15, 0.3, 0.5]))
        graph = nx.DiGraph()
        graph.add_nodes_from(names)
        graph.add_edges_from(edges)
        for _ in range(4):
            shuffled = draw.permutation(names).tolist()
            i, j = 1 + draw.integers(0, 2), draw.integers(0, nodes)
            a, b, c = shuffled[:i], shuffled[i : i + 1 + draw.integers(0, 2)], shuffled[i + 2 : i + 2 + j]
            if not b:
                continue
            verdict = nx.is_d_separator(graph, set(a), set(b), set(c))
            if left[verdict]:
                left[verdict] -= 1
                yield graph, Dag.of(edges, names), a, b, c, verdict


def test_verdicts_and_explanations_equal_those_of_networkx():
    seen = {True: 0, False: 0}
    for _, dag, a, b, given, verdict in cases(times(10_000)):
        seen[verdict] += 1
        assert d_separated(dag, a, b, given) is verdict
        assert d_separated(dag, b, a, given) is verdict
        told = explain_separation(dag, a, b, given, limit=3)
        assert told.separated is verdict
        assert any(path.open for path in told.paths) is not verdict  # also where not every path is listed
        assert len(told.paths) <= 3
    assert seen[True] == seen[False]


def test_every_path_is_listed_when_there_is_room():
    for graph, dag, (a, *_), (b, *_), given, _ in cases(times(2_000), most=6):
        given = [g for g in given if g not in (a, b)]
        told = explain_separation(dag, a, b, given, limit=10_000)
        assert told.complete
        assert len(told.paths) == sum(1 for _ in nx.all_simple_paths(graph.to_undirected(), a, b))
        assert told.separated == all(not path.open for path in told.paths)


def test_minimal_separators_are_minimal():
    for graph, dag, (a, *_), (b, *_), _, _ in cases(times(3_000)):
        found = minimal_separator(dag, a, b)
        if graph.has_edge(a, b) or graph.has_edge(b, a):
            assert found is None
        else:
            assert nx.is_minimal_d_separator(graph, a, b, set(found))


def test_ancestors_descendants_blankets_and_moral_graphs_equal_those_of_networkx():
    for graph, dag, (a, *_), _, _, _ in cases(times(1_000)):
        i = dag.number(a)
        near = set(nx.moral_graph(graph)[a])
        assert named(dag, dag.ancestors([i])) == nx.ancestors(graph, a) | {a}
        assert named(dag, dag.descendants([i])) == nx.descendants(graph, a) | {a}
        assert named(dag, dag.moral()[i]) == near
        assert named(dag, dag.blanket(i)) == near
        places = {n: k for k, n in enumerate(dag.order)}
        assert all(places[dag.number(p)] < places[dag.number(c)] for p, c in dag.edges)


def named(dag, numbers):
    return {dag.names[n] for n in numbers}


def test_the_seven_nodes_of_the_notes():
    dag = Dag.of(SEVEN)
    assert d_separated(dag, "x1", "x2")
    assert d_separated(dag, "x6", "x7", "x4")
    assert not d_separated(dag, "x6", "x7")
    assert not d_separated(dag, "x1", "x2", "x6")  # a descendant of the collider opens it


@pytest.mark.parametrize(
    ("edges", "rule"),
    [
        ([("a", "c"), ("c", "b")], "head-to-tail"),
        ([("c", "a"), ("c", "b")], "tail-to-tail"),
        ([("a", "c"), ("b", "c")], "head-to-head"),
    ],
)
def test_the_three_structures_are_named(edges, rule):
    (path,) = explain_separation(Dag.of(edges), "a", "b").paths
    (seen,) = explain_separation(Dag.of(edges), "a", "b", "c").paths
    assert path.steps[0].rule == seen.steps[0].rule == rule
    assert path.open is (rule != "head-to-head")
    assert seen.open is not path.open


def test_an_explanation_reads_as_a_sentence():
    assert str(explain_separation(Dag.of(SMOKING), "c", "b", ["s", "d"])) == (
        "c and b may depend on each other given s and d: a path between them is open.\n"
        "  c -> d <- b   open\n"
        "    d is head-to-head and observed, so its causes explain each other away: it lets the dependence through\n"
        "  c <- s -> b   blocked\n"
        "    s is tail-to-tail and observed: it blocks the path\n"
        "  c -> x <- s -> b   blocked\n"
        "    x is head-to-head, and neither it nor anything below it is observed: it blocks the path\n"
        "    s is tail-to-tail and observed: it blocks the path"
    )
    below = explain_separation(Dag.of([("a", "c"), ("b", "c"), ("c", "e")]), "a", "b", "e")
    assert "c is head-to-head, and e below it is observed" in str(below)
    assert "no path joins them" in str(explain_separation(Dag.of([], ["a", "b"]), "a", "b"))
    assert "and more paths, which are not listed" in str(explain_separation(Dag.of(SMOKING), "c", "b", limit=1))


def test_a_wide_graph_is_answered_at_once_with_what_fits():
    layers = [[f"{i}.{j}" for j in range(8)] for i in range(8)]
    edges = [(p, c) for up, down in pairwise(layers) for p in up for c in down]
    told = explain_separation(Dag.of(edges), "0.0", "7.7")
    assert not told.separated
    assert not told.complete
    assert len(told.paths) == 20
    assert told.paths[0].open


def test_independencies_are_statements_that_hold():
    dag = Dag.of(SEVEN)
    found = independencies(dag)
    assert "x1 ⊥ x2" in map(str, found)
    assert all(d_separated(dag, s.a, s.b, s.given) for s in found)
    pairs = len(dag.names) * (len(dag.names) - 1) // 2
    assert len(found) == pairs - len(dag.edges)
    assert len(independencies(dag, limit=3)) == 3


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda d: d_separated(d, "s", "s"), "'s' stands on two sides"),
        (lambda d: d_separated(d, "s", "dd"), "no node 'dd'; did you mean 'd'"),
        (lambda d: d_separated(d, [], "d"), "at least one node on each side"),
        (lambda d: Dag.of([("a", "b"), ("a", "b")]), "a -> b is given twice"),
        (lambda d: Dag.of([("a", "a")]), "'a' cannot be its own parent"),
        (lambda d: Dag.of(["ab"]), "an edge is a pair"),
        (lambda d: Dag(("a", "a"), ((), ())), "two nodes are named 'a'"),
        (
            lambda d: Dag.of([("z", "b"), ("b", "c"), ("c", "d"), ("d", "b")]),
            "cycle: (b -> c -> d -> b|c -> d -> b -> c|d -> b -> c -> d)",
        ),
    ],
)
def test_errors_name_what_is_wrong(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(Dag.of(SMOKING))


def test_what_stands_below_is_looked_up_only_where_it_decides(monkeypatch):
    """On a chain of thousands, looking below every node would take a minute."""
    asked = []
    below = Dag.descendants
    monkeypatch.setattr(Dag, "descendants", lambda self, nodes: asked.append(nodes) or below(self, nodes))
    net = chain(2_000)
    assert not net.explain_separation("x0", "x1999").separated
    assert net.explain_separation("x0", "x1999", "x1000").separated
    assert len(asked) == 0
    ends = Dag.of([("a", "c"), ("b", "c"), ("c", "d"), ("d", "e")])
    assert "and e below it is observed" in str(explain_separation(ends, "a", "b", "e"))
    assert len(asked) == 1


LADDER = [("a", "b1"), ("a", "b2"), ("b1", "c"), ("b2", "c"), ("c", "d1"), ("c", "d2"), ("d1", "e"), ("d2", "e")]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_as_many_paths_are_listed_as_are_wanted(limit):
    told = explain_separation(Dag.of(LADDER), "a", "e", limit=limit)
    assert len(told.paths) == min(limit, 4)
    assert told.complete is (limit >= 4)
    assert all(path.open for path in told.paths)
    parted = explain_separation(Dag.of(LADDER), "a", "e", ["c", "d1"], limit=limit)
    assert parted.separated
    assert (len(parted.paths), parted.complete) == (min(limit, 4), limit >= 4)


def test_the_search_for_paths_ends_after_so_many_steps(monkeypatch):
    def steps(most):
        monkeypatch.setattr(separation, "MOST_STEPS", most)
        return explain_separation(Dag.of([("a", "b"), ("b", "c")]), "a", "c", "b")

    assert (len(steps(1).paths), steps(1).complete) == (0, False)
    assert (len(steps(2).paths), steps(2).complete) == (0, False)
    assert (len(steps(3).paths), steps(3).complete) == (1, True)
    assert str(steps(1)).splitlines() == [
        "a and c are independent given b: every path between them is blocked.",
        "  ... and more paths, which are not listed",
    ]


def test_paths_have_one_end_on_each_side():
    dag = Dag.of([("a1", "a2"), ("a2", "m"), ("m", "b1"), ("b1", "b2"), ("a1", "b2")])
    told = explain_separation(dag, ["a1", "a2"], ["b1", "b2"])
    assert {path.text for path in told.paths} == {"a1 -> b2", "a2 -> m -> b1"}
    assert (told.a, told.b, told.given) == (("a1", "a2"), ("b1", "b2"), ())
    assert str(told).startswith("a1 and a2 and b1 and b2 may depend on each other: a path between them is open.")
    seen = explain_separation(dag, "a2", "b1", ["a1", "m", "b2"])
    assert [path.open for path in seen.paths] == [False, False]
    assert {path.text for path in seen.paths} == {"a2 -> m -> b1", "a2 <- a1 -> b2 <- b1"}
    shown = {path.text: str(path).splitlines() for path in seen.paths}
    assert shown["a2 <- a1 -> b2 <- b1"] == [
        "  a2 <- a1 -> b2 <- b1   blocked",
        "    a1 is tail-to-tail and observed: it blocks the path",
    ], "of a blocked path those who block it"


def test_what_stands_below_a_collider_is_named():
    dag = Dag.of([("a", "c"), ("b", "c"), ("c", "d"), ("d", "e"), ("c", "f")])
    (path,) = explain_separation(dag, "a", "b", ["e", "f"]).paths
    assert "c is head-to-head, and e and f below it is observed" in str(path)
    (path,) = explain_separation(dag, "a", "b", ["c", "e"]).paths
    assert "c is head-to-head and observed, so" in str(path)
    assert minimal_separator(dag, "a", "b") == ()
    assert minimal_separator(dag, "a", "c") is None
    assert minimal_separator(dag, "c", "e") == ("d",)
    assert minimal_separator(dag, ["a", "b"], ["d", "f"]) == ("c",)


def test_statements_are_as_many_as_are_wanted():
    dag = Dag.of([], [*"abcd"])
    every = independencies(dag)
    assert [str(one) for one in every[:2]] == ["a ⊥ b", "a ⊥ c"]
    assert len(every) == 6
    assert independencies(dag, 6) == every
    assert independencies(dag, 5) == every[:5]
    assert [str(one) for one in independencies(Dag.of([("a", "b"), ("b", "c"), ("a", "d"), ("d", "c")]))] == [
        "a ⊥ c | b, d",
        "b ⊥ d | a",
    ]
    assert join_names(["a"]) == "a"
    assert join_names(["a", "b"]) == "a and b"

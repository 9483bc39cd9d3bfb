"""Classes of networks against the enumeration of all networks of four nodes."""

from itertools import product

import pytest

from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.equivalence import distance, find_pattern

NAMES = "abcd"
PAIRS = [(a, b) for k, b in enumerate(NAMES) for a in NAMES[:k]]


def every_dag():
    """All 543 networks of four nodes."""
    for ways in product((0, 1, 2), repeat=len(PAIRS)):
        edges = [pair if way == 1 else pair[::-1] for pair, way in zip(PAIRS, ways, strict=True) if way]
        try:
            yield Dag.of(edges, NAMES)
        except ValueError:
            continue


def meaning(dag):
    """What decides a class (Verma and Pearl): who are neighbours, and where unmarried heads meet."""
    near = {frozenset(edge) for edge in dag.edges}
    meets = {
        (frozenset((a, b)), v)
        for a, v in dag.edges
        for b, w in dag.edges
        if v == w and a != b and frozenset((a, b)) not in near
    }
    return frozenset(near), frozenset(meets)


def test_an_arrow_is_what_all_networks_of_a_class_have():
    classes = {}
    for dag in every_dag():
        classes.setdefault(meaning(dag), []).append(dag)
    assert sum(map(len, classes.values())) == 543
    assert len(classes) == 185
    for members in classes.values():
        shared = frozenset.intersection(*(frozenset(dag.edges) for dag in members))
        others = frozenset(frozenset(edge) for dag in members for edge in dag.edges if edge not in shared)
        for dag in members:
            found = find_pattern(dag)
            assert found.arrows == shared
            assert found.lines == others
            assert distance(dag, members[0]) == 0


def test_distance_counts_pairs_joined_differently():
    chain = Dag.of([("a", "b"), ("b", "c"), ("c", "d")])
    assert distance(chain, Dag.of([("a", "b"), ("b", "c")], NAMES)) == 1
    assert distance(chain, Dag.of([("a", "b"), ("c", "b"), ("c", "d")], NAMES)) == 2
    assert distance(chain, Dag.of([], NAMES)) == 3
    with pytest.raises(ValueError, match="only one of the networks has the node 'd'"):
        distance(chain, Dag.of([("a", "b"), ("b", "c")]))

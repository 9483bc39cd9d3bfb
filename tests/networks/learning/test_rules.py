"""What a search may do, by name."""

import numpy as np
import pytest

from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.strengths import ArcStrengths

NAMES = ("a", "b", "c", "d")


def arcs(links):
    return {(NAMES[u], NAMES[v]) for u, v in np.argwhere(links)}


EVERY = {(u, v) for u in NAMES for v in NAMES if u != v}


def test_arcs_that_may_must_and_must_not_be_there():
    plain = Rules.of(NAMES)
    assert (arcs(plain.allowed), arcs(plain.required), plain.most) == (EVERY, set(), 4)
    some = Rules.of(NAMES, [("a", "b"), ("c", "b")], [("d", "a")], [["a", "c"], ["b"]], 2)
    assert arcs(some.required) == {("a", "b"), ("c", "b")}
    assert EVERY - arcs(some.allowed) == {("d", "a"), ("b", "a"), ("b", "c")}
    assert some.most == 2
    assert Rules.of(NAMES, max_parents=1).most == 1


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            {"require": [("a", "b")], "forbid": [("a", "b")]},
            "a -> b is required, and ruled out by forbid or by the tiers",
        ),
        ({"require": [("b", "a")], "tiers": [["a"], ["b"]]}, "b -> a is required, and ruled out"),
        ({"require": [("a", "b"), ("b", "a")]}, "the edges form a cycle"),
        ({"require": [("a", "a")]}, "an arc runs between two columns"),
        ({"require": [("a", "z")]}, "there is no column 'z'"),
        ({"forbid": [("z", "a")]}, "there is no column 'z'"),
        ({"forbid": ["ab"]}, r"forbid must be a list of arcs \(parent, child\); 'ab' is not one"),
        ({"require": [("a", "b", "c")]}, "require must be a list of arcs"),
        ({"tiers": [["a"], ["a", "b"]]}, "'a' stands in two tiers; name it in one"),
        ({"tiers": ["ab"]}, "tiers must be a list of lists of columns"),
        ({"tiers": "ab"}, "tiers must be a list of lists of columns"),
        ({"max_parents": 0}, "max_parents must be at least 1"),
        ({"require": [("a", "b"), ("c", "b")], "max_parents": 1}, "no fewer than are required, not 1"),
    ],
)
def test_rules_that_contradict_each_other_are_refused(told, said):
    with pytest.raises(ValueError, match=said):
        Rules.of(NAMES, **told)


def strengths(to, threshold=0.5):
    return ArcStrengths.of(NAMES, np.array(to, float), 10, threshold, "of ten samples")


TO = [[0, 0.6, 0.1, 0.002], [0.3, 0, 0.4, 0], [0.1, 0.4, 0, 0.2], [0.001, 0, 0.5, 0]]


def test_pairs_are_listed_by_how_sure_they_are_each_as_it_points_most():
    found = strengths(TO)
    assert [(a, b) for a, b, _, _ in found.pairs()] == [("a", "b"), ("b", "c"), ("d", "c"), ("a", "c"), ("a", "d")]
    assert [round(s, 6) for *_, s, _ in found.pairs()] == [0.9, 0.8, 0.7, 0.2, 0.003]
    assert [round(d, 6) for *_, d in found.pairs()] == [0.666667, 0.5, 0.714286, 0.5, 0.666667]
    assert len(found.pairs(0.7)) == 3
    assert len(found.pairs(0.71)) == 2
    text = str(found)
    assert "of ten samples; an arc is taken for real from a strength of 0.5 on" in text
    assert "and 1 below 0.005" in text
    assert [line.split()[-1] == "weak" for line in text.splitlines() if "->" in line] == [False, False, False, True]
    assert "below" not in str(strengths(np.where(np.array(TO) > 0.01, TO, 0)))


def test_strong_pairs_make_a_network_within_the_rules():
    found = strengths(TO)
    assert arcs(found.averaged(Rules.of(NAMES))) == {("a", "b"), ("b", "c"), ("d", "c")}
    assert arcs(found.averaged(Rules.of(NAMES), 0.75)) == {("a", "b"), ("b", "c")}
    assert arcs(found.averaged(Rules.of(NAMES), 0.0)) == {("a", "b"), ("b", "c"), ("d", "c"), ("a", "c"), ("a", "d")}
    assert arcs(found.averaged(Rules.of(NAMES, forbid=[("a", "b")]))) == {("b", "a"), ("b", "c"), ("d", "c")}
    assert arcs(found.averaged(Rules.of(NAMES, max_parents=1))) == {("a", "b"), ("b", "c"), ("c", "d")}
    assert arcs(found.averaged(Rules.of(NAMES, require=[("b", "a")]))) == {("b", "a"), ("b", "c"), ("d", "c")}
    circle = strengths([[0, 0.9, 0, 0], [0, 0, 0.8, 0], [0.7, 0, 0, 0], [0, 0, 0, 0]])
    assert arcs(circle.averaged(Rules.of(NAMES))) == {("a", "b"), ("b", "c"), ("a", "c")}, "the last one is turned"

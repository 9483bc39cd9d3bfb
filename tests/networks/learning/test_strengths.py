"""Shares of arcs: pairs as they point most, the average within the rules, and the print of both."""

import numpy as np
import pytest

from bayesfold.networks.learning.rules import Rules
from bayesfold.networks.learning.strengths import ArcStrengths

NAMES = tuple("abcd")


def shares(threshold=0.5, **arcs):
    """From shares of directions: ab=0.5 says that half of the networks have a -> b."""
    to = np.zeros((4, 4))
    for (u, v), share in arcs.items():
        to[NAMES.index(u), NAMES.index(v)] = share
    return ArcStrengths.of(NAMES, to, 10, threshold, "10 samples")


def test_a_pair_is_as_sure_as_both_directions_and_points_as_most_say():
    found = shares(ab=0.5, ba=0.25, cb=0.125, cd=0.25, dc=0.25)
    assert found.strength.tolist() == [
        [0, 0.75, 0, 0], [0.75, 0, 0.125, 0], [0, 0.125, 0, 0.5], [0, 0, 0.5, 0],
    ]  # fmt: skip
    assert found.direction[0, 1] == pytest.approx(2 / 3)
    assert found.direction[1, 0] == pytest.approx(1 / 3)
    assert found.direction[0, 2] == 0, "of a pair that nobody joins nothing is said"
    assert found.pairs() == [("a", "b", 0.75, pytest.approx(2 / 3)), ("c", "d", 0.5, 0.5), ("c", "b", 0.125, 1.0)]
    assert [pair[:2] for pair in found.pairs(0.5)] == [("a", "b"), ("c", "d")], "as strong as asked is strong enough"
    assert [pair[:2] for pair in shares(ba=0.5, dc=0.5, cb=0.5).pairs()] == [("b", "a"), ("c", "b"), ("d", "c")]


def test_the_average_holds_arcs_that_are_as_strong_as_the_threshold():
    found = shares(ab=0.75, bc=0.5, cd=0.25)
    assert np.argwhere(found.averaged(Rules.of(NAMES))).tolist() == [[0, 1], [1, 2]]
    assert np.argwhere(found.averaged(Rules.of(NAMES), 0.25)).tolist() == [[0, 1], [1, 2], [2, 3]]
    assert np.argwhere(found.averaged(Rules.of(NAMES), 0.0)).sum() == 9, "0 is a threshold"
    assert np.argwhere(found.averaged(Rules.of(NAMES), 0.76)).tolist() == []


def test_the_average_keeps_the_rules():
    found = shares(ab=0.75, cb=0.7, db=0.65, bd=0.05)
    one = found.averaged(Rules.of(NAMES, max_parents=1))
    assert np.argwhere(one).tolist() == [[0, 1], [1, 2], [1, 3]], "turned where there is no room for a second parent"
    assert not found.averaged(Rules.of(NAMES, max_parents=1, forbid=[("b", "c")]))[:, 2].any()
    required = found.averaged(Rules.of(NAMES, require=[("b", "a"), ("d", "c")]))
    assert np.argwhere(required).tolist() == [[1, 0], [2, 1], [3, 1], [3, 2]], "what is required is not turned"
    late = found.averaged(Rules.of(NAMES, tiers=[["b"], ["a", "c", "d"]]))
    assert np.argwhere(late).tolist() == [[1, 0], [1, 2], [1, 3]]


def test_what_is_weak_is_said_and_what_is_next_to_nothing_is_counted():
    found = shares(ab=0.75, cb=0.25, bc=0.125, dc=0.005, ad=0.0049, bd=0.001)
    assert str(found).splitlines() == [
        "10 samples; an arc is taken for real from a strength of 0.5 on",
        "arc     strength  direction",
        "a -> b     0.750      1.000",
        "c -> b     0.375      0.667  weak",
        "d -> c     0.005      1.000  weak",
        "and 2 below 0.005",
    ]
    sure = str(shares(0.75, ab=0.75)).splitlines()
    assert sure[-1].split() == ["a", "->", "b", "0.750", "1.000"], "at the threshold nothing is weak"

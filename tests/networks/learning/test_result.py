"""What is said of a network that was learned: its arcs, the most telling first, and what is not seen from them."""

from dataclasses import replace

import numpy as np
import pytest

from bayesfold.networks.dag import Dag
from bayesfold.networks.learning.result import LearnedNetwork, counted_rows
from bayesfold.networks.learning.strengths import ArcStrengths

EDGES = (("a", "c"), ("b", "c"), ("c", "d"), ("e", "f"))
NAMES = tuple("abcdef")
FOUND = LearnedNetwork(
    Dag.of(EDGES, NAMES),
    dict.fromkeys(NAMES, (0, 1)),
    count=lambda dag: dag,
    judge=lambda dag: -120.0,
    score=-100.25,
    kind="bic",
    rows=1200.0,
    gains={("a", "c"): 1.0, ("b", "c"): 20.0, ("c", "d"): 300.0, ("e", "f"): 0.5},
    path=(("start 1", -100.25),),
)


def remarks(**more):
    return str(replace(FOUND, **more)).splitlines()[5:]


def test_arcs_stand_in_the_order_of_what_they_add_and_say_what_turns_them():
    assert str(FOUND).splitlines() == [
        "bic -100.25 of 1,200 rows and 6 columns: 4 arcs",
        "  c -> d        +300",
        "  b -> c         +20",
        "  a -> c          +1",
        "  e - f         +0.5  the data cannot tell which way it points",
    ]
    assert FOUND.undecided == (("e", "f"),)
    by_rules = replace(FOUND, one_way=(("e", "f"),), required=(("a", "c"),))
    assert by_rules.undecided == ()
    assert str(by_rules).splitlines()[3:] == [
        "  a -> c          +1  required",
        "  e -> f        +0.5  this way by the rules",
    ]
    assert "required" not in str(replace(FOUND, required=(("e", "f"),))), "a pair that is drawn without a way"
    one = replace(FOUND, dag=Dag.of([("a", "b")], "ab"), gains={("a", "b"): 2.0}, one_way=(("a", "b"),))
    assert str(one).splitlines()[0].endswith("2 columns: 1 arc")
    tested = replace(FOUND, kind="p", one_way=(("e", "f"),))
    assert str(tested).splitlines()[4] == "  e -> f        +0.5", "where tests were made arcs are what they found"


def test_how_it_ended_is_in_the_first_line():
    assert str(replace(FOUND, interrupted=True)).splitlines()[0].endswith("4 arcs (interrupted: the best so far)")
    assert str(replace(FOUND, optimal=True)).splitlines()[0].endswith("4 arcs (no network scores higher)")
    both = str(replace(FOUND, optimal=True, interrupted=True)).splitlines()[0]
    assert both.endswith("(interrupted: the best so far)")


def test_strengths_stand_beside_the_arcs_that_they_are_of():
    to = np.zeros((6, 6))
    to[0, 2], to[2, 0], to[1, 2], to[2, 3], to[4, 5] = 0.25, 0.125, 0.5, 1.0, 0.75
    samples = ArcStrengths.of(NAMES, to, 10, 0.5, "10 samples")
    exact = ArcStrengths.of(NAMES, to / 2, 0, 0.5, "exact")
    lines = str(replace(FOUND, strengths=samples, posterior=exact)).splitlines()[1:5]
    assert [line.split()[4:6] for line in lines] == [
        ["100.0%", "50.0%"], ["50.0%", "25.0%"], ["37.5%", "18.8%"], ["75.0%", "37.5%"],
    ]  # fmt: skip
    assert [line.split()[4:5] for line in str(replace(FOUND, posterior=exact)).splitlines()[1:3]] == [
        ["50.0%"], ["25.0%"],
    ]  # fmt: skip


def test_what_is_not_seen_from_the_arcs_is_said():
    assert remarks() == []
    axes = FOUND.axes
    assert remarks(axes={**axes, "b": (0,)}) == [
        "  b has one value in all rows, so nothing depends on it: leave it out"
    ]
    ten = tuple(range(10))
    assert remarks(axes={**axes, "d": ten}, rows=10.0) == [
        "  d is different in every row, so it names rows: leave it out"
    ]
    assert remarks(axes={**axes, "d": ten}, rows=10.5) == [], "one row shares its value"
    assert remarks(axes={**axes, "d": ten[:9]}, rows=9.0) == [], "in so few rows that may well be"
    assert remarks(ruled_out=1) == ["  the rules left out 1 of 30 arcs"]
    assert remarks(drawn_from=70_000) == ["  arcs were looked for on a sample; the tables are of all 70,000 rows"]
    assert remarks(left_out=1) == ["  arcs were looked for without 1 row that lacks a value"]
    assert remarks(left_out=1_000) == ["  arcs were looked for without 1,000 rows that lack a value"]
    assert remarks(axes={**axes, "f": ()}) == ["  no arc runs from a number to a category"]
    assert counted_rows(0) == "0 rows that lack"


def test_networks_are_counted_when_they_are_asked_for_and_compared_by_their_score():
    counted = []
    found = replace(FOUND, count=lambda dag: counted.append(dag) or dag)
    assert not counted
    assert found.network is found.network is found.dag
    assert (found.averaged, counted) == (None, [found.dag])
    sure = Dag.of([("a", "c")], NAMES)
    assert replace(found, sure=sure).averaged is sure
    other = found.compare(replace(FOUND, dag=sure))
    assert (other.ahead, other.kind, other.distance) == (19.75, "bic", 3 + 1)
    assert found.compare(found).distance == 0
    unknown = replace(FOUND, judge=lambda dag: float("nan"))
    assert unknown.compare(found).ahead is None
    assert FOUND.distance(replace(FOUND, dag=Dag.of([("f", "e"), *EDGES[:3]], NAMES))) == 0
    assert FOUND.distance(replace(FOUND, dag=Dag.of(EDGES[:3], NAMES))) == 1
    with pytest.raises(ValueError, match="nodes"):
        FOUND.distance(replace(FOUND, dag=Dag.of(EDGES[:3], "abcd")))

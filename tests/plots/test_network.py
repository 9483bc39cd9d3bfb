"""Networks in rows: parents above children, nothing on top of anything else, and what is not one network is refused."""

import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.plots import network
from bayesfold.plots._rows import PASSING, in_rows

from .sources import X, Y, drawn

NAMES = [f"n{i}" for i in range(14)]
BOX, GAP = 60.0, 10.0


@given(st.sets(st.tuples(st.integers(0, 13), st.integers(0, 13)).filter(lambda e: e[0] < e[1]), max_size=40))
def test_children_stand_below_their_parents_and_boxes_apart(pairs):
    edges = [(NAMES[a], NAMES[b]) for a, b in sorted(pairs)]
    found = in_rows(NAMES, edges, BOX, GAP, most=300)
    assert set(found.spots) == set(NAMES)
    assert set(found.paths) == set(edges)
    taken = [(row, x - BOX / 2, x + BOX / 2) for x, row in found.spots.values()]
    for (parent, child), path in found.paths.items():
        assert (path[0], path[-1]) == (found.spots[parent], found.spots[child])
        assert [row for _, row in path] == list(range(path[0][1], path[-1][1] + 1))
        taken += [(row, x - BOX * PASSING / 2, x + BOX * PASSING / 2) for x, row in path[1:-1]]
    for (row, _, end), (other, begin, _) in pairwise(sorted(taken)):
        assert row != other or begin >= end + GAP - 1e-6
    assert min(begin for _, begin, _ in taken) == pytest.approx(0.0, abs=1e-6)
    assert max(end for _, _, end in taken) == pytest.approx(found.width, abs=1e-6)


def test_a_tan_is_drawn_with_the_class_above_it():
    tan = bf.TAN().fit(X, Y)
    found = network.data(tan)
    assert found.target == "class"
    assert {child for parent, child in found.edges if parent == "class"} == {"heat", "sex", "dose"}
    between = [edge for edge in found.edges if edge[0] != "class"]
    assert len(between) == 2
    assert len([edge for edge in found.drawn if edge[0] == "class"]) == 1  # to the root; of the others it is said
    figure = drawn(network, found)
    assert {note.text for note in figure.layout.annotations} == {"<b>class</b>", "heat", "sex", "dose"}
    assert len(figure.layout.shapes) == len(figure.data[0].x) == len(found.drawn)
    assert "every column depends on class" in figure.layout.title.text


def test_a_bayesian_network_is_drawn_too():
    net = bf.read_network("smoking")
    found = network.data(net)
    assert set(found.edges) == set(net.edges)
    assert found.drawn == found.edges
    assert "P(xray | smoking, cancer)" in json.dumps(network.draw(found)) or "P(xray | cancer, smoking)" in json.dumps(
        network.draw(found)
    )


def test_of_a_pool_the_part_that_has_most_to_show():
    pool = bf.BayesClassifier().fit(X, Y).model_
    for weights, part in (((0.5, 0.2, 0.3, 0.1), "kdb"), ((0.5, 0.2, 0.0, 0.1), "naive")):
        found = network.data(SimpleNamespace(model_=replace(pool, weights=weights), target="place"))
        assert f"in the part {part}; every column depends on place" in found.caption
        assert {"place", "heat", "sex", "dose"} <= set(found.nodes)


def test_what_is_not_one_network_or_has_no_room_is_refused():
    with pytest.raises(ValueError, match=r"joins 3 networks.*TAN or KDB"):
        network.data(bf.AODE().fit(X, Y))
    many = bf.NaiveBayes().fit(np.random.default_rng(0).normal(size=(30, network.MOST_NODES)), Y[:30])
    with pytest.raises(ValueError, match="has room for 80 nodes, and this network has 81"):
        network.data(many)


def test_a_cause_stands_near_its_effects_where_that_shortens_edges():
    """All nodes without parents stood in the first row, however far below their only child."""
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("late", "d")]
    found = in_rows(["late", *"abcd"], edges, BOX, GAP, most=300)
    assert found.spots["late"][1] == found.spots["c"][1] == 2
    assert found.spots["a"][1] == 0

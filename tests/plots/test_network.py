"""Networks in rows: parents above children, nothing on top of anything else, and what is not one network is refused."""

import json
import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesfold as bf
from bayesfold.plots import network
from bayesfold.plots._boxes import Box
from bayesfold.plots._rows import PASSING, lay_out_rows

from .sources import X, Y, drawn

NAMES = [f"n{i}" for i in range(14)]
BOX, GAP = 60.0, 10.0


@given(st.sets(st.tuples(st.integers(0, 13), st.integers(0, 13)).filter(lambda e: e[0] < e[1]), max_size=40))
def test_children_stand_below_their_parents_and_boxes_apart(pairs):
    edges = [(NAMES[a], NAMES[b]) for a, b in sorted(pairs)]
    found = lay_out_rows(NAMES, edges, BOX, GAP, most=300)
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
    lines = [shape for shape in figure.layout.shapes if shape.type == "path"]
    assert len(lines) == len(figure.data[0].x) == len(found.drawn)
    assert len(figure.layout.shapes) - len(lines) == 4
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


def test_beliefs_are_bars():
    net = bf.read_network("smoking")
    found = network.data(net, {"smoking": "yes"})
    assert found.beliefs["smoking"] == {"yes": 1.0, "no": 0.0}
    assert found.beliefs["cancer"]["yes"] == pytest.approx(net.query("cancer | smoking=yes")["yes"])
    figure = drawn(network, found)
    bars = [s for s in figure.layout.shapes if s.type == "rect" and s.line.width == 0]
    assert len(bars) == 10
    words = [note.text for note in figure.layout.annotations]
    assert "100.0%" in words
    assert f"{found.beliefs['cancer']['yes']:.1%}" in words
    lengths = [bar.x1 - bar.x0 for bar in bars]
    assert lengths[0] == pytest.approx(max(lengths))
    assert lengths[1] == pytest.approx(0)
    many = bf.BayesianNetwork.from_edges([], ["a"], {"a": np.full(9, 1 / 9)})
    assert {"5 others", "55.6%"} <= {note.text for note in drawn(network, network.data(many)).layout.annotations}
    bare = network.data(bf.BayesianNetwork.from_edges([("a", "b")]))
    assert bare.beliefs == {}
    with pytest.raises(ValueError, match="evidence needs a BayesianNetwork"):
        network.data(bf.TAN().fit(X, Y), {"sex": "m"})


def test_numbers_are_means_and_spreads():
    line = bf.LinearGaussian
    tables = {"sex": {"f": 0.5, "m": 0.5}, "height": {"f": line(165, 6), "m": line(178, 7)}}
    net = bf.MixedNetwork.from_edges([("sex", "height")], tables=tables)
    found = network.data(net)
    exact = net.query("height")
    assert found.numbers == {"height": f"{exact.mean:.4g} ± {exact.sd:.3g}"}
    assert found.beliefs == {"sex": {"f": 0.5, "m": 0.5}}
    assert found.numbers["height"] in [note.text for note in drawn(network, found).layout.annotations]
    seen = network.data(net, {"height": 180})
    assert seen.numbers == {"height": "180"}
    assert seen.beliefs["sex"]["m"] == pytest.approx(net.query("sex | height=180")["m"])
    assert drawn(network, network.data(bf.MixedNetwork.from_edges([("a", "b")], numbers="b"))) is not None


def test_wide_letters_get_room_and_small_networks_fill_the_page():
    latin, chinese = (Box.of(name, {}, is_class=False, seen=False) for name in ("abcdefghi", "天气与季节的影响了"))
    assert chinese.width > 1.6 * latin.width
    figure = network.draw(network.data(bf.read_network("smoking")))
    assert figure["layout"]["width"] >= 850 or figure["layout"]["height"] >= 550


@pytest.mark.parametrize("name", ["<b>bold</b>", "a<br>b", '<a href="x">y</a>', "5 < 6 & 7", "%{x}"])
def test_names_are_shown_as_they_are_written(name):
    net = bf.BayesianNetwork.from_edges([], [name], {name: {name: 1.0}})
    figure = network.draw(network.data(net))
    texts = [note["text"].removeprefix("<b>").removesuffix("</b>") for note in figure["layout"]["annotations"]]
    for text in texts:
        assert not re.search("[<>]|%{", text)
    assert unescape(texts[0]).replace("\u200b", "") == name
    assert unescape(figure["layout"]["annotations"][0]["hovertext"]).replace("\u200b", "") == f"P({name})"


def test_a_cause_stands_near_its_effects_where_that_shortens_edges():
    """All nodes without parents stood in the first row, however far below their only child."""
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("late", "d")]
    found = lay_out_rows(["late", *"abcd"], edges, BOX, GAP, most=300)
    assert found.spots["late"][1] == found.spots["c"][1] == 2
    assert found.spots["a"][1] == 0


def test_what_data_cannot_direct_has_no_head():
    rows = bf.read_network("smoking").sample(800, random_state=2)
    found = bf.learn_network(rows)
    numbers = network.data(found)
    assert numbers.undirected == set(found.undecided)
    assert found.undecided
    figure = drawn(network, numbers)
    assert len(figure.data[0].x) == len(found.dag.edges) - len(found.undecided)
    assert len([shape for shape in figure.layout.shapes if shape.type == "path"]) == len(found.dag.edges)
    assert "the data cannot tell" in figure.layout.title.text
    for u, v in found.undecided:
        assert f"{u} - {v} " in str(found)

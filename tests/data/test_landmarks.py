"""Landmarks: which is nearest, what is left of them when some are dropped."""

from dataclasses import replace

import numpy as np
import pytest

from bayesfold.data import landmarks as module
from bayesfold.data.frame import Frame
from bayesfold.data.landmarks import Landmarks
from bayesfold.data.vector import OneHot, Scaled

AXES = (Scaled("mass", 1.0, 2.0), OneHot("coat", ("long", "short")))
PLACES = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0], [2.0, 1.0, 0.0]])


def made():
    whitening = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0] * [1.0, 2.0, 0.5]
    return Landmarks("all", AXES, PLACES, whitening)


def test_the_nearest_is_the_same_for_a_row_alone_and_among_others():
    column = made()
    x = column.encode(Frame.of({"mass": np.linspace(-3, 9, 50), "coat": ["long", "short"] * 25}))
    every = column.nearest(x)
    assert [column.nearest(x[i : i + 1])[0] for i in range(50)] == every.tolist()
    expected = (((x[:, None] - PLACES) @ column.whitening) ** 2).sum(2)
    assert every.tolist() == expected.argmin(1).tolist()
    assert column.nearest(PLACES).tolist() == [0, 1, 2, 3]


def test_dropped_landmarks_take_their_levels_with_them_and_change_no_distance():
    column = made()
    fewer = column.without(np.array([False, True, True, False]))
    assert fewer.levels_by_source == {"coat": ("short",)}
    assert fewer.places.tolist() == [[1.0, 1.0], [2.0, 1.0]]
    assert fewer.sums_in(column, 1).tolist() == [1, 2]
    frame = Frame.of({"mass": [0.0, 7.0], "coat": ["short", "curly"]})
    distances = column.square_distances(column.encode(frame))[:, [1, 2]]
    np.testing.assert_allclose(fewer.square_distances(fewer.encode(frame)), distances, atol=1e-12)
    assert column.without(np.ones(4, bool)) is column


def test_equal_landmarks_are_equal():
    assert made() == made()
    assert hash(made()) == hash(made())
    assert made() != made().without(np.array([True, True, True, False]))
    assert made() != AXES


def test_rows_become_landmarks_as_long_as_there_is_room(monkeypatch):
    monkeypatch.setattr(module, "MOST_LANDMARKS", 6)
    column = made()
    frame = Frame.of({"mass": [1.0, 3.0, 5.0, 5.0, 5.0], "coat": ["long", "short", "short", "long", "long"]})
    assert column.grown(frame) is column, "each of them is there already"
    more = Frame.of({"mass": [7.0, 9.0, 7.0], "coat": ["long", "short", "long"]})
    grown = column.grown(more)
    assert (len(grown.places), grown.whole) == (6, True)
    np.testing.assert_array_equal(grown.places[:4], PLACES)
    assert grown.index.keys() == column.index.keys() | {*map(bytes, column.encode(more) + 0.0)}
    full = grown.grown(Frame.of({"mass": [11.0], "coat": ["long"]}))
    assert (len(full.places), full.whole) == (6, False)
    assert full.grown(Frame.of({"mass": [13.0], "coat": ["long"]})) is full
    partly = column.grown(Frame.of({"mass": [7.0, 9.0, 11.0], "coat": ["long"] * 3}))
    assert (len(partly.places), partly.whole) == (6, False)
    assert column.grown_by_row({"mass": 7.0, "coat": "long"}, {}).places.tolist()[4] == [3.0, 1.0, 0.0]
    assert grown.sums(1) == 6


def test_landmarks_of_two_models_are_united():
    column = made()
    others = replace(column, places=PLACES[2:] + np.array([1.0, 0.0, 0.0]))
    both = column.united(others)
    assert both.whole
    assert {*map(bytes, both.places)} == {*map(bytes, PLACES), *map(bytes, others.places)}
    assert not column.united(replace(others, whole=False)).whole
    assert not replace(column, whole=False).united(others).whole
    assert len(replace(column, whole=False).united(others).places) == 4
    assert column.blank() == others.blank()
    assert column.blank().places.shape == (0, 3)
    assert not column.blank().centre.any()
    np.testing.assert_allclose(column.centre, PLACES.mean(0))


@pytest.mark.parametrize("cells", [1, 7, 8, 1 << 20])
def test_the_nearest_does_not_depend_on_how_many_rows_are_asked_at_once(cells, monkeypatch):
    monkeypatch.setattr(module, "CELLS", cells)
    column = made()
    assert column.at_once == max(1, cells // 4)
    x = np.random.default_rng(2).normal(size=(9, 3))
    expected = (((x[:, None] - PLACES) @ column.whitening) ** 2).sum(2)
    assert column.nearest(x).tolist() == expected.argmin(1).tolist()
    np.testing.assert_allclose(column.square_distances(x), expected)
    turned = column.turned(x)
    np.testing.assert_allclose(turned, (x - PLACES.mean(0)) @ column.whitening, atol=1e-12)
    assert column.blank().nearest(x[:0]).tolist() == []
    assert column.blank().at_once == cells


def test_a_row_that_is_a_landmark_stands_there_without_a_look_at_the_others(monkeypatch):
    """Also one whose hole is written -0.0; of landmarks that rounding has made equal it is the first."""
    column = made()
    monkeypatch.setattr(Landmarks, "square_distances", None)
    assert column.nearest(PLACES[[3, 1]]).tolist() == [3, 1]
    assert column.nearest(np.array([[-0.0, 1.0, -0.0]])).tolist() == [0]
    far = np.array([[1e30, 1.0, 0.0], [1e30, 0.0, 1.0], [-1e30, 0.0, 0.0]])
    together = Landmarks("all", AXES, far, np.linalg.qr(np.ones((3, 3)) + np.eye(3))[0])
    assert together.nearest(far).tolist() == [0, 0, 2]


def test_without_landmarks_every_row_stands_at_the_first_to_come():
    assert made().blank().nearest(PLACES).tolist() == [0, 0, 0, 0]


def test_a_landmark_that_lacks_a_level_is_found_again_where_levels_were_dropped():
    axes = (Scaled("mass", 1.0, 2.0), OneHot("coat", ("curly", "long", "short"), shares=(0.25, 0.25, 0.5)))
    frame = Frame.of({"mass": [1.0, 1.0, 3.0, 1.0], "coat": ["curly", None, "long", "short"]})
    empty = Landmarks("all", axes, np.empty((0, 4)), np.eye(4))
    column = empty.grown(frame)
    seen = (column.places != [0, 1, 0, 0]).any(1)  # the curly one goes
    fewer = column.without(seen)
    assert fewer.levels_by_source == {"coat": ("long", "short")}
    assert fewer.sums_in(column, 1).tolist() == np.flatnonzero(seen).tolist()
    rest = Frame.of({"mass": [1.0, 3.0, 1.0], "coat": [None, "long", "short"]})
    assert fewer.nearest(fewer.encode(rest)).tolist() == [fewer.index[bytes(x)] for x in fewer.encode(rest)]


def test_landmarks_that_only_the_share_of_a_level_tells_apart_stay_apart():
    axes = (Scaled("mass"), OneHot("coat", ("long", "short"), shares=(0.25, 0.75), hole_is_level=True))
    frame = Frame.of({"mass": [1.0, 1.0, 1.0], "coat": ["long", None, "never seen"]})
    column = Landmarks("all", axes, np.empty((0, 3)), np.eye(3)).grown(frame)
    fewer = column.without((column.places != [1, 1, 0]).any(1))
    assert len(fewer.index) == 2
    assert len(set(fewer.sums_in(column, 1).tolist())) == 2

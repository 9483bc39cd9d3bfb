"""Landmarks: which is nearest, what is left of them when some are dropped."""

import numpy as np

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

"""Columns side by side: scaled numbers, indicators and flags, in a table and in one row."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.data.vector import Flag, OneHot, Scaled, Vector

VECTOR = Vector(
    "all", (Scaled("mass", 10.0, 2.0), Flag("mass"), OneHot("coat", ("long", "short")), Scaled("age", limit=3.0))
)
TABLE = {"mass": [14.0, None, 9.0], "coat": ["short", "curly", None], "age": [1.0, 50.0, -50.0]}
ROWS = [[2.0, 0, 0, 1, 1.0], [0.0, 1, 0, 0, 3.0], [-0.5, 0, 0, 0, -3.0]]


def test_numbers_indicators_flags_and_limits():
    np.testing.assert_array_equal(VECTOR.encode(Frame.of(TABLE)), ROWS)


def test_what_the_numbers_are_and_whose():
    assert VECTOR.width == 5
    assert VECTOR.sources == ("mass", "coat", "age")
    assert VECTOR.owners == (0, 0, 1, 1, 2)
    assert VECTOR.says == (True, False, True, True, True)


def test_no_axis():
    assert Vector("none", ()).encode(Frame.of({"x": [1.0, 2.0]})).shape == (2, 0)


def test_one_row_is_a_table_of_one_row():
    schema = Schema(Categories("y"), (VECTOR,))
    for i in range(3):
        row = {name: column[i] for name, column in TABLE.items()}
        np.testing.assert_array_equal(schema.encode_row(row).column("all")[0], ROWS[i])
    np.testing.assert_array_equal(schema.encode_row({}).column("all")[0], [0, 1, 0, 0, 0])


def test_markers():
    vector = Vector(
        "v", (Scaled("x", missing=frozenset([-1])), Flag("x", frozenset([-1])), OneHot("z", ("a", "?"), frozenset("?")))
    )
    found = vector.encode(Frame.of({"x": [-1.0, 5.0], "z": ["?", "a"]}))
    np.testing.assert_array_equal(found, [[0, 1, 0, 0], [5, 0, 1, 0]])


def test_knots_are_straight_in_between_and_flat_beyond():
    axis = Scaled("x", knots=((0.0, -1.0), (1.0, 0.0), (3.0, 1.0)))
    found = axis.encode(Frame.of({"x": [-9.0, 0.0, 0.5, 2.0, 3.0, 99.0, np.nan]}))[:, 0]
    assert found.tolist() == [-1.0, -1.0, -0.5, 0.5, 1.0, 1.0, 0.0]


def test_a_level_that_is_not_there_raises_no_indicator():
    axis = OneHot("z", ("a", "b", "c"))
    found = axis.encode(Frame.of({"z": ["b", "d", None, "a"]}))
    np.testing.assert_array_equal(found, [[0, 1, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]])


@pytest.mark.parametrize("limit", [1.0, 8.0])
def test_no_number_is_farther_than_the_limit(limit):
    axis = Scaled("x", 0.0, 1.0, limit)
    found = axis.encode(Frame.of({"x": [1e300, -1e300, 0.5]}))[:, 0]
    assert found.tolist() == [limit, -limit, 0.5]


def test_a_number_that_is_minus_zero_is_no_hole():
    vector = Vector("all", (Scaled("x", 0.0, 2.0),))
    rows = vector.encode(Frame.of({"x": np.array([-0.0, 0.0, np.nan, -5e-324])}))
    assert np.signbit(rows[:, 0]).tolist() == [False, False, True, False]
    assert vector.silent(rows).tolist() == [False, False, True, False]


SHARED = OneHot("z", ("a", "b", "c"), frozenset("?"), (0.5, 0.25, 0.25))


def test_a_hole_and_a_level_never_seen_stand_at_the_shares_of_the_levels():
    found = SHARED.encode(Frame.of({"z": ["b", "d", None, "?"]}))
    np.testing.assert_array_equal(found, [[0, 1, 0], SHARED.shares, SHARED.shares, SHARED.shares])


def test_a_hole_that_is_a_level_raises_no_indicator_and_a_level_never_seen_says_nothing_still():
    found = replace(SHARED, hole_is_level=True).encode(Frame.of({"z": ["b", "d", None, "?"]}))
    np.testing.assert_array_equal(found, [[0, 1, 0], SHARED.shares, [0, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize(
    "axis",
    [
        SHARED,
        replace(SHARED, hole_is_level=True),
        replace(SHARED, shares=()),
        replace(SHARED, shares=(1 - 2**-20, 0, 0)),
    ],
)
def test_what_is_no_value_can_be_told_from_one(axis):
    vector = Vector("all", (Scaled("x"), Flag("x"), axis))
    rows = vector.encode(Frame.of({"x": [0.0, None, None, None, None], "z": [None, "a", None, "d", "?"]}))
    assert vector.blanks(rows).tolist() == [[False, True], [True, False], [True, True], [True, True], [True, True]]
    assert vector.silent(rows).tolist() == [False, False, True, True, True]


def test_a_level_that_goes_takes_its_share_with_it_and_others_keep_theirs():
    fewer = SHARED.without(np.array([True, False, True]))
    assert (fewer.levels, fewer.shares) == (("a", "c"), (0.5, 0.25))
    assert VECTOR.axes[2].without(np.array([True, False])).shares == ()


def test_knots_in_an_array_are_knots():
    """They are made when they are asked for; whatever is done with the axis, it is the same one."""
    knots = ((1.0, -0.5), (2.0, 0.0), (4.0, 0.5))

    def lazy() -> Scaled:
        return Scaled.of(np.array(knots).T.copy(), "mass", 1.0, 2.0, 3.0)

    plain = Scaled("mass", 1.0, 2.0, 3.0, frozenset(), knots)
    assert lazy().knots == knots
    assert lazy() == plain
    assert hash(lazy()) == hash(plain)
    assert replace(lazy(), unit=5.0) == replace(plain, unit=5.0)
    assert pickle.loads(pickle.dumps(lazy())) == plain
    assert copy.deepcopy(lazy()).knots == knots
    frame = Frame.of({"mass": [0.0, 1.5, 3.0, 9.0, None]})
    np.testing.assert_array_equal(lazy().encode(frame), plain.encode(frame))
    none = Scaled.of(np.empty((2, 0)), "mass", 1.0, 2.0, 3.0)
    assert none == Scaled("mass", 1.0, 2.0, 3.0)
    assert Scaled("mass").knots == ()

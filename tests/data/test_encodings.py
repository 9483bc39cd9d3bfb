"""Bins and presence: which slot a value has, in words, in a table and in one row."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.data.encodings import Binned, Categories, Presence, Real
from bayesfold.data.frame import Frame

CUTS = st.lists(st.integers(-5, 5).map(float), max_size=5, unique=True).map(lambda c: tuple(sorted(c)))


@given(cuts=CUTS, x=st.lists(st.none() | st.floats(-7, 7), min_size=1, max_size=20), holes=st.booleans())
def test_the_slot_is_the_interval(cuts, x, holes):
    column = Binned("x", cuts, holes=holes)
    found = column.encode(Frame.of({"x": np.array([np.nan if v is None else v for v in x])}))
    for slot, value in zip(found.tolist(), x, strict=True):
        if value is None:
            assert slot == column.hole
        else:
            edges = (-math.inf, *cuts, math.inf)
            assert edges[slot - 1] <= value < edges[slot]
    assert found.max() < column.slots
    assert len(column.levels) == column.slots - 1


def test_a_cut_belongs_to_the_bin_above_it():
    assert Binned("x", (1.0, 2.0)).place(np.array([0.999, 1.0, 2.0, np.inf, -np.inf])).tolist() == [1, 2, 3, 3, 1]


@pytest.mark.parametrize(("holes", "slot"), [(False, 0), (True, 4)])
def test_a_missing_number_is_slot_0_or_a_bin_of_its_own(holes, slot):
    column = Binned("x", (1.0, 2.0), holes=holes)
    assert column.place(np.array([np.nan])).tolist() == [slot]
    assert (column.slots, column.hole) == (4 + holes, slot)
    assert (column.levels[-1] == "missing") == holes


def test_levels_in_words():
    assert Binned("x").levels == ("any number",)
    assert Binned("x", (0.5,)).levels == ("below 0.5", "0.5 and above")
    assert Binned("x", (0.5, 1e6)).levels == ("below 0.5", "0.5 to 1000000", "1000000 and above")


def test_many_bins_do_not_wrap_around():
    column = Binned("x", tuple(np.arange(400.0).tolist()))
    assert column.place(np.array([-1.0, 100.5, 398.5, 1e9])).tolist() == [1, 102, 400, 401]


def test_markers_are_missing_and_the_source_is_read():
    column = Binned("x bins", (0.0,), source="x", missing=frozenset([-999.0]))
    assert column.encode(Frame.of({"x": [-999.0, -1.0, 1.0]})).tolist() == [0, 1, 2]


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("cuts", [(-1.0, 0.5, 4.0), (0.0, 1.0), (2.0,), ()])
def test_a_drawn_number_falls_into_its_bin(cuts, holes):
    column = Binned("x", cuts, holes=holes)
    slots = np.repeat(np.arange(1, len(column.cuts) + 2), 200)
    x = column.draw(slots, np.random.default_rng(1))
    np.testing.assert_array_equal(column.place(x), slots)
    assert np.isnan(column.draw(np.array([column.hole]), np.random.default_rng(1))).all()
    assert column.ends[0] <= x.min() < x.max() <= column.ends[1]


def test_presence_of_words():
    column = Presence("coat is missing", "coat", frozenset(["?"]))
    assert column.encode(Frame.of({"coat": ["long", None, "?", "", "short"]})).tolist() == [1, 2, 2, 2, 1]
    assert [column.read(v)[0, 0] for v in ("long", None, "?", "", float("nan"))] == [1, 2, 2, 2, 2]


def test_presence_of_numbers():
    column = Presence("age is missing", "age", frozenset([-1]), number=True)
    assert column.encode(Frame.of({"age": [3.0, np.nan, -1.0, 0.0]})).tolist() == [1, 2, 2, 1]
    assert [column.read(v)[0, 0] for v in (3.0, float("nan"), -1, 0.0, None)] == [1, 2, 2, 1, 2]


def test_a_truth_value_is_not_the_marker_1():
    column = Presence("x is missing", "x", frozenset([1]))
    assert column.read(True)[0, 0] == 1
    assert column.read(1)[0, 0] == 2


def test_a_number_among_levels_may_be_written_as_text_and_is_no_new_level():
    grade = Categories("grade", (1, 2.5))
    assert grade.encode(Frame.of({"grade": ["1", "1.0", " 2.5", "3", "x"]})).tolist() == [1, 1, 2, 3, 3]
    assert grade.grow(["1", "3", "x"]).levels == (1, 2.5, 3.0, "x")
    assert Categories("code", ("1", 1)).encode(Frame.of({"code": ["1", "01"]})).tolist() == [1, 3]


def test_categories_by_slot_however_they_are_spelled():
    column = Categories("c", ("x", "y", None, "z"), missing=frozenset({"?"}))
    assert (column.slots, column.hole) == (5, 3)
    frame = Frame.of({"c": ["z", "?", None, "new", "x"]})
    assert column.encode(frame).tolist() == [4, 3, 3, 5, 1]
    assert [column.knows(level) for level in ("x", "?", None, "new")] == [True, True, True, False]
    assert column.may_have_holes(frame)
    plain = Categories("c", (1, 2))
    assert (plain.slots, plain.hole, plain.is_range) == (3, 0, False)
    assert Categories("c", (0, 1, 2)).is_range
    assert not Categories("c", (0, 1), missing=frozenset({9})).is_range
    assert plain.encode(Frame.of({"c": ["2", "3", None]})).tolist() == [2, 3, 0]
    assert not plain.may_have_holes(Frame.of({"c": [1, 1]}))
    assert Categories("c", tuple(range(254))).encode(Frame.of({"c": [3]})).dtype == np.uint8
    wide = Categories("c", tuple(range(255))).encode(Frame.of({"c": [254, 999]}))
    assert (wide.dtype, wide.tolist()) == (np.int32, [255, 256])


def test_categories_grow_and_shrink():
    column = Categories("c", ("x", "y"))
    assert column.grow(["y", "x"]) is column
    assert column.grow(["q", "y", "q", "p"]).levels == ("x", "y", "q", "p")
    assert column.united(Categories("c", ("z", "x"))).levels == ("x", "y", "z")
    assert column.with_holes().levels == ("x", "y", None)
    assert column.with_holes().blank().levels == (None,)
    assert column.blank().levels == ()
    assert column.without(np.array([True, True])) is column
    assert column.without(np.array([False, True])).levels == ("y",)
    assert column.grown_by_row({"c": "n"}, {"c": "n"}).levels == ("x", "y", "n")
    assert column.grown_by_row({"c": "n"}, {}) is column
    assert Categories("c", (1, 2)).grow(["2", "3"]).levels == (1, 2, 3.0)


def test_the_slots_of_one_column_in_another():
    column = Categories("c", ("x", "y"))
    assert column.slots_in(Categories("c", ("x", "y", "z"))).tolist() == [0, 1, 2]
    assert column.slots_in(Categories("c", ("z", "y", "x"))).tolist() == [0, 3, 2]
    mixed = Categories("c", ("1", 1, "a"))
    with pytest.raises(ValueError, match="column 'c': '1', 1 are one value to the other model; spell them alike"):
        mixed.slots_in(Categories("c", (2, 1, 5)))


def test_bins_in_words_with_their_ends_and_numbers_drawn_from_them():
    column = Binned("b", (1.0, 3.0, 7.0), missing=frozenset({-9.0}))
    assert column.levels == ("below 1", "1 to 3", "3 to 7", "7 and above")
    assert (column.slots, column.hole, column.ends) == (5, 0, (-1.0, 11.0))
    assert column.encode(Frame.of({"b": [0.0, 1.0, 6.9, 7.0, -9.0, None]})).tolist() == [1, 2, 3, 4, 0, 0]
    holed = column.with_holes()
    assert (holed.slots, holed.hole, holed.levels[-1]) == (6, 5, "missing")
    assert holed.encode(Frame.of({"b": [0.0, None]})).tolist() == [1, 5]
    assert Binned("b", (1.0,), family="kde").with_holes() is None
    assert Binned("b").levels == ("any number",)
    assert Binned("b").ends == (-1.0, 1.0)
    assert Binned("b", (5.0,)).ends == (4.0, 6.0)
    draw = np.random.default_rng(0)
    for slot, (low, high) in enumerate([(-1, 1), (1, 3), (3, 7), (7, 11)], 1):
        x = holed.draw(np.full(200, slot), draw)
        assert low <= x.min() < x.max() < high
        assert np.ptp(x) > 0.9 * (high - low)
    assert np.isnan(holed.draw(np.array([0, 5]), draw)).all()
    assert not np.isnan(column.draw(np.array([4]), draw)).any()
    assert "numbers in 4 bins cut at 1.0, 3.0, 7.0" in column.in_words
    assert Binned("b").in_words == "one bin"
    with pytest.raises(ValueError, match="column 'b' is infinite in row 1"):
        column.encode(Frame.of({"b": [0.0, np.inf]}))


def test_numbers_that_cannot_be_learned_are_named_by_row():
    with pytest.raises(ValueError, match=r"column 'x' is -1 in row 2, but poisson needs numbers of at least 0"):
        Real("x", family="poisson", least=0.0).refuse(np.array([0.0, 3.0, -1.0, -2.0]))
    Real("x").refuse(np.array([-1.0]))
    Real("x", least=0.0).refuse(np.array([0.0, np.nan]))
    assert Real.restored("x", family="poisson").least == 0.0
    assert Real.restored("x").least is None
    assert Real.restored("x", least=2.0).least == 2.0

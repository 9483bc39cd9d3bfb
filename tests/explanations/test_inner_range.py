"""Ranges in which rows were: of cuts, of ranks, of what a class draws, of a vector's spread."""

from types import SimpleNamespace

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.encodings import Binned
from bayesfold.data.vector import Scaled, Vector
from bayesfold.explanations.inner_range import between_cuts, collect_cuts, inner_ranges, unite_ranges

KNOTS = ((2.0, -1.0), (3.0, 0.0), (9.0, 1.0))


def model_of(*features):
    binned = [f for f in features if isinstance(f, Binned)]
    vectors = [f for f in features if isinstance(f, Vector)]
    return SimpleNamespace(
        schema=SimpleNamespace(binned=binned, vectors=vectors, features=features), classes=(), members={}
    )


def test_the_range_of_ranks_is_from_the_first_knot_to_the_last():
    model = model_of(Vector("v", (Scaled("a", knots=KNOTS), Scaled("b", 10.0, 4.0))))
    assert inner_ranges(model, ()) == {"a": (2.0, 9.0), "b": (6.0, 14.0)}


def test_ranges_of_several_readings_are_united():
    model = model_of(
        Binned("x", (4.0, 12.0), source="a"),
        Binned("a", (5.0, 20.0)),
        Binned("c"),
        Vector("v", (Scaled("a", knots=KNOTS),)),
    )
    assert collect_cuts(model) == {"a": [4.0, 12.0, 5.0, 20.0]}
    low, high = inner_ranges(model, ())["a"]
    assert (low, high) == (2.0, 20.0)
    assert unite_ranges(None, (1.0, 2.0)) == (1.0, 2.0)
    assert unite_ranges((0.0, 1.5), (1.0, 2.0)) == (0.0, 2.0)
    assert unite_ranges((1.0, 3.0), (1.5, 2.0)) == (1.0, 3.0)


@pytest.mark.parametrize(
    ("cuts", "whole", "expected"),
    [
        ([28.5, 40.5], True, (28, 41)), ([28.0, 40.0], True, (27, 40)), ([0.25, 0.5], False, (0.2499, 0.5)),
        ([7.0], False, (6.999999, 7.0)), ([100.0, 1100.0], False, (99.0, 1100.0)), ([0.0], False, (0.0, 0.0)),
        ([-3.5], True, (-4, -3)),
    ],
)  # fmt: skip
def test_the_range_between_cuts(cuts, whole, expected):
    low, high = between_cuts(cuts, whole)
    assert (pytest.approx(low, rel=1e-9), high) == expected
    assert low <= min(cuts)
    assert high >= max(cuts) or not whole


def test_without_cuts_the_middle_half_of_each_class_is_drawn():
    draw = np.random.default_rng(0)
    y = np.repeat(["p", "q"], 300)
    x = np.r_[draw.normal(0, 1, 300), draw.normal(10, 2, 300)]
    model = bf.NaiveBayes(numeric="gaussian").fit({"x": x}, y).model_
    low, high = inner_ranges(model, ())["x"]
    assert low == pytest.approx(-0.6745, abs=0.3)
    assert high == pytest.approx(10 + 2 * 0.6745, abs=0.5)


@pytest.mark.parametrize(
    ("cuts", "below"),
    [([1.2], 1.199999), ([1.0], 0.999999), ([-1.2], -1.200001), ([9.5], 9.499999), ([1.2, 1.3], 1.1999)],
)
def test_an_end_is_below_the_least_cut_by_three_digits_of_the_range_or_six_of_the_cut(cuts, below):
    low, high = between_cuts(cuts, whole=False)
    assert low == pytest.approx(below, abs=1e-9)
    assert high == max(cuts)

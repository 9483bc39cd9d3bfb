"""Drawn slots become cells again, in whatever order the columns were drawn."""

import numpy as np
import pytest

from bayesfold.data.decode import decode
from bayesfold.data.encodings import Categories, Real
from bayesfold.data.encodings.presence import Presence
from bayesfold.data.schema import Schema

SCHEMA = Schema(
    Categories("y", ("p",)),
    (
        Presence("x is there", "x", number=True),
        Presence("c is there", "c"),
        Real("x"),
        Categories("c", ("u", "v")),
    ),
)
DRAWN = {
    "x": np.array([5.0, 6.0]),
    "c": np.array([2, 1]),
    "x is there": np.array([1, 2]),
    "c is there": np.array([2, 1]),
}


@pytest.mark.parametrize("order", [["x is there", "c is there", "c", "x"], ["c", "x", "c is there", "x is there"]])
def test_a_cell_that_is_not_there_has_no_value_whatever_was_drawn_first(order):
    found = decode(SCHEMA, {name: DRAWN[name] for name in order}, np.random.default_rng(0))
    assert sorted(found) == ["c", "x"]
    np.testing.assert_array_equal(found["x"], [5.0, np.nan])
    assert found["c"].tolist() == [None, "u"]


def test_where_nobody_drew_whether_a_cell_is_there_it_is():
    found = decode(SCHEMA, {name: DRAWN[name] for name in ("x", "c", "c is there")}, np.random.default_rng(0))
    assert found["x"].tolist() == [5.0, 6.0]
    assert found["c"].tolist() == [None, "u"]

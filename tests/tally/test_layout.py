"""Where the cells of a tally stand."""

from bayesfold.data.encodings import Categories
from bayesfold.data.schema import Schema
from bayesfold.tally.layout import Clique, Layout

SCHEMA = Schema(Categories("y", ("p", "q")), (Categories("a", ("u", "v")),))


def test_layouts_are_equal_whatever_was_worked_out_for_them() -> None:
    one, other = (Layout(SCHEMA, (Clique(("a", "y")),)) for _ in range(2))
    one.plans["kept"] = 1
    assert one == other
    assert one != Layout(SCHEMA, (Clique(("y",)),))
    assert "kept" not in repr(one)

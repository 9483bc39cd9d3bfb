"""What no row shows goes, unless somebody declared it; what stays keeps its counts."""

import numpy as np
import pytest

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.data.vector import OneHot, Scaled, Vector
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.trimming import rows_by_level, trim

CLIQUES = (Clique(("y",)), Clique(("a", "y")), Clique(("b", "y")))


def counted(declared=None):
    levels = ("p", "q", "r")
    schema = Schema(Categories("y", ("no", "yes")), (Categories("a", levels), Categories("b")), declared=declared or {})
    rows = Frame.of({"a": ["q", "q", None], "b": [None, None, None]})
    return count(schema, CLIQUES, schema.encode(rows, np.array(["no", "no", "no"])))


def test_levels_and_classes_without_a_row_go():
    tally = trim(counted())
    assert [c.levels for c in tally.schema.features] == [("q",), ()]
    assert tally.schema.target.levels == ("no",)
    assert tally.table("a", "y").tolist() == [[0, 1], [0, 2]]


def test_what_is_declared_stays():
    tally = trim(counted({"a": ("r",), "y": ("yes",)}))
    assert tally.schema.features[0].levels == ("q", "r")
    assert tally.schema.target.levels == ("no", "yes")
    assert tally.table("a", "y")[1].tolist() == [0, 2, 0]


def test_classes_may_be_kept_as_they_are():
    assert trim(counted(), classes=False).schema.target.levels == ("no", "yes")


@pytest.mark.parametrize(("declared", "levels"), [({}, ("q",)), ({"all": ("q", "r")}, ("p", "q", "r"))])
def test_indicators_that_no_row_raises_go_unless_the_vector_is_declared(declared, levels):
    vector = Vector("all", (Scaled("x"), OneHot("a", ("p", "q", "r"))))
    schema = Schema(Categories("y", ("no", "yes")), (vector,), declared=declared)
    rows = Frame.of({"x": [1.0, 2.0, 4.0], "a": ["q", "q", None]})
    sums = Clique(("y",), ("all",), 2)
    tally = trim(count(schema, (Clique(("y",)), sums), schema.encode(rows, np.array(["no", "no", "yes"]))))
    assert tally.schema.features[0].axes[1].levels == levels
    cells = tally.cells(tally.layout.span([sums]))
    assert (cells.high + cells.low)[0, 1:, 0].tolist() == [3.0, 4.0]


def test_rows_by_level_and_none_of_a_column_that_is_not_counted():
    schema = Schema(Categories("y", ("p", "q")), (Categories("a", ("u", "v", "w")), Categories("b", ("x", "z"))))
    frame = Frame.of({"a": ["u", "w", "w", None], "b": ["x", "x", "x", "z"]})
    batch = schema.encode(frame, ["p", "q", "p", "q"])
    tally = count(schema, (Clique(("y",)), Clique(("a", "y"))), batch)
    assert rows_by_level(tally, schema.columns["a"]).tolist() == [1, 0, 2]
    assert rows_by_level(tally, schema.columns["b"]).tolist() == [0, 0]
    assert rows_by_level(tally, schema.target).tolist() == [2, 2]


@pytest.mark.parametrize("weight", [None, np.array([0.1, 1e-3, 7.3, 2.1])])
def test_an_indicator_that_only_holes_have_a_share_in_goes(weight):
    vector = Vector("all", (Scaled("x"), OneHot("a", ("p", "q", "r"), shares=(0.25, 0.5, 0.25))))
    schema = Schema(Categories("y", ("no", "yes")), (vector,))
    rows = Frame.of({"x": [1.0, 2.0, 4.0, 1.0], "a": ["q", "r", None, None]})
    sums = Clique(("y",), ("all",), 2)
    batch = schema.encode(rows, np.array(["no", "no", "yes", "no"]), weight)
    tally = trim(count(schema, (Clique(("y",)), sums), batch))
    assert tally.schema.features[0].axes[1] == OneHot("a", ("q", "r"), shares=(0.5, 0.25))

"""What no row shows goes, unless somebody declared it; what stays keeps its counts."""

import numpy as np

from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.tally.counter import count
from bayesfold.tally.layout import Clique
from bayesfold.tally.trimming import trim

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

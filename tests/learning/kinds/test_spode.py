"""A super-parent by its name, by its place from the first column to the last, or the best of all."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.frame import Frame
from bayesfold.learning.kinds import find
from bayesfold.models.structures.aode import Aode
from bayesfold.models.structures.spode import Spode

FRAME = Frame.of({"a": [*"xyxy"], "b": [*"xxyy"], "c": [*"xyyx"]})


@pytest.mark.parametrize(("parent", "name"), [(0, "a"), (1, "b"), (2, "c"), ("b", "b"), (3, 3), (-1, -1), ("0", "0")])
def test_a_parent_is_a_name_or_a_place(parent, name):
    assert find("spode")(parent=parent).structure(FRAME) == Spode(name)


def test_without_a_parent_every_column_is_tried():
    settings = find("spode")()
    assert settings.structure(FRAME) == Aode(minimum=0.0)
    assert settings.one_network()


@pytest.mark.parametrize("parent", [0, "a"])
def test_the_first_column_is_a_parent_too(parent):
    draw = np.random.default_rng(0)
    table = {name: draw.choice([*"xyz"], 60).tolist() for name in "abc"}
    clf = bf.SPODE(parent=parent).fit(table, draw.choice([*"pq"], 60))
    assert clf.parent_ == "a"

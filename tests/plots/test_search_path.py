"""The path of a score: steps that rise, and a word for what the end means."""

import pytest

import bayesfold as bf
from bayesfold.plots import search_path

from .sources import LEARNED, drawn

ROWS = {"a": [0, 1] * 20, "b": [0, 1] * 20, "c": [0, 0, 1, 1] * 10}


def test_the_steps_are_the_stages():
    found = bf.learn_network(ROWS, search="exact")
    figure = drawn(search_path, search_path.data(found))
    assert list(figure.data[0].y) == [score for _, score in found.path]
    assert list(figure.layout.xaxis.ticktext) == [stage for stage, _ in found.path]
    assert list(figure.data[0].y) == sorted(figure.data[0].y)
    assert "no network scores higher" in figure.layout.title.text
    assert "no network scores higher" not in drawn(search_path, search_path.data(LEARNED)).layout.title.text


def test_a_network_alone_has_no_path():
    with pytest.raises(ValueError, match="what learn_network returned"):
        search_path.data(bf.read_network("smoking"))

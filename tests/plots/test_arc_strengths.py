"""The picture of arcs: bars are shares of samples, the line is the threshold."""

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.networks.learning.strengths import ArcStrengths
from bayesfold.plots import arc_strengths

from .sources import LEARNED, drawn


def test_bars_add_up_to_strengths():
    numbers = arc_strengths.data(LEARNED)
    figure = drawn(arc_strengths, numbers)
    one, other = figure.data
    for k, (a, b, strength, direction) in enumerate(numbers.arcs):
        assert one.x[k] == pytest.approx(strength * direction)
        assert one.x[k] + other.x[k] == pytest.approx(strength)
        assert figure.layout.yaxis.ticktext[k] == f"{a} → {b}"
        assert direction >= 0.5
    assert figure.layout.shapes[0].x0 == LEARNED.strengths.threshold
    assert list(numbers.arcs) == sorted(numbers.arcs, key=lambda arc: -arc[2])


def test_there_is_room_for_some_and_a_word_for_the_others():
    n = 12
    strength = np.ones((n, n)) - np.eye(n)
    many = ArcStrengths(tuple(f"c{j}" for j in range(n)), strength, np.triu(strength), 7, 0.5, "7 samples")
    numbers = arc_strengths.data(many)
    assert len(numbers.arcs) == arc_strengths.MOST_ARCS
    assert numbers.left_out == n * (n - 1) // 2 - arc_strengths.MOST_ARCS
    assert "6 weaker ones are left out" in drawn(arc_strengths, numbers).layout.title.text
    none = ArcStrengths(("a", "b"), np.zeros((2, 2)), np.zeros((2, 2)), 3, 1.0, "3 samples")
    assert drawn(arc_strengths, arc_strengths.data(none)).data


def test_a_network_learned_once_is_refused():
    with pytest.raises(ValueError, match="bootstrap=200"):
        arc_strengths.data(bf.learn_network({"a": [0, 1] * 9, "b": [0, 1] * 9}))

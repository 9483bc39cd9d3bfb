"""Rows that are drawn: states with a chance, the weights of what is held, and nodes that do not matter left alone."""

import numpy as np
import pytest

from bayesfold.networks.dag import Dag
from bayesfold.networks.sampling import last_possible, pick_states, sample_forward, to_states


class Given:
    """Draws that are known."""

    def __init__(self, *numbers):
        self.numbers = np.array(numbers)

    def random(self, rows):
        assert rows == len(self.numbers)
        return self.numbers


def test_a_state_is_picked_by_where_the_draw_falls():
    chances = np.tile([0.25, 0.0, 0.5, 0.25, 0.0], (7, 1))
    draw = Given(0.0, 0.2499, 0.25, 0.7499, 0.75, 0.9999, 1.0)
    assert pick_states(chances, draw).tolist() == [0, 0, 2, 2, 3, 3, 3], "and never one without a chance"
    assert pick_states(2 * chances, draw).tolist() == [0, 0, 2, 2, 3, 3, 3], "chances need not sum to 1"
    first = np.tile([0.0, 1.0], (2, 1))
    assert pick_states(first, Given(0.0, 0.5)).tolist() == [1, 1]
    assert last_possible(np.array([[0.1, 0.9], [1.0, 0.0], [0.0, 1.0]])).tolist() == [1, 0, 1]


def test_rows_weigh_what_is_held_and_nothing_else():
    dag = Dag(("c", "a", "b", "d"), ((1, 2), (), (), (0,)))
    tables = (
        np.array([[[0.125, 0.875], [0.25, 0.75]], [[0.5, 0.5], [1.0, 0.0]]]),
        np.array([0.75, 0.25]),
        np.array([0.5, 0.5]),
        np.array([[0.5, 0.5], [0.25, 0.75]]),
    )
    codes, logs = sample_forward(dag, tables, 400, np.random.default_rng(0), {0: 1, 1: 0}, only=(0, 1, 2))
    assert (codes[:, 0] == 1).all()
    assert (codes[:, 1] == 0).all()
    assert set(codes[:, 2].tolist()) == {0, 1}
    assert (codes[:, 3] == -1).all(), "what does not matter is not drawn"
    np.testing.assert_allclose(np.exp(logs), 0.75 * np.where(codes[:, 2] == 0, 0.875, 0.75))
    codes, logs = sample_forward(dag, tables, 400, np.random.default_rng(0), {})
    assert not logs.any()
    assert ((codes >= 0) & (codes < 2)).all()
    _, logs = sample_forward(dag, tables, 400, np.random.default_rng(0), {0: 1, 1: 1, 2: 1})
    assert (logs == -np.inf).all()


def test_codes_become_states_of_any_kind():
    codes = np.array([[0, 1], [1, 0]], np.int32)
    found = to_states(codes, ("a", "b"), {"a": ("x", (1, 2)), "b": (3, None)})
    assert found["a"].tolist() == ["x", (1, 2)]
    assert found["b"].tolist() == [None, 3]
    assert found["a"].dtype == object


@pytest.mark.parametrize("shares", [(0.1, 0.2, 0.7), (0.0, 1.0, 0.0)])
def test_states_are_picked_as_often_as_they_are_likely(shares):
    picked = pick_states(np.tile(shares, (20_000, 1)), np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(picked, minlength=3) / 20_000, shares, atol=0.01)

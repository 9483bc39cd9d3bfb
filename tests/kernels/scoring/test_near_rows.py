"""Landmarks near a row: the compiled loops against their own source, and against plain sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS, rows=st.integers(0, 4), axes=st.integers(1, 9), landmarks=st.integers(1, 6))
def test_distances(seed, rows, axes, landmarks):
    draw = np.random.default_rng(seed)
    x, centre, whitening = draw.normal(size=(rows, axes)), draw.normal(size=axes), draw.normal(size=(axes, axes))
    turned = assert_same("near_rows", "turn", x, centre, whitening, np.empty((rows, axes)))[3]
    np.testing.assert_allclose(turned, (x - centre) @ whitening, atol=1e-12)
    places = draw.integers(-1, 2, (axes, landmarks)).astype(float)
    squares = assert_same("near_rows", "square_distances", turned, places, np.empty((rows, landmarks)))[2]
    expected = ((turned[:, None] - places.T[None]) ** 2).sum(2)
    np.testing.assert_allclose(squares, expected, atol=1e-12)
    nearest = assert_same("near_rows", "nearest", squares, np.empty(rows, np.intp))[1]
    assert nearest.tolist() == squares.argmin(1).tolist()


@pytest.mark.parametrize("left_out", [False, True])
@given(seed=SEEDS, rows=st.integers(1, 4), landmarks=st.integers(1, 6), classes=st.integers(1, 3))
def test_what_is_near_weighs_by_its_nearness(left_out, seed, rows, landmarks, classes):
    draw = np.random.default_rng(seed)
    squares = draw.uniform(0, 9, (rows, landmarks))
    weight = draw.integers(0, 3, (landmarks, classes)).astype(float)
    own, group, gone = np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
    rest = np.broadcast_to(weight, (rows, landmarks, classes)).copy()
    if left_out:
        at, of = np.nonzero(weight)
        if not len(at):
            return
        some = draw.integers(0, len(at), rows)
        own, group = at[some], of[some]
        gone = 1.0 + draw.choice([0.0, -(2.0**-50), 2.0**-50], rows)  # what rounding leaves of a row is nothing
        rest[np.arange(rows), own, group] -= 1.0
    at, of = np.nonzero(weight)
    entries = np.searchsorted(at, np.arange(landmarks + 1)), of, weight[at, of]
    near = np.zeros((3, rows, classes))
    found = assert_same("near_rows", "weigh", squares, *entries, 0.7, 36.0, own, group, gone, near, np.empty(rows))
    for i in range(rows):
        there = rest[i].any(1)
        if not there.any():
            assert found[10][i] == -1
            continue
        least = squares[i][there].min()
        assert found[10][i] == least
        for k, precision in enumerate((0.7, 1.4, 2.8)):
            expected = np.exp(-precision * (squares[i] - least))[there] @ rest[i][there]
            np.testing.assert_allclose(found[9][k, i], expected, rtol=1e-12)
